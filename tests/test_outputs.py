"""The strategies for the harness's own tools: every kind is reached, the least is least, none is wasted."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from strategies import lines, outputs, own_calls, writing
from strategies.printing import from_json, to_json, to_python
from strategies.script import Call, Conversation, Desk, Own, Prompt, Ran, Reply, Say, Use
from tests.drawing import drawn, minimal

SCRIPTS = {
    "bash_desks": outputs.bash_desks(), "giant_desks": outputs.giant_desks(),
    "odd_desks": outputs.odd_desks(), "command_desks": outputs.command_desks(),
    "write_desks": writing.write_desks(), "told_desks": writing.told_desks(),
    "shown_desks": own_calls.shown_desks(), "tool_arguments": own_calls.tool_arguments(),
    "number_arguments": own_calls.number_arguments(), "bills": own_calls.bills(),
    "own_conversations": own_calls.own_conversations(), "helper_messages": own_calls.helper_messages(),
    "usage_conversations": own_calls.usage_conversations(),
}  # fmt: skip


@cache
def draws_of(name):
    """What 400 draws of a strategy give."""
    return drawn(SCRIPTS[name])


def kinds_of_output(desk):
    """The names of what one bash desk is an example of."""
    ran = desk.commands[outputs.COMMAND]
    max_lines, max_bytes = desk.max_lines or 2000, desk.max_bytes or 50_000
    split = lines.split(ran.output)
    kept, count = lines.tail(ran.output, max_lines, max_bytes)
    size = lines.size(ran.output)
    by_lines = count == max_lines
    more = lines.size("".join(split[len(split) - count - 1 :])) if count < len(split) else 0
    yield "cut" if count < len(split) else "whole"
    facts = {
        "cut by lines alone": 0 < more <= max_bytes,
        "cut by bytes alone": more > max_bytes and not by_lines and count > 0,
        "both budgets at once": more > max_bytes and by_lines,
        "fits to the byte": size == max_bytes, "one byte too many": size == max_bytes + 1,
        "fits to the line": len(split) == max_lines, "one line too many": len(split) == max_lines + 1,
        "an edge to the byte, inside": 0 < count < len(split) and lines.size(kept) == max_bytes,
        "an edge one byte short, inside": 0 < count < len(split) and more == max_bytes + 1,
        "not even the last line": split and count == 0, "prints nothing": not split,
        "CRLF": "\r\n" in ran.output, "last line open": ran.output[-1:] not in ("", "\n"),
        "open and cut": ran.output[-1:] not in ("", "\n") and 0 < count < len(split),
        "characters are not bytes": 0 < count < len(split) and not kept.isascii(),
        "blank kept": 0 < count < len(split) and not kept.strip(),
        "code 0": ran.code == 0, "negative code": ran.code < 0, "code over 255": ran.code > 255,
        "cut with a code": ran.code != 0 and count < len(split),
        "silent with a code": ran.code != 0 and not split,
        "default budgets cut": desk.max_lines is None is desk.max_bytes and count < len(split),
        "default budgets to the byte": desk.max_bytes is None and size == 50_000,
        "default budgets to the line": desk.max_lines is None and len(split) == 2000,
    }  # fmt: skip
    yield from (name for name, holds in facts.items() if holds)


def test_every_kind_of_output_comes_up():
    """400 draws reach each kind; the ones that find most bugs come up in one draw of twenty."""
    seen = Counter(kind for desk in draws_of("bash_desks") for kind in kinds_of_output(desk))
    rare = {"default budgets to the byte", "default budgets to the line", "blank kept"}
    expected = {
        "cut", "whole", "cut by lines alone", "cut by bytes alone", "both budgets at once",
        "fits to the byte", "one byte too many", "fits to the line", "one line too many",
        "an edge to the byte, inside", "an edge one byte short, inside", "not even the last line",
        "prints nothing", "CRLF", "last line open", "open and cut", "characters are not bytes",
        "code 0", "negative code", "code over 255", "cut with a code", "silent with a code",
        "default budgets cut", *rare,
    }  # fmt: skip
    assert expected <= set(seen)
    often = ("cut", "whole", "cut by lines alone", "cut by bytes alone", "code 0", "cut with a code")
    assert all(seen[kind] >= 20 for kind in often), seen


def test_course_outputs_are_plain():
    """Text that UTF-8 can encode, one kind of ending, positive budgets, nothing like a notice."""
    for desk in draws_of("bash_desks"):
        output = desk.commands[outputs.COMMAND].output
        output.encode()
        assert output.count("\r\n") in (0, output.count("\n"))
        assert output.splitlines() == output.replace("\r\n", "\n").split("\n")[: len(output.splitlines())]
        assert "[Showing" not in output and "exited" not in output
        assert (desk.max_lines or 1) >= 1 and (desk.max_bytes or 1) >= 1


def test_arguments_of_every_shape_come_up():
    """Each text argument is absent, null, mistyped and empty; each number absent, null, whole and wrong."""
    seen = Counter()
    for desk in draws_of("tool_arguments"):
        use = desk.steps[0]
        for name in own_calls.TEXTS[use.tool]:
            value = use.arguments.get(name, "absent")
            seen[use.tool, name, "empty" if value == "" else type(value).__name__] += value != own_calls.GOOD[name]
    for tool, names in own_calls.TEXTS.items():
        for name in names:
            shapes = {shape for t, n, shape in seen if (t, n) == (tool, name)}
            assert {"str", "NoneType", "int", "float", "bool", "list", "dict", "empty"} <= shapes
    numbers = [desk.steps[0].arguments for desk in draws_of("number_arguments")]
    given = [(n.get("offset"), n.get("limit")) for n in numbers]
    wrong = [pair for pair in given if any(isinstance(v, (str, float, list, dict)) for v in pair)]
    assert len(numbers) / 4 < len(wrong) < len(numbers) * 0.9
    assert all(len({json.dumps(n.get(k)) for n in numbers}) > 20 for k in ("offset", "limit"))
    assert any("offset" in n and n["offset"] is None for n in numbers)


def test_writes_of_every_plan_come_up():
    """Reading before, over an old file, twice, and beside another file."""
    seen = {"".join(use.tool[0] for use in desk.steps) for desk in draws_of("write_desks")}
    assert {"w", "wr", "rwr", "wwr", "rwrwr"} <= seen


def test_bills_go_far_over_budget():
    """Most conversations ask for far more than a budget, some under two prompts."""
    found = draws_of("bills")
    assert sum(any(len(text) > 10_000 for text in c.files.values()) for c in found) > len(found) / 4
    assert {len(c.prompts) for c in found} == {1, 2}
    assert all(isinstance(t, Own) for c in found for t in c.tools)


LEAST = {
    "bash_desks": outputs.one_command(""),
    "command_desks": Desk({}, {"ls": Ran("ok\n")}, (Use("bash", {"command": "ls"}),)),
    "told_desks": Desk(steps=(Use("write", {"path": "a.txt", "content": "zqvorp = 41\n"}),)),
    "giant_desks": outputs.one_command("x" * 51, 0, None, 50),
    "odd_desks": outputs.one_command("1 failed\n"),
    "number_arguments": Desk({"a.txt": own_calls.NUMBERED}, {}, (Use("read", {"path": "a.txt"}),)),
    "own_conversations": Conversation(
        (Prompt(replies=(
            Reply((Call("c1", "read", {"path": "a.txt"}),), "toolUse"), Reply((Say("Done."),)),
        )),),
        (Own("read"), Own("write"), Own("bash")),
        files={"a.txt": own_calls.NUMBERED}, commands={outputs.COMMAND: Ran("ok\n")},
    ),
    "helper_messages": Conversation(
        (Prompt("a", ()),), (), history=({"role": "assistant", "content": [], "stop_reason": "stop"},)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(LEAST))
def test_the_least_is_the_smallest(name):
    """What a strategy shrinks to is what its docstring says."""
    assert minimal(SCRIPTS[name]) == LEAST[name]


def test_a_cut_shrinks_to_two_lines():
    """The smallest cut output has two lines and a budget for one."""
    cut = minimal(outputs.bash_desks(), lambda desk: "cut by lines alone" in set(kinds_of_output(desk)))
    assert cut.commands[outputs.COMMAND] == Ran("a\na\n")
    assert cut.max_lines == 1


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_no_draw_is_wasted(name):
    """At most one draw in ten is thrown away, unless there are no more scripts to draw."""
    found = draws_of(name)
    few = len(found) < 360
    assert not few or len({to_python(script) for script in found}) >= 0.8 * len(found)


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_scripts_survive_paper(name):
    """Each script can be written as JSON and read back."""
    for script in draws_of(name)[:40]:
        assert from_json(json.loads(json.dumps(to_json(script)))) == script
