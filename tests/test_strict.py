"""The strict provider: one test for each refusal, and for what it must accept."""

from typing import Any

import pytest

from adapters.child.codec import Foreign
from adapters.strict import RULES, Gate

TOOLS = [{"name": "echo", "description": "", "parameters": {}}]
U = {"role": "user", "content": "Go."}


def a(*ids: str, text: str = "", **more: Any) -> dict[str, Any]:
    """An assistant message with these calls."""
    blocks: list[Any] = [{"type": "text", "text": text}] if text else []
    blocks += [{"type": "toolCall", "id": i, "name": "echo", "arguments": {}} for i in ids]
    return {"role": "assistant", "content": blocks, "stop_reason": "stop", **more}


def r(id_: str, content: Any = "ok") -> dict[str, Any]:
    """The result of this call."""
    return {"role": "toolResult", "tool_call_id": id_, "tool_name": "echo", "content": content,
            "is_error": False}  # fmt: skip


def bad_arguments() -> list[Any]:
    reply = a("c1")
    reply["content"][0]["arguments"] = "{bad"
    return [U, reply, r("c1")]


REFUSED: dict[int, list[Any]] = {
    1: [U, a("c1", "c2"), r("c1")],
    2: [U, a(text="Hi."), r("c9")],
    3: [U, a("c1"), r("c1"), r("c1")],
    4: [U, a("c1", "c1"), r("c1"), r("c1")],
    5: [U, a("c1", "c2"), r("c1"), r("c2"), a(text="So."), r("c1")],
    6: bad_arguments(),
    7: [U, a("c1"), r("c1", None)],
    8: [U, a()],
    9: [],
    10: [a(text="Hi."), U],
    11: [{"role": "user", "content": "\ud800"}],
    12: [U, {"role": "system", "content": "Be brief."}],
}


def test_every_rule_has_a_request_that_it_refuses() -> None:
    """The table of refusals and the table of examples list the same rules."""
    assert set(REFUSED) == set(RULES)


@pytest.mark.parametrize("rule", sorted(REFUSED))
def test_the_request_is_refused_by_its_own_rule(rule: int) -> None:
    """Each refusal names its rule, and begins in the manner of a hosted provider."""
    refused = Gate().refuse("Be brief.", REFUSED[rule], TOOLS)
    assert refused is not None
    assert refused[0] == rule
    assert refused[1].startswith("400 invalid_request: ")


@pytest.mark.parametrize("rule", sorted(set(REFUSED) - {9, 11}))
def test_a_rule_that_is_switched_off_lets_the_request_pass(rule: int) -> None:
    """A script may draw just that input: then the one rule is silent, and only that one."""
    off = (rule,) if rule != 4 else (3, 4)
    assert Gate(off).refuse("Be brief.", REFUSED[rule], TOOLS) is None


def test_the_message_names_the_index_and_the_call() -> None:
    """A student finds the place: the index in the list, and the id of the call."""
    refused = Gate().refuse("", [U, a("c1")], TOOLS)
    assert refused == (1, "400 invalid_request: messages[1]: toolCall c1 has no toolResult")


@pytest.mark.parametrize(
    "value", [float("nan"), b"x", {1: {2}}, Foreign("function", "<function f>")], ids=str
)
def test_what_is_no_json_is_refused(value: Any) -> None:
    """Functions, NaN and bytes cannot be written down in a request."""
    refused = Gate().refuse("", [U], [{"name": "echo", "execute": value}])
    assert refused is not None
    assert refused[0] == 11


def test_valid_conversations_are_accepted_as_they_grow() -> None:
    """A list that grows by whole exchanges is accepted each time, read again or not."""
    gate, messages = Gate(), [U]
    for turn in range(30):
        assert gate.refuse("Be brief.", list(messages), TOOLS) is None
        messages += [a(f"c{turn}", f"d{turn}"), r(f"c{turn}"), r(f"d{turn}")]
    assert gate.refuse("Be brief.", list(messages), TOOLS) is None


@pytest.mark.parametrize("extra", [r("c1"), r("c0"), r("zz")], ids=["doubled", "old", "unknown"])
def test_a_fault_in_the_new_part_is_seen(extra: dict[str, Any]) -> None:
    """What was accepted before hides no fault that was added since."""
    gate = Gate()
    messages = [U, a("c0"), r("c0"), a(text="So."), U, a("c1"), r("c1")]
    assert gate.refuse("", list(messages), TOOLS) is None
    assert gate.refuse("", [*messages, extra], TOOLS) is not None


def test_a_fault_in_the_old_part_is_seen() -> None:
    """A history that was rewritten is read again from the start."""
    gate = Gate()
    messages = [U, a("c1"), r("c1"), a(text="So.")]
    assert gate.refuse("", list(messages), TOOLS) is None
    assert gate.refuse("", [U, a("c1"), a(text="So."), U], TOOLS) is not None


def test_failed_replies_with_text_are_accepted() -> None:
    """A failed reply that got some text out may stay in the list."""
    assert Gate().refuse("", [U, a(text="The bug is", stop_reason="error"), U], TOOLS) is None
