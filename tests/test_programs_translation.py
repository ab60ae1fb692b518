"""Scripts on their way to a program and back, without a program."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.contract import Unplayable
from adapters.programs.back import trace_of
from adapters.programs.described import Finish, Own, Program, Prompts, Run, Says, Service, Shell, Tools
from adapters.programs.fitting import fitted
from adapters.programs.messages import bare
from adapters.programs.reading import described
from adapters.programs.room import OUT, STEPS
from adapters.programs.steps import Steps, quoted
from adapters.programs.translation import translated
from strategies.script import (
    Call,
    Conversation,
    Gives,
    Interrupts,
    Odd,
    Prompt,
    Raises,
    Raw,
    Reads,
    Relabelled,
    Reply,
    Returns,
    Say,
)

PROGRAM = Program(
    "p", "https://example.org", "MIT", "1", ["chat"], Run(["p", "{prompt}"]),
    tools=Tools(Shell("run", "cmd", {"quick": True}, [r"code (?P<code>\d+)\n(?P<output>.*)"], ["nothing"])),
    prompts=Prompts('"(?P<prompt>.*)"', trimmed=True, taken=["^/"]), own=Own(["<mine>.*</mine>"]),
)  # fmt: skip
DONE = Reply((Say("Done."),))


def one(*calls: Call, text: str = "Go.") -> Conversation:
    return Conversation((Prompt(text, (Reply(calls, "toolUse"), DONE)),))


@pytest.mark.parametrize("given", [{}, {"text": "it's $HOME `x` \\ \n\t日本🚀"}, {"a": {"b": [1, None]}}, {"": ""}])
@pytest.mark.parametrize("does", [Returns("out\n"), Returns(""), Raises("ValueError", "boom"), Reads("text")])
def test_a_step_does_what_the_script_says(tmp_path: Path, given: Any, does: Any) -> None:
    """A real shell runs it: it notes place and arguments, prints the text, and has the right status."""
    steps = Steps()
    command = steps.command("0.0.0", Call("c1", "echo", given, does))
    for path, text in steps.files.items():
        here = tmp_path / Path(path).name
        here.write_text(text.replace(STEPS, str(tmp_path)).replace(OUT, str(tmp_path)))
    done = subprocess.run(
        ["sh", "-c", command.replace(STEPS, str(tmp_path))], capture_output=True, text=True, check=False
    )
    reads = isinstance(does, Reads)
    failing = isinstance(does, Raises) or (reads and not isinstance(given.get("text"), str))
    assert done.returncode == (1 if failing else 0)
    if not reads:
        assert (done.stderr if failing else done.stdout) == does.text
    place, _, logged = (tmp_path / "log").read_text().rstrip("\n").partition(" ")
    assert (place, json.loads(logged)) == ("0.0.0", given)


def test_no_shell_takes_arguments_apart() -> None:
    """Nothing of them ends a word between single quotes or begins a substitution."""
    assert not set(quoted({"a": "'$(x)`y`"})) & set("'$`")


@pytest.mark.parametrize("does", [Gives("None"), Interrupts(), Raises("NoText", ""), Returns("\ud800")])
def test_what_no_command_can_do_is_not_played(does: Any) -> None:
    """It is said to be unplayable, never played as something else."""
    with pytest.raises(Unplayable):
        translated(one(Call("c1", "echo", {}, does)), PROGRAM)


def test_unknown_tools_go_out_as_they_are() -> None:
    """Only calls of scripted tools become commands; a raw argument string stays raw."""
    wire = translated(one(Call("c1", "echo", {"text": "a"}), Call("c2", "nope"), Call("c3", "echo", Raw("{"))), PROGRAM)
    known, unknown, raw = wire.wire.prompts[0].replies[0].blocks
    assert (known.name, known.arguments) == ("run", {"cmd": f"sh {STEPS}/0.0.0 '{{\"text\": \"a\"}}'", "quick": True})
    assert (unknown.name, unknown.arguments) == ("nope", {})
    assert (raw.name, raw.arguments) == ("run", Raw("{"))


def exchange(number: int, messages: list[Any], played: int | None, **more: Any) -> dict[str, Any]:
    return {
        "number": number, "prompt": 0, "kind": "model", "system": "s", "messages": messages,
        "tools": [{"name": "run", "description": "", "parameters": {}}], "refusal": None, "rule": 0, "side": False,
        "extra": False, "played": played, "cut": False, "left": False, "status": 200, "logged": 0, "dialect": "chat",
        **more,
    }  # fmt: skip


def came_back(script: Conversation, *results: str, status: int = 0) -> Any:
    """The trace of a run of one reply with calls and an answer, with these results."""
    made = translated(script, PROGRAM)
    sent = [
        {"type": "toolCall", "id": c.id, "name": c.name, "arguments": c.arguments}
        for c in made.wire.prompts[0].replies[0].calls
    ]
    user = [{"role": "user", "content": "<mine>dir</mine>"}, {"role": "user", "content": f'"{script.prompts[0].text.strip()}"'}]
    told = [
        {"role": "toolResult", "tool_call_id": c["id"], "content": text}
        for c, text in zip(sent, results, strict=True)
    ]
    second = [*user, {"role": "assistant", "content": sent}, *told]
    seen = {
        "exchanges": [exchange(0, user, 0), exchange(1, second, 1, logged=len("0.0.0 {}\n"))],
        "left_over": 0, "lookups": ["example.org"], "log": [[len("0.0.0 {}\n"), "0.0.0 {}"]],
        "ended": [{"status": status, "stdout": "Done.\n", "stderr": "warned"}],
    }  # fmt: skip
    return trace_of(made, seen)


def test_what_comes_back_is_the_script_s_own() -> None:
    """Prompts unwrapped, own messages left out, calls by their names, results without their frame."""
    trace = came_back(one(Call("c1", "echo", {}, Returns("r1")), text=" Go. "), "code 0\nr1")
    first, second = trace.requests
    assert first.messages == [{"role": "user", "content": " Go. "}]
    assert second.messages[1]["content"] == [{"type": "toolCall", "id": "c1", "name": "echo", "arguments": {}}]
    assert (second.messages[2]["tool_name"], second.messages[2]["content"]) == ("echo", "r1")
    run = trace.executions[0]
    assert (run.tool, run.arguments, run.request, run.call) == ("echo", {}, 0, 0)
    ending = trace.endings[0]
    assert (ending.kind, ending.status, ending.printed) == ("returned", 0, "Done.\nwarned")
    assert trace.lookups == ("example.org",)


def test_a_call_that_was_changed_stays_changed() -> None:
    """Arguments that the program sends otherwise than they came are shown as it sends them."""
    script = one(Call("c1", "echo", {}, Returns("r1")))
    made = translated(script, PROGRAM)
    call = made.wire.prompts[0].replies[0].calls[0]
    other = {"type": "toolCall", "id": "c1", "name": "run", "arguments": {**call.arguments, "quick": False}}
    messages = [{"role": "user", "content": '"Go."'}, {"role": "assistant", "content": [other]}]
    seen = {"exchanges": [exchange(0, [], 0), exchange(1, messages, 1)], "left_over": 0, "lookups": [], "log": [],
            "ended": [{"status": 0, "stdout": "", "stderr": ""}]}  # fmt: skip
    assert trace_of(made, seen).requests[1].messages[1]["content"] == [other]


@pytest.mark.parametrize(("padded", "text"), [(True, " I look.  "), (False, " I look.\n")])
def test_white_space_behind_a_reply_s_words(padded: bool, text: str) -> None:
    """Where a program is known to change it, the words are read as they came."""
    program = replace(PROGRAM, own=replace(PROGRAM.own, padded=padded))
    made = translated(Conversation((Prompt("Go.", (Reply((Say(" I look.  "), Call("c1", "nope"))), DONE)),)), program)
    blocks = [{"type": "text", "text": " I look.\n"}, {"type": "toolCall", "id": "c1", "name": "nope", "arguments": {}}]
    messages = [{"role": "user", "content": '"Go."'}, {"role": "assistant", "content": blocks}]
    seen = {"exchanges": [exchange(0, [], 0), exchange(1, messages, 1)], "left_over": 0, "lookups": [], "log": [],
            "ended": [{"status": 0, "stdout": "", "stderr": ""}]}  # fmt: skip
    assert trace_of(made, seen).requests[1].messages[1]["content"][0] == {"type": "text", "text": text}


def test_a_sound_call_in_the_name_of_another_tool_stays_as_it_is() -> None:
    """Only calls gone wrong are read back; a program that renames a good one, or has none to rename, is shown so."""
    program = replace(PROGRAM, tools=replace(PROGRAM.tools, misnamed="invalid"))
    for made, name in ((translated(one(Call("c1", "echo", {})), program), "invalid"),
                       (translated(one(Call("c1", "nope", {"a": 1})), PROGRAM), "")):  # fmt: skip
        call = {"type": "toolCall", "id": "c1", "name": name, "arguments": {"b": 2}}
        messages = [{"role": "user", "content": '"Go."'}, {"role": "assistant", "content": [call]}]
        seen = {"exchanges": [exchange(0, [], 0), exchange(1, messages, 1)], "left_over": 0, "lookups": [], "log": [],
                "ended": [{"status": 0, "stdout": "", "stderr": ""}]}  # fmt: skip
        assert trace_of(made, seen).requests[1].messages[1]["content"] == [call]


@pytest.mark.parametrize(("misnamed", "names"), [("invalid", ["nope", "echo"]), ("", ["invalid", "invalid"])])
def test_calls_gone_wrong_in_the_name_of_another_tool(misnamed: str, names: list[str]) -> None:
    """A program that sends them again as calls of a tool of its own is understood, if that is described."""
    program = replace(PROGRAM, tools=replace(PROGRAM.tools, misnamed=misnamed))
    made = translated(one(Call("c1", "nope", {"a": 1}), Call("c2", "echo", Raw("{bad"))), program)
    calls = [
        {"type": "toolCall", "id": id_, "name": "invalid", "arguments": {"tool": "x", "error": "no such tool"}}
        for id_ in ("c1", "c2")
    ]
    told = [{"role": "toolResult", "tool_call_id": id_, "content": "invalid: nope"} for id_ in ("c1", "c2")]
    messages = [{"role": "user", "content": '"Go."'}, {"role": "assistant", "content": calls}, *told]
    seen = {"exchanges": [exchange(0, [], 0), exchange(1, messages, 1)], "left_over": 0, "lookups": [], "log": [],
            "ended": [{"status": 0, "stdout": "", "stderr": ""}]}  # fmt: skip
    sent = trace_of(made, seen).requests[1].messages
    assert [call["name"] for call in sent[1]["content"]] == names
    if misnamed:
        assert [call["arguments"] for call in sent[1]["content"]] == [{"a": 1}, calls[1]["arguments"]]
        assert [result["tool_name"] for result in sent[2:]] == names


def test_a_failing_status_is_an_ending_by_exception() -> None:
    """What it printed to standard error is what it raised."""
    ending = came_back(one(Call("c1", "echo", {}, Returns("r1"))), "code 0\nr1", status=3).endings[0]
    assert (ending.kind, ending.status, ending.problem.type, ending.problem.text) == (
        "raised", 3, "exit status 3", "warned")  # fmt: skip
    assert ending.problem.key is None


def test_a_name_of_the_programs_own_is_not_unknown() -> None:
    """A script that takes it for unknown says nothing of this program."""
    with pytest.raises(Unplayable, match="tool called 'run' of its own"):
        came_back(one(Call("c1", "run", {})), "x")


def test_frames_and_placeholders() -> None:
    """The first pattern that fits all of a result takes its frame off; a word for nothing is nothing."""
    shell = PROGRAM.tools.shell
    assert shell is not None
    assert bare("code 1\na\nb", shell) == "a\nb"
    assert bare("code 1\nnothing", shell) == ""
    assert bare("no frame", shell) == "no frame"


def test_an_output_that_is_shown_as_json_is_read() -> None:
    """The text that it stands for is the output; what is no JSON stays as it is."""
    shell = Shell("run", quoted=True, shows=['<(?P<output>.*)>'])
    assert bare('<"a\\n\\u003c">', shell) == "a\n<"
    assert bare("<a>", shell) == "a"


def test_an_answer_goes_out_with_the_call_that_ends_a_run() -> None:
    """Of a program that needs one; replies with calls are as they were."""
    shell = PROGRAM.tools.shell
    program = replace(PROGRAM, tools=Tools(shell, Finish("run", {"cmd": "echo OVER"})))
    replies = translated(one(Call("c1", "echo", {}, Returns("a"))), program).wire.prompts[0].replies
    assert isinstance(replies, tuple)
    first, last = replies
    assert isinstance(first, Reply)
    assert [call.id for call in first.calls] == ["c1"]
    assert last == Reply((Say("Done."), Call("finish", "run", {"cmd": "echo OVER"})), "toolUse")
    with pytest.raises(Unplayable, match="a run of it ends with a call"):
        translated(Conversation((Prompt("Go.", (Reply((Say(" "),)),)),)), program)


def test_scripts_are_made_to_fit() -> None:
    """No history, one prompt, texts in one and in front, no failed reply, no odd label, turns bounded."""
    drawn = Conversation(
        (Prompt("/help", (Reply((Odd(), Say("a"), Call("c1"), Say("b")), None, "odd", times=300),
                          Reply((Say("no"),), "error")), 5), Prompt("Again.")),
        system="", history=({"role": "user", "content": "Hello."},),
    )  # fmt: skip
    made = fitted(drawn, PROGRAM)
    assert made == Conversation((Prompt("Go.", (Reply((Say("ab"), Call("c1")), "stop", times=40), DONE)),))
    assert fitted(made, PROGRAM) == made
    translated(made, PROGRAM)
    assert fitted(Relabelled(drawn, (None, "", "length")), PROGRAM).labels == ("stop", "length")


@pytest.mark.parametrize(("policy", "value", "labels"), [
    ("cut-replies", "end", ["toolUse", "length", "odd"]), ("cut-replies", "again", ["toolUse", "stop", "odd"]),
    ("strange-labels", "again", ["length", "length", "stop"]), ("strange-labels", "end", ["length", "length", "stop"]),
    ("labels", "none", ["length", "length", "odd"]),
])  # fmt: skip
def test_labels_are_played_where_the_program_does_as_others_do(policy: str, value: str, labels: list[str]) -> None:
    """A reply that is whole goes out under another label, if the program takes this one for something else."""
    program = replace(PROGRAM, policies={policy: Says(value, "Its own words.", "its page")})
    drawn = [Reply((Call("c1", "echo", {}, Returns("a")),), "length"), Reply((Say("a"),), "length"), Reply((Say("b"),), "odd")]
    played = [fitted(Conversation((Prompt("Go.", (reply, DONE)),)), program).prompts[0].replies[0].label for reply in drawn]
    assert played == labels


def test_several_prompts_where_it_can_go_on() -> None:
    """With a command for the prompts after the first they stay."""
    going_on = replace(PROGRAM, run=Run(["p", "{prompt}"], ["p", "-c", "{prompt}"]))
    assert len(fitted(Conversation((Prompt(), Prompt())), going_on).prompts) == 2


def test_a_service_may_be_one_prompt_each() -> None:
    """Where a conversation cannot go on, it is one prompt."""
    single = Service(["p"], "{}", "b", '"{prompt}"', "d", single=True)
    script = Conversation((Prompt("a", (DONE,)), Prompt("b", (DONE,))))
    assert len(fitted(script, replace(PROGRAM, run=Run(), service=single)).prompts) == 1
    assert len(fitted(script, replace(PROGRAM, run=Run(), service=replace(single, single=False))).prompts) == 2


def test_the_example_s_description_is_right() -> None:
    """It is what the tests run in a room."""
    program = described(Path(__file__).parents[1] / "examples" / "wire_agent.toml")
    assert (program.name, program.wires) == ("wire-agent", ["chat"])
