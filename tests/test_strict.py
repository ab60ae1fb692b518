"""The strict provider: one test for each refusal, and for what it must accept."""

from typing import Any

import pytest

from adapters import strict
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


ODD = {"type": "toolCall", "id": ["x"], "name": "echo", "arguments": {}}


@pytest.mark.parametrize(("messages", "rule", "words"), [
    ("text", 11, "messages is not a list but str"),
    ([], 9, "messages: at least one message is required"),
    ([U, "Hi."], 11, "messages[1]: not an object but str"),
    ([U, {"role": "user", "content": "a\udfff"}], 11, "messages[1]: not valid UTF-8 (character '\\udfff')"),
    ([U, {"role": "developer"}], 11, "messages[1]: no role is called 'developer'"),
    ([a(text="Hi."), U], 10, "messages[0]: must be a user message, not assistant"),
    ([U, {"role": "system"}], 12, "messages[1]: the system prompt is given twice"),
    ([U, a()], 8, "messages[1]: assistant content must not be empty"),
    (bad_arguments(), 6, "messages[1]: toolCall c1: arguments must be an object"),
    ([U, a("c1"), r("c1", 3)], 7, "messages[2]: toolResult c1: content must be text"),
    ([U, a("c1", "c2"), r("c2")], 1, "messages[1]: toolCall c1 has no toolResult"),
    ([r("c9")], 10, "messages[0]: must be a user message, not toolResult"),
    ([U, r("c9"), a(text="So.")], 2, "messages[1]: toolResult c9 has no toolCall before it"),
    ([U, a("c1"), r("c1"), r("c9"), a("c9"), r("c9")], 2, "messages[3]: toolResult c9 has no toolCall before it"),
    ([U, a("c1"), r("c1"), r("c1")], 3, "messages[2]: toolCall c1 has 2 toolResults"),
    ([U, a("c1", "c1"), r("c1"), r("c1")], 4, "messages[1]: toolCall c1 stands 2 times in one reply"),
    ([U, a("c1"), r("c1"), a("c2"), r("c2"), r("c1")], 5, "messages[5]: toolResult c1 does not follow its call's reply directly"),
    ([U, a("c1"), r("c1"), U, r("c1")], 5, "messages[4]: toolResult c1 does not follow its call's reply directly"),
    ([U, a("c1"), U, r("c1")], 1, "messages[1]: toolCall c1 has no toolResult"),
    ([U, {**a(text="a"), "content": [ODD]}], 1, "messages[1]: toolCall ['x'] has no toolResult"),
    ([U, {**a(text="a"), "content": [ODD]}, r("c1")], 1, "messages[1]: toolCall ['x'] has no toolResult"),
])  # fmt: skip
def test_each_refusal_says_what_and_where(messages: Any, rule: int, words: str) -> None:
    """The index in the list, the id of the call, and what is wrong with it."""
    assert Gate().refuse("", messages, TOOLS) == (rule, f"400 invalid_request: {words}")


def test_the_first_place_is_told() -> None:
    """Of several faults the earliest; of one message's own, what it holds before whom it belongs to."""
    late = [U, a("c1"), r("c9", None), a(), {"role": "system"}]
    told = [Gate(tuple(off)).refuse("", late, TOOLS) for off in ([], [1], [1, 7], [1, 2, 7], [1, 2, 7, 8])]
    assert [found[0] for found in told if found] == [1, 7, 2, 8, 12]
    odd = [U, a("c1", "c2", "c2"), r("c2")]
    odd[1]["content"][0]["arguments"] = None
    told = [Gate(tuple(off)).refuse("", odd, TOOLS) for off in ([], [6], [4, 6], [1, 4, 6], [1, 3, 4, 6])]
    assert [found and found[0] for found in told] == [6, 4, 1, 3, None]
    both = [{"role": "assistant", "content": []}]
    told = [Gate(tuple(off)).refuse("", both, TOOLS) for off in ([], [10])]
    assert [found[0] for found in told if found] == [10, 8]


def test_equal_ids_need_as_many_results() -> None:
    """Where two calls of one reply may share an id, one result for both is too few."""
    refused = Gate((4,)).refuse("", [U, a("c1", "c1"), r("c1")], TOOLS)
    assert refused == (3, "400 invalid_request: messages[1]: toolCall c1 stands 2 times and has 1 toolResults")


def test_ids_of_any_kind_are_compared() -> None:
    """A list is an id like any other: equal to its like, and to nothing else."""
    reply = {**a(text="a"), "content": [ODD]}
    assert Gate().refuse("", [U, reply, {**r("x"), "tool_call_id": ["x"]}], TOOLS) is None
    assert Gate().refuse("", [U, reply, {**r("x"), "tool_call_id": ["y"]}], TOOLS) is not None
    plain = {**a(text="a"), "content": [{**ODD, "id": None}]}
    assert Gate().refuse("", [U, plain, {**r("x"), "tool_call_id": None}], TOOLS) is None


@pytest.mark.parametrize(("system", "tools", "where"), [
    ("\ud800", TOOLS, "system: not valid UTF-8 (character '\\ud800')"),
    ("", [{"execute": Foreign("function", "<f>")}], "tools: not JSON (Object of type Foreign is not JSON serializable)"),
    ("", Foreign("function", "<f>"), "tools: not JSON (function <f>)"),
])  # fmt: skip
def test_the_rest_of_the_body_is_looked_at(system: Any, tools: Any, where: str) -> None:
    """In the first request and in each later one, by name."""
    assert Gate().refuse(system, [U], tools) == (11, f"400 invalid_request: {where}")
    gate = Gate()
    for _ in range(2):
        assert gate.refuse("Be brief.", [U], TOOLS) is None
        assert gate.refuse(system or "Be brief.", [U], tools) == (11, f"400 invalid_request: {where}")


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
    """A history that was rewritten, or cut, is read again from the start."""
    messages = [U, a("c1"), r("c1"), a(text="So.")]
    for bad in ([U, messages[1], messages[3], U], messages[:2], [U, r("c1"), *messages[2:]], messages[1:]):
        gate = Gate()
        assert gate.refuse("", list(messages), TOOLS) is None
        assert gate.refuse("", bad, TOOLS) is not None
        assert gate.refuse("", messages, TOOLS) is None


def test_what_was_refused_is_not_remembered() -> None:
    """A call that was never accepted has not been made: a result of its own belongs to nothing."""
    gate = Gate()
    assert gate.refuse("", [U], TOOLS) is None
    assert gate.refuse("", [U, a("c1")], TOOLS) is not None
    refused = gate.refuse("", [U, r("c1")], TOOLS)
    assert refused is not None
    assert refused[0] == 2


class Counted(dict):  # type: ignore[type-arg]
    """A message that counts how often it is asked for its role."""

    asked = 0

    def get(self, key: Any, default: Any = None) -> Any:
        self.asked += key == "role"
        return super().get(key, default)


def test_what_was_accepted_is_not_read_again() -> None:
    """Each request costs what is new in it, and the last exchange, to which results may still come."""
    gate = Gate()
    messages: list[Any] = [Counted(U), Counted(a("c1")), Counted(r("c1")), Counted(a("c2")), Counted(r("c2"))]
    assert gate.refuse("", list(messages), TOOLS) is None
    before = [message.asked for message in messages]
    for grown in (messages, [*messages, a(text="So."), U]):
        assert gate.refuse("", list(grown), TOOLS) is None
        assert [message.asked for message in messages[1:3]] == before[1:3]
    assert gate.refuse("", [*messages, r("c2")], TOOLS) is not None


def test_what_can_be_written_down_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same object costs nothing a second time, not even in a list that was rewritten."""
    written: list[Any] = []
    monkeypatch.setattr(strict, "unwritable", written.append)
    gate, system, more = Gate(), "Be brief.", a(text="So.")
    for messages in ([U, more], [U, more], [more, U], [U, more, U]):
        gate.refuse(system, messages, TOOLS)
    assert written == [system, TOOLS, U, more]


def test_a_message_that_is_gone_vouches_for_no_other() -> None:
    """A new message is looked at, even where an old one lay in memory."""
    gate = Gate()
    for _ in range(50):
        assert gate.refuse("", [{"role": "user", "content": "a"}], TOOLS) is None
        assert gate.refuse("", [{"role": "user", "content": "\ud800"}], TOOLS) is not None


def test_failed_replies_with_text_are_accepted() -> None:
    """A failed reply that got some text out may stay in the list."""
    assert Gate().refuse("", [U, a(text="The bug is", stop_reason="error"), U], TOOLS) is None
