"""A program's own tools without a program: files, placeholders, sizes, and what its policies leave to ask."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.contract import DEFAULTS, ToolResult, Unplayable
from adapters.desk import Place
from adapters.programs.described import Program, Reading, Run, Says, Shell, Tools, Writing
from adapters.programs.fitting import fitted
from adapters.programs.own_tools import ProgramDesk
from adapters.programs.room import WORK
from adapters.programs.sizes import sized
from adapters.wire.parts import used
from properties.checks import Violation
from properties.registry import load
from strategies.outputs import one_command
from strategies.script import Conversation, Desk, Paging, Prompt, Ran, Relabelled, Reply, Say, Sent, Use

PROGRAM = Program(
    "p", "https://example.org", "MIT", "1", ["chat"], Run(["p", "{prompt}"]),
    tools=Tools(
        shell=Shell("run", "cmd", lines=2000, bytes=50_000),
        read=Reading("read", "path", "from", "count", empty=[r"\(nothing\)"], errors=[r"\ANo such"]),
        write=Writing("write", "path", "content"),
    ),
)  # fmt: skip


class Room:
    """Answers a desk's jobs: each use gives back this text; `files` is what lies on the disk then."""

    def __init__(self, text: str = "", **files: str) -> None:
        self.text, self.files, self.jobs = text, files, []

    def __call__(self, job: dict[str, Any]) -> Any:
        self.jobs.append(job)
        sent = [{"role": "user", "content": "Go."}, {"role": "toolResult", "content": self.text}]
        look = {path: self.files.get(path) for path in job.get("look", ())}
        return {"request": {"messages": sent, "tools": [], "refusal": None}, "log": [], "files": look}


def desk(room: Room, **files: str) -> ProgramDesk:
    """A desk in that room, with these files in the working folder."""
    return ProgramDesk(PROGRAM, room, files, {"ls": Ran("a\n")})


@pytest.mark.parametrize("path", ["a.txt", "deep/er/a.txt", "/abs/a.txt"])
def test_a_write_is_looked_for_where_its_path_says(path: str) -> None:
    """Below the working folder, or where an absolute path points."""
    place = path if path.startswith("/") else f"{WORK}/{path}"
    opened = desk(Room("written", **{place: "new\n"}))
    opened.use("write", {"path": path, "content": "new\n"})
    assert opened.place.writes == [(path, "new\n")]
    assert opened.place.files[path] == "new\n"


@pytest.mark.parametrize("path", ["~/a.txt", "a//b", "nul\0"])
def test_where_it_writes_has_to_be_known(path: str) -> None:
    """Paths that mean a place nobody can look at are not played."""
    with pytest.raises(Unplayable, match="is not known"):
        desk(Room()).use("write", {"path": path, "content": "x"})


def test_an_edit_beside_it_reaches_the_disk() -> None:
    """What was put into the workspace since the last use goes along with the next."""
    room = Room("text")
    opened = desk(room, a="1\n")
    opened.place.put("a", "2\n")
    opened.use("read", {"path": "a"})
    opened.use("read", {"path": "a"})
    assert [job.get("files") for job in room.jobs[1:]] == [{f"{WORK}/a": "2\n"}, {}]


@pytest.mark.parametrize(
    ("text", "asked", "page"),
    [
        ("", {}, ""), ("\n\n", {}, "\n\n"), ("1\n\n", {"offset": 2}, "\n"), ("1\n\n\n2\n", {"offset": 2, "limit": 2}, "\n"),
        ("\ufeff\n", {}, "\ufeff\n"), ("1\n2\n", {}, ""), ("1\n2\n", {"offset": 2}, ""), ("1\n\n", {"offset": None}, ""),
    ],
)  # fmt: skip
def test_a_placeholder_stands_for_blank_lines_only(text: str, asked: dict[str, Any], page: str) -> None:
    """Where lines that are not blank were asked for, nothing was shown."""
    assert desk(Room("(nothing)"), a=text).use("read", {"path": "a", **asked}).content == page


def test_what_looks_like_a_failure_is_one() -> None:
    """By the patterns of the description, where a result has no mark."""
    assert desk(Room("No such file: a")).use("read", {"path": "a"}).is_error
    assert not desk(Room("1\n"), a="1\n").use("read", {"path": "a"}).is_error


@pytest.mark.parametrize("before", ["", "ok\n"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_a_giant_last_line_stays_one(before: str, end: str) -> None:
    """A line over the script's budget is made one over the program's, and not many lines."""
    made = sized(one_command(before + "x" * 51 + end, 0, None, 50), PROGRAM)
    assert isinstance(made, Desk)
    (ran,) = made.commands.values()
    assert ran.output.startswith(f"{before}xxx")
    assert len(ran.output.removesuffix("\n").rpartition("\n")[2]) > 50_000
    assert ran.output.endswith(f"x{end}")
    small = sized(one_command("x" * 51, 0), PROGRAM)
    assert isinstance(small, Desk)
    assert small.commands == one_command("x" * 51, 0).commands


def test_white_space_alone_is_no_answer() -> None:
    """It goes as a screen lets it go: beside calls nothing is left of it, alone an answer stands for it."""
    drawn = Conversation((Prompt("Go.", (Reply((Say(" \n"),), "stop"),)),))
    assert fitted(drawn, PROGRAM) == Conversation((Prompt("Go.", (Reply((Say("Done."),), "stop"),)),))


def test_figures_do_not_contradict_a_label() -> None:
    """A reply that met its limit wrote as much as the limit; with several labels nothing is said."""
    reply = Reply((Say("Half"),), "length", usage={"input": 7, "output": 0})
    one = Conversation((Prompt("Go.", (reply,)),))
    assert fitted(one, PROGRAM).prompts[0].replies == (replace(reply, usage=None),)
    assert fitted(Relabelled(one, ("stop",)), PROGRAM).conversation.prompts[0].replies[0].usage is None
    assert used(replace(reply, usage=None), {"max_tokens": 64}) == (1, 64)
    assert used(replace(reply, usage=None), {"generationConfig": {"maxOutputTokens": 9}}) == (1, 9)
    assert used(replace(reply, usage=None, label="stop"), {"max_tokens": 64}) == (1, 1)
    assert used(reply, {"max_tokens": 64}) == (7, 0)


def test_what_a_program_declares_is_not_played() -> None:
    """A stream without its closing event, and an answer that a filter cut off, where it says what it does then."""
    said = {"unclosed-streams": Says("whole", "w", "x"), "filtered-replies": Says("again", "w", "x")}
    reply = Reply((Say("Half"),), "content_filter", sent=Sent((3,), unclosed=True))
    one = Conversation((Prompt("Go.", (reply,)),))
    made = fitted(one, replace(PROGRAM, policies=said)).prompts[0].replies
    assert made == (Reply((Say("Half"),), "stop", sent=Sent((3,))),)
    assert fitted(one, PROGRAM).prompts[0].replies == (reply,)


def harness(content: str, *, error: bool = False, wrote: bool = False, **policies: str) -> Any:
    """A harness whose tools give this back whatever is asked."""

    def opened(files: Any, commands: Any, _lines: Any, _bytes: Any) -> Any:
        place = Place(dict(files), dict(commands), [("a", "b")] * wrote)

        def use(tool: str, arguments: Any) -> ToolResult:
            place.runs += [arguments["command"]] if tool == "bash" else []
            return ToolResult(content, error, {"content": content}, arguments)

        return SimpleNamespace(use=use, place=place)

    return SimpleNamespace(policies={**DEFAULTS, **policies}, desk=opened)


def fails(id_: str, script: Any, judged: Any, stage: int = 0) -> bool:
    """Whether a script breaks a property on that harness."""
    try:
        load()[id_].stages[stage].judge(script, judged)
    except Violation:
        return True
    return False


@pytest.mark.parametrize(
    ("id_", "tool", "arguments", "spared"),
    [
        ("TOOL-13", "read", {"path": "a.txt", "offset": "2"}, True), ("TOOL-13", "read", {"path": "a.txt", "limit": [1]}, True),
        ("TOOL-14", "write", {"path": 5, "content": "x"}, True), ("TOOL-14", "write", {"path": None, "content": "x"}, True),
        ("TOOL-14", "write", {"content": "x"}, False), ("TOOL-14", "bash", {"command": ["ls"]}, False),
    ],
)  # fmt: skip
def test_values_of_other_types(id_: str, tool: str, arguments: Any, spared: bool) -> None:
    """Who declares to coerce may take "2" for 2 and 5 for "5"; what is missing is still no path."""
    script = Desk({"a.txt": "1\n"}, {}, (Use(tool, arguments),))
    assert fails(id_, script, harness("done"))
    assert fails(id_, script, harness("done", types="coerced")) is not spared


def test_where_types_are_coerced_the_rest_is_still_judged() -> None:
    """An empty text is a text; null is only left to who coerces."""
    empty = Desk({"a.txt": "1\n"}, {}, (Use("bash", {"command": ""}),))
    assert fails("TOOL-14", empty, harness("missing", error=True, types="coerced"))
    null = Desk({"a.txt": "1\n"}, {}, (Use("write", {"path": None, "content": "x"}),))
    last = len(load()["TOOL-14"].stages) - 1
    assert fails("TOOL-14", null, harness("done"), last)
    assert not fails("TOOL-14", null, harness("path is missing", error=True), last)
    assert load()["TOOL-14"].stages[last].unless({"types": "coerced"})


@pytest.mark.parametrize("asked", [{"self": 1}, {"path": ["a"]}, {"path": None, "limit": -1}])
def test_a_placeholder_for_odd_arguments(asked: dict[str, Any]) -> None:
    """Arguments that name no page leave nothing to compare, and break nothing."""
    assert desk(Room("(nothing)"), a="1\n").use("read", asked).content == ""


def test_where_counting_begins() -> None:
    """An offset below the first line is an error, or the first line where that is declared; a limit of 0 is none."""
    script = Paging("1\n2\n", "a.txt", 20, 200, -1)
    assert fails("READ-08", script, harness("1\n2\n"))
    assert fails("READ-08", script, harness("1\n2\n", **{"first-offset": "0"}))
    assert not fails("READ-08", script, harness("1\n2\n", **{"first-offset": "any"}))
    assert fails("READ-08", Paging("1\n", "a.txt", 20, 200, 1, (0,)), harness("", **{"first-offset": "any"}))


def test_what_is_said_of_a_giant_line_and_of_blanks() -> None:
    """A line within the budget needs no words; blank output may be told by a word where results are shown."""
    assert fails("BASH-04", one_command("x" * 51, 0, None, 50), harness("x" * 20))
    assert not fails("BASH-04", one_command("x" * 49, 0, None, 50), harness("x" * 49))
    blank = one_command("\n\n")
    assert fails("BASH-01", blank, harness("(no output)"))
    assert not fails("BASH-01", blank, harness("(no output)", results="shown", notice="other"))
    assert not fails("BASH-01", blank, harness("\n\n", results="shown", notice="other"))
    assert fails("BASH-01", one_command("ok"), harness("(no output)", results="shown", notice="other"))
