"""Which failures are one: the property, and the first bad step in words that any script would get."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace

from grading.engine import Failure
from grading.verdicts import Verdict, steady

WIDTH = 160  # characters of a first bad step that tell it from others
KEPT, CHANCE = "LOOP-14", "LOOP-15"  # what is blamed where a fresh process does not show a failure
_PARTS = (
    (re.compile(r"\b(tool(?:Call|Result)) .+?(?=:? (?:has|stands|does not|arguments|content)\b)"), r"\1 …"),
    (re.compile(r"""(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)|(?<!\w)"(?:[^"\\]|\\.)*"(?!\w)"""), "…"),  # what was said
    (re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}|\([^()]*\)"), "…"),  # values, and transcripts in short notation
    (re.compile(r"\b[UA]\b|\bR!?…"), "…"),
    (re.compile(r"-?\d+(?:[.,]\d+)*"), "#"),
    (re.compile(r"prompt #, "), ""),  # which prompt of several it was
    (re.compile(r"\s+"), " "),
    (re.compile(r"…(?:[ ,:]*…)+"), "…"),
)


def plain(text: str) -> str:
    """The text without what depends on the script: quotations, values, numbers."""
    text = steady(text)[:2000]
    for pattern, stead in _PARTS:
        before = ""
        while before != text:  # brackets may stand in brackets
            before, text = text, pattern.sub(stead, text)
    return text.strip()[:WIDTH]


@dataclass(frozen=True)
class Group:
    """Failures of one property with one first bad step.

    What has a key of its own, or is a hang, is one wherever it shows: `scope` is then empty. What belongs to
    another property is one in all that meet it. `root` names a property that it belongs to, or that the same
    run breaks and that this one makes no sense without.
    """

    scope: str
    step: str
    root: str = ""

    @property
    def id(self) -> str:
        """A name that stays the same from run to run, whatever the script and the root."""
        digest = hashlib.sha256(f"{self.scope}\0{self.step}".encode()).hexdigest()[:8]
        return f"{self.scope.partition(':')[0] or 'ANY'}/{digest}"

    @property
    def alone(self) -> Group:
        """The same group, whatever it follows from."""
        return replace(self, root="")


def _group(
    property_: str, stage: int, message: str, step: str, key: str, owner: str, *, hung: bool, root: str = ""
) -> Group:
    if hung:
        return Group("", f"hang: {plain(message)}")
    if key:
        return Group("", steady(key)[:WIDTH])
    told = ": ".join(part for part in (plain(step), plain(message)) if part)
    if owner and owner != property_:
        return Group(f"{owner}:owned", told, owner)
    return Group(f"{property_}:{stage}", told, root)


def of_failure(property_: str, stage: int, failure: Failure, root: str = "") -> Group:
    """The group of a failure as it was just seen."""
    why = failure.why
    step, key, owner = (getattr(why, name, "") for name in ("step", "key", "owner"))
    return _group(property_, stage, str(why), step, key, owner, hung=failure.hung, root=root)


def of_verdict(verdict: Verdict) -> Group:
    """The group of a property that fails, as a check tells it.

    All that needs earlier runs in the same process is one, and so is all that comes by chance.
    """
    if verdict.blame:
        return Group(verdict.blame, "kept between runs" if verdict.blame == KEPT else "by chance")
    known = verdict.counterexample
    property_, stage, step = (known.property, known.stage, known.step) if known else (verdict.id, 0, "")
    return _group(property_, stage, verdict.message, step, verdict.key, verdict.owner, hung=verdict.hung)
