"""The one list of formats: name, file, and the functions that write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grading.batch.record import Result
from grading.export import classroom50, ctrf, github_classroom, gradescope, junit, prairielearn


@dataclass(frozen=True)
class Format:
    """One format. `text` writes one submission's file, `class_text` the whole class's, if there is one.

    `file` is the name beside a submission's report, `class_file` the name beside `results.jsonl`
    ("" for formats that know single submissions only). `sees` says whom it is for: "student"
    formats hold what the rubric shows at once, "teacher" formats hold everything.
    """

    name: str
    file: str
    text: Callable[[Result], str]
    class_file: str = ""
    class_text: Callable[[Sequence[Result]], str] | None = None
    sees: str = "student"


FORMATS: dict[str, Format] = {
    made.name: made
    for made in (
        Format("gradescope", f"gradescope-{gradescope.FILE}", gradescope.text),
        Format("classroom50", f"classroom50-{classroom50.FILE}", classroom50.text),
        Format("junit", junit.FILE, junit.text, junit.CLASS_FILE, junit.class_text, "teacher"),
        Format("ctrf", ctrf.FILE, ctrf.text, ctrf.CLASS_FILE, ctrf.class_text, "teacher"),
        Format("prairielearn", f"prairielearn-{prairielearn.FILE}", prairielearn.text),
        Format("github-classroom", github_classroom.FILE, github_classroom.text),
    )
}
