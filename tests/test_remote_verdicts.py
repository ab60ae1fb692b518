"""The same verdicts through the process protocol as without it, on sound harnesses and on broken ones."""

import os
import sys
from pathlib import Path

import pytest

from adapters.reference import reference
from adapters.targets import resolve
from grading.engine import examine
from grading.run import Target, check
from grading.verdicts import ERROR, FAILS, HOLDS, Options
from properties.registry import COURSE, FIELD, load
from tests.miniatures.planting import all_miniatures
from tests.test_remote_messages import COMMANDS, has

ROOT = Path(__file__).parents[1]
SERVE = f"process:{sys.executable} -m adapters.remote.serve"
MODULE = f"process:{sys.executable} -m tests.serve_module"
ZOO = Path(os.environ.get("HARNESS_PROPS_ZOO", "/nowhere"))
PROPERTIES = load()
LOOPS = [id_ for id_ in PROPERTIES if id_.startswith(("LOOP-", "TOOL-", "LIMIT-"))]
BROKEN = (
    "answers_calls_backwards", "trusts_the_label", "records_results_after_the_batch", "strips_prompts",
    "lowers_tool_names", "marks_cut_replies_in_their_text", "gives_every_call_the_first_arguments",
)  # fmt: skip
EXAMPLES = 4


@pytest.fixture(scope="module")
def through():
    """The reference, served over the protocol."""
    harness = resolve(MODULE)
    yield harness
    harness.close()


def told(verdict):
    """What is compared of a verdict: all but what it cost."""
    return verdict.verdict, verdict.message.replace("reference.py", "harness_ref")


@pytest.mark.parametrize("id_", LOOPS)
def test_the_reference_gets_the_same_verdict_through_the_protocol(id_, through):
    """A sound harness passes every LOOP, TOOL and LIMIT property, and what does not apply is the same."""
    options = Options(tier=FIELD, examples=EXAMPLES)
    through.restart()
    found = examine(PROPERTIES[id_], through, options)
    assert found.verdict not in (FAILS, ERROR), found.message
    assert told(found) == told(examine(PROPERTIES[id_], reference(), options))


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_miniature_is_caught_through_the_protocol(name):
    """The property that catches a planted fault in this process catches it in another."""
    miniature = {one.name: one for one in all_miniatures()}[name]
    harness = resolve(f"{MODULE} {name}")
    try:
        verdict = examine(PROPERTIES[miniature.property], harness, Options(tier=FIELD, examples=20))
    finally:
        harness.close()
    assert verdict.verdict == FAILS, verdict.message
    assert verdict.counterexample is not None


def _both(path, only=()):
    options = Options(tier=COURSE, examples=EXAMPLES, only=only)
    one, two = (check(Target(text), options) for text in (str(path), f"{SERVE} {path}"))
    return [{v.id: told(v) for v in report.verdicts} for report in (one, two)]


def test_the_sample_gets_the_same_verdicts_both_ways():
    """A student's file fails the same properties, in the same words, in its child and through the protocol."""
    one, two = _both(ROOT / "examples" / "student_harness.py")
    assert one == two
    assert any(verdict == FAILS for verdict, _ in one.values())


@pytest.mark.skipif(not ZOO.is_dir(), reason="HARNESS_PROPS_ZOO names no folder with samples")
@pytest.mark.parametrize("path", sorted(ZOO.glob("good/*.py"))[:3], ids=lambda path: path.stem)
def test_good_samples_hold_both_ways(path):
    """Nothing fails in a good sample, whichever way it is reached."""
    one, two = _both(path, ("LOOP-0*", "READ-0*", "CUT-0*", "BASH-*", "HELP-*"))
    assert one == two
    assert not [id_ for id_, (verdict, _) in one.items() if verdict in (FAILS, ERROR)]


@pytest.mark.parametrize("language", [pytest.param(n, marks=pytest.mark.skipif(not has(n), reason="not here")) for n in ("python", "javascript")])
@pytest.mark.parametrize("id_", ["LOOP-01", "LOOP-07", "TOOL-01", "TOOL-06", "TOOL-11", "TOOL-17", "LIMIT-01"])
def test_the_loop_of_a_template_is_sound(language, id_):
    """Whoever begins with a template begins with a loop that holds."""
    harness = resolve(COMMANDS[language])
    try:
        verdict = examine(PROPERTIES[id_], harness, Options(tier=FIELD, examples=EXAMPLES))
    finally:
        harness.close()
    assert verdict.verdict == HOLDS, verdict.message


def test_what_is_lacking_is_told_with_its_reason(tmp_path):
    """A capability that a harness lacks is not applicable with the harness's own reason."""
    from tests.speaking import speaker
    from tests.test_remote import PLAYS

    target = speaker(tmp_path, PLAYS.replace("hello()", "hello(lacks={'read': 'it has no tools of its own'})"))
    harness = resolve(target)
    verdict = examine(PROPERTIES["READ-01"], harness, Options())
    harness.close()
    assert verdict.message == "the harness does not offer read (it has no tools of its own)"
