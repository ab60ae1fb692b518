"""LIMIT, knowing when to stop: turn limits, and endings that are told apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adapters.normal import calls_of, failed, role_of
from adapters.trace import Ending
from properties.checks import check, fail, shown
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from properties.story import play, step, turns
from strategies import tables
from strategies.conversations import End, conversations, repeated
from strategies.script import Call, Conversation, Prompt, Reply, Returns, Say

LIMITED = (End.LIMIT, End.LIMIT_EXACT, End.LIMIT_ROOM, End.LIMIT_NONE)


def _limited(turns: int, limit: int | None) -> Conversation:
    """`turns` replies with a call and an answer, under a turn limit."""
    one = repeated(turns, glance=True)
    return replace(one, prompts=(replace(one.prompts[0], max_turns=limit), Prompt("Again.")))


BEYOND_DEFAULTS = (_limited(120, 101), _limited(101, None), _limited(1, 0), _limited(60, 60))
ASKING_TOO_MUCH = Conversation((
    Prompt("Go.", (Reply(tuple(Call(f"c{n}", "echo", {}, Returns(f"r{n}")) for n in range(1, 6)), "toolUse"),
                   Reply((Call("d1", "echo", {}, Returns("r6")),)), Reply((Say("Done."),))), 3),
))  # fmt: skip


def _other_limit(policies: Any) -> str | None:
    told = policies["turn-limit"]
    return None if told == "failed-reply" else "it declares another way of showing the turn limit"


@law(
    "LIMIT-01", tier=COURSE, needs=("max-turns",), source="lesson 5, max_turns model calls",
    after=("LOOP-01", "LOOP-09"), draws=conversations(ends=LIMITED, max_prompts=3),
    examples=(*BEYOND_DEFAULTS, ASKING_TOO_MUCH),
    hint="Count model calls, in this run only, and check before the call.",
)  # fmt: skip
def at_most_max_turns_requests(script: Conversation, harness: Any) -> None:
    """With max_turns=N there are at most N requests, exactly N when the model wants more.

    Finishing on the N-th is no error; None is no limit. Catches off-by-ones, tool calls counted
    as turns, and counters that run on over several prompts.
    """
    trace = play(script, harness)
    for prompt, given in enumerate(script.prompts):
        limit = given.max_turns
        made = len(trace.rounds(prompt))
        wanted = turns(given)
        due = min(wanted, limit) if isinstance(limit, int) else wanted
        where = f"prompt {prompt + 1} with max_turns={limit}"
        check(made == due, f"the model was called {made} times, not {due}", where)
        answered = not given.replies[-1].calls  # type: ignore[index, union-attr]
        if answered and due == wanted:
            ending = trace.endings[prompt]
            back, problem = ending.returned, ending.problem
            if problem is not None and problem.key is None:
                fail(f"the model was done after {wanted} turns, but the run raised {problem.type}", where)
            enough = not (failed(back) and not failed(_last(given)))
            check(enough, f"the model was done after {wanted} turns, but the run ended as failed", where)


def _last(prompt: Prompt) -> Any:
    last: Any = prompt.replies[-1]  # type: ignore[index]
    return {"role": "assistant", "stop_reason": getattr(last, "label", None)}


def _stops(script: Conversation, trace: Any) -> list[tuple[Ending, int]]:
    """The endings of prompts that the turn limit ended, each with its limit."""
    found = []
    for ending in trace.endings:
        limit = script.prompts[ending.prompt].max_turns
        rounds = trace.rounds(ending.prompt)
        asks = not rounds or bool(rounds[-1].request.reply and calls_of(rounds[-1].request.reply))
        sound = not rounds or not failed(rounds[-1].request.reply)
        if isinstance(limit, int) and len(rounds) == limit and asks and sound:
            found.append((ending, limit))
    return found


@law(
    "LIMIT-02", tier=COURSE, needs=("max-turns", "record"), source="lesson 5; lesson 6, warm-up 1",
    after=("LIMIT-01", "LOOP-07"), draws=conversations(ends=(End.LIMIT, End.LIMIT_EXACT), max_prompts=2),
    examples=BEYOND_DEFAULTS, unless=_other_limit,
    hint="Write the stop into the list as error_message(...) and return it; do not raise.",
)  # fmt: skip
def the_stop_is_written_down(script: Conversation, harness: Any) -> None:
    """A stop at the limit is in the record as a failed reply with a non-empty error_message.

    Catches runs that just end, raise, or note the stop anywhere but in the list.
    """
    trace = play(script, harness)
    for ending, limit in _stops(script, trace):
        where = f"{step(ending)}, max_turns={limit}"
        check(ending.kind == "returned", "the run did not return a message at the limit", where)
        last = ending.record[-1] if ending.record else None
        if not failed(last):
            fail(f"the record ends on {shown(last)}, not on a failed reply that says why", where)
        said = last.get("error_message") if isinstance(last, dict) else None
        check(isinstance(said, str) and said.strip(), f"the stop's error_message is {shown(said)}", where)
        before = ending.record[-2] if len(ending.record) > 1 else {}
        check(role_of(before) in ("toolResult", "user"),
              "a reply was bought and then thrown away at the limit", where)  # fmt: skip


@also("LIMIT-02", tier=PRINCIPLE, draws=conversations(ends=(End.LIMIT,), max_prompts=2), unless=_other_limit)
def the_stop_says_the_number(script: Conversation, harness: Any) -> None:
    """The message of a stop at the limit says the limit's number.

    Catches stops that leave the caller guessing which limit it was.
    """
    trace = play(script, harness)
    for ending, limit in _stops(script, trace):
        said = str(ending.record[-1].get("error_message")) if ending.record else ""
        check(str(limit) in said, f"the stop at max_turns={limit} says {shown(said)}", step(ending))


@law(
    "LIMIT-06", tier=FIELD, needs=("loop", "max-turns", "error-reply"),
    source="public reports of cut answers that look like finished ones", after=("LIMIT-02", "LIMIT-03"),
    draws=conversations(ends=(End.ANSWER,), max_prompts=1, max_rounds=2, min_rounds=1, extras=tables.ONCE,
                        label_table=("stop", "toolUse", "end_turn")),
    hint="The caller must be able to tell done, cut, limit, failed and cancelled apart.",
    implied_by="LOOP-08, LOOP-13, LOOP-20 and LIMIT-02 say what each of these endings looks like",
)  # fmt: skip
def the_outcome_says_why(script: Conversation, harness: Any) -> None:
    """Why a run ended is told apart in the outcome: done, cut by length, limit, failed, cancelled.

    Catches outcomes that drop the label or the reason.
    """
    seen: dict[Any, str] = {}
    for why, variant in _variants(script).items():
        ending = play(variant, harness).endings[-1]
        back = ending.returned if isinstance(ending.returned, dict) else {}
        label = back.get("stop_reason")
        face = (ending.kind, ending.problem and ending.problem.type,
                label if label in ("length", "error") else "other", back.get("error_message"))  # fmt: skip
        check(face not in seen, f"a run that ended by {why} looks like one that ended by {seen.get(face)}")
        seen[face] = why


def _variants(script: Conversation) -> dict[str, Conversation]:
    """The same conversation with each way of ending."""
    prompt = script.prompts[0]
    rounds: tuple[Any, ...] = prompt.replies[:-1]  # type: ignore[index]
    turns = sum(r.times for r in rounds)

    def ending(*last: Any, limit: Any = prompt.max_turns) -> Conversation:
        return replace(script, prompts=(replace(prompt, replies=(*rounds, *last), max_turns=limit),))

    from strategies.script import Crash

    return {
        "an answer": ending(Reply((Say("Done."),), "stop")),
        "a cut answer": ending(Reply((Say("Do"),), "length")),
        "the turn limit": ending(limit=turns),
        "a failed reply": ending(Reply((), "error", "overloaded")),
        "a cancel": ending(Crash("KeyboardInterrupt", "")),
    }
