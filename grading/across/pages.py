"""The pages of a site that need no script: one for each harness, one for each property."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from grading.across.badges import badge
from grading.across.saved import Kept, Run
from grading.html.clean import CODE, MESSAGE, NAME, SENTENCE, one_line, visible
from grading.html.page import SIGNS, WORDS, rendered
from grading.html.panels import LETTERS, quoted
from grading.pretty import pretty
from grading.verdicts import ERROR, FAILS, HOLDS, NOT_APPLICABLE, NOT_REACHED
from properties.registry import load

TRACE = 60  # lines of a trace
BASE = {"signs": SIGNS, "words": WORDS}


class Place:
    """Where one harness stands in a site: its row, its label, its folder and its files."""

    def __init__(self, row: int, run: Run, label: str, folder: str) -> None:
        self.row, self.run, self.label, self.folder = row, run, label, folder

    @property
    def page(self) -> str:
        """The address of its page, from the site's root."""
        return f"{quote(self.folder)}/index.html"

    @property
    def badge(self) -> str:
        """The file of its badge, from the site's root."""
        return f"badges/{self.folder.partition('/')[2]}.svg"

    def counterexample(self, id_: str) -> str:
        """The file of one counterexample, from the site's root."""
        return f"{self.folder}/counterexample-{id_}.json"

    def command(self, id_: str) -> str:
        """What plays it again, in the folder of the site."""
        return f"harness-props replay {quoted(self.counterexample(id_))} --target {quoted(self.run.target)}"


def counts(run: Run, ids: Sequence[str]) -> list[int]:
    """How many of these properties have each verdict, in the order of the signs; those without one last."""
    kinds = (HOLDS, FAILS, NOT_REACHED, NOT_APPLICABLE, ERROR)
    return [*(run.count(kind) for kind in kinds), sum(id_ not in run.verdicts for id_ in ids)]


def files_of(place: Place, ids: Sequence[str]) -> dict[str, str]:
    """The page, the badge and the counterexamples of one harness, by their names in the site."""
    run = place.run
    made = {f"{place.folder}/index.html": harness_page(place, ids), place.badge: badge(run) + "\n"}
    for kept in run.verdicts.values():
        if kept.counterexample is not None:
            made[place.counterexample(kept.id)] = json.dumps(kept.counterexample, indent=2) + "\n"
    return made


def harness_page(place: Place, ids: Sequence[str]) -> str:
    """All verdicts on one harness: what fails with its script, the rest with the reasons."""
    run = place.run
    known = [run.verdicts[id_] for id_ in ids if id_ in run.verdicts]
    rest: list[tuple[str, list[tuple[str, list[str]]]]] = []
    for kind in (NOT_REACHED, NOT_APPLICABLE, HOLDS):
        rest.append((LETTERS[kind], _grouped([kept for kept in known if kept.verdict == kind])))
    absent = [id_ for id_ in ids if id_ not in run.verdicts]
    rest.append(("-", [("", absent)] if absent else []))
    looks = ("good", "bad", "", "", "odd", "")
    tiles = [(n, WORDS[letter], look if n else "")
             for n, letter, look in zip(counts(run, ids), "hfrne-", looks, strict=True)]  # fmt: skip
    return rendered("harness.html", {
        **BASE, "root": "../../", "title": one_line(place.label, NAME), "facts": facts_of(run),
        "badge": Markup(badge(run)),  # noqa: S704 - the suite's own template, escaped in it
        "badge_file": quote(place.badge), "tiles": tiles, "problem": visible(run.problem, SENTENCE * 2),
        "findings": [found(kept, place) for kept in known if kept.verdict in (FAILS, ERROR)],
        "rest": [(letter, groups) for letter, groups in rest if groups],
    })  # fmt: skip


def _grouped(kept: Sequence[Kept]) -> list[tuple[str, list[str]]]:
    """Ids by the reason that they have in common."""
    groups: dict[str, list[str]] = {}
    for one in kept:
        groups.setdefault(visible(one.message, SENTENCE), []).append(one.id)
    return list(groups.items())


def facts_of(run: Run) -> list[tuple[str, str]]:
    """What the verdicts on a harness depend on."""
    said = (("target", run.target), ("package", f"{run.name} {run.version}".strip()),
            ("harness-props", run.suite), ("Python", run.python), ("Hypothesis", run.hypothesis),
            ("examples", run.examples), ("seed", run.seed))  # fmt: skip
    return [(name, one_line(value, NAME)) for name, value in said if value]


def found(kept: Kept, place: Place) -> dict[str, Any]:
    """One failure or error as the templates show it."""
    known: Mapping[str, Any] = kept.counterexample or {}
    python, by, step = (str(known.get(name, "")) for name in ("python", "property", "step"))
    return {
        "id": kept.id, "letter": LETTERS[kept.verdict], "message": visible(kept.message),
        "by": one_line(by, 20) if by != kept.id else "",
        "sentence": visible(known.get("sentence") or claim(kept.id, [place.run]), SENTENCE),
        "step": one_line(step, 120) if step not in kept.message else "",
        "hint": visible(known.get("hint", ""), SENTENCE), "place": f"s{place.row}/{kept.id}",
        "python": visible(pretty(python, 88) if len(python) <= CODE else python, CODE),
        "before": _scripts(len(known.get("before", ()))), "command": place.command(kept.id),
        "trace": [one_line(line) for line in known.get("trace", ())[:TRACE]],
        "file": quote(place.counterexample(kept.id)),
    }  # fmt: skip


def _scripts(number: int) -> str:
    return f"{number} other script{'s' * (number != 1)}" if number else ""


def claim(id_: str, runs: Sequence[Run]) -> str:
    """The claim of a property; where this suite has none of that id, in the words of who failed it."""
    law = load().get(id_)
    kept = [run.verdicts[id_].counterexample or {} for run in runs if id_ in run.verdicts]
    return law.sentence if law else next((str(k["sentence"]) for k in kept if k.get("sentence")), "")


def property_page(id_: str, places: Sequence[Place]) -> str:
    """One property on every harness: the claim, each verdict with its reason, each smallest script."""
    law = load().get(id_)
    facts = [] if law is None else [
        ("tier", law.tier.word), ("needs", ", ".join(sorted(law.needs))), ("after", ", ".join(law.after)),
        ("source", law.source),
    ]  # fmt: skip
    return rendered("property.html", {
        **BASE, "root": "../", "title": id_, "id": id_,
        "sentence": visible(claim(id_, [place.run for place in places]), MESSAGE),
        "facts": [(name, one_line(value, SENTENCE)) for name, value in facts if value],
        "readings": [(stage.tier.word, stage.sentence) for stage in (law.stages[1:] if law else ())],
        "rows": [_row(id_, place) for place in places],
    })  # fmt: skip


def _row(id_: str, place: Place) -> dict[str, Any]:
    kept = place.run.verdicts.get(id_)
    row: dict[str, Any] = {
        "anchor": f"s{place.row}", "label": one_line(place.label, NAME), "page": place.page,
        "letter": LETTERS[kept.verdict] if kept else "-", "found": None,
        "message": visible(kept.message if kept else place.run.problem, SENTENCE),
    }  # fmt: skip
    if kept and kept.verdict in (FAILS, ERROR):
        row["found"] = found(kept, place)
    return row
