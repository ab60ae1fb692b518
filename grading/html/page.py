"""The page as a whole: what is in it, and how it is put together into one file."""

from __future__ import annotations

import base64
import hashlib
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grading.batch.record import ERROR, GRADED, UNUSABLE, Judged, Result
from grading.html import clean
from grading.html.clean import MESSAGE, NAME, SENTENCE, number, one_line, visible
from grading.html.clusters import clusters, order
from grading.html.panels import LETTERS, panels
from grading.html.plots import counted, failing_most, histogram
from grading.verdicts import FAILS, VERDICTS

HERE = Path(__file__).parent
SIGNS = {"h": "•", "f": "×", "r": "–", "n": "/", "e": "!", "-": ""}
SCRIPTS = ("build.js", "draw.js", "panel.js", "matrix.js")
CLUSTERS = 250  # that are shown; the smallest of more are counted


@dataclass(frozen=True)
class Row:
    """One student's row of the matrix."""

    place: int
    result: Result
    cells: str
    fails: int
    share: float


def page(results: Sequence[Result], *, folder: Callable[[Result], str] | None = None) -> str:
    """The whole report as the text of one HTML file; the same results give the same text.

    `folder` names a result's own folder inside the folder of the results, where its
    counterexamples lie; `submissions/STUDENT` if it is not given. Results may come in any order.
    """
    ordered = sorted(results, key=lambda r: (r.student, r.submission))
    columns = _columns(ordered)
    ids = [column.id for column in columns]
    found = clusters(ordered)
    shared = [cluster for cluster in found[:CLUSTERS] if len(cluster.members) > 1]
    data = panels(ordered, ids, [(c.chosen, c.property) for c in found], folder or _folder)
    data["columns"] = [
        {"id": c.id, "chapter": c.chapter, "tier": c.tier, "sentence": visible(c.sentence, SENTENCE)}
        for c in columns
    ]
    style, scripts = _static("page.css") + _static("panel.css"), [_static(name) for name in SCRIPTS]
    text = _environment().get_template("page.html").render(
        policy=_policy([style], scripts), style=Markup(style), scripts=[Markup(s) for s in scripts],  # noqa: S704
        data=Markup(clean.data(data)), title=_title(ordered), facts=_facts(ordered), tiles=_tiles(ordered),  # noqa: S704
        lacks=_lacks(ordered), columns=columns, chapters=_chapters(columns), rows=_rows(ordered, columns),
        histogram=histogram(ordered), uncounted=len(ordered) - len(counted(ordered)),
        often=failing_most(ordered, columns), shared=_told(shared, ordered, columns),
        alone=_told(found[len(shared) : CLUSTERS], ordered, columns), more=len(found[CLUSTERS:]), signs=SIGNS, words={LETTERS[v]: v for v in VERDICTS} | {"-": "no verdict"},
        failing=_failing(ordered),
    )  # fmt: skip
    return text


def _folder(result: Result) -> str:
    return f"submissions/{result.student}"


# ---- putting it together ------------------------------------------------------------------


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    made.filters |= {"points": number, "name": _name, "line": one_line, "visible": visible}
    return made


def _name(text: str) -> str:
    return one_line(text, NAME) or "(no name)"


@cache
def _static(name: str) -> str:
    """A file of the suite's own, as it stands."""
    return (HERE / "static" / name).read_text(encoding="utf-8")


def _policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """Nothing may be loaded from anywhere, and only these texts may run."""
    return (
        f"default-src 'none'; style-src {_hashes(styles)}; script-src {_hashes(scripts)}; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hashes(texts: Iterable[str]) -> str:
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


# ---- what is in it ------------------------------------------------------------------------


def _columns(results: Sequence[Result]) -> list[Judged]:
    """Each property that anybody was judged by, in the catalogue's order."""
    known: dict[str, Judged] = {}
    for result in results:
        for verdict in result.verdicts:
            known.setdefault(verdict.id, verdict)
    return sorted(known.values(), key=lambda v: order(v.id))


def _chapters(columns: Sequence[Judged]) -> list[tuple[str, int]]:
    names = [column.chapter for column in columns]
    return [(name, names.count(name)) for name in dict.fromkeys(names)]


def _rows(results: Sequence[Result], columns: Sequence[Judged]) -> list[Row]:
    rows = []
    for place, result in enumerate(results):
        known = {v.id: LETTERS.get(v.verdict, "e") for v in result.verdicts}
        cells = "".join(known.get(column.id, "-") for column in columns)
        share = 100 * result.score / result.max_score if result.max_score > 0 else 0.0
        rows.append(Row(place, result, cells, cells.count("f"), round(min(100.0, max(0.0, share)), 2)))
    return rows


def _failing(results: Sequence[Result]) -> dict[str, int]:
    """How many students each property fails."""
    found: dict[str, int] = {}
    for result in results:
        for verdict in result.verdicts:
            found[verdict.id] = found.get(verdict.id, 0) + (verdict.verdict == FAILS)
    return found


def _tiles(results: Sequence[Result]) -> list[tuple[str, str, str]]:
    """(number, what it counts, a word for its look) at the top of the page."""
    having = counted(results)
    status = {s: sum(r.status == s for r in results) for s in (GRADED, UNUSABLE, ERROR)}
    best = sum(r.score >= r.max_score > 0 for r in having)
    most = {r.max_score for r in having}
    of = f" of {number(most.pop())}" if len(most) == 1 else ""
    middle = number(statistics.median(r.score for r in having)) if having else "–"
    mean = number(statistics.fmean(r.score for r in having)) if having else "–"
    return [
        (str(len(results)), "submission" if len(results) == 1 else "submissions", ""),
        (middle + of, "median points", ""), (mean, "mean points", ""), (str(best), "with all points", "good"),
        (str(status[UNUSABLE]), "unusable", "bad" if status[UNUSABLE] else ""),
        (str(status[ERROR]), "not graded, not their fault", "odd" if status[ERROR] else ""),
    ]  # fmt: skip


def _title(results: Sequence[Result]) -> str:
    sets = sorted({r.set for r in results if r.set})
    return "Class report" + (f", {one_line(', '.join(sets), 80)}" if sets else "")


def _facts(results: Sequence[Result]) -> list[tuple[str, str]]:
    """What the grades depend on, each with all values that occur."""
    def told(values: Iterable[Any]) -> str:
        return one_line(", ".join(sorted({str(v) for v in values if v != ""})) or "–", SENTENCE)

    seeds = (f"secret, its digest is {r.seed_digest or 'not given'}" if r.seed is None else r.seed for r in results)
    return [
        ("isolation", told(r.isolation.rung for r in results)),
        ("property set", told(r.set for r in results)), ("tier", told(r.tier for r in results)),
        ("lesson", told(r.lesson for r in results)), ("examples", told(r.examples for r in results)),
        ("seed", told(seeds)), ("rubric", told(r.rubric for r in results)),
        ("harness-props", told(r.suite_version for r in results)), ("Python", told(r.python for r in results)),
        ("Hypothesis", told(r.hypothesis for r in results)),
    ]  # fmt: skip


def _lacks(results: Sequence[Result]) -> list[tuple[str, list[str]]]:
    """Each rung in use, with what it does not contain."""
    found: dict[str, dict[str, None]] = {}
    for result in results:
        sentences = found.setdefault(one_line(result.isolation.rung, 40), {})
        sentences |= dict.fromkeys(one_line(s, SENTENCE) for s in result.isolation.uncontained[:20])
    return [(rung, list(sentences)[:40]) for rung, sentences in sorted(found.items())]


def _told(found: Sequence[Any], results: Sequence[Result], columns: Sequence[Judged]) -> list[dict[str, Any]]:
    """The clusters as the template shows them, with the counterexample that stands for each."""
    sentences = {column.id: column.sentence for column in columns}
    told = []
    for cluster in found:
        verdict = next(v for v in results[cluster.chosen].verdicts if v.id == cluster.property)
        told.append({
            "of": cluster, "sentence": visible(sentences[cluster.property], SENTENCE),
            "message": visible(verdict.message, MESSAGE // 4), "names": [results[m].student for m in cluster.members],
            "python": visible((verdict.counterexample or {}).get("python", ""), MESSAGE // 4),
        })  # fmt: skip
    return told
