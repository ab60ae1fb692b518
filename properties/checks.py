"""The assertion vocabulary of the properties: one message shape for every violation."""

from __future__ import annotations

from typing import Any, NoReturn


class Violation(Exception):
    """A claim does not hold. `step` names the first bad step, in the words of the trace.

    `owner` is the property that this fault belongs to, if it is another one's: where the owner
    fails as well, it is told there and once.
    """

    def __init__(self, sentence: str, step: str = "", owner: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.step = step
        self.owner = owner


def fail(sentence: str, step: str = "") -> NoReturn:
    """Raise a violation."""
    raise Violation(sentence, step)


def check(holds: Any, sentence: str, step: str = "") -> None:
    """Raise a violation unless `holds`."""
    if not holds:
        raise Violation(sentence, step)


def equal(found: Any, wanted: Any, what: str, step: str = "") -> None:
    """Raise a violation unless the two are equal, showing both."""
    if found != wanted:
        raise Violation(f"{what} is {shown(found)}, not {shown(wanted)}", step)


def shown(value: Any, at_most: int = 90) -> str:
    """A value as it is shown in a message: its repr, the middle of a long one left out."""
    text = repr(value)
    if len(text) <= at_most:
        return text
    half = (at_most - 20) // 2
    return f"{text[:half]} … {text[-half:]} ({len(text)} characters)"
