"""Names for the shapes that pass between the parts. Nothing here runs.

A message is one of::

    {"role": "user", "content": str}
    {"role": "assistant", "content": [block, ...], "stop_reason": str | None}
    {"role": "toolResult", "tool_call_id": str, "tool_name": str, "content": str, "is_error": bool}

and a block of a reply is one of::

    {"type": "text", "text": str}
    {"type": "toolCall", "id": str, "name": str, "arguments": dict}

A tool is a dict of "name", "description", "parameters" (a JSON schema) and "execute", a function
from the arguments of one call to the text of its result. Extra keys are allowed everywhere.
They are plain dicts rather than typed ones because half of them are written by a model, which
promises nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

Message = dict[str, Any]
Block = dict[str, Any]
Tool = dict[str, Any]
Spec = dict[str, Any]
Execute = Callable[[Any], str]


class Model(Protocol):
    """What answers: one request in, one reply (an assistant message) out."""

    def complete(self, system: str, messages: list[Message], specs: list[Spec], /) -> Message:
        """Return the reply to `messages`. What it raises ends the run."""


class Workspace(Protocol):
    """Files by path, as text."""

    def exists(self, path: str, /) -> bool:
        """Say whether a file stands under `path`."""

    def read_text(self, path: str, /) -> str:
        """Return the whole text of a file, line endings as they are."""

    def write_text(self, path: str, text: str, /) -> object:
        """Make `text` the whole text of the file `path`."""

    def listdir(self, path: str, /) -> Sequence[str]:
        """Return the names in the folder `path`."""


class Shell(Protocol):
    """What runs a command line."""

    def run(self, command: str, /) -> tuple[str, int]:
        """Return what the command printed, and its exit code."""
