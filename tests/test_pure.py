"""The normal form and the notice reader: small pure functions, to the letter."""

from __future__ import annotations

from typing import Any

import pytest

from adapters import normal
from strategies import notices
from strategies.notices import Notice

CALL = {"type": "toolCall", "id": "c1", "name": "echo", "arguments": {"a": (1, 2)}}
TEXT = {"type": "text", "text": "hm"}


def reply(*content: Any, label: Any = "stop", **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content), "stop_reason": label, **more}


@pytest.mark.parametrize(("given", "wanted"), [
    ((1, (2, [3])), [1, [2, [3]]]), ({"a": (1,), "b": {"c": ()}}, {"a": [1], "b": {"c": []}}),
    ("text", "text"), (None, None), ([], []), ({1}, {1}),
])  # fmt: skip
def test_plain(given: Any, wanted: Any) -> None:
    """Tuples are lists, however deep."""
    assert normal.plain(given) == wanted
    assert type(normal.plain(given)) is type(wanted)


@pytest.mark.parametrize(("given", "wanted"), [
    ("no message", "no message"), ({"no": "role"}, {"no": "role"}), ({"role": "system"}, {"role": "system"}),
    ({"role": "user", "content": "a", "at": 3}, {"role": "user", "content": "a"}), ({"role": "user"}, {"role": "user"}),
    ({"role": "user", "content": [{"type": "text", "text": "a", "x": 1}]},
     {"role": "user", "content": [{"type": "text", "text": "a", "x": 1}]}),
    ({"role": "toolResult", "tool_call_id": "c", "tool_name": "t", "content": "x", "is_error": False, "ms": 2},
     {"role": "toolResult", "tool_call_id": "c", "tool_name": "t", "content": "x", "is_error": False}),
    (reply({**TEXT, "at": 1}, {**CALL, "at": 1}, error_message="e"),
     {"role": "assistant", "content": [TEXT, {**CALL, "arguments": {"a": [1, 2]}}]}),
    (reply("odd", {"type": "thinking", "thinking": "hm"}, {"no": "type"}),
     {"role": "assistant", "content": ["odd", {"type": "thinking", "thinking": "hm"}, {"no": "type"}]}),
    ({"role": "assistant", "content": (TEXT,)}, {"role": "assistant", "content": [TEXT]}),
    (reply({"type": ["text"], "text": "a"}), {"role": "assistant", "content": [{"type": ["text"], "text": "a"}]}),
    ({"role": "assistant", "content": "text"}, {"role": "assistant", "content": "text"}),
])  # fmt: skip
def test_essence(given: Any, wanted: Any) -> None:
    """What travels, and nothing else."""
    assert normal.essence(given) == wanted


@pytest.mark.parametrize(("message", "role", "blocks", "calls", "failed", "empty"), [
    (reply(TEXT, CALL), "assistant", [TEXT, CALL], [CALL], False, False),
    (reply(), "assistant", [], [], False, True), (reply(label="error"), "assistant", [], [], True, True),
    (reply(TEXT, label="error"), "assistant", [TEXT], [], True, False),
    (reply("odd", {"type": "text"}), "assistant", ["odd", {"type": "text"}], [], False, False),
    ({"role": "assistant", "content": (CALL,)}, "assistant", [CALL], [CALL], False, False),
    ({"role": "assistant", "content": "text"}, "assistant", [], [], False, True),
    ({"role": "user", "content": [CALL], "stop_reason": "error"}, "user", [CALL], [], False, False),
    ({"role": "user", "content": "a"}, "user", [], [], False, False),
    ({"role": 3}, "?", [], [], False, False), ("text", "?", [], [], False, False), ({}, "?", [], [], False, False),
])  # fmt: skip
def test_looking_at_a_message(
    message: Any, role: str, blocks: list[Any], calls: list[Any], failed: bool, empty: bool
) -> None:
    """Role, blocks, calls, failed and empty."""
    assert normal.role_of(message) == role
    assert normal.blocks_of(message) == blocks
    assert normal.calls_of(message) == calls
    assert normal.failed(message) is failed
    assert normal.empty(message) is empty


@pytest.mark.parametrize(("message", "wanted"), [
    ({"role": "user", "content": "a"}, "U"), (reply(TEXT), "A"), (reply(), "A[]"), (reply(CALL), "A[c1]"),
    (reply(CALL, {**CALL, "id": None}), "A[c1,None]"), (reply(label="error"), "A(error)"),
    (reply(CALL, label="error"), "A[c1](error)"), (reply({**CALL, "id": "x" * 12}), f"A[{'x' * 12}]"),
    (reply({**CALL, "id": "x" * 13}), f"A[{'x' * 9}...]"), ({"role": "system"}, "?system"), ("text", "??"),
    ({"role": "toolResult", "tool_call_id": "c1", "is_error": False}, "R(c1)"),
    ({"role": "toolResult", "tool_call_id": 7, "is_error": True}, "R!(7)"),
])  # fmt: skip
def test_short_notation(message: Any, wanted: str) -> None:
    """One message in a few characters."""
    assert normal.short(message) == wanted


def test_shape_of_a_record() -> None:
    """All of a short record; of a long one both ends and a count."""
    users = [{"role": "user", "content": str(n)} for n in range(20)]
    record = [*users[:11], reply(CALL), *users[11:]]
    assert normal.shape([]) == "(empty)"
    assert normal.shape(users[:16]) == " ".join(["U"] * 16)
    assert normal.shape(users[:17]) == "U U U U U U U U U U U …2 more… U U U U"
    assert normal.shape(record, 14) == "U U U U U U U U U …8 more… U U U U"
    assert normal.shape(None) == "<NoneType>"
    assert normal.shape("text") == "<str>"
    assert normal.shape((users[0],)) == "U"


NOTICE = "[Showing lines 3-5 of 9. Use offset=6 to continue.]"


def test_the_notice_reads_back() -> None:
    """What the wording says is what the reader sees."""
    assert notices.wording(3, 5, 9) == NOTICE
    assert notices.read_notice(NOTICE) == Notice(first=3, last=5, total=9, offset=6)


@pytest.mark.parametrize("line", [
    "", NOTICE + "\n", " " + NOTICE, NOTICE.replace("lines", "line"), NOTICE.replace("3", "x"),
    NOTICE.replace("3-5", "3 - 5"), NOTICE.replace(".]", "]"), NOTICE.replace("9", "9" * 19),
])  # fmt: skip
def test_what_is_no_notice(line: str) -> None:
    """To the letter, and with numbers that fit."""
    assert notices.read_notice(line) is None


def test_numbers_of_a_notice_may_be_long() -> None:
    """Eighteen digits are read, nineteen are not."""
    found = notices.read_notice(NOTICE.replace("9", "9" * 18))
    assert found is not None
    assert found.total == int("9" * 18)


@pytest.mark.parametrize(("page", "text", "found"), [
    ("a\n" + NOTICE, "a\n", True), (NOTICE, "", True), ("a\n", "a\n", False), (NOTICE + "\nb", NOTICE + "\nb", False),
    (NOTICE + NOTICE, NOTICE, True), ("", "", False), ("[Showing lines ", "[Showing lines ", False),
])  # fmt: skip
def test_taking_the_notice_off_a_page(page: str, text: str, found: bool) -> None:
    """The last one, if it stands at the very end."""
    taken, notice = notices.take_notice(page)
    assert taken == text
    assert (notice == Notice(3, 5, 9, 6)) is found
    assert (notice is None) is not found


@pytest.mark.parametrize(("text", "line"), [
    ("", ""), ("a", "a"), ("a\nb", "b"), ("a\nb\n", "b"), ("a\r\n", "a"), ("a\n\n", ""), ("a\x0cb", "b"),
])  # fmt: skip
def test_last_line(text: str, line: str) -> None:
    """Without its ending."""
    assert notices.last_line(text) == line


@pytest.mark.parametrize(("page", "offset"), [
    ("[Line 3 is too big. Use offset=4 to continue.]", 4), ("[offset 12]", 12), ("[offset: 1,200]", 1200),
    ("[offset=1_000]", 1000), ("  [offset=4]\n", 4), ("[offset=4 or offset=5]", 5), ("offset=4]", None),
    ("[offset=4", None), ("[nothing]", None), ("", None), ("[offset = 7]", 7), ("[offset=1__0_]", 10),
    ("[offset=" + "9" * 18 + "]", int("9" * 18)), ("[offset=" + "9" * 19 + "]", None), ("[offset=" + "9" * 5000 + "]", None),
])  # fmt: skip
def test_advised_offset(page: str, offset: int | None) -> None:
    """The last offset that a bracketed advice names."""
    assert notices.advised_offset(page) == offset


@pytest.mark.parametrize(("text", "wanted"), [
    ("", []), ("none", []), ("line 12", [12, 12]), ("-3", [-3, 3]), ("1,234 bytes", [1234, 1, 234]),
    ("1'234", [1234, 1, 234]), ("a7", [7]), ("9" * 18, [int("9" * 18)] * 2), ("9" * 19, []),
    ("1,23", [1, 23, 1, 23]), ("3-5 of 9", [3, 5, 9, 3, 5, 9]), ("at -5", [-5, 5]), ("1,234,567", [1234567, 1, 234, 567]),
])  # fmt: skip
def test_numbers(text: str, wanted: list[int]) -> None:
    """Whole numbers in order, first with their signs and separators, then digit by digit group."""
    assert notices.numbers(text) == wanted
