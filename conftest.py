"""Runs the properties under plain pytest: options, header, one item for each property.

`pytest properties --harness TARGET --tier course --examples 200 -n 2` judges any target; under
mutation testing a small fixed profile on the reference in this process takes over.
"""

from __future__ import annotations

import io
import os
import random
import resource
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from rich.console import Console

from adapters.contract import Unusable
from grading.engine import examine
from grading.hunt import Broke, Catch, first_catch
from grading.run import Target, default_tier
from grading.show import Screen, failure
from grading.verdicts import ERROR, FAILS, NOT_APPLICABLE, Options, Verdict
from grading.version import suite_version
from properties.registry import Property, Tier

MUTATION_EXAMPLES = 50
MUTATION_MEMORY = 3 << 30  # bytes; a runaway mutant must not take the machine with it


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the properties, with the command line's own names."""
    group = parser.getgroup("harness-props")
    group.addoption("--harness", default="adapter:reference", metavar="TARGET",
                    help="harness.py, adapter:NAME, process:COMMAND or package.module:object")  # fmt: skip
    group.addoption("--tier", default=None, choices=[t.word for t in Tier], help="tiers up to this one")
    group.addoption("--lesson", default=6, type=int, choices=[3, 6], help="whose statements to judge by")
    group.addoption("--examples", default=100, type=int, metavar="N", help="drawn scripts per property")
    group.addoption("--seed", default="0", metavar="N", help="a whole number, or random (printed)")


def pytest_configure(config: pytest.Config) -> None:
    """Fix the seed once, so that every worker draws the same scripts."""
    given = config.getoption("--seed")
    inherited = getattr(config, "workerinput", {}).get("props_seed")
    seed = inherited if inherited is not None else given
    config.props_seed = random.randrange(2**32) if seed == "random" else int(seed)  # type: ignore[attr-defined]
    if os.environ.get("MUTANT_UNDER_TEST"):
        resource.setrlimit(resource.RLIMIT_AS, (MUTATION_MEMORY, MUTATION_MEMORY))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the seed on to the workers of pytest-xdist."""
    node.workerinput["props_seed"] = node.config.props_seed


def _options(config: pytest.Config) -> tuple[Target, Options]:
    text, lesson = config.getoption("--harness"), config.getoption("--lesson")
    named = config.getoption("--tier")
    tier = Tier.named(named) if named else default_tier(text)
    examples = MUTATION_EXAMPLES if os.environ.get("MUTANT_UNDER_TEST") else config.getoption("--examples")
    return Target(text, lesson), Options(tier, lesson, examples, config.props_seed)  # type: ignore[attr-defined]


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Which target, which versions, which seed and tiers, what the target offers."""
    target, options = _options(config)
    lines = [
        f"harness: {target.text} (suite {suite_version()}, hypothesis {hypothesis.__version__})",
        f"seed: {options.seed}, examples: {options.examples}, lesson: {options.lesson}",
        f"tiers up to: {Tier(options.tier).word}",
    ]
    try:
        harness = target.open()
        lines.append(f"capabilities: {', '.join(sorted(harness.capabilities))}")
        lines.append("policies: " + ", ".join(f"{k}={v}" for k, v in harness.policies.items()))
        harness.close()
    except Exception as error:
        lines.append(f"unusable: {error}")
    return lines


def told(verdict: Verdict) -> str:
    """The failure as the command line shows it in a pipe."""
    page = io.StringIO()
    failure(Screen(Console(file=page, width=110)), verdict)
    return page.getvalue().strip()


def _kill(mutant: str, catch: Catch | None) -> None:
    """Fail, without looking for a smaller script, and leave word in `killers.tsv` of who killed whom."""
    if catch is not None:
        with Path("killers.tsv").open("a") as file:
            file.write(f"{mutant}\t{catch.property}\t{catch.example}\n")
        pytest.fail(f"{catch.property}: {catch.message}", pytrace=False)


class PropertyItem(pytest.Item):
    """One property on the target; its name is the property's id."""

    def __init__(self, *, law: Any, **more: Any) -> None:
        super().__init__(**more)
        self.law = law
        self.user_properties += [("id", law.id), ("tier", law.tier.word), ("source", law.source)]

    def runtest(self) -> None:
        """Judge the property in a fresh harness."""
        target, options = _options(self.config)
        if self.law.tier > options.tier:  # a verdict, and what --tier asked for
            pytest.skip(f"tier {self.law.tier.word} is not in force")
        try:
            harness = target.open()
        except Unusable as error:
            pytest.exit(str(error), returncode=2)
        mutant = os.environ.get("MUTANT_UNDER_TEST")
        try:
            if mutant:
                _kill(mutant, first_catch(self.law, harness, options))
                return
            verdict = examine(self.law, harness, options)
        except Broke as broke:  # no kill: the mutation gate counts an internal error as no result
            pytest.exit(f"the suite or an adapter broke: {broke}", returncode=pytest.ExitCode.INTERNAL_ERROR)
        finally:
            harness.close()
        if verdict.verdict == NOT_APPLICABLE:  # a verdict: the harness does not offer what it needs
            pytest.skip(verdict.message)
        if verdict.verdict == ERROR:
            raise RuntimeError(f"the suite or an adapter broke: {verdict.message}")
        if verdict.verdict == FAILS:
            pytest.fail(told(verdict), pytrace=False)

    def reportinfo(self) -> tuple[Any, int, str]:
        """The id and the claim, for the failure's heading."""
        return self.path, 0, f"{self.law.id}: {self.law.sentence}"


def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> Any:
    """A registered judge becomes one item, under the property's id."""
    law = getattr(obj, "law", None)
    home = getattr(obj, "__module__", None)
    if not isinstance(law, Property) or home != collector.module.__name__:
        return None
    del name
    return PropertyItem.from_parent(collector, name=law.id, law=law)
