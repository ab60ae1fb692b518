"""The matrix of properties and harnesses as a folder of static files: verdicts in, texts out.

`index.html` is the page of a class with harnesses in the rows; it opens by itself. The pages of
harnesses and properties need no script and share `style.css`. The same verdicts give the same texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grading.across.pages import Place, claim, counts, files_of, property_page
from grading.across.saved import Kept, Run, one_suite, told
from grading.batch.outputs import folders
from grading.batch.record import ERROR, GRADED, Isolation, Judged, Result
from grading.html.clean import NAME, SENTENCE, one_line, visible
from grading.html.clusters import order
from grading.html.page import static, written
from grading.verdicts import ERROR as BROKE
from grading.verdicts import FAILS, HOLDS, NOT_APPLICABLE
from grading.version import suite_version
from properties.registry import load

HARNESSES = {
    "one": "harness", "many": "harnesses", "that": "that", "score": "hold", "folder": "this site",
    "title": "The matrix", "numbers": "The matrix in numbers", "failing": "harnesses that fail it",
    "stumbles": "What stumbles at the same place", "none": "There are no harnesses.",
    "ours": "Not judged: ", "pages": "properties",
}  # fmt: skip
LEFT_OUT = "(left out of this page for its size; the page of the harness has it)"


def site(runs: Sequence[Run], *, note: str = "") -> dict[str, str]:
    """Every file of the site by its name. `note` is a sentence on how the verdicts were come by.

    Raises BadCall if the verdicts are of different versions of the suite.
    """
    one_suite(runs)
    ids = judged_ids(runs)
    places = _places(runs)
    made = {"index.html": _index(places, ids, note), "style.css": static("page.css") + static("panel.css")}
    for place in places:
        made.update(files_of(place, ids))
    made.update({f"properties/{id_}.html": property_page(id_, places) for id_ in ids})
    return made


def judged_ids(runs: Sequence[Run]) -> list[str]:
    """Every property that any of them was judged by, in the catalogue's order."""
    return sorted({id_ for run in runs for id_ in run.verdicts}, key=order)


def _places(runs: Sequence[Run]) -> list[Place]:
    """The rows; a harness whose label another one has is called by its whole target."""
    labels = [run.label for run in runs]
    named = [f"{run.target} {run.version} ({place})" if labels.count(label) > 1 else label
             for place, (run, label) in enumerate(zip(runs, labels, strict=True), 1)]  # fmt: skip
    short = [label.replace(" ", "-") for label in named]
    short = short if len({*short}) == len(short) else named
    names = folders(short)
    return [Place(row, run, label, f"harnesses/{names[key]}")
            for row, (run, label, key) in enumerate(zip(runs, named, short, strict=True))]  # fmt: skip


def missing(runs: Sequence[Run]) -> list[str]:
    """In sentences, what has no verdict: harnesses that were not judged, properties that one lacks."""
    wanted = judged_ids(runs)
    if runs and one_suite(runs) == suite_version():
        wanted = sorted({*wanted, *load()}, key=order)
    sentences = []
    for run in runs:
        if run.problem:
            sentences.append(f"{run.label}: {run.problem}")
        absent = [id_ for id_ in wanted if id_ not in run.verdicts]
        if absent and run.verdicts:
            sentences.append(f"{run.label}: no verdict on {told(absent)}")
    return sentences


# ---- the index ----------------------------------------------------------------------------


def _index(places: Sequence[Place], ids: Sequence[str], note: str) -> str:
    runs = [place.run for place in places]
    results = [_result(place) for place in places]
    laws = [(chapter, [_law(id_, runs) for id_ in ids if id_.partition("-")[0] == chapter])
            for chapter in dict.fromkeys(id_.partition("-")[0] for id_ in ids)]  # fmt: skip

    def finished(data: dict[str, Any]) -> None:
        data["texts"][0] = LEFT_OUT
        for student, place in zip(data["students"], places, strict=True):
            _told(student, place)

    return written("site.html", results, HARNESSES, lambda result: result.submission, {
        "title": "Properties and harnesses", "facts": _facts(runs), "note": visible(note, SENTENCE),
        "tiles": _tiles(runs, ids), "missing": [visible(text, SENTENCE * 2) for text in missing(runs)],
        "hrefs": [place.page for place in places], "by_chapter": laws,
        "harnesses": [{"label": one_line(p.label, NAME), "page": p.page, "counts": counts(p.run, ids),
                       "examples": one_line(p.run.examples, NAME), "python": one_line(p.run.python, NAME)}
                      for p in places],
    }, finished)  # fmt: skip


def _told(row: dict[str, Any], place: Place) -> None:
    """What a panel says of a harness and not of a student: its pages, and no points."""
    row.update(page=place.page, file="", points=[""] * len(row["points"]), most=[""] * len(row["most"]))
    row.update(rung="", lacks=[], seen="v" * len(row["seen"]))
    start, _, target = place.command("ID").partition("/counterexample-ID.json")
    row["replay"] = [start, target] if target else []


def _law(id_: str, runs: Sequence[Run]) -> dict[str, str]:
    law = load().get(id_)
    return {"id": id_, "tier": law.tier.word if law else "", "sentence": claim(id_, runs)}


def _result(place: Place) -> Result:
    """The harness as a row of the report: what holds counts, of all that applies."""
    run = place.run
    verdicts = tuple(_judged(run.verdicts[id_], run) for id_ in sorted(run.verdicts, key=order))
    applies = sum(v.verdict != NOT_APPLICABLE for v in verdicts)
    return Result(
        place.label, submission=place.folder, status=GRADED if verdicts else ERROR,
        problem=run.problem or ("" if verdicts else "no property was judged"), score=run.count(HOLDS),
        max_score=applies, isolation=Isolation(""), policies=_policies(run.target), verdicts=verdicts,
    )  # fmt: skip


def _judged(kept: Kept, run: Run) -> Judged:
    return Judged(kept.id, kept.id.partition("-")[0], kept.tier, kept.verdict, kept.message,
                  claim(kept.id, [run]), counterexample=kept.counterexample)  # fmt: skip


def _policies(target: str) -> dict[str, str]:
    """What a framework of ours declares, by which the pages of its reads are drawn."""
    from adapters.frameworks.process import named, policies_of

    found = named(target.removeprefix("adapter:"))
    return dict(policies_of(found)) if found else {}


def _tiles(runs: Sequence[Run], ids: Sequence[str]) -> list[tuple[str, str, str]]:
    total = [sum(column) for column in zip(*(counts(run, ids) for run in runs), strict=True)] or [0] * 6
    sound = sum(bool(run.verdicts) and not run.count(FAILS) for run in runs)
    return [
        (str(len(runs)), "harness" if len(runs) == 1 else "harnesses", ""),
        (str(len(ids)), "property" if len(ids) == 1 else "properties", ""),
        (str(total[0]), "hold", "good" if total[0] else ""),
        (str(total[1]), "fail", "bad" if total[1] else ""),
        (str(total[3]), "not applicable", ""), (str(sound), "harnesses without a failure", ""),
        (str(sum(run.count(BROKE) for run in runs)), "errors of the suite", "odd" if total[4] else ""),
    ]  # fmt: skip


def _facts(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """What the verdicts depend on, each with all values that occur."""
    names: Mapping[str, str] = {"suite": "harness-props", "examples": "examples", "seed": "seed",
                                "python": "Python", "hypothesis": "Hypothesis"}  # fmt: skip
    return [(told, one_line(", ".join(sorted({getattr(run, name) for run in runs})) or "–", SENTENCE))
            for name, told in names.items()]  # fmt: skip
