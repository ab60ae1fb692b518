"""LOOP, played twice: a second run is like the first, and knows nothing of it."""

from __future__ import annotations

from typing import Any

from adapters.normal import short
from adapters.trace import Trace
from properties.checks import Violation, equal, shown
from properties.messages import bare
from properties.registry import COURSE, PRINCIPLE, also, law
from properties.story import play, step
from strategies import tables
from strategies.altered import pairs, relabelled
from strategies.conversations import PLAIN, SENDABLE, End, conversations
from strategies.replies import call_specs
from strategies.script import ABSENT, Conversation, Pair

LESSON_3 = conversations(ends=PLAIN)
SMALL = conversations(ends=SENDABLE, max_rounds=1, extras=tables.ONCE, systems=tables.SYSTEMS)
SMALL_3 = conversations(ends=PLAIN, max_rounds=1, extras=tables.ONCE)


@law(
    "LOOP-02", tier=COURSE, needs=("loop",), source="lesson 3, the label on the box",
    draws=relabelled(conversations(ends=(*PLAIN, End.FAILED_TEXT), extras=tables.ONCE, max_rounds=2)),
    lesson3=relabelled(LESSON_3),
    after=("LOOP-01",),
    implied_by="LOOP-01, LOOP-05, LOOP-06, LOOP-07 and LOOP-13 draw labels that say anything",
    hint="The stop label is a note about how the writing ended; nothing may depend on it.",
)  # fmt: skip
def labels_change_nothing(script: Any, harness: Any) -> None:
    """Rewriting every stop label but "error" changes no execution, no request and no record.

    Catches harnesses that treat a label as an instruction.
    """
    first = play(script.conversation, harness)
    second = play(script.second(), harness)
    when = "with other stop labels"
    equal(len(second.requests), len(first.requests), f"{when}, the number of requests")
    equal(_ran(second, harness), _ran(first, harness), f"{when}, what the tools were asked")
    equal(bare(second.record), bare(first.record), f"{when}, the record")
    for one, two in zip(first.requests, second.requests, strict=True):
        equal([short(m) for m in two.messages], [short(m) for m in one.messages],
              f"{when}, what was sent", step(one))  # fmt: skip
    last_one, last_two = first.requests[-1], second.requests[-1]
    equal(bare(last_two.messages), bare(last_one.messages), f"{when}, what was sent", step(last_one))


def _ran(trace: Trace, harness: Any) -> list[Any]:
    """What the tools were asked, in order; where calls run side by side, in no order of theirs."""
    ran = [(e.tool, e.arguments) for e in trace.executions]
    return sorted(ran, key=repr) if harness.policies["calls"] == "parallel" else ran


@also(
    "LOOP-02", tier=PRINCIPLE,
    draws=relabelled(conversations(ends=PLAIN, label_table=(ABSENT, "stop", None))),
)  # fmt: skip
def a_missing_label_changes_nothing(script: Any, harness: Any) -> None:
    """A reply without the key stop_reason is played like any other.

    Catches `reply["stop_reason"]` where the key may be absent.
    """
    labels_change_nothing(script, harness)


@law(
    "LOOP-14", tier=COURSE, needs=("loop",), source="lesson 3, one list for the whole server",
    after=("LOOP-01",), draws=pairs(first=SMALL, second=SMALL),
    lesson3=pairs(first=SMALL_3, second=SMALL_3),
    hint="Keep nothing between runs: no module-level lists, no mutable default arguments.",
)  # fmt: skip
def runs_share_nothing(script: Pair, harness: Any) -> None:
    """Two runs on two lists in one process have nothing to do with each other.

    Catches conversations, counters and caches kept outside the caller's list.
    """
    alone = play(script.second, harness)
    play(script.first, harness)
    again = play(script.second, harness)
    for request in () if _own_system(harness) else (*alone.requests, *again.requests):
        what = f"the system text of a run is {shown(request.system)}, not {shown(script.second.system)}"
        if request.system != script.second.system:
            raise Violation(what, step(request), "LOOP-11")
    _same_trace(alone, again, "after another conversation in the same process", harness)


@law(
    "LOOP-15", tier=PRINCIPLE, needs=("loop",), source="lesson 3, what green tests hold still",
    after=("LOOP-14",), draws=conversations(
        ends=SENDABLE, max_rounds=2, unknown=tables.UNKNOWN,
        calls=call_specs(kinds=tables.kinds(tables.MIXED), slots=4),
    ),
    hint="The loop decides nothing by chance, clock or order of a set.",
)  # fmt: skip
def the_same_script_gives_the_same_trace(script: Conversation, harness: Any) -> None:
    """The same script played twice gives the same trace, extra keys aside.

    Catches random ids, clocks and sets that reach what the model is sent.
    """
    _same_trace(play(script, harness), play(script, harness), "played a second time", harness)


def _own_system(harness: Any) -> bool:
    """Whether the system prompt is the harness's own, in which the time of the day may stand."""
    return bool(harness.policies.get("system") == "own")


def _same_trace(one: Trace, two: Trace, when: str, harness: Any) -> None:
    equal(len(two.requests), len(one.requests), f"{when}, the number of requests")
    for first, second in zip(one.requests, two.requests, strict=True):
        if second.messages != first.messages:
            equal(bare(second.messages), bare(first.messages), f"{when}, what was sent", step(first))
        if not _own_system(harness):
            equal((second.system, second.tools), (first.system, first.tools),
                  f"{when}, the system text and tools", step(first))  # fmt: skip
    equal(_ran(two, harness), _ran(one, harness), f"{when}, what the tools were asked")
    equal(bare(two.record), bare(one.record), f"{when}, the record")
    ends = [(e.kind, e.problem and e.problem.type) for e in one.endings]
    equal([(e.kind, e.problem and e.problem.type) for e in two.endings], ends, f"{when}, how it ended")
