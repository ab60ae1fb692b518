"""Policies: what is asked of a harness that declares its own way, and of one that declares nothing."""

from types import SimpleNamespace

import pytest

from adapters.contract import DEFAULTS, Unplayable
from grading.verdicts import ERROR, FAILS, HOLDS, NOT_APPLICABLE
from properties.refusals import fits
from properties.registry import load
from properties.story import CUT_OFF
from strategies.script import Conversation, Prompt
from tests.declaring import harness, reference_loop, verdict
from tests.miniatures.planting import load as plant
from tests.planted.catalogue import all_planted

LIMITED = type("LimitReached", (Exception,), {})
Misfit = type("Misfit", (Exception,), {})
ODD = type("Unplayable", (BaseException,), {})  # by its name, as the child tells it
BROKE = type("AdapterBroke", (BaseException,), {})


def unmarked(model, system, messages, tools, prompt, **more):
    """A loop whose results do not say if they are errors."""
    complete = model.complete

    def sent(system, given, specs):
        return complete(system, [{k: v for k, v in m.items() if k != "is_error"} for m in given], specs)

    try:
        return reference_loop()(SimpleNamespace(complete=sent), system, messages, tools, prompt, **more)
    finally:
        for message in messages:
            message.pop("is_error", None)


def raising(model, system, messages, tools, prompt, max_turns=None):
    """A loop that raises at its turn limit."""
    last = reference_loop()(model, system, messages, tools, prompt, max_turns=max_turns)
    if "max_turns" in str(last.get("error_message")):
        messages.pop()
        raise LIMITED("that is enough")
    return last


def hasty(model, system, messages, tools, prompt, max_turns=None):
    """A loop that raises at its turn limit, though the last reply allowed was the answer."""
    last = raising(model, system, messages, tools, prompt, max_turns=max_turns)
    if sum(message["role"] == "assistant" for message in messages) == max_turns:
        raise LIMITED("that is enough")
    return last


def abrupt(model, system, messages, tools, prompt, max_turns=None):
    """A loop that raises as soon as the last reply allowed is there, before its calls are run."""
    asked = []

    def complete(*given):
        asked.append(model.complete(*given))
        if len(asked) == max_turns and any(block["type"] == "toolCall" for block in asked[-1]["content"]):
            raise LIMITED("that is enough")
        return asked[-1]

    return raising(SimpleNamespace(complete=complete), system, messages, tools, prompt, max_turns=max_turns)


def rolling_back(model, system, messages, tools, prompt, max_turns=None):
    """A loop that raises at its turn limit and keeps only the prompt of such a run."""
    before = len(messages)
    try:
        return raising(model, system, messages, tools, prompt, max_turns=max_turns)
    except LIMITED:
        del messages[before + 1 :]
        raise


def checking(model, system, messages, tools, prompt, *, mark=True, turn_down=None, **more):
    """A loop that turns down calls whose arguments do not fit the schema, or those that `turn_down` names."""
    def checked(tool):
        def execute(arguments):
            if (turn_down or (lambda given: not fits(given, tool["parameters"])))(arguments):
                raise Misfit(f"{arguments!r} does not fit")
            return tool["execute"](arguments)

        return {**tool, "execute": execute}

    last = reference_loop()(model, system, messages, list(map(checked, tools)), prompt, **more)
    for message in messages:
        if "does not fit" in str(message.get("content")) and not mark:
            message["is_error"] = False
    return last


def hushed(*given, **more):
    """A loop that turns calls down and lets them pass for successes."""
    return checking(*given, mark=False, **more)


def strict(*given, **more):
    """A loop that turns down every call."""
    return checking(*given, turn_down=lambda _: True, **more)


def pruning(model, system, messages, tools, prompt, *, whole=False, **more):
    """A loop that sends no call without a result of its own, or with `whole` no batch that holds one."""
    def sent(system, given, specs):
        had = {m["tool_call_id"] for m in messages if m["role"] == "toolResult"}
        made = []
        for message in given:
            asked = [b["id"] for b in message["content"] if b["type"] == "toolCall"] if message["role"] == "assistant" else []
            open_ = [id_ for id_ in asked if id_ not in had]
            if whole and open_:
                had -= set(asked)
                open_ = asked
            content = [b for b in message["content"] if b.get("id") not in open_] if asked else message["content"]
            if content and message.get("tool_call_id") in (None, *had):
                made.append({**message, "content": content})
        return model.complete(system, made, specs)

    return reference_loop()(SimpleNamespace(complete=sent), system, messages, tools, prompt, **more)


def pruning_batches(*given, **more):
    """A loop that sends no batch in which a call is not answered."""
    return pruning(*given, whole=True, **more)


def forgetful(model, system, messages, tools, prompt, **more):
    """A loop that sends no reply that failed, whatever it says."""
    def sent(system, given, specs):
        return model.complete(system, [m for m in given if m.get("stop_reason") != "error"], specs)

    return reference_loop()(SimpleNamespace(complete=sent), system, messages, tools, prompt, **more)


def wary(model, system, messages, tools, prompt, **more):
    """A loop that answers the calls of a reply that was cut off with an error, and does not run them."""
    labels = []

    def complete(*given):
        reply = model.complete(*given)
        labels.append(reply.get("stop_reason"))
        return reply

    def guarded(tool):
        def execute(arguments):
            if labels[-1] in CUT_OFF:
                raise Misfit("the reply was cut off")
            return tool["execute"](arguments)

        return {**tool, "execute": execute}

    return reference_loop()(SimpleNamespace(complete=complete), system, messages, list(map(guarded, tools)), prompt, **more)


def idle(*given, **more):
    """A loop that leaves the calls of a reply that was cut off open."""
    bug = next(bug for bug in all_planted() if bug.name == "leaves_the_calls_of_a_cut_reply_open")
    return plant(bug.name, bug.patches).run_agent(*given, **more)


def choosy(model, system, messages, tools, prompt, **more):
    """A loop that has no word for prompts of more than three characters."""
    if len(prompt) > 3:
        raise ODD("a prompt has at most three characters")
    return reference_loop()(model, system, messages, tools, prompt, **more)


def mute(model, system, messages, tools, prompt, **more):
    """A loop that has no word for anything."""
    raise ODD("nothing can be said to it")


@pytest.mark.parametrize(("id_", "loop", "policies"), [
    ("TOOL-01", unmarked, {"marks": "no", "keeps": "own-record"}),
    ("LIMIT-01", raising, {"turn-limit": "raise"}),
    ("LOOP-05", abrupt, {"turn-limit": "raise"}),
    ("LOOP-13", rolling_back, {"turn-limit": "raise", "keeps": "runs"}),
    ("TOOL-06", pruning, {"broken-runs": "answered"}),
    ("TOOL-06", pruning_batches, {"broken-runs": "nothing"}),
    ("LOOP-06", forgetful, {"failed-replies": "left-out"}),
    ("LOOP-02", wary, {"cut-off-calls": "other"}),
    ("LOOP-02", idle, {"cut-off-calls": "other"}),
])  # fmt: skip
def test_a_declared_policy_takes_the_weak_form(id_, loop, policies):
    """What fails in a harness that declares nothing holds in one that declares that very policy."""
    assert verdict(id_, loop).verdict == FAILS
    assert verdict(id_, loop, **policies).verdict == HOLDS


def test_an_answer_in_the_last_turn_is_no_stop():
    """A harness that raises at its limit must not raise where the last reply it allows is the answer."""
    found = verdict("LIMIT-01", hasty, **{"turn-limit": "raise"})
    assert found.verdict == FAILS
    assert found.message.endswith("but the run raised LimitReached")


def test_a_reply_of_a_run_that_ended_well_is_not_spared():
    """Who keeps runs at their end loses no reply of one that ended, whatever became of others."""
    found = verdict("LOOP-13", rolling_back, **{"turn-limit": "raise", "keeps": "own-record"})
    assert (found.verdict, found.message) == (FAILS, "a reply is missing from the record")


def test_a_call_that_ended_is_not_left_out():
    """Who leaves out calls that an interrupt left open still sends those that had ended before it."""
    found = verdict("TOOL-06", pruning_batches, **{"broken-runs": "answered"})
    assert found.verdict == FAILS
    assert found.message == "call 'c1' was run before, and is not in what was sent"


def test_calls_of_a_reply_that_was_cut_off_never_stay_open():
    """They may be run or not, as is declared; answered they are in any case."""
    for policies in ({}, {"cut-off-calls": "other"}):
        found = verdict("LIMIT-05", idle, **policies)
        assert found.verdict == FAILS
        assert "has no result" in found.message
        assert verdict("LIMIT-05", wary, **policies).verdict == HOLDS


def test_replies_that_failed_are_left_out_only_where_that_is_declared():
    """Who declares that it leaves them out may not send them, either."""
    found = verdict("LOOP-06", reference_loop(), **{"failed-replies": "left-out"})
    assert found.verdict == FAILS


CHECKED = ("LOOP-05", "LOOP-16", "TOOL-02", "TOOL-03", "TOOL-04", "TOOL-05", "TOOL-11", "TOOL-16")


@pytest.mark.parametrize("id_", CHECKED)
def test_a_call_that_does_not_fit_may_be_turned_down(id_):
    """Who declares that arguments are checked may answer a misfit with an error result instead of a run."""
    assert verdict(id_, checking, validates="yes").verdict == HOLDS


def test_a_call_is_turned_down_only_where_that_is_declared():
    """Who declares nothing runs every call."""
    assert verdict("LOOP-05", checking).verdict == FAILS
    assert verdict("LOOP-16", checking).verdict == FAILS


@pytest.mark.parametrize(("id_", "loop", "why"), [
    ("LOOP-05", strict, "and 0 took place"),
    ("LOOP-16", strict, "calls gave 0 executions"),
    ("TOOL-03", hushed, "its result is not marked as an error"),
])  # fmt: skip
def test_what_is_turned_down_is_said(id_, loop, why):
    """A call that fits is run, and one that is turned down has an error result."""
    found = verdict(id_, loop, validates="yes")
    assert found.verdict == FAILS
    assert why in found.message


def test_what_plainly_fits():
    """An object of declared members of their types, none missing; true is no number."""
    schema = {"properties": {"n": {"type": "number"}, "a": {"type": "object"}}, "required": ["n"]}
    assert all(fits(given, schema) for given in ({"n": 1}, {"n": 1.5, "a": {}}))
    assert not any(fits(given, schema) for given in ({}, {"n": "1"}, {"n": True}, {"n": 1, "b": 2}, [1], None))


@pytest.mark.parametrize(("id_", "policy", "why"), [
    ("TOOL-03", {"marks": "no"}, "its results do not say whether they are errors"),
    ("TOOL-05", {"error-words": "fixed"}, "it keeps what exceptions say from the model"),
    ("LIMIT-02", {"turn-limit": "raise"}, "it declares another way of showing the turn limit"),
    ("LOOP-20", {"provider-errors": "other"}, "it declares another policy for provider errors"),
])  # fmt: skip
def test_a_policy_may_leave_nothing_to_ask(id_, policy, why):
    """A property that only makes sense without the policy is not applicable, and says so."""
    found = verdict(id_, reference_loop(), **policy)
    assert (found.verdict, found.message) == (NOT_APPLICABLE, why)


@pytest.mark.parametrize(("id_", "number", "policy", "why"), [
    ("LOOP-06", 1, {"broken-runs": "nothing"}, "it leaves runs that broke off out of the history"),
    ("TOOL-06", 2, {"broken-runs": "nothing"}, "it leaves runs that broke off out of the history"),
    ("READ-11", 1, {"missing-files": "named"}, "its error on a missing file names that file alone"),
])  # fmt: skip
def test_a_policy_may_leave_out_a_reading(id_, number, policy, why):
    """A stronger reading is left out where a policy says otherwise, the property itself is not."""
    stages = load()[id_].stages
    assert stages[number].unless(DEFAULTS) is None
    assert stages[number].unless({**DEFAULTS, **policy}) == why
    assert stages[0].unless is None


def test_scripts_that_cannot_be_said_are_passed_over():
    """A loop that cannot be told some scripts is judged by the others; one that can be told none, by none."""
    with pytest.raises(Unplayable, match="at most three characters"):
        harness(choosy).converse(Conversation((Prompt("Hello."),)))
    some = verdict("LOOP-01", choosy)
    assert some.verdict == HOLDS
    judged = int(some.message.split()[1])
    assert some.message == f"on {judged} of {some.examples} scripts; most of the others: a prompt has at most three characters"
    assert 0 < judged < some.examples
    assert verdict("LOOP-01", reference_loop()).message == ""
    found = verdict("LOOP-01", mute)
    assert found.verdict == NOT_APPLICABLE
    assert found.message == "no script of it can be played: nothing can be said to it"


def test_only_who_declares_may_pass_a_script_over():
    """A harness that is probed gets no such excuse: an exception of that name is a fault like any other."""
    assert verdict("LOOP-01", mute, declared=False).verdict == FAILS


def broken(model, system, messages, tools, prompt, max_turns=None):
    """A loop whose adapter says of itself that it broke."""
    raise BROKE("AttributeError: no such field")


def test_what_breaks_in_an_adapter_is_an_error():
    """It is never the framework's fault; a harness that is probed cannot call its fault an adapter's."""
    found = verdict("LOOP-01", broken)
    assert found.verdict == ERROR
    assert "the adapter's own code broke with AttributeError: no such field" in found.message
    assert verdict("LOOP-01", broken, declared=False).verdict == FAILS
