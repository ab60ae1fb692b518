"""The engine: second opinions, hangs, deaths, and faults of our own."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from adapters.contract import About
from adapters.course import course
from adapters.reference import reference
from grading.engine import examine
from grading.run import Target, check
from grading.verdicts import (
    ERROR,
    FAILS,
    HOLDS,
    NOT_APPLICABLE,
    NOT_REACHED,
    Options,
    Verdict,
    steady,
)  # fmt: skip
from properties.checks import Violation, fail
from properties.registry import COURSE, Property, Stage, load
from strategies.printing import from_json
from strategies.script import Conversation

SAMPLE = (Path(__file__).parents[1] / "examples" / "student_harness.py").read_text()
SOUND = SAMPLE.replace("size += len(line)\n", "size += len(line.encode())\n")
RUN = "    messages.append(user_message(prompt))\n    turns = 0\n"
FEW = Options(tier=COURSE, examples=20)


@pytest.fixture
def student(tmp_path: Path) -> Any:
    """Writes a student's file: the sound sample with words replaced. Gives its path."""

    def write(*changes: tuple[str, str]) -> Path:
        text = SOUND
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        path = tmp_path / "harness.py"
        path.write_text(text)
        return path

    return write


def verdict_of(path: Path, id_: str, options: Options = FEW) -> Verdict:
    harness = course(path)
    try:
        return examine(load()[id_], harness, options)
    finally:
        harness.close()


def test_a_sound_file_holds(student: Any) -> None:
    """The sample without its bug holds what is asked of it."""
    for id_ in ("LOOP-01", "LOOP-07", "CUT-04", "READ-04", "BASH-01"):
        assert verdict_of(student(), id_).verdict == HOLDS, id_


def test_the_counterexample_is_the_smallest_script(student: Any) -> None:
    """A loop that trusts the label is shown by one reply with one call, and nothing else."""
    path = student((" or not tool_calls(reply):", ' or not tool_calls(reply) or reply["stop_reason"] == "stop":'))
    verdict = verdict_of(path, "LOOP-01", Options())
    assert verdict.verdict == FAILS
    assert verdict.counterexample is not None
    script = from_json(verdict.counterexample.script)
    assert isinstance(script, Conversation)
    (prompt,) = script.prompts
    assert len(prompt.replies) == 2
    assert len(prompt.replies[0].calls) == 1
    assert "request 1: U -> A[c1]" in verdict.counterexample.trace


def test_state_kept_between_runs_is_loop_14s(student: Any) -> None:
    """What only fails after earlier runs in the same process is told as LOOP-14, with those runs."""
    path = student(
        (RUN, "    _runs.append(1)\n" + RUN),
        ("# the loop\n", "# the loop\n\n_runs = []\n"),
        ("    return [message for message in messages if sendable(message)]",
         "    return [m for m in messages if sendable(m)][-3 if len(_runs) > 12 else 0 :]"),
    )  # fmt: skip
    report = check(Target(str(path)), Options(only=("LOOP-0[1346]", "LOOP-14"), examples=40))
    told = {v.id: v for v in report.verdicts}
    assert told["LOOP-14"].verdict == FAILS, told
    known = told["LOOP-14"].counterexample
    assert known is not None
    assert known.before
    assert "earlier run" in known.message
    assert all(v.verdict in (HOLDS, NOT_REACHED) for i, v in told.items() if i != "LOOP-14")


def test_a_harness_of_chance_is_named_as_such(student: Any) -> None:
    """What differs between two fresh processes is never called flaky: it is LOOP-15's."""
    path = student(
        (RUN, RUN + "    import os\n    prompt = os.urandom(4).hex()\n"),
        ("reply = model.complete(system, ", "reply = model.complete(system if prompt < '8' else 'x', "),
    )
    verdict = verdict_of(path, "LOOP-11", Options(examples=60))
    assert verdict.verdict == FAILS
    assert verdict.blame in ("LOOP-15", "LOOP-14", "")
    assert "flaky" not in json.dumps(verdict.to_json()).lower()


def test_a_loop_without_end_is_a_hang(student: Any) -> None:
    """A harness that spins is stopped by CPU time, and the script that makes it spin is shown."""
    path = student((RUN, RUN + "    while prompt == '':\n        pass\n"))
    verdict = verdict_of(path, "LOOP-01", Options(examples=60))
    assert verdict.verdict == FAILS
    assert verdict.hung
    assert "CPU" in verdict.message
    assert verdict.counterexample is not None
    assert from_json(verdict.counterexample.script).prompts[-1].text == ""


def test_a_model_called_for_ever_is_a_hang(student: Any) -> None:
    """A harness that catches everything and never stops asking ends as a hang, not as a wait."""
    path = student((
        '            return reply\n        for call',
        "            while True:\n                try:\n"
        "                    model.complete(system, context_for_model(messages), tool_specs(tools))\n"
        "                except BaseException:\n                    pass\n        for call",
    ))  # fmt: skip
    verdict = verdict_of(path, "LOOP-10", Options(examples=5))
    assert verdict.verdict == FAILS
    assert verdict.hung


def test_three_hangs_end_the_check(student: Any) -> None:
    """After three hanging properties the rest is not reached: nobody waits for twenty."""
    path = student((RUN, RUN + "    while True:\n        pass\n"))
    only = ("LOOP-01", "LOOP-11", "HELP-01", "TOOL-13", "LIMIT-01", "LOOP-20", "TOOL-15")
    report = check(Target(str(path)), Options(only=only, examples=3))
    assert sum(v.hung for v in report.verdicts if v.verdict == FAILS) <= 3
    assert any(v.verdict == NOT_REACHED for v in report.verdicts)


def test_a_process_that_ends_itself_is_a_failure(student: Any) -> None:
    """os._exit in the middle of a run costs the harness that property, not the suite."""
    path = student((RUN, RUN + "    import os\n    os._exit(3)\n"))
    verdict = verdict_of(path, "LOOP-01")
    assert verdict.verdict == FAILS
    assert "exit status 3" in verdict.message


def test_a_file_that_does_not_load_is_told_once(tmp_path: Path) -> None:
    """A syntax error is one failure that names file and line; the rest is not reached."""
    path = tmp_path / "harness.py"
    path.write_text("def broken(:\n    pass\n")
    report = check(Target(str(path)), Options(examples=5))
    assert report.totals()[FAILS] == 1
    first = next(v for v in report.verdicts if v.verdict == FAILS)
    assert "harness.py" in first.message
    assert "line 1" in first.message
    assert report.totals()[ERROR] == 0


def test_a_missing_function_costs_only_what_needs_it(student: Any) -> None:
    """Without truncate_tail the cuts fail with that sentence, and the loop is judged all the same."""
    path = student(("def truncate_tail(", "def _tail("), ("truncate_tail(output", "_tail(output"))
    report = check(Target(str(path)), Options(only=("LOOP-01", "CUT-0[12]", "BASH-03"), examples=10))
    told = {v.id: v for v in report.verdicts}
    assert told["LOOP-01"].verdict == told["BASH-03"].verdict == HOLDS
    assert {told["CUT-01"].verdict, told["CUT-02"].verdict} == {FAILS, NOT_REACHED}
    assert "truncate_tail" in next(v.message for v in told.values() if v.verdict == FAILS)


@pytest.mark.parametrize("good", ["noise", "recursion"])
def test_liberties_are_not_faults(student: Any, good: str) -> None:
    """A harness that prints, or raises the recursion limit, is not wrong."""
    change = {
        "noise": (RUN, RUN + "    print('turn', turns)\n    import sys\n    sys.stderr.write('x' * 9999)\n"),
        "recursion": (RUN, RUN + "    import sys\n    sys.setrecursionlimit(50_000)\n"),
    }[good]
    assert verdict_of(student(change), "LOOP-01").verdict == HOLDS


def _prop(judge: Any) -> Property:
    stage = Stage(COURSE, "It holds.", judge, st.integers(0, 3))
    return Property("LOOP-99", "", frozenset(), (), "", [stage])


def test_a_fault_of_the_suite_is_an_error() -> None:
    """A judge that breaks is an error, never the harness's failure."""

    def judge(script: int, harness: Any) -> None:
        raise KeyError(script)

    verdict = examine(_prop(judge), reference(), FEW)
    assert verdict.verdict == ERROR
    assert "KeyError" in verdict.message


def test_shrinking_may_slip_between_sentences() -> None:
    """The smallest failing script wins, whichever sentence it fails with."""

    def judge(script: int, harness: Any) -> None:
        if script > 1:
            fail(f"sentence {script}")

    verdict = examine(_prop(judge), reference(), FEW)
    assert verdict.counterexample is not None
    assert verdict.counterexample.script == 2


def test_what_is_not_offered_is_not_applicable() -> None:
    """A property that needs what the harness lacks is not applicable, and says what it is."""
    verdict = examine(load()["BILL-03"], reference(), Options(tier=3, examples=5))
    assert verdict.verdict == NOT_APPLICABLE
    assert "usage" in verdict.message


def test_lesson_3_is_judged_by_lesson_3(tmp_path: Path) -> None:
    """A lesson-3 file needs no truncation, and a tool's exception may come out of it."""
    source = SOUND.split("# fitting a text")[0] + (
        "\ndef run_agent(model, system, messages, tools, prompt):\n"
        "    messages.append(user_message(prompt))\n    while True:\n"
        "        reply = model.complete(system, messages, tool_specs(tools))\n"
        "        messages.append(reply)\n        calls = tool_calls(reply)\n"
        "        if not calls:\n            return reply\n"
        "        for call in calls:\n            messages.append(run_tool(tools, call))\n"
    )
    source = source.replace("            except Exception as problem:\n                return {**result, \"content\": str(problem), \"is_error\": True}\n", "            finally:\n                pass\n")
    path = tmp_path / "harness.py"
    path.write_text(source)
    report = check(Target(str(path), lesson=3), Options(lesson=3, examples=15))
    totals = report.totals()
    assert totals[FAILS] == totals[ERROR] == 0, [v.message for v in report.verdicts if v.verdict in (FAILS, ERROR)]
    assert totals[HOLDS] >= 12


def test_addresses_and_folders_are_steadied() -> None:
    """What changes from run to run does not reach a report."""
    assert steady("<f at 0x7f00aa11bb22> in /tmp/harness-ab12cd34/home") == "<f at 0x…> in <folder>/home"


def test_a_violation_knows_its_step() -> None:
    """Message, step and owner travel with a violation."""
    with pytest.raises(Violation) as caught:
        fail("it is late", "request 2")
    assert (caught.value.sentence, caught.value.step, caught.value.owner) == ("it is late", "request 2", "")
    assert About("x").version == ""
