"""What a run has found: on the screen, and as JSON of the schema `harness-props/fuzz/v1`."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from typing import Any

import hypothesis
from rich.text import Text

from grading import formats, show
from grading.fuzz.baseline import Compared, Fresh
from grading.fuzz.journal import Finding, State
from grading.fuzz.session import told
from grading.fuzz.watching import many
from grading.screen import Screen, safe
from grading.verdicts import Report
from grading.version import suite_version

NOT_SMALL = "not made smaller yet: the run ended before; --continue does it"


def findings(screen: Screen, state: State, ids: frozenset[str]) -> None:
    """Every finding that is not among the known `ids`, with its smallest script and what follows from it."""
    shown, following = told(state)
    for finding in shown:
        if finding.id in ids:
            continue
        show.failure(screen, finding.verdict)
        screen.labelled("finding", finding.id, "bold")
        if not finding.whole:
            screen.labelled("", NOT_SMALL, "yellow")
        after = sorted({f.law for f in following.get(finding.law, ())} - {finding.law})
        if after:
            screen.labelled("", f"the same runs break {show.ranges(after)}", "yellow")
            following.pop(finding.law)
    for id_, message in state.errors.items():
        screen.line()
        words = f" {id_}  the suite or the adapter broke: {safe(message)}"
        screen.line(Text.assemble(("ERROR", "bold magenta"), words))


def compared(screen: Screen, said: Compared) -> None:
    """What a run says of a baseline: what is known a line each, what needs doing before it."""
    screen.line()
    for one in said.new:
        screen.line(Text.assemble(("NEW", "bold red"), f" {one.id}  {safe(one.message)}"))
    for entry in said.gone:
        words = f" {entry.id}  its script does not fail any more; take it out of the baseline"
        screen.line(Text.assemble(("GONE", "bold green"), words))
    for entry in said.expired:
        words = f" {entry.id}  accepted until {entry.expires}; look at it again: {safe(entry.reason)}"
        screen.line(Text.assemble(("EXPIRED", "bold yellow"), words))
    for entry, message in said.broken:
        screen.line(Text.assemble(("ERROR", "bold magenta"), f" {entry.id}  {safe(message)}"))
    for entry in said.known:
        link = f" ({entry.link})" if entry.link else ""
        chance = " It comes by chance, so playing it says little." if entry.chance else ""
        screen.line(f"known {entry.id}  {entry.reason}{link}, until {entry.expires}.{chance}", "dim")
    counts = {"new": len(said.new), "gone": len(said.gone), "expired": len(said.expired)}
    parts = [f"{n} {word}" for word, n in {**counts, "known": len(said.known)}.items() if n]
    screen.line(f"against the baseline: {', '.join(parts) or 'nothing in it, nothing found'}")


def fresh(found: Sequence[Finding]) -> list[Fresh]:
    """Findings as a baseline is compared with them."""
    return [Fresh(one.id, one.law, one.verdict.message, (one.group.root,)) for one in found]


def json_text(
    report: Report, state: State, *, ended: str, rounds: int, new: Mapping[str, bool]
) -> str:
    """A run as JSON: no times, so that the same run gives the same bytes."""
    shown, following = told(state)
    data: dict[str, Any] = {
        "schema": formats.FUZZ, "target": report.target,
        "harness": {"name": report.name, "version": report.version},
        "suite_version": suite_version(), "python": platform.python_version(),
        "hypothesis": hypothesis.__version__, "seed": state.run["seed"], "rounds": rounds, "ended": ended,
        "scripts": state.scripts,
        "findings": [{**one.to_json(), "new": new.get(one.id, True)} for one in shown],
        "following": {root: sorted({one.law for one in of}) for root, of in following.items()},
        "not_applicable": dict(sorted(state.not_applicable.items())), "errors": state.errors,
    }  # fmt: skip
    return json.dumps(data, indent=2) + "\n"


def summary(screen: Screen, state: State, scripts: int, rounds: int, ended: str, again: str) -> None:
    """The last lines: how much was judged, what was found, and how it goes on."""
    screen.line()
    shown = told(state)[0]
    words = f"{many(scripts, 'script')} in {many(rounds, 'round')}, seed {state.run['seed']}; {ended}: "
    count = many(len(shown), "finding") if shown else "no finding"
    screen.line(words + count, "" if shown else "bold green")
    if state.not_applicable:
        screen.line(f"not applicable: {show.ranges(list(state.not_applicable))}", "dim")
    screen.line(f"it goes on with: {again}", "dim")
