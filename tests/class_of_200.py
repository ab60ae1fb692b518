"""A class of 200, graded undisturbed, then killed three times and resumed: `python -m tests.class_of_200`.

Submissions are sample harnesses (those in the folder that HARNESS_PROPS_ZOO names, else the shipped ones),
copies of them in which variables have other names, and hostile files. The class is graded once without a
disturbance; then, on one job, on two and on a Dask cluster, SIGKILL ends the grader at three random points, the
same command goes on, and in the end every file has to be the same, byte for byte. On the cluster one of two
workers is killed halfway, too.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from grading.batch.record import ERROR, read
from grading.batch.store import STATE
from tests.classes import RIGHT, ROOT, command, contents
from tests.dask import cluster
from tests.hostile.run import submission
from tests.hostile.table import ATTACKS
from tests.renaming import renamed

RUBRIC = """\
examples = 3
only = ["LOOP-01", "LOOP-06", "CUT-01", "CUT-04", "READ-01"]
"""
HOSTILE = (
    "leaves_at_once", "leaves_at_import", "interrupts", "raises_the_unreadable", "endless_recursion", "fork_bomb",
    "infinite_loop", "many_processes", "daemon", "program_left_behind", "kills_its_parent", "kills_others",
    "output_flood", "forged_results", "forged_calls", "malformed_events", "malformed_json", "replaces_builtins",
    "replaces_json_and_pickle", "acts_at_exit", "always_equal", "lying_list", "changes_lazily", "fake_modules",
)  # fmt: skip
KILLS = 3


def samples() -> dict[str, str]:
    """The texts that the class is made of, by name."""
    zoo = os.environ.get("HARNESS_PROPS_ZOO")
    found = {f"{p.parent.name}-{p.stem}": p.read_text() for p in sorted(Path(zoo).glob("*/*.py"))} if zoo else {}
    return found or {"good-sample": RIGHT, "bad-sample": (ROOT / "examples" / "student_harness.py").read_text()}


def hand_in(folder: Path, size: int) -> dict[str, int]:
    """Write the class; how many there are of each kind."""
    texts, hostile = samples(), HOSTILE[: size // 4]
    nobody = {"secret": "/nowhere/ada.py", "outside": "/nowhere", "process": 1 << 30, "grader": 1 << 30, "port": 1,
              "mark": "hostile-in-a-class", "suite": "/nowhere"}  # fmt: skip
    for attack in (attack for attack in ATTACKS if attack.name in hostile):
        for path, data in submission(attack, nobody).files:
            (folder / f"hostile-{attack.name}" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / f"hostile-{attack.name}" / path).write_bytes(data)
    originals = dict(list(texts.items())[: size - len(hostile)])
    for name, text in originals.items():
        (folder / f"{name}.py").write_text(text)
    copies = size - len(hostile) - len(originals)
    for number in range(copies):
        name = list(originals)[number % len(originals)]
        (folder / f"{name}-copy{number}.py").write_text(renamed(originals[name], f"_{number}"))
    return {"samples": len(originals), "copies with renamed variables": copies, "hostile": len(hostile)}


def kept(results: Path) -> int:
    """How often something is kept of a class, if nothing disturbs it: once for each chapter of each content."""
    chapters = 0
    for state in (results / STATE).glob("*.json"):
        if state.name != "run.json":
            found = json.loads(state.read_text())
            held = {verdict["id"].partition("-")[0] for verdict in found["verdicts"]}
            chapters += 1 if found["unusable"] else len(held)
    return chapters


def graded(folder: Path, results: Path, *how: object, kills: tuple[tuple[int, int], ...] = ()) -> int:
    """The status of one run of the command."""
    process = command(folder / "class", "-o", results, "--rubric", folder / "rubric.toml", "-q", *how, killing=kills)
    out, err = process.communicate()
    if process.returncode not in (1, -9):
        raise SystemExit(f"grading ended with {process.returncode}: {out}{err}")
    return process.returncode


def disturbed(folder: Path, results: Path, points: list[int], halfway: tuple[int, int] | None, *how: object) -> None:
    """Grade and be killed at each of these points; at the last the command comes to its end."""
    done = 0
    for point in points:
        kills = [(point - done, 0)]
        if halfway and done < halfway[0] < point:
            kills.insert(0, (halfway[0] - done, halfway[1]))
        if graded(folder, results, *how, kills=tuple(kills)) != -9:
            raise SystemExit(f"the grader was to be killed at {point} and was not")
        if (results / "results.jsonl").exists():
            raise SystemExit("a grader that was killed has left results")
        done = point - 1
    rest = ((halfway[0] - done, halfway[1]),) if halfway and halfway[0] > done else ()
    if graded(folder, results, *how, kills=rest) != 1:
        raise SystemExit("the last run was killed, too")


def copies_count_alike(results: Path) -> int:
    """How many copies have their original's points; raises SystemExit for one that has not."""
    by = {one.student: one for one in read(results / "results.jsonl")}
    if [one.student for one in by.values() if one.status == ERROR]:
        raise SystemExit("the suite broke on a submission")
    copies = [name for name in by if "-copy" in name]
    for name in copies:
        if by[name].score != by[name.partition("-copy")[0]].score:
            raise SystemExit(f"{name} has other points than its original")
    return len(copies)


def shown(folder: Path, size: int, seed: int, isolation: list[str]) -> dict[str, Any]:
    """Do it all; what was done, as it is written to JSON."""
    (folder / "class").mkdir()
    (folder / "rubric.toml").write_text(RUBRIC)
    kinds = hand_in(folder / "class", size)
    graded(folder, folder / "calm", *isolation, "-j", 2)
    calm = contents(folder / "calm")
    total, draw = kept(folder / "calm"), random.Random(seed)
    told: dict[str, Any] = {
        "submissions": size, "kinds": kinds, "rung": read(folder / "calm" / "results.jsonl")[0].isolation.rung,
        "kept": total, "copies with the points of their original": copies_count_alike(folder / "calm"),
        "files": len(calm), "results.jsonl": hashlib.sha256(calm["results.jsonl"]).hexdigest(), "runs": {},
    }  # fmt: skip
    for name in ("1 job", "2 jobs", "Dask cluster"):
        points = sorted(draw.sample(range(2, total - 1), KILLS))
        with contextlib.ExitStack() as stack:
            how, halfway = [*isolation, "-j", name[0]], None
            if name == "Dask cluster":
                address, workers = stack.enter_context(cluster(folder))
                how, halfway = [*isolation, "--cluster", address], (total // 2, workers[0].pid)
            disturbed(folder, folder / name, points, halfway, *how)
            if halfway and (workers[0].wait(30) != -9 or workers[1].poll() is not None):
                raise SystemExit("of the workers of the cluster not one was killed, or both")
        if contents(folder / name) != calm:
            differ = {path for path, data in contents(folder / name).items() if calm.get(path) != data}
            raise SystemExit(f"{name}: other files than undisturbed: {sorted(differ)[:5]}")
        told["runs"][name] = {"killed at": points, "worker killed at": halfway[0] if halfway else None}
        print(f"{name}: killed at {points} of {total}: every file is the same", flush=True)
    return told


def main() -> None:
    """Read the command line, do it, and write down what was done."""
    options = argparse.ArgumentParser(prog="python -m tests.class_of_200")
    options.add_argument("--size", type=int, default=200)
    options.add_argument("--seed", type=int, default=0, help="decides where the grader is killed")
    options.add_argument("--json", type=Path, metavar="FILE")
    options.add_argument("isolation", nargs="*", help="options of the command, behind --: -- --isolation landlock")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="class-") as name:
        told = shown(Path(name), given.size, given.seed, given.isolation)
    text = json.dumps(told, indent=1) + "\n"
    sys.stdout.write(text)
    if given.json:
        given.json.write_text(text)


if __name__ == "__main__":
    main()
