"""What scripts are made of: what a tool does, what the model replies, and how a reply goes out.

All of it is named in `strategies.script`, too, which is where everybody takes it from.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any


class Mark(enum.Enum):
    """Stand-ins for values that a script can leave out."""

    ABSENT = "absent"  # the key is not there at all
    OMITTED = "omitted"  # the argument is not passed, so the harness's default holds

    def __repr__(self) -> str:
        return self.name


ABSENT = Mark.ABSENT
OMITTED = Mark.OMITTED


# ---- what a tool does ---------------------------------------------------------------------


@dataclass(frozen=True)
class Returns:
    """Return this text."""

    text: str = "ok"


@dataclass(frozen=True)
class Gives:
    """Return something that is not ordinary text; `kind` is a name from `tables.ODD_VALUES`."""

    kind: str = "None"


@dataclass(frozen=True)
class Raises:
    """Raise an exception; `type` is a name from `tables.EXCEPTIONS`, `text` its message."""

    type: str = "ValueError"
    text: str = "boom"


@dataclass(frozen=True)
class Interrupts:
    """Raise KeyboardInterrupt or SystemExit, as when somebody presses Ctrl-C."""

    type: str = "KeyboardInterrupt"


@dataclass(frozen=True)
class Reads:
    """Return `arguments[member]` as text, so that a wrong shape fails by itself."""

    member: str = "text"


@dataclass(frozen=True)
class Changes:
    """Change the arguments that were handed over, nested ones too, then return `text`."""

    text: str = "ok"


Behaviour = Returns | Gives | Raises | Interrupts | Reads | Changes


# ---- what the model replies ---------------------------------------------------------------


@dataclass(frozen=True)
class Say:
    """A text block."""

    text: str = ""


@dataclass(frozen=True)
class Call:
    """A tool call block, and what the scripted tool will do when this call is run.

    `arguments` is a JSON object in every course-tier script. `Raw(text)` in its place is an
    argument string as it came over the wire, for harnesses that take raw arguments.
    """

    id: str = "c1"
    name: str = "echo"
    arguments: Any = field(default_factory=dict)
    does: Behaviour = Returns()


@dataclass(frozen=True)
class Raw:
    """An argument string that has not been parsed."""

    text: str = ""


@dataclass(frozen=True)
class Odd:
    """A block of a type nobody has heard of; it is neither text nor a call."""

    type: str = "thinking"
    text: str = "hm"


Block = Say | Call | Odd


@dataclass(frozen=True)
class Sent:
    """How a reply goes out over the wire; a harness that is driven in process never sees it.

    `pieces` are the sizes, in characters, of the parts that texts and argument strings are streamed
    in, in turn and over again; none is one part each, 0 an empty part. `together` lets the blocks'
    parts take turns. `ids` says where a call's id and name stand: with its first part, its last, or
    all. `cumulative` repeats with each part all that came before it. `chunk` is how many bytes one
    network write has, wherever that cuts; 0 is one event a write. `cut` ends the connection after so
    many events, or below 0 before so many of the last ones, never among those that close a reply;
    `unclosed` ends the stream properly, but without the events that close a reply. `after` holds the answer
    back until so many later requests of the run were answered.
    """

    pieces: tuple[int, ...] = ()
    together: bool = False
    ids: str = "first"
    cumulative: bool = False
    chunk: int = 0
    cut: int | None = None
    unclosed: bool = False
    after: int = 0


@dataclass(frozen=True)
class Reply:
    """One assistant message. `label` is its stop_reason: a text, None (null) or ABSENT.

    `times` plays the same reply so many times in a row, call ids numbered on, so that long
    runs stay short on paper. `error` is its error_message, `usage` its usage figures. `sent` is
    how it goes out where there is a wire; None is the plainest way.
    """

    blocks: tuple[Block, ...] = ()
    label: Any = "stop"
    error: str | None = None
    usage: dict[str, int] | None = None
    times: int = 1
    sent: Sent | None = None

    @property
    def failed(self) -> bool:
        return bool(self.label == "error")

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(b for b in self.blocks if isinstance(b, Call))


@dataclass(frozen=True)
class Crash:
    """The provider raises instead of replying; `retryable` ones name a passing fault.

    On a wire it answers with the HTTP `status`, and with `retry_after` seconds in the header of that
    name; without a status the connection is closed and nothing is answered.
    """

    type: str = "ConnectionError"
    text: str = "connection lost"
    status: int | None = None
    retry_after: float | None = None


# ---- replies as they are handed over ------------------------------------------------------


def unrolled(replies: tuple[Reply | Crash, ...]) -> Iterator[Reply | Crash]:
    """The replies one by one: a reply that comes `times` times gets its call ids numbered on.

    The first copy keeps its ids; copy k of call "c1" is "c1.k", so ids stay unique.
    """
    for reply in replies:
        if isinstance(reply, Crash) or reply.times == 1:
            yield reply
            continue
        once = replace(reply, times=1)
        yield once
        for copy in range(2, reply.times + 1):
            blocks = tuple(
                replace(b, id=f"{b.id}.{copy}") if isinstance(b, Call) else b
                for b in once.blocks
            )
            yield replace(once, blocks=blocks)


def message_of(reply: Reply) -> dict[str, Any]:
    """The reply as the assistant message that the provider hands over: a fresh object."""
    message: dict[str, Any] = {"role": "assistant", "content": [_block(b) for b in reply.blocks]}
    if reply.label is not ABSENT:
        message["stop_reason"] = reply.label
    if reply.error is not None:
        message["error_message"] = reply.error
    if reply.usage is not None:
        message["usage"] = dict(reply.usage)
    return message


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Say):
        return {"type": "text", "text": block.text}
    if isinstance(block, Odd):
        return {"type": block.type, block.type: block.text}
    parts: dict[str, Any] = {"type": "toolCall", "id": block.id, "name": block.name}
    if block.arguments is not ABSENT:
        raw = block.arguments
        parts["arguments"] = raw.text if isinstance(raw, Raw) else raw
    return {key: value for key, value in parts.items() if value is not ABSENT}
