"""What a property is in code, and the one list of them.

A property is a claim with a stable id. It has one or more stages: the claim at its own tier
and, for some, a stronger reading at a later tier. A stage has one strategy that draws exactly
one script, and a module-level `judge(script, harness)` that works without Hypothesis.
"""

from __future__ import annotations

import enum
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hypothesis.strategies import SearchStrategy

from adapters.contract import CAPABILITIES

Judge = TypeVar("Judge", bound=Callable[[Any, Any], None])


class Tier(enum.IntEnum):
    """Where a claim comes from; each tier includes those before it."""

    COURSE = 1  # what the lessons themselves state; graded
    PRINCIPLE = 2  # what the lessons state and their own code does not always keep
    FIELD = 3  # from public bug reports

    @classmethod
    def named(cls, name: str) -> Tier:
        """The tier of this name; raises KeyError with the known names."""
        return cls[name.upper()]

    @property
    def word(self) -> str:
        return self.name.lower()


COURSE, PRINCIPLE, FIELD = Tier.COURSE, Tier.PRINCIPLE, Tier.FIELD


@dataclass(frozen=True)
class Stage:
    """One reading of a property: its strategy, its judge, and examples that are always tried.

    `lesson3` is the strategy for a lesson-3 file, None where lesson 3 does not state the claim.
    `needs` are capabilities that this reading needs beyond those of its property.
    """

    tier: Tier
    sentence: str
    judge: Callable[[Any, Any], None]
    draws: SearchStrategy[Any]
    examples: tuple[Any, ...] = ()
    lesson3: SearchStrategy[Any] | None = None
    lesson3_examples: tuple[Any, ...] = ()
    unless: Callable[[Any], str | None] | None = None
    needs: frozenset[str] = frozenset()


@dataclass
class Property:
    """One claim. `after` names the properties that it makes no sense without.

    `version` counts up with every change that can change a verdict: another judge, other draws,
    another place in what comes after what. Sets of properties are pinned by it.
    """

    id: str
    source: str
    needs: frozenset[str]
    after: tuple[str, ...]
    hint: str
    stages: list[Stage] = field(default_factory=list)
    implied_by: str = ""
    version: int = 1

    @property
    def tier(self) -> Tier:
        return self.stages[0].tier

    @property
    def sentence(self) -> str:
        return self.stages[0].sentence

    @property
    def chapter(self) -> str:
        return self.id.partition("-")[0]


REGISTRY: dict[str, Property] = {}
WITHOUT_TOOLS = frozenset({
    "LOOP-01", "LOOP-02", "LOOP-06", "LOOP-10", "LOOP-11", "LOOP-14", "LOOP-15", "LOOP-17", "LOOP-19",
    "LIMIT-08", "STREAM-02", "STREAM-03", "CLI-01",
})  # what says something of a program whose models call nothing
CHAPTERS = (
    "loop", "loop_twice", "loop_ends", "loop_requests", "loop_record", "tool_results", "tool_given",
    "tool_texts", "tool_interrupts", "tool_arguments", "helpers", "limit", "limit_exits", "cut", "cut_edges",
    "read_pages", "read_edges", "read_files", "read_reader", "read_specs", "write", "bash", "bill", "stream",
    "cli",
)  # fmt: skip
_ORDER = ("LOOP", "TOOL", "HELP", "LIMIT", "CUT", "READ", "WRITE", "BASH", "BILL", "STREAM", "CLI")


def _sentence(judge: Callable[..., Any]) -> str:
    """The claim: the first sentence of the judge's docstring."""
    doc = " ".join((judge.__doc__ or "").split("\n\n")[0].split())
    if not doc:
        raise ValueError(f"{judge.__name__} has no docstring to state its claim")
    return doc


def _known(id: str, needs: Iterable[str]) -> frozenset[str]:  # noqa: A002
    """These capabilities; raises ValueError if there is no such thing."""
    needed = frozenset(needs)
    unknown = needed - set(CAPABILITIES)
    if unknown:
        raise ValueError(f"{id} needs unknown capabilities: {sorted(unknown)}")
    return needed


def law(
    id: str,  # noqa: A002 - the catalogue's own word
    *,
    tier: Tier,
    needs: Iterable[str],
    draws: SearchStrategy[Any],
    source: str,
    hint: str = "",
    after: Iterable[str] = (),
    examples: Iterable[Any] = (),
    lesson3: SearchStrategy[Any] | None = None,
    lesson3_examples: Iterable[Any] = (),
    unless: Callable[[Any], str | None] | None = None,
    implied_by: str = "",
    version: int = 1,
) -> Callable[[Judge], Judge]:
    """Register a module-level judge as the property `id`.

    `unless` looks at the harness's policies and says why the claim does not apply there, or
    None. The claim's sentence is the first paragraph of the judge's docstring.
    """
    needed = _known(id, needs)

    def register(judge: Judge) -> Judge:
        if id in REGISTRY:
            raise ValueError(f"{id} is registered twice")
        made = Property(id, source, needed, tuple(after), hint, implied_by=implied_by, version=version)
        made.stages.append(
            Stage(
                tier, _sentence(judge), judge, draws, tuple(examples), lesson3,
                tuple(lesson3_examples), unless,
            )  # fmt: skip
        )
        REGISTRY[id] = made
        judge.law = made  # type: ignore[attr-defined]
        return judge

    return register


def also(
    id: str,  # noqa: A002
    *,
    tier: Tier,
    draws: SearchStrategy[Any],
    examples: Iterable[Any] = (),
    unless: Callable[[Any], str | None] | None = None,
    needs: Iterable[str] = (),
) -> Callable[[Judge], Judge]:
    """Register a stronger reading of a property that is there already: for a later tier, or for harnesses
    that offer more (`needs`)."""
    needed = _known(id, needs)

    def register(judge: Judge) -> Judge:
        stage = Stage(tier, _sentence(judge), judge, draws, tuple(examples), None, (), unless, needed)
        REGISTRY[id].stages.append(stage)
        return judge

    return register


def toolless(id: str, policies: Mapping[str, str]) -> str:  # noqa: A002
    """Why a property says nothing of a harness that has no tools; "" if it does, or there are tools."""
    none = policies.get("tools") == "none"
    return "it has no tools for a model to call" if none and id not in WITHOUT_TOOLS else ""


def load() -> dict[str, Property]:
    """Import every chapter and return all properties, in the catalogue's order."""
    for chapter in CHAPTERS:
        importlib.import_module(f"properties.{chapter}")
    return dict(sorted(REGISTRY.items(), key=lambda item: position(item[0])))


def position(id: str) -> tuple[int, int]:  # noqa: A002
    """Where a property stands in the catalogue's order."""
    chapter, _, number = id.partition("-")
    return _ORDER.index(chapter), int(number)
