"""Playing a conversation: its trace, and what would spoil every judgement of it.

A trace is compared with its own story: the replies that were really delivered decide what
should follow, so that one early fault is not blamed on everything after it. What the record must hold
stands in `properties/expected.py`, how messages are compared in `properties/messages.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adapters.contract import Unplayable
from adapters.normal import role_of
from adapters.trace import Ending, Execution, Request, Trace
from properties.checks import Violation, shown
from strategies.script import Conversation, Prompt, Reply


class Crashed(Violation):
    """run_agent broke by itself; `key` is the same wherever this one fault shows."""

    def __init__(self, sentence: str, key: str, owner: str = "") -> None:
        super().__init__(sentence, "", owner)
        self.key = key


OWNERS = {
    1: "LOOP-03", 2: "LOOP-03", 3: "LOOP-03", 4: "LOOP-16", 5: "LOOP-03", 6: "LOOP-13", 7: "TOOL-07",
    8: "LIMIT-04", 9: "LOOP-06", 10: "LOOP-06", 11: "LOOP-11", 12: "LOOP-11",
}  # fmt: skip
CUT_OFF = ("length", "content_filter")  # labels of replies that were cut off


def play(
    script: Conversation, harness: Any, *, refusals: bool = False, cut_off: bool = False
) -> Trace:  # fmt: skip
    """Play a conversation and judge what would spoil every judgement.

    An exception that no script asked for is a violation by itself; so is a refused request,
    which belongs to the property that forbids it. With `refusals` the caller judges those.
    Calls in replies that were cut off are passed over where the harness declares that it does not simply run
    them, unless the caller judges what becomes of them (`cut_off`).
    """
    own_way = harness.policies.get("cut-off-calls", "run") == "other"
    if own_way and not cut_off and any(map(_cut_off, replies_of(script))):
        raise Unplayable("it declares that calls of a reply that was cut off are not simply run")
    trace: Trace = harness.converse(script)
    no_crash(trace, script, harness.policies)
    only_messages(trace)
    if not refusals:
        no_refusal(trace)
    return trace


def replies_of(script: Conversation) -> Iterator[Any]:
    """What is played in a conversation, in order; a pager's replies are not known before."""
    for prompt in script.prompts:
        yield from prompt.replies if isinstance(prompt.replies, tuple) else ()


def _cut_off(reply: Any) -> bool:
    return isinstance(reply, Reply) and bool(reply.calls) and reply.label in CUT_OFF


def only_messages(trace: Trace) -> None:
    """Raise a violation if something that is no message stands in the record."""
    for ending in trace.endings:
        for i, message in enumerate(ending.record):
            if role_of(message) == "?":
                said = f"messages[{i}] of the record is no message but {shown(message)}"
                raise Violation(said, step(ending), "LOOP-07")


def no_crash(trace: Trace, script: Conversation | None = None, policies: Any = None) -> None:
    """Raise Crashed if the loop broke by itself, or let a tool's ordinary exception out.

    `policies` may say that an exception is how the turn limit, or a refusal of the provider's, is told.
    """
    for ending in trace.endings:
        problem = ending.problem
        if problem is None:
            continue
        if script is not None and problem.key is None and _is_told_so(script, trace, ending, policies):
            continue
        at = f" ({problem.where})" if problem.where else ""
        if problem.key is None:
            raise Crashed(
                f"run_agent itself broke with {problem.type}: {problem.text}{at}",
                f"crash:{problem.type}:{problem.where}",
            )
        if problem.key.startswith("tool") and problem.is_exception:
            raise Crashed(
                f"an exception in a tool ({problem.type}: {shown(problem.text, 60)}) came out of run_agent "
                "instead of becoming an error result", "tool-exception", "TOOL-01",
            )  # fmt: skip


def forgotten(policies: Any) -> str | None:
    """Why later requests of this harness need not hold a run that broke off, None if they have to."""
    left_out = policies.get("broken-runs") == "nothing"
    return "it leaves runs that broke off out of the history" if left_out else None


def at_limit(script: Conversation, trace: Trace, ending: Ending) -> bool:
    """Whether as many replies as the prompt may have had come when this prompt ended."""
    return len(trace.rounds(ending.prompt)) == script.prompts[ending.prompt].max_turns


def raised_at_limit(script: Conversation, trace: Trace, prompt: int, harness: Any) -> bool:
    """Whether the turn limit ended this prompt by an exception, where that is how it is shown."""
    ending = trace.endings[prompt]
    by_itself = ending.problem is not None and ending.problem.key is None
    return by_itself and harness.policies["turn-limit"] == "raise" and at_limit(script, trace, ending)


def _is_told_so(script: Conversation, trace: Trace, ending: Ending, policies: Any) -> bool:
    """Whether this exception is the stop at the turn limit or a refusal, where those are raised."""
    rounds = trace.rounds(ending.prompt)
    if policies.get("turn-limit") == "raise" and at_limit(script, trace, ending):
        return True
    refused = rounds[-1].request.refusal if rounds else None
    own = policies.get("keeps", "callers-list") != "callers-list"
    return bool(own and refused and ending.problem and refused in ending.problem.text)


def no_refusal(trace: Trace) -> None:
    """Raise a violation if the strict provider refused a request."""
    for request in trace.requests:
        if request.refusal:
            owner = OWNERS.get(request.rule, "")
            raise Violation(f"the provider refused a request: {request.refusal}", step(request), owner)


def step(event: Any) -> str:
    """A trace event in words, as the first bad step of a message."""
    prompt = f"prompt {event.prompt + 1}, " if event.prompt else ""
    if isinstance(event, Request):
        return f"{prompt}request {event.number + 1}"
    if isinstance(event, Execution):
        return f"{prompt}tool {event.tool} run after request {event.request + 1}"
    return f"end of prompt {event.prompt + 1}"


def turns(prompt: Prompt) -> int:
    """How many model calls a prompt's replies are good for; a pager has no number of its own."""
    replies = prompt.replies
    return sum(getattr(r, "times", 1) for r in replies) if isinstance(replies, tuple) else 0
