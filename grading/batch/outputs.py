"""What is written of results: one table of outputs, and the one place that writes them.

An output is a function of one `Result` (`each`) or of all of them, named as "module:function" so
that nothing is imported that is not asked for. It gives a text, or several by file name.
"""

from __future__ import annotations

import hashlib
import importlib
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grading.batch.record import Result
from grading.formats import Unwritable, write
from grading.leave import BadCall
from grading.screen import safe


@dataclass(frozen=True)
class Output:
    """One kind of file. `file` is its name, or a pattern where the function gives several texts.

    `each` puts one into every submission's folder; `standard` ones are written without being
    asked for.
    """

    name: str
    file: str
    function: str
    about: str
    each: bool = True
    standard: bool = False

    def texts(self, given: Any) -> Mapping[str, str]:
        """What is to be written of a result, or of all results, by file name."""
        module, _, function = self.function.partition(":")
        made = getattr(importlib.import_module(module), function)(given)
        return {self.file: made} if isinstance(made, str) else made


_OURS, _THEIRS = "grading.batch.writing", "grading.export"
OUTPUTS = (
    Output("jsonl", "results.jsonl", f"{_OURS}:jsonl", "all results, a line each", each=False, standard=True),
    Output("csv", "grades.csv", f"{_OURS}:csv_text", "a row for each student", each=False, standard=True),
    Output("html", "index.html", f"{_OURS}:html", "the class at a glance", each=False, standard=True),
    Output("report", "report*.md", f"{_OURS}:reports", "what a student gets to read", standard=True),
    Output("verdicts", "verdicts.json", f"{_OURS}:verdicts", "the verdicts, for other tools", standard=True),
    Output("counterexamples", "counterexample-*.json", f"{_OURS}:counterexamples",
           "a file for each failure, for `harness-props replay`", standard=True),
    Output("gradescope", "gradescope-results.json", f"{_THEIRS}.gradescope:text",
           "results.json of Gradescope"),
    Output("classroom50", "classroom50-result.json", f"{_THEIRS}.classroom50:text",
           "result.json of Classroom 50"),
    Output("prairielearn", "prairielearn-results.json", f"{_THEIRS}.prairielearn:text",
           "results.json of PrairieLearn"),
    Output("github-classroom", "github-classroom.json", f"{_THEIRS}.github_classroom:text",
           "for GitHub Classroom's old autograding reporter"),
    Output("junit", "junit.xml", f"{_THEIRS}.junit:text", "JUnit XML"),
    Output("junit", "junit.xml", f"{_THEIRS}.junit:class_text", "JUnit XML of all", each=False),
    Output("ctrf", "ctrf.json", f"{_THEIRS}.ctrf:text", "Common Test Report Format"),
    Output("ctrf", "ctrf.json", f"{_THEIRS}.ctrf:class_text", "the same of all", each=False),
)  # fmt: skip
SUBMISSIONS = "submissions"
_ODD = re.compile(r"[^\w .,+@=()'-]|^[.\s-]+|[.\s]+$")


def asked(names: Iterable[str]) -> tuple[Output, ...]:
    """The standard outputs and those of these names, "all" for all. Raises BadCall for another name."""
    known = {output.name: output for output in OUTPUTS}
    wanted = {part.strip().lower() for name in names for part in name.split(",")}
    for name in sorted(wanted - {"all", *known}):
        raise BadCall(f"--format: there is no format {name!r}; known: {', '.join(known)}, all")
    return tuple(o for o in OUTPUTS if o.standard or o.name in wanted or "all" in wanted)


def listing() -> str:
    """The outputs there are, a line each."""
    lines = []
    for output in OUTPUTS:
        place = f"{SUBMISSIONS}/STUDENT/{output.file}" if output.each else output.file
        always = ", always written" if output.standard else ""
        lines.append(f"{output.name:<16} {place}: {output.about}{always}\n")
    return "".join(lines)


# ---- writing ------------------------------------------------------------------------------


def folders(students: Iterable[str]) -> dict[str, str]:
    """For each student the name of a folder: as like the student's as a folder's can safely be."""
    names = {student: _ODD.sub("_", safe(student))[:100] for student in students}
    alike = Counter(name.casefold() for name in names.values())
    return {
        student: name if name and name == student and alike[name.casefold()] == 1
        else f"{name or '_'}-{_mark(student)}"
        for student, name in names.items()
    }


def _mark(student: str) -> str:
    return hashlib.sha256(student.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def write_one(result: Result, folder: Path, outputs: Sequence[Output]) -> None:
    """Write one submission's files; of an earlier result nothing stays. Raises Unwritable."""
    texts: dict[str, str] = {}
    for output in outputs:
        if output.each:
            texts.update(output.texts(result))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for output in OUTPUTS:
            for old in folder.glob(output.file) if output.each else ():
                if old.name not in texts:
                    old.unlink()
    except OSError as error:
        raise Unwritable(f"{folder}: cannot be written, {error.strerror or error}") from error
    for name, text in texts.items():
        _changed(folder / name, text)


def write_all(results: Sequence[Result], folder: Path, outputs: Sequence[Output],
              heard: Callable[[], None] = lambda: None) -> None:  # fmt: skip
    """Write everything. Folders of students who are not in the class any more go. Raises Unwritable."""
    names = folders(result.student for result in results)
    try:
        below = list((folder / SUBMISSIONS).iterdir()) if (folder / SUBMISSIONS).is_dir() else []
        for old in below:
            if old.name not in names.values() and old.is_dir() and not old.is_symlink():
                shutil.rmtree(old)
    except OSError as error:
        raise Unwritable(f"{folder / SUBMISSIONS}: cannot be cleared, {error.strerror or error}") from error
    for result in results:
        write_one(result, folder / SUBMISSIONS / names[result.student], outputs)
        heard()
    for output in outputs:
        if not output.each:
            for name, text in output.texts(results).items():
                _changed(folder / name, text)


def _changed(path: Path, text: str) -> None:
    """Write a file if its text is another one: an unchanged file keeps its time."""
    data = text.encode("utf-8", "backslashreplace")
    try:
        if path.read_bytes() == data:
            return
    except OSError:
        pass
    write(str(path), data.decode())


