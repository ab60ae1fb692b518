"""`harness-props list`: every property, as a table, as plain lines, or as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console
from rich.table import Table

from properties.registry import Property, Tier, load


def row(prop: Property) -> dict[str, Any]:
    """What is told of a property. `readings` are its stronger readings at later tiers."""
    return {
        "id": prop.id, "tier": prop.tier.word, "sentence": prop.sentence, "source": prop.source,
        "needs": sorted(prop.needs), "depends_on": list(prop.after),
        "readings": [{"tier": s.tier.word, "sentence": s.sentence} for s in prop.stages[1:]],
    }  # fmt: skip


def list_properties(tier: Tier, *, as_json: bool = False) -> int:
    """Print the properties up to this tier. In a pipe: one line each, tabs between the columns."""
    rows = [row(prop) for prop in load().values() if prop.tier <= tier]
    if as_json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
    elif Console().is_terminal:
        _table(rows)
    else:
        for told in rows:
            sys.stdout.write("\t".join(" ".join(cell.split()) for cell in _cells(told)) + "\n")
    return 0


def _cells(told: dict[str, Any]) -> list[str]:
    return [told["id"], told["tier"], told["sentence"], told["source"], ",".join(told["needs"]),
            ",".join(told["depends_on"])]  # fmt: skip


def _table(rows: list[dict[str, Any]]) -> None:
    table = Table(show_lines=True, pad_edge=False)
    table.add_column("id", style="bold", no_wrap=True)
    table.add_column("tier", no_wrap=True)
    for title, ratio in (("sentence", 4), ("source", 2), ("needs", 1), ("depends on", 1)):
        table.add_column(title, ratio=ratio, overflow="fold")
    for told in rows:
        later = "".join(f"\n{r['tier']}: {r['sentence']}" for r in told["readings"])
        cells = _cells(told)
        cells[2] += later
        cells[4:] = [cell.replace(",", ", ") for cell in cells[4:]]
        table.add_row(*map(_plain, cells))
    Console().print(table)


def _plain(cell: str) -> str:
    """The text with nothing in it that rich would take for markup."""
    return cell.replace("[", r"\[")
