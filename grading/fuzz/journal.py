"""What a run has found and done so far, in a file that survives any end and lets it go on."""

from __future__ import annotations

import fcntl
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Self

from grading import journal
from grading.fuzz.groups import CHANCE, Group, of_verdict
from grading.leave import BadCall
from grading.verdicts import FAILS, Counterexample, Verdict


@dataclass(frozen=True)
class Finding:
    """A group of failures and its smallest script.

    `seed`, `draw` and `examples` say where its first failure was drawn, `root` which property the same run
    breaks as well. `whole` is false as long as its script was not made smaller.
    """

    group: Group
    verdict: Verdict
    seed: int = 0
    draw: int = 0
    examples: int = 0
    whole: bool = False

    @property
    def id(self) -> str:
        return self.group.id

    @property
    def law(self) -> str:
        """The property that is told: the one that is blamed, or the one that failed."""
        return self.verdict.blame or self.verdict.id

    @property
    def chance(self) -> bool:
        """Whether the harness differs by itself, so that playing the script again says little."""
        return self.verdict.blame == CHANCE

    @property
    def size(self) -> int:
        """How long its script is."""
        known = self.verdict.counterexample
        return len(known.python) if known else 0

    def to_json(self) -> dict[str, Any]:
        """The finding as it stands in reports and in the journal."""
        verdict = self.verdict
        known = verdict.counterexample
        return {
            "id": self.id, "property": self.law, "tier": verdict.tier, "step": self.group.step,
            "scope": self.group.scope, "root": self.group.root, "message": verdict.message,
            "hung": verdict.hung, "key": verdict.key, "blame": verdict.blame, "judged_by": verdict.id,
            "seed": self.seed, "draw": self.draw, "examples": self.examples, "whole": self.whole,
            "counterexample": known.to_json() if known else None,
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote. Raises KeyError or TypeError."""
        shown = data["counterexample"]
        verdict = Verdict(
            data["judged_by"], data["tier"], FAILS, data["message"], counterexample(shown) if shown else None,
            hung=data["hung"], key=data["key"], blame=data["blame"],
        )  # fmt: skip
        group = Group(data["scope"], data["step"], data["root"])
        return cls(group, verdict, data["seed"], data["draw"], data["examples"], data["whole"])

    def judged(self, verdict: Verdict, *, whole: bool) -> Finding:
        """The finding with the verdict that its smallest script has."""
        group = of_verdict(verdict) if verdict.blame else self.group
        return replace(self, group=group, verdict=verdict, whole=whole)


def counterexample(data: Mapping[str, Any]) -> Counterexample:
    """The counterexample that `to_json` made this data of."""
    kept = {key: value for key, value in data.items() if key != "schema"}
    return Counterexample(**{**kept, "trace": tuple(data["trace"]), "before": tuple(data["before"])})


@dataclass
class State:
    """What is known: findings by group, and how many scripts each sweep of a property has judged."""

    run: dict[str, Any]
    findings: dict[Group, Finding] = field(default_factory=dict)
    same: dict[Group, Group] = field(default_factory=dict)  # groups that turned out to be another one
    swept: dict[tuple[str, int], int] = field(default_factory=dict)  # property and round -> examples
    not_applicable: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    scripts: int = 0

    def add(self, finding: Finding, *, of: Group | None = None) -> None:
        """Keep a finding; it takes the place of the group that it was seen as."""
        if of is not None and of != finding.group:
            self.findings.pop(of, None)
            self.same[of] = finding.group
        self.findings[finding.group] = finding

    def known(self, group: Group) -> Finding | None:
        """The finding that failures of this group belong to."""
        return self.findings.get(self.same.get(group, group))


class Journal:
    """The file of one target, to which everything is appended as it comes."""

    def __init__(self, folder: Path, target: str) -> None:
        name = re.sub(r"[^\w.-]+", "-", target).strip("-.")[-60:]
        self.file = folder / "runs" / f"{name}-{sha256(target.encode()).hexdigest()[:8]}.jsonl"
        self._out: IO[str] | None = None

    def begin(self, run: Mapping[str, Any], *, going_on: bool) -> State:
        """The state to begin with: what is there if the run goes on, else nothing.

        Raises BadCall if there is nothing to go on from, if it was found in another way, or if another
        run is at work on it.
        """
        state = self._read(run) if going_on else State(dict(run))
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self._out = journal.appending(self.file)
        try:
            fcntl.flock(self._out, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadCall(f"{self.file}: another `harness-props fuzz` is at work on this target; wait for "
                          "it, or use another --corpus") from None  # fmt: skip
        if not going_on:
            self._out.truncate(0)
            journal.write(self._out, {"run": state.run})
        return state

    def _read(self, run: Mapping[str, Any]) -> State:
        entries = [one for one in journal.lines(self.file) if isinstance(one, dict)]
        if not entries or "run" not in entries[0]:
            raise BadCall(f"--continue: {self.file} holds no run to go on from; leave --continue out")
        before = entries[0]["run"]
        other = [key for key in run if key != "seed" and before.get(key) != run[key]]
        if other:
            told = ", ".join(f"{key} {before.get(key)!r} (now {run[key]!r})" for key in other)
            raise BadCall(f"--continue: the run in {self.file} had {told}; leave --continue out to begin "
                          "anew, the corpus stays")  # fmt: skip
        state = State({**run, "seed": before["seed"]})
        for entry in entries[1:]:
            _apply(state, entry)
        return state

    def found(self, finding: Finding, *, of: Group | None = None) -> None:
        """Write a finding down; `of` is the group as which it was seen."""
        was = None if of is None or of == finding.group else [of.scope, of.step, of.root]
        self._write({"found": finding.to_json(), "was": was})

    def swept(self, property_: str, number: int, examples: int, scripts: int, why_not: str = "") -> None:
        """Write down that a property was looked at, or why it never will be."""
        self._write({"swept": [property_, number], "examples": examples, "scripts": scripts, "not": why_not})

    def broke(self, property_: str, message: str) -> None:
        """Write down an error of ours."""
        self._write({"error": property_, "message": message})

    def _write(self, data: Any) -> None:
        assert self._out is not None
        journal.write(self._out, data)

    def close(self) -> None:
        """Give the file back."""
        if self._out is not None:
            self._out.close()


def _apply(state: State, entry: Mapping[str, Any]) -> None:
    if "found" in entry:
        try:
            finding = Finding.from_json(entry["found"])
        except (KeyError, TypeError):
            return
        state.add(finding, of=Group(*entry["was"]) if entry.get("was") else None)
    elif "swept" in entry:
        property_, number = entry["swept"]
        state.swept[property_, number] = entry["examples"]
        state.scripts += entry["scripts"]
        if entry["not"]:
            state.not_applicable[property_] = entry["not"]
    elif "error" in entry:
        state.errors[entry["error"]] = entry["message"]
