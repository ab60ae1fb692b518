"""The contract between the suite and one implementation under test.

An adapter translates and never repairs. It offers what `Harness` lists; of the methods it
needs only those that its capabilities name (see `CAPABILITIES`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from adapters.desk import Place
from adapters.trace import Trace
from strategies.script import Conversation, Ran

CAPABILITIES = {
    "loop": "converse() plays a conversation",
    "record": "the trace shows the harness's own list of what happened",
    "max-turns": "a limit on model calls per prompt",
    "error-reply": "a failed reply is a message with stop_reason error",
    "helpers": "help() calls text_of, tool_calls, user_message, error_message",
    "truncate": "cut() cuts a text at either end",
    "read": "desk() has a read tool with offset and limit",
    "write": "desk() has a write tool",
    "bash": "desk() has a bash tool",
    "raw-arguments": "call arguments reach the harness as unparsed text",
    "bytes": "the read tool is given the bytes of a file",
    "retry": "a provider failure is tried again",
    "usage": "the harness adds up what was used",
    "stream": "replies reach the harness as streams: in parts, which may be cut off (`Reply.sent`)",
    "exit-status": "each prompt is a program's run, whose exit status the trace shows",
    "offline": "it can be told to stay offline, and the trace shows which hosts it looks up",
}

POLICIES = {
    "lines": ("universal", "cr", "lf"),  # what a line is when a text is cut
    "read-lines": ("universal", "cr", "lf", "pieces"),  # what a line is in the read tool
    "bash-lines": ("universal", "cr", "lf", "pieces"),  # what a line is in command output
    "read-endings": ("kept", "lf"),  # how the read tool shows the end of a line
    "first-offset": ("1", "0", "any"),  # the smallest offset that the read tool takes
    "line-ends": ("counted", "between"),  # whether a budget counts a line's ending, or what is between lines
    "giants": ("left-out", "partial"),  # what the tail keeps of a last line that is over the budget
    "budgets": ("settable", "fixed"),  # whether its tools take budgets, and say them
    "calls": ("sequential", "parallel"),  # whether calls of one reply run one after the other
    "validates": ("yes", "no"),  # whether calls whose arguments do not fit the schema may be turned down
    "types": ("strict", "coerced"),  # whether its tools take a value of another type for what it says
    "notice": ("course", "other"),  # the wording of the read tool's notice
    "provider-errors": ("raise", "wrap", "other"),  # what becomes of an exception out of the provider
    "turn-limit": ("failed-reply", "raise", "other"),  # how a stop at the limit is shown
    "specs": ("as-given", "completed", "own"),  # whether members are added to the schemas of tools
    "system": ("as-given", "own"),  # whose system prompt is sent
    "results": ("as-given", "shown"),  # whether tools are commands whose output is laid out for the model
    "call-ids": ("as-given", "portable"),  # whether ids of letters other than those of every API are replaced
    "cut-replies": ("go-on", "end", "again"),  # what may become of the run at a reply labelled as cut off
    "strange-labels": ("go-on", "end", "again"),  # what may become of it at a label its API has not
    "filtered-replies": ("end", "again"),  # whether a reply that a filter cut off may be asked for again
    "empty-replies": ("end", "again"),  # whether a reply that holds nothing may be asked for again
    "unclosed-streams": ("broken-off", "whole"),  # what a stream is that ends properly but without its end
    "tools": ("called", "none"),  # whether there are tools for a model to call
    "labels": ("any", "closed", "none"),  # which stop labels a recorded reply can carry
    "marks": ("yes", "no"),  # whether a result says if it is an error
    "error-words": ("own", "fixed"),  # whether an error result says what the tool's exception said
    "answer": ("message", "text"),  # what a run gives back
    "failed-replies": ("sent", "left-out"),  # whether a reply that failed is sent again with what it says
    "cut-off-calls": ("run", "other"),  # what becomes of calls in a reply that is labelled as cut off
    "keeps": ("callers-list", "own-record", "turns", "runs"),  # where the record is kept, and from when on
    "missing-files": ("listed", "named"),  # whether the error on a missing file says what is there
    "broken-runs": ("all", "answered", "nothing"),  # what is sent later of the calls of a run that broke off
    "lesson": ("3", "6"),
}
# What is meant where a harness does not say: a sound loop of the plainest kind.
DEFAULTS = {
    "lines": "universal", "read-lines": "universal", "bash-lines": "universal", "read-endings": "kept",
    "first-offset": "1", "line-ends": "counted", "giants": "left-out", "budgets": "settable",
    "calls": "sequential", "validates": "no", "types": "strict", "notice": "course",
    "provider-errors": "raise",
    "turn-limit": "failed-reply", "specs": "as-given", "system": "as-given", "results": "as-given",
    "call-ids": "as-given", "cut-replies": "go-on", "strange-labels": "go-on", "labels": "any",
    "marks": "yes", "error-words": "own", "answer": "message", "failed-replies": "sent",
    "cut-off-calls": "run", "keeps": "callers-list", "missing-files": "listed", "broken-runs": "all",
    "empty-replies": "end", "filtered-replies": "end", "unclosed-streams": "broken-off", "tools": "called",
}  # fmt: skip


class HarnessFault(Exception):
    """The harness broke in a way that a property cannot judge: the verdict is *fails*.

    The message is one sentence for whoever wrote the harness. `key` is the same for all
    failures that have this one cause, so that it is told once; `owner` is the property that
    the fault belongs to, if there is one.
    """

    key = ""
    owner = ""


class Hung(HarnessFault):
    """The harness does not come to an end."""


class Endless(HarnessFault):
    """The harness takes step after step and asks for nothing: it was seen to, no time had to pass."""

    key = "endless"


class Died(HarnessFault):
    """The harness's process ended in the middle of a job."""


class Garbage(HarnessFault):
    """What came over the channel is not what the stub writes."""


class Missing(HarnessFault):
    """A function that the course shape has is not there or cannot be called."""

    def __init__(self, sentence: str, key: str) -> None:
        super().__init__(sentence)
        self.key = key


class AdapterError(Exception):
    """The adapter or the suite broke: the verdict is *error*, never the harness's fault."""


class Unplayable(Exception):
    """The harness's own types cannot say what this script holds, so it says nothing of the harness."""


class Unusable(Exception):
    """There is no such target; the message says what was asked for and what to do next."""


@dataclass(frozen=True)
class About:
    """Which implementation this is. `target` is what the command line was given."""

    name: str
    version: str = ""
    target: str = ""


@dataclass(frozen=True)
class ToolResult:
    """What one of the harness's own tools gave back, as the model would see it."""

    content: Any
    is_error: Any
    message: Any  # the whole toolResult message
    call: Any  # the call object afterwards


class OpenDesk(Protocol):
    """The harness's own tools over one workspace and shell."""

    place: Place

    @property
    def specs(self) -> dict[str, Any]:
        """What each tool says of itself: name -> spec."""
        ...

    def use(self, tool: str, arguments: Any) -> ToolResult:
        """Run one call of the harness's own tool."""
        ...


class Harness(Protocol):
    """One implementation under test, as the properties see it."""

    about: About

    @property
    def capabilities(self) -> frozenset[str]: ...

    @property
    def policies(self) -> Mapping[str, str]: ...

    def converse(self, script: Conversation, *, watch: bool = False) -> Trace:
        """Play a conversation. `watch` also tells which messages of earlier requests changed."""
        ...

    def cut(self, end: str, text: str, max_lines: int | None, max_bytes: int | None) -> Any:
        """Cut `text` at its "head" or "tail"; budgets in lines and bytes, None the default."""
        ...

    def help(self, function: str, argument: Any) -> Any:
        """Call one of the message helpers."""
        ...

    def desk(
        self,
        files: Mapping[str, str | bytes],
        commands: Mapping[str, Ran],
        max_lines: int | None,
        max_bytes: int | None,
    ) -> OpenDesk:
        """The harness's own tools, with these files, commands and budgets."""
        ...

    def restart(self) -> None:
        """Begin afresh: nothing that earlier runs left behind may be seen afterwards."""
        ...

    def close(self) -> None:
        """Give back what the adapter holds (processes, folders)."""
        ...
