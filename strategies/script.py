"""Scripts: everything that will happen in one run, as plain frozen data.

A script holds no behaviour of its own. Adapters play it, properties judge what came of it,
`strategies.printing` shows it as Python or JSON that rebuilds it. What tools do and what the model replies
stands in `strategies/parts.py`; all of it is named here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from strategies.parts import (
    ABSENT,
    OMITTED,
    Behaviour,
    Block,
    Call,
    Changes,
    Crash,
    Gives,
    Interrupts,
    Mark,
    Odd,
    Raises,
    Raw,
    Reads,
    Reply,
    Returns,
    Say,
    Sent,
    message_of,
    unrolled,
)  # fmt: skip

__all__ = (
    "ABSENT", "OMITTED", "Behaviour", "Block", "Call", "Changes", "Conversation", "Crash", "Cut", "Desk",
    "Edit", "Gives", "Interrupts", "Mark", "Odd", "Own", "Pager", "Paging", "Pair", "Prompt", "Raises",
    "Ran", "Raw", "Reads", "Relabelled", "Reply", "Returns", "Say", "Sent", "Tool", "Use", "message_of",
    "unrolled",
)  # fmt: skip


# ---- what the model is asked --------------------------------------------------------------


@dataclass(frozen=True)
class Pager:
    """A model that reads `path`, believes what it is shown, and follows every notice.

    It answers with the needle's words when a result shows `needle`, and "does not exist" as
    soon as a result holds neither the needle nor a notice. `max_replies` bounds it.
    """

    path: str = "big.log"
    needle: str = "needle"
    max_replies: int = 60


@dataclass(frozen=True)
class Prompt:
    """One run on the record: the prompt, the replies it will get, and the turn limit."""

    text: str = "Go."
    replies: tuple[Reply | Crash, ...] | Pager = (Reply((Say("Done."),)),)
    max_turns: int | Mark | None = OMITTED


# ---- what there is to work with -----------------------------------------------------------


@dataclass(frozen=True)
class Tool:
    """A scripted tool as it is advertised, with private keys that must never travel."""

    name: str = "echo"
    description: str = "Give the text back."
    parameters: dict[str, Any] = field(
        default_factory=lambda: {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        }
    )
    private: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Own:
    """One of the harness's own tools (read, write, bash); None leaves a budget at its default."""

    name: str = "read"
    max_lines: int | None = None
    max_bytes: int | None = None


@dataclass(frozen=True)
class Ran:
    """What a command prints (stdout and stderr together) and its exit code."""

    output: str = ""
    code: int = 0


@dataclass(frozen=True)
class Conversation:
    """Several prompts, one after the other, on one record with one set of tools."""

    prompts: tuple[Prompt, ...] = (Prompt(),)
    tools: tuple[Tool | Own, ...] = (Tool(),)
    system: str = "You are a careful assistant."
    history: tuple[dict[str, Any], ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    commands: dict[str, Ran] = field(default_factory=dict)
    meddling: str = ""  # what the provider does to the list it was handed: "", "empty", "extend"
    allowed: tuple[int, ...] = ()  # numbers of refusals switched off for this script
    glance: bool = False  # a very long run: look at every hundredth request, count the rest


@dataclass(frozen=True)
class Pair:
    """Two conversations on two records that must have nothing to do with each other."""

    first: Conversation = Conversation()
    second: Conversation = Conversation()


@dataclass(frozen=True)
class Cut:
    """One text to be cut at both ends; None leaves a budget at its default."""

    text: str = ""
    max_lines: int | None = 1
    max_bytes: int | None = 1


@dataclass(frozen=True)
class Use:
    """One call of one of the harness's own tools; the arguments are an object but for one property's."""

    tool: str = "read"
    arguments: Any = field(default_factory=dict)


@dataclass(frozen=True)
class Edit:
    """Somebody else writes a file between two tool calls."""

    path: str = "a.txt"
    text: str = ""


@dataclass(frozen=True)
class Desk:
    """Files and commands to work with, the budgets in force, and what is done, in order."""

    files: dict[str, str] = field(default_factory=dict)
    commands: dict[str, Ran] = field(default_factory=dict)
    steps: tuple[Use | Edit, ...] = ()
    max_lines: int | None = None
    max_bytes: int | None = None


@dataclass(frozen=True)
class Paging:
    """A file to be read page by page from line `start`; page k asks for `limits[k % len]` lines."""

    text: str = ""
    path: str = "a.txt"
    max_lines: int | None = 1
    max_bytes: int | None = 1
    start: int = 1
    limits: tuple[int | None, ...] = (None,)


@dataclass(frozen=True)
class Relabelled:
    """A conversation, and the labels its replies get when it is played a second time."""

    conversation: Conversation = Conversation()
    labels: tuple[Any, ...] = ("stop",)

    def second(self) -> Conversation:
        """The same conversation with reply k labelled `labels[k % len(labels)]`; failed replies
        keep their label, for that label is what makes them failed."""
        count = 0
        prompts = []
        for prompt in self.conversation.prompts:
            replies = []
            for reply in prompt.replies if isinstance(prompt.replies, tuple) else ():
                if isinstance(reply, Reply) and not reply.failed:
                    reply = replace(reply, label=self.labels[count % len(self.labels)])
                    count += 1
                replies.append(reply)
            prompts.append(replace(prompt, replies=tuple(replies)))
        return replace(self.conversation, prompts=tuple(prompts))
