"""What the record must hold at each moment: the messages that are due, told from the trace's own story.

The replies that were really delivered decide what should follow. A record is compared with a list of
items, and the first place where it departs from them is told in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adapters.normal import calls_of, essence, failed, role_of, short
from adapters.trace import Ending, Event, Execution, Request, Trace
from properties.checks import shown
from properties.messages import described, essence_of_call
from strategies.script import Conversation


@dataclass(frozen=True)
class Item:
    """One message that must be there: handed in, a prompt, a reply, the result of a call."""

    kind: str
    value: Any
    marked: bool = True  # whether results of this harness say if they are errors

    def text(self) -> str:
        """This message in words."""
        if self.kind == "result":
            return f"the result of call {self.value.get('id')}"
        if self.kind == "prompt":
            return f"the prompt {shown(self.value, 40)}"
        named = "a message that was handed in" if self.kind == "given" else "the reply"
        return f"{named} {short(self.value)}"

    def fits(self, message: Any) -> bool:
        """True if this message can stand for it; content of replies and results is not compared."""
        if self.kind == "given":
            same = _essence(message, self.marked) == _essence(self.value, self.marked)
            return message is self.value or bool(same)
        if self.kind == "prompt":
            return role_of(message) == "user" and message.get("content") == self.value
        if self.kind == "result":
            return role_of(message) == "toolResult"
        same_calls = [essence_of_call(c) for c in calls_of(message)] == [
            essence_of_call(c) for c in calls_of(self.value)
        ]
        return role_of(message) == "assistant" and (same_calls or failed(self.value))


def before_each(script: Conversation, trace: Trace, harness: Any) -> Iterator[tuple[Any, list[Item]]]:
    """Each event of the trace with the items that the record must hold at that moment."""
    items = [Item("given", m, marks(harness)) for m in script.history]
    prompt = -1
    results: list[Item] = []
    for event in trace.events:
        if event.prompt != prompt:
            prompt = event.prompt
            items.append(Item("prompt", script.prompts[prompt].text))
            results = []
        if isinstance(event, Execution):
            if event.call is not None:  # a run that no call asked for says nothing of the record
                yield event, items + results[: event.call]
            continue
        interrupted = isinstance(event, Ending) and event.problem is not None and _in_tool(event)
        if not interrupted:
            items = items + results
        else:
            items = items + results[: _place(trace, event)]
        results = []
        yield event, items
        if isinstance(event, Ending) and _stopped(script, event, items):
            items = [*items, Item("given", event.record[-1])]
        if isinstance(event, Request) and event.reply is not None:
            items = [*items, Item("reply", event.reply)]
            if not failed(event.reply):
                results = [Item("result", c) for c in calls_of(event.reply)]


def due(event: Event, harness: Any) -> bool:
    """Whether the record has to be complete at this moment; some keep one of their own, turn by turn."""
    keeps = harness.policies.get("keeps", "callers-list")
    if keeps not in ("turns", "runs"):
        return True
    over = isinstance(event, Ending) and event.kind == "returned"
    return over or (keeps == "turns" and isinstance(event, Request))


def marks(harness: Any) -> bool:
    """Whether results of this harness say if they are errors; a harness that declares nothing has to."""
    return bool(harness.policies.get("marks", "yes") == "yes")


def handed_in(message: Any, harness: Any) -> Any:
    """What has to be left of a message that was handed in: all of it if the record is the caller's list."""
    if harness.policies.get("keeps", "callers-list") == "callers-list":
        return message
    return _essence(message, marks(harness))


def _essence(message: Any, marked: bool) -> Any:
    """What of a message travels, without the mark on results where a harness has none."""
    kept = essence(message)
    if not marked and isinstance(kept, dict):
        kept.pop("is_error", None)
    return kept


def _stopped(script: Conversation, ending: Ending, items: list[Item]) -> bool:
    """True if the harness itself wrote a last, failed message: the stop at a turn limit."""
    limit = script.prompts[ending.prompt].max_turns
    record = ending.record
    one_more = isinstance(record, list) and len(record) == len(items) + 1
    return isinstance(limit, int) and one_more and failed(record[-1])


def _in_tool(ending: Ending) -> bool:
    assert ending.problem is not None
    return bool(ending.problem.key and ending.problem.key.startswith("tool"))


def _place(trace: Trace, ending: Any) -> int:
    """Which call of the last reply was running when the interrupt came."""
    last = [e for e in trace.executions if e.prompt == ending.prompt][-1]
    return last.call or 0


def first_difference(items: list[Item], messages: Any) -> str | None:
    """Where a list departs from the story, in words; None if it does not."""
    if not isinstance(messages, (list, tuple)):
        return f"it is not a list but {type(messages).__name__}"
    for index, item in enumerate(items):
        if index >= len(messages):
            return f"{item.text()} is missing (it holds {len(messages)} messages, not {len(items)})"
        if not item.fits(messages[index]):
            return f"messages[{index}] should be {item.text()}, but it is {described(messages[index])}"
    if len(messages) > len(items):
        return f"messages[{len(items)}] is one too many: {described(messages[len(items)])}"
    return None
