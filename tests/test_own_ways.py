"""What harnesses do in their own way and no property blames them for: endings, labels, copies, words."""

import contextlib
from types import SimpleNamespace

import pytest

from adapters.contract import DEFAULTS
from grading.engine import examine
from grading.verdicts import FAILS, HOLDS, Options
from properties.checks import Violation
from properties.refusals import turned_down
from properties.registry import FIELD, load
from strategies import lines
from strategies.outputs import one_command
from strategies.script import Call, Conversation, Cut, Paging, Prompt, Reply, Say, Tool
from tests.declaring import harness, reference_loop


@pytest.mark.parametrize(("copied", "words", "expected"), [
    ("TimeoutError", None, HOLDS), ("TimeoutError", "gave up", FAILS), ("ConnectionError", None, FAILS),
])  # fmt: skip
def test_what_python_copies_came_out_as_it_is(copied, words, expected):
    """asyncio makes a new TimeoutError of one that comes out of a thread; other copies are the harness's."""

    def copying(model, system, messages, tools, prompt, max_turns=None):
        try:
            return reference_loop()(model, system, messages, tools, prompt, max_turns=max_turns)
        except Exception as error:
            if type(error).__name__ == copied:
                raise type(error)(*([words] if words else error.args)) from None
            raise

    assert examine(load()["LOOP-20"], harness(copying), Options(tier=FIELD, examples=80)).verdict == expected


@pytest.mark.parametrize(("said", "left_out", "wrong"), [
    ("The bug is", False, ""), (" ", True, ""), ("The bug is", True, "the words of failed replies as sent"),
])  # fmt: skip
def test_failed_words_where_a_request_has_no_labels(said, left_out, wrong):
    """They are looked for by what they say; blank ones may be left out."""

    def unlabelled(model, system, messages, tools, prompt, max_turns=None):
        def sent(system, given, specs):
            kept = [m for m in given if not (left_out and m.get("stop_reason") == "error")]
            bare = [{k: v for k, v in m.items() if k not in ("stop_reason", "error_message", "usage")} for m in kept]
            return model.complete(system, bare, specs)

        return reference_loop()(SimpleNamespace(complete=sent), system, messages, tools, prompt, max_turns=max_turns)

    twice = Prompt("Again.", (Reply((Say(said if said.strip() else "Done."),)),))  # an answer in the same words
    script = Conversation((Prompt("Go.", (Reply((Say(said),), "error", "overloaded"),)), twice, Prompt("And now?")))
    judge = load()["LIMIT-04"].stages[0].judge
    with pytest.raises(Violation, match=wrong) if wrong else contextlib.nullcontext():
        judge(script, harness(unlabelled))


@pytest.mark.parametrize(("id_", "script", "said", "policy"), [
    ("BASH-01", one_command("a\n\n", 0, 1), "(nothing)\n\n[Showing lines 2-2 of 2.]", {"notice": "other"}),
    ("BASH-02", one_command("a\n", 0, 9, 1), "a\n\n[Showing lines 1-1 of 1.]", {"line-ends": "between"}),
    ("READ-03", Paging("1\n\n", "a.txt", 1, 99, 1, (2,)), "1\n\n\n[1 more line. Use offset=3.]",
     {"line-ends": "between", "read-lines": "pieces", "notice": "other"}),
])  # fmt: skip
def test_an_ending_that_does_not_count(id_, script, said, policy):
    """What is only the last line's ending may be shown, or told as left out, or as nothing to see, where
    the policy says that endings do not count; elsewhere it may not."""
    desk = SimpleNamespace(place=SimpleNamespace(runs=[]))
    desk.use = lambda name, given: desk.place.runs.append(given.get("command")) or SimpleNamespace(
        content=said, is_error=False
    )
    stage = load()[id_].stages[0]

    def judge(policies):
        desk.place.runs.clear()
        stage.judge(script, SimpleNamespace(policies=policies, desk=lambda *_, **__: desk))

    judge({**DEFAULTS, **policy})
    with pytest.raises(Violation):
        judge({**DEFAULTS, "read-lines": policy.get("read-lines", "universal")})


def test_a_part_of_a_line_may_be_no_line():
    """Of a last line that no byte fits of, nothing is kept: whether that counts as a line is not judged twice."""
    cuts = {"1\n2é": ("", 1), "": ("", 0)}
    half = SimpleNamespace(
        policies={**DEFAULTS, "giants": "partial"},
        cut=lambda end, text, *_: cuts[text] if end == "tail" else (text, len(text)),
    )  # fmt: skip
    judge = load()["CUT-08"].stages[0].judge
    judge(Cut("1\n2é", 9, 1), half)
    half.policies = DEFAULTS
    with pytest.raises(Violation, match="second cut at the tail"):
        judge(Cut("1\n2é", 9, 1), half)


def test_pieces_and_endings_between_lines():
    """In pieces a text that ends in a line feed has an empty last line, which takes no room; an ending
    between lines is not paid for."""
    assert lines.split("1\n2\n", "pieces") == ["1\n", "2\n", ""]
    assert lines.split("", "pieces") == [""]
    assert lines.fitting(["1\n", "2\n", ""], 2, 99) == 3
    assert lines.fitting(["1\n", "2\n"], 9, 3) == 1
    assert lines.fitting(["1\n", "2\n"], 9, 3, "last") == 2
    assert lines.tail("1\n2\n", 9, 3, "lf", "first") == ("1\n2\n", 2)
    assert lines.tail("1\n2\n", 9, 3, "lf") == ("2\n", 1)


@pytest.mark.parametrize(("words", "marked", "wrong"), [
    ("Error: n must be a number", False, ""), ("no", True, ""), ("no", False, "is not marked as an error"),
])  # fmt: skip
def test_a_call_turned_down_is_marked_or_told_in_words(words, marked, wrong):
    """Where arguments are checked, the model has to learn that its call was not run."""
    tool = {"name": "echo", "parameters": {"type": "object", "properties": {}, "required": ["text"]}}

    def turning_down(model, system, messages, tools, prompt, max_turns=None):
        def no(_):
            raise ValueError(words)

        last = reference_loop()(model, system, messages, [{**t, "execute": no} for t in tools], prompt)
        for message in messages:
            if message["role"] == "toolResult":
                message["is_error"] = marked
        return last

    script = Conversation(
        (Prompt("Go.", (Reply((Call("c1", "echo"),), "toolUse"), Reply((Say("Done."),)))),), (Tool(**tool),)
    )  # fmt: skip
    checks = harness(turning_down, validates="yes")
    with pytest.raises(Violation, match=wrong) if wrong else contextlib.nullcontext():
        turned_down(script, checks.converse(script), checks)
