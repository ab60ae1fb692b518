"""How fast a planted bug is found and made small: `python -m benchmarks.finding [BUG …]`.

For each bug the property that it names hunts with our strategy and with a naive one, explicit
examples left out on both sides: examples and CPU seconds to the first counterexample and to the
shrunk one, and how large that is. A naive find counts if the unchanged reference passes the script.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.progress import track

from adapters.reference import reference
from benchmarks.naive import drawn, kind_of
from grading.engine import Broke, Examiner, Found, draw
from grading.power import bugs
from grading.verdicts import Options
from properties.registry import FIELD, Property, Stage, load
from strategies.sizes import weight
from tests.planted.kept import keep, kept, kept_in

OURS, NAIVE_MOST, FIRST = 500, 200, 20  # examples at most; the first few of the naive baseline
SEEDS, NAIVE_SEEDS = (0, 1, 2), range(4)


class Hunt:
    """One stage on one bug: counts examples and CPU seconds up to the first and the smallest find."""

    def __init__(self, prop: Property, number: int, stage: Stage, harness: Any) -> None:
        self.stage, self.number = stage, number
        self.examiner = Examiner(prop, harness, Options(tier=FIELD))
        self.count = 0
        self.first: float | None = None
        self.at = 0
        self.smallest: Any = None

    def body(self, script: Any) -> None:
        """Judge one drawn script."""
        self.count += 1
        if self.examiner.once(self.stage, script) is None:
            return
        if self.first is None:
            self.first, self.at = time.process_time() - self.started, self.count
        self.smallest = script
        raise Found

    def run(self, draws: Any, most: int, seed: int) -> dict[str, Any]:
        """What it took; "first" is None if nothing was found."""
        self.started = time.process_time()
        try:
            name = f"{seed}:{self.examiner.prop.id}:{self.number}"
            draw(self.body, draws, most, name)
        except Found:
            pass
        except BaseException as error:
            return {"first": None, "broke": f"{type(error).__name__}: {error}"[:200]}
        total = time.process_time() - self.started
        size = None if self.smallest is None else sum(weight(self.smallest))
        return {"first": self.first, "example": self.at, "shrunk": total, "size": size}


def naively(prop: Property, stage: Stage, harness: Any, kind: str, most: int, seed: int) -> dict[str, Any]:
    """What a naive hunt took up to its first find, "spent" in all; it need not shrink anything.

    What the reference, too, fails is no find; asking it costs the naive side nothing. A script that the
    property cannot judge, since it lacks what its own strategy always draws, is a draw for nothing.
    """
    examiner, sound = (Examiner(prop, h, Options(tier=FIELD)) for h in (harness, reference()))
    judging = spent = 0.0
    for at, (script, drawing) in enumerate(drawn(kind, most, seed), 1):
        began, failure = time.process_time(), None
        with contextlib.suppress(Broke):
            failure = examiner.once(stage, script)
        judging += time.process_time() - began
        spent = drawing + judging
        if failure is not None and _passes(sound, stage, script):
            return {"first": spent, "example": at, "spent": spent}
    return {"first": None, "example": most, "spent": spent}


def _passes(examiner: Examiner, stage: Stage, script: Any) -> bool:
    try:
        return examiner.once(stage, script) is None
    except Broke:
        return False


def hunted(name: str) -> dict[str, Any]:
    """One bug: our hunts with each seed, a naive one, and how often naive ones of a few examples miss it."""
    bug = bugs()[name]
    prop = load()[bug.property]
    found: dict[str, Any] = {"property": bug.property, "ours": [], "naive": None}
    for number, stage in enumerate(prop.stages):
        bare = replace(stage, examples=())
        runs = [Hunt(prop, number, bare, bug.harness()).run(stage.draws, OURS, seed) for seed in SEEDS]
        if all(run["first"] is None for run in runs) and number + 1 < len(prop.stages):
            continue
        found["ours"] = runs
        kind = kind_of(bug.property, stage)
        if kind:
            runs = [
                naively(prop, bare, bug.harness(), kind, most, seed)
                for seed, most in ((0, NAIVE_MOST), *((seed, FIRST) for seed in NAIVE_SEEDS))
            ]
            found["naive"] = runs[0]
            found["naive misses"] = sum(run["first"] is None for run in runs[1:])
        break
    return found


def subtle(row: dict[str, Any]) -> bool:
    """Whether half of the naive runs of a few examples miss the bug, where there is no naive draw all."""
    return bool(row.get("naive misses", len(NAIVE_SEEDS)) * 2 >= len(NAIVE_SEEDS))


def summary(table: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The figures that are held against their limits."""
    naive = {n: row["naive"] for n, row in table.items() if row["naive"]}
    finds = [n for n, run in naive.items() if run["first"] is not None]
    hard = [n for n, run in naive.items() if run["first"] is None or run["example"] > FIRST]
    ratios = []
    for name in hard:
        ours = [run["first"] for run in table[name]["ours"] if run["first"] is not None]
        theirs = naive[name]["first"] or naive[name]["spent"]  # all it spent, if it found nothing
        if ours and theirs:
            ratios.append(statistics.median(ours) / theirs)
    sizes = [[run["size"] for run in row["ours"] if run.get("size") is not None] for row in table.values()]
    near = [size <= min(row) + 1 for row in sizes if row for size in row]
    return {
        "bugs": len(table), "naive finds": len(finds), "hard for naive": len(hard),
        "subtle": sum(map(subtle, table.values())),
        "median CPU ratio on those": round(statistics.median(ratios), 3) if ratios else None,
        "small": round(sum(near) / len(near), 3) if near else None,
        "median first CPU s": _median(table, "first"), "worst first CPU s": _worst(table, "first"),
        "median shrunk CPU s": _median(table, "shrunk"), "worst shrunk CPU s": _worst(table, "shrunk"),
        "median examples": _median(table, "example"), "worst examples": _worst(table, "example"),
    }  # fmt: skip


def _all(table: dict[str, dict[str, Any]], key: str) -> list[float]:
    return [run[key] for row in table.values() for run in row["ours"] if run["first"] is not None]


def _median(table: dict[str, dict[str, Any]], key: str) -> float:
    return round(statistics.median(_all(table, key)), 3)


def _worst(table: dict[str, dict[str, Any]], key: str) -> float:
    return round(max(_all(table, key)), 3)


def rounded(value: Any) -> Any:
    """Seconds to the millisecond, so that the file stays readable."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


def measured(names: list[str], jobs: int) -> dict[str, dict[str, Any]]:
    """The rows of these bugs: those that an earlier run has kept, and the rest."""
    file = kept_in("finding", OURS, NAIVE_MOST, FIRST, SEEDS, NAIVE_SEEDS)
    done = kept(file, bugs().values())
    left = [name for name in names if name not in done]
    with ProcessPoolExecutor(jobs) as pool:
        hunts = {pool.submit(hunted, name): name for name in left}
        for hunt in track(as_completed(hunts), "hunting", len(left), transient=True):
            done[hunts[hunt]] = rounded(hunt.result())
            keep(file, bugs()[hunts[hunt]], done[hunts[hunt]])
    return {name: done[name] for name in names}


def main() -> int:
    """Hunt, print the figures, and write the table."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.finding")
    options.add_argument("names", nargs="*", metavar="BUG")
    options.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--json", type=Path, metavar="FILE")
    given = options.parse_args()
    names = given.names or list(bugs())
    table = measured(names, given.jobs)
    figures = summary(table)
    for what, figure in figures.items():
        print(f"{what:<28}{figure}")
    if given.json:
        text = json.dumps({"summary": figures, "bugs": table}, indent=1)
        given.json.write_text(text + "\n")
    lost = [n for n, row in table.items() if all(run["first"] is None for run in row["ours"])]
    for name in lost:
        print(f"not found by {table[name]['property']} in {OURS} draws: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
