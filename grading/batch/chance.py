"""How likely a bug is missed, by the number of examples: from what `harness-props power` measured.

`docs/make.py` writes `missed.json` beside this file from `docs/power.json`, so that an installed
suite knows it, too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("missed.json")


def table(power: dict[str, Any]) -> dict[str, Any]:
    """What `missed.json` holds: by budget the mean and the greatest share of checks that miss a bug.

    A bug that the explicit examples catch is never missed.
    """
    missed: dict[str, dict[str, float]] = {}
    for budget in sorted(power["budgets"]):
        shares = [
            0.0 if bug.get("explicit examples catch it") else 1 - bug["chances"][str(budget)]["share"]
            for bug in power["bugs"].values()
            if bug.get("explicit examples catch it") or str(budget) in bug["chances"]
        ]  # fmt: skip
        if shares:
            missed[str(budget)] = {"mean": round(sum(shares) / len(shares), 4), "most": round(max(shares), 4)}
    return {"bugs": len(power["bugs"]), "missed": missed}


def sentence(examples: int, file: Path = FILE) -> str:
    """What is known of the chance to miss a bug with this many examples; "" if nothing is.

    Of the budgets that were measured, the greatest that is not above `examples` counts.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError:
        return ""
    fitting = [budget for budget in map(int, data["missed"]) if budget <= examples]
    if not fitting:
        return ""
    chance = data["missed"][str(max(fitting))]
    return (f"with {max(fitting)} examples, a check misses one of {data['bugs']} known bugs in "
            f"{chance['mean']:.1%} of the cases on average, the hardest in {chance['most']:.0%}")  # fmt: skip
