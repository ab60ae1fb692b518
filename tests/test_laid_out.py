"""Results of commands: what a harness that declares to lay them out may do to them, and what not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from adapters.contract import DEFAULTS
from properties.laid_out import same_result
from strategies.tables import EXOTIC, RESULTS


def harness(**policies: str) -> Any:
    return SimpleNamespace(policies={**DEFAULTS, **policies})


@pytest.mark.parametrize("text", [*EXOTIC, *RESULTS])
def test_others_have_to_give_it_as_it_is(text: str) -> None:
    """Not a character may differ where nothing is declared."""
    assert same_result(text, text, harness())
    assert not same_result(f"{text} ", text, harness())


@pytest.mark.parametrize(
    ("kept", "wanted"),
    [
        ("a\nb", "a\r\nb\r\n"), ("red", "\x1b[31mred\x1b[0m"), ("ab", "a\x00b"), ("(no output)", " \n"), ("bom", "\ufeffbom"),
        ("x" * 50, "x" * 60_000),
    ],
)
def test_a_screen_may_lose_this(kept: str, wanted: str) -> None:
    """Line ends, escape sequences, control characters; much of a long output; a word for nothing."""
    assert same_result(kept, wanted, harness(results="shown"))


@pytest.mark.parametrize(
    ("kept", "wanted"),
    [
        ("", "ok"), ("ok ok", "ok"), ("e", "e\u0301"), ("a b", "a\u2028b"), ('"[]"', "[]"), ("日本", "日本語 🚀"), (None, "ok"),
        ("a\n\nb", "a\nb"),
    ],
)
def test_and_this_may_not_be_lost(kept: Any, wanted: str) -> None:
    """Words, characters of any width, the lines between."""
    assert not same_result(kept, wanted, harness(results="shown"))
