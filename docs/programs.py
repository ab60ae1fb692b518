"""Blocks of docs/programs.md: the programs that are known, and what a run of each costs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COSTS = Path(__file__).with_name("costs.json")
sys.path[:0] = [] if str(ROOT) in sys.path else [str(ROOT)]

from adapters.programs.reading import known  # noqa: E402 - found through the line above


def programs() -> str:
    """The table of known programs with their licences and wires."""
    rows = [
        f"| [`wire:{one.name}`]({one.homepage}) | {one.version} | {one.licence} | {', '.join(one.wires)} | "
        f"{'one for many runs' if one.service else 'one a run'} |"
        for one in known().values()
    ]
    return "\n".join(["| program | version | licence | wire | process |", "|---|---|---|---|---|", *rows])


def costs() -> str:
    """The table of what `benchmarks.programs` measured."""
    found = json.loads(COSTS.read_text(encoding="utf-8"))
    heads = ["program", "version", "seconds a run", "CPU: program", "CPU: room", "CPU: suite", "beside it"]
    rows = [f"| {' | '.join(heads)} |", "|---|---|" + "---:|" * (len(heads) - 2)]
    for name, told in found["programs"].items():
        cpu = (f"{told['cpu'][who]:.3f} s" for who in ("program", "room", "suite"))
        cells = [f"`{name}`", told["version"], f"{told['seconds']:.2f}", *cpu, f"{told['beside']:.0%}"]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)
