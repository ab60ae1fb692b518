"""The course's shape: what breaks outside the loop is the harness's fault, and says so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from adapters.contract import About, HarnessFault
from adapters.local import Local
from adapters.reference import load, reference
from adapters.shape import CourseShape
from strategies.script import Conversation, Own, Prompt, Reply, Say


def shape(**changed: Any) -> CourseShape:
    """The reference with some of its names replaced."""
    module = SimpleNamespace(**{**vars(load()), **changed})
    return CourseShape(Local(lambda: module), About("student"))


def broken_maker(*_: Any, **__: Any) -> Any:
    raise RuntimeError("no tools today")


def test_a_maker_that_breaks_is_the_harness_s_fault_at_a_desk() -> None:
    """The message names the function, and all failures of this one cause have one key."""
    desk = shape(make_read_tool=broken_maker).desk({"a": "x"}, {}, None, None)
    for _ in range(2):
        with pytest.raises(HarnessFault, match="make_read_tool raised RuntimeError: no tools today") as caught:
            desk.use("write", {"path": "b", "content": ""})
        assert caught.value.key == "unmade:make_read_tool"


def test_a_maker_that_breaks_is_the_harness_s_fault_in_a_conversation() -> None:
    """It is told in the same words."""
    script = Conversation((Prompt("p", (Reply((Say("done"),)),)),), (Own("bash"),))
    with pytest.raises(HarnessFault, match="make_bash_tool raised RuntimeError"):
        shape(make_bash_tool=broken_maker).converse(script)


def test_all_missing_functions_are_named_at_once() -> None:
    """One message for whoever has to write them."""
    harness = shape(make_read_tool=None, make_bash_tool="no function")
    with pytest.raises(HarnessFault, match="has no make_read_tool, and it has a make_bash_tool that is not") as caught:
        harness.desk({}, {}, None, None)
    assert caught.value.key == "missing:make_read_tool"


def test_a_tool_that_is_no_dict_is_left_to_the_harness() -> None:
    """What a maker gives back is shown as it is; whether it runs is for run_tool to say."""
    desk = shape(make_write_tool=lambda workspace: "a tool").desk({}, {}, None, None)
    assert desk.specs["write"] == "a tool"


def test_the_reference_declares_what_a_probe_finds() -> None:
    """Its lines are those of splitlines, by its own word and by the probe's."""
    assert reference().policies == shape().policies


def test_each_desk_opens_with_its_first_use() -> None:
    """Files, budgets and what was written belong to one desk."""
    harness = shape()
    first = harness.desk({"a": "1\n2\n3\n"}, {}, 2, None)
    assert first.use("read", {"path": "a"}).content.startswith("1\n2\n")
    first.use("write", {"path": "b", "content": "new"})
    second = harness.desk({"a": "other\n"}, {}, None, None)
    assert second.use("read", {"path": "a"}).content == "other\n"
    assert second.use("read", {"path": "b"}).is_error is True
    assert first.place.files["b"] == "new"
