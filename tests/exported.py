"""Results for the tests of exporters: an ordinary class, and one in which every text is hostile."""

from grading.batch.outputs import OUTPUTS
from grading.batch.record import Isolation, Judged, Result
from properties.registry import load

FORMATS = {o.name: o for o in OUTPUTS if o.function.startswith("grading.export.") and o.each}
CLASSES = {o.name: o for o in OUTPUTS if o.function.startswith("grading.export.") and not o.each}


def text(name: str, given) -> str:
    """The one file that a format makes of a result, or of a list of results."""
    (made,) = (CLASSES if isinstance(given, (list, tuple)) else FORMATS)[name].texts(given).values()
    return made


NASTY = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> &lt; ]]> [x](javascript:alert(3)) ![i](http://h/)"
    "\n```\n</pre><b>bold</b>\n~~~\n# head\n\n<iframe src='//h'></iframe>\n> quote\n\x1b[31mred\x1b[0m \x00\x07\x85"
    " \ud83d lone \udc00 \u202eturned\u202c \u2028line\u2029 \ufffe\uffff \r\ncr\rlf `code` **strong** &amp; caf\u00e9 \U0001f600"
)


def counterexample(id_: str, text: str) -> dict:
    """A counterexample with this text in every place where a harness's words can stand."""
    return {
        "schema": "harness-props/counterexample/v1", "property": id_, "tier": "course", "stage": 0, "lesson": 6,
        "sentence": "The claim.", "message": text, "step": text, "hint": "Look there.", "trace": [text, "U A"],
        "before": [], "script": {"kind": "Conversation", "prompts": [{"kind": "Prompt", "text": text}]},
        "python": f"Conversation({text})",
    }  # fmt: skip


def judged(id_: str, verdict: str, **more) -> Judged:
    known = load()[id_]
    found = {"message": "something is wrong", "counterexample": counterexample(id_, "seen"), "hint": "Look there."} if verdict == "fails" else {}
    points = {"points": 1.0 if verdict == "holds" else 0.0, "max_points": 0.0 if verdict == "not applicable" else 1.0}
    facts = {"sentence": known.sentence, **points, **found, **more}
    return Judged(id=id_, chapter=known.chapter, tier=known.tier.word, verdict=verdict, examples=20, **facts)


def result(*verdicts: Judged, student: str = "ada", **more) -> Result:
    facts = {
        "score": sum(v.points for v in verdicts), "max_score": sum(v.max_points for v in verdicts), "content": "ab" * 32,
        "submission": f"{student}/harness.py", "set": "2026.1", "suite_version": "0.1.0", "python": "3.11",
        "hypothesis": "6.155.0", "rubric": "0123456789ab", "isolation": Isolation("landlock"), "examples": 20,
    }  # fmt: skip
    return Result(student=student, verdicts=verdicts, **{**facts, **more})


ORDINARY = result(
    judged("LOOP-01", "holds"), judged("LOOP-03", "fails"),
    judged("LOOP-05", "not reached", message="LOOP-03 fails, and this depends on it"),
    judged("TOOL-09", "not applicable", message="this harness does not offer raw-arguments"),
    judged("CUT-04", "fails", visibility="after_due_date"),
    judged("CUT-05", "not reached", message="CUT-04 fails, and this depends on it"),
    judged("READ-01", "holds", visibility="hidden"), judged("BASH-01", "error", message="the suite broke"),
)  # fmt: skip
HALVES = result(judged("LOOP-01", "holds", points=1.5, max_points=1.5), judged("LOOP-03", "fails", points=0.25), student="bo")
UNUSABLE = result(student="cy", status="unusable", problem="there is no harness.py in it", max_score=50.0)
BROKEN = result(student="di", status="error", problem="the process that graded it died", max_score=50.0)
HOSTILE = result(
    *(judged(id_, "fails", message=NASTY, counterexample=counterexample(id_, NASTY), hint=NASTY, sentence=NASTY)
      for id_ in ("LOOP-01", "CUT-04")),
    judged("READ-01", "error", message=NASTY), judged("BASH-01", "not applicable", message=NASTY),
    student="=cmd|' /C calc'!A0 <b>" + NASTY, suite_version=NASTY, set=NASTY,
)  # fmt: skip
HOSTILE_PROBLEM = result(student=NASTY, status="unusable", problem=NASTY, max_score=50.0)
ALL = (ORDINARY, HALVES, UNUSABLE, BROKEN, HOSTILE, HOSTILE_PROBLEM)
