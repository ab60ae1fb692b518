"""The page as a whole: what is in it, and how it is put together into one file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grading.batch.record import Judged, Result
from grading.html import clean
from grading.html.about import facts, lacks, tiles, title
from grading.html.clean import MESSAGE, NAME, SENTENCE, number, one_line, visible
from grading.html.clusters import Cluster, clusters, order
from grading.html.panels import LETTERS, panels
from grading.html.plots import counted, failing_most, failures, histogram
from grading.verdicts import VERDICTS

HERE = Path(__file__).parent
SIGNS = {"h": "•", "f": "×", "r": "–", "n": "/", "e": "!", "-": ""}
SCRIPTS = ("build.js", "draw.js", "panel.js", "matrix.js")
WORDS = {LETTERS[v]: v for v in VERDICTS} | {"-": "no verdict"}
CLUSTERS = 250  # that are shown; the smallest of more are counted
CLASS = {
    "one": "student", "many": "students", "that": "who", "score": "points", "folder": "the results",
    "title": "The class at a glance", "numbers": "The class in numbers", "failing": "students whom it fails",
    "stumbles": "Who stumbles at the same place", "none": "There are no submissions.",
    "ours": "Not graded, and not the student’s fault: ", "pages": "",
}  # fmt: skip


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
    return written("page.html", ordered, CLASS, folder or _folder, {
        "title": title(ordered), "facts": facts(ordered), "tiles": tiles(ordered), "lacks": lacks(ordered),
        "histogram": histogram(ordered), "uncounted": len(ordered) - len(counted(ordered)), "hrefs": (),
    })  # fmt: skip


def written(
    template: str, ordered: Sequence[Result], who: Mapping[str, str], folder: Callable[[Result], str],
    more: Mapping[str, Any], finished: Callable[[dict[str, Any]], None] = lambda _: None,
) -> str:  # fmt: skip
    """A page with a matrix, clusters and panels of these results, as the text of one HTML file.

    `who` are the words for those who are in the rows, `more` is what the template shows besides, and
    `finished` may change the data of the panels.
    """
    columns = columns_of(ordered)
    found = clusters(ordered)
    shared = [cluster for cluster in found[:CLUSTERS] if len(cluster.members) > 1]
    data = panels(ordered, [c.id for c in columns], [(c.chosen, c.property) for c in found], folder)
    data["columns"] = [
        {"id": c.id, "chapter": c.chapter, "tier": c.tier, "sentence": visible(c.sentence, SENTENCE)}
        for c in columns
    ]
    data["who"] = dict(who)
    finished(data)
    style, scripts = static("page.css") + static("panel.css"), [static(name) for name in SCRIPTS]
    shown = {
        "policy": _policy([style], scripts), "style": Markup(style),  # noqa: S704 - the suite's own files
        "scripts": [Markup(script) for script in scripts], "data": Markup(clean.data(data)),  # noqa: S704
        "columns": columns, "chapters": _chapters(columns), "rows": _rows(ordered, columns),
        "failing": failures(ordered), "signs": SIGNS, "words": WORDS, "who": who,
        "often": failing_most(ordered, columns), "shared": _told(shared, ordered, columns),
        "alone": _told(found[len(shared) : CLUSTERS], ordered, columns), "more": len(found[CLUSTERS:]),
    }  # fmt: skip
    return rendered(template, {**shown, **more})


def rendered(template: str, shown: Mapping[str, Any]) -> str:
    """A template of the suite's own with these values, each escaped where it stands."""
    return _environment().get_template(template).render(shown)


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
def static(name: str) -> str:
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


def columns_of(results: Sequence[Result]) -> list[Judged]:
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


def _told(
    found: Sequence[Cluster], results: Sequence[Result], columns: Sequence[Judged]
) -> list[dict[str, Any]]:
    """The clusters as the template shows them, with the counterexample that stands for each."""
    sentences = {column.id: column.sentence for column in columns}
    told = []
    for cluster in found:
        verdict = next(v for v in results[cluster.chosen].verdicts if v.id == cluster.property)
        told.append({
            "of": cluster, "sentence": visible(sentences[cluster.property], SENTENCE),
            "names": [results[member].student for member in cluster.members],
            "message": visible(verdict.message, MESSAGE // 4),
            "python": visible((verdict.counterexample or {}).get("python", ""), MESSAGE // 4),
        })  # fmt: skip
    return told
