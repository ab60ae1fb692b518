"""`python -m tests.mutation reference|suite`: run mutmut and hold its result against the gate.

Exit status 0 if the gate holds, 1 if it does not, 3 if mutmut's run is no evidence.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.mutation import judge
from tests.mutation.work import JOBS, Job, configuration, part, prepare, run_mutmut, shard


def main() -> int:
    """Prepare, run, judge; see the module's text for the exit status."""
    options = argparse.ArgumentParser(prog="python -m tests.mutation", description="Mutation testing.")
    options.add_argument("job", choices=sorted(JOBS))
    options.add_argument("names", nargs="*", metavar="PATTERN", help="only mutants whose names match")
    options.add_argument("--shard", type=shard, metavar="K/N", default=None,
                         help="only the K-th of N parts, each some of the modules")  # fmt: skip
    options.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--json", type=Path, metavar="FILE",
                         help="the report of a whole run (default: .mutation/JOB.json)")  # fmt: skip
    given = options.parse_intermixed_args()  # patterns may stand after options, as tox hands them on
    job = JOBS[given.job]
    names = [*given.names, *(part(job, *given.shard) if given.shard else ())]
    folder = prepare(job)
    log = folder / "mutmut.log"
    print(f"mutating {', '.join(job.sources)}; mutmut's own words go to {log}", flush=True)
    started = time.monotonic()
    try:
        status = run_mutmut(folder, "--max-children", str(given.jobs), *names, log=log)
        if status != 0:
            raise judge.NoResult(f"mutmut ended with exit status {status}; see {log}")
        mutants = confirmed(job, folder, judge.results(folder, names), log)
    except judge.NoResult as problem:
        print(f"no evidence: {problem}", file=sys.stderr)
        return 3
    report, wrong = judged(job, folder, mutants)
    report["seconds"] = round(time.monotonic() - started)
    if not names:  # a part of the mutants is no score
        out = given.json or folder.with_suffix(".json")
        out.write_text(json.dumps(report, indent=1) + "\n")
    for module, row in report["modules"].items():
        words = f"{row['killed']:4d} of {row['mutants']:4d} killed, {row['per line']:.1f} mutants per line"
        print(f"{module:<28}{words}")
    for line in wrong:
        print(f"GATE {line}")
    return 1 if wrong else 0


def confirmed(job: Job, folder: Path, mutants: list[judge.Mutant], log: Path) -> list[judge.Mutant]:
    """The mutants, those that timed out after a second and longer run: only if it agrees are they killed."""
    late = [m.name for m in mutants if m.status == judge.TIMED_OUT]
    if not late:
        return mutants
    (folder / "pyproject.toml").write_text(configuration(job, again=True))
    run_mutmut(folder, "--max-children", "1", *late, log=log)
    again = {m.name: m for m in judge.results(folder, late)}
    return [again.get(m.name, m) for m in mutants]


def first_of(names: Sequence[str], most: int = 6) -> str:
    """The first few names, and how many more there are."""
    more = [f"{len(names) - most} more"] if len(names) > most else []
    return ", ".join([*names[:most], *more]) or "nothing"


def judged(job: Job, folder: Path, mutants: list[judge.Mutant]) -> tuple[dict[str, Any], list[str]]:
    """The report, and what does not hold."""
    survivors = [m for m in mutants if m.status == judge.SURVIVED]
    known = judge.listed() if job.reviewed else {}
    wrong, equivalent, kept = [], [], []
    reaching = judge.reaching(folder)
    for mutant in survivors:
        before, after = judge.change(folder, mutant)
        reason = known.get((f"{mutant.module.rpartition('.')[2]}.{mutant.function}", before, after))
        entry = {"mutant": mutant.name, "out": before, "in": after}
        if reason:
            equivalent.append({**entry, "reason": reason})
            continue
        kept.append(entry)
        names = first_of(reaching.get(mutant.name.partition("__mutmut_")[0], ()))
        print(f"SURVIVES {mutant.name}\n  - {before}\n  + {after}\n  run by {names}")
    score = 1 - len(kept) / max(1, len(mutants) - len(equivalent))
    if score < job.score:
        wrong.append(f"{len(kept)} mutants survive: {score:.1%} are killed, {job.score:.0%} are wanted")
    if len(equivalent) > judge.MOST_LISTED * len(mutants):
        wrong.append(f"{len(equivalent)} of {len(mutants)} mutants are listed as equivalent, "
                     f"at most {judge.MOST_LISTED:.0%} may be")  # fmt: skip
    modules = judge.per_module(mutants, folder)
    few = [m for m, row in modules.items() if row["per line"] < 1.0] if job.reviewed else []
    wrong += [f"{m} has fewer mutants than lines" for m in few]
    return {
        "job": job.name, "mutants": len(mutants), "score": round(score, 4), "modules": modules,
        "survivors": kept, "equivalent": equivalent, "killers": judge.killers(folder),
    }, wrong  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
