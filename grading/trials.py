"""The trials of `harness-props smoke`: trivial scripts, what must come of each, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adapters.normal import calls_of, role_of, shape
from adapters.trace import Trace
from properties.checks import shown
from strategies.script import Call, Conversation, Prompt, Raises, Reply, Returns, Say

DONE = Reply((Say("Done."),))


@dataclass(frozen=True)
class Trial:
    """One conversation and what must come of it, in short notation.

    `requests` is what each model call must carry, `runs` the tool executions as (tool,
    arguments), `record` the harness's own list at the end. `mute`: an exception's words need not arrive.
    """

    name: str
    script: Conversation
    requests: tuple[str, ...]
    runs: tuple[tuple[str, dict[str, Any]], ...]
    record: str
    mute: bool = False

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls of all replies."""
        found: list[Call] = []
        for prompt in self.script.prompts:
            for reply in prompt.replies if isinstance(prompt.replies, tuple) else ():
                found += reply.calls if isinstance(reply, Reply) else ()
        return tuple(found)


def _script(*blocks: Call) -> Conversation:
    return Conversation((Prompt("Go.", (Reply(blocks, "toolUse"), DONE)),))


TRIALS = (
    Trial("a plain answer", Conversation(), ("U",), (), "U A"),
    Trial("one call", _script(Call("c1", "echo", {"text": "hi"}, Returns("hi"))),
          ("U", "U A[c1] R(c1)"), (("echo", {"text": "hi"}),), "U A[c1] R(c1) A"),
    Trial("two calls in one reply",
          _script(Call("c1", "echo", {"text": "a"}, Returns("a")),
                  Call("c2", "echo", {"text": "b"}, Returns("b"))),
          ("U", "U A[c1,c2] R(c1) R(c2)"), (("echo", {"text": "a"}), ("echo", {"text": "b"})),
          "U A[c1,c2] R(c1) R(c2) A"),
    Trial("a tool that fails", _script(Call("c1", "echo", {"text": "hi"}, Raises("ValueError", "boom"))),
          ("U", "U A[c1] R!(c1)"), (("echo", {"text": "hi"}),), "U A[c1] R!(c1) A"),
    Trial("two prompts on one record", Conversation((Prompt("Go.", (DONE,)), Prompt("And now?", (DONE,)))),
          ("U", "U A U"), (), "U A U A"),
)  # fmt: skip


def adjusted(trial: Trial, policies: Mapping[str, str]) -> Trial:
    """The trial as it has to come out under what the adapter declares of results."""
    if policies.get("marks") == "no":
        bare = tuple(request.replace("R!", "R") for request in trial.requests)
        trial = replace(trial, requests=bare, record=trial.record.replace("R!", "R"))
    return replace(trial, mute=policies.get("error-words") == "fixed")


def differences(
    trial: Trial, trace: Trace, *, record: bool = True, policies: Mapping[str, str] | None = None
) -> list[str]:  # fmt: skip
    """What is wrong with a trace, in plain words, the cause before its consequences."""
    for ending in trace.endings:
        if ending.problem:
            at = f" ({ending.problem.where})" if ending.problem.where else ""
            return [f"the run raised {ending.problem.type}: {ending.problem.text}{at}"]
    if trace.refusals:
        return [f"the provider refused a request: {trace.refusals[0]}"]
    wrong = []
    sent = tuple(shape(r.messages) for r in trace.requests)
    if sent != trial.requests:
        wrong.append(_unlike("the model calls carried", sent, trial.requests))
    runs, together = tuple((e.tool, e.arguments) for e in trace.executions), policies or {}
    if runs != trial.runs and not (together.get("calls") == "parallel" and _same(runs, trial.runs)):
        wrong.append(_unlike("the tools were run as", runs, trial.runs))
    ends, prompts = len(trace.endings), len(trial.script.prompts)
    if ends != prompts:
        wrong.append(f"the trace has {ends} endings, one for each prompt would be {prompts}")
    if record and shape(trace.record) != trial.record:
        wrong.append(f"the record is {shape(trace.record)}, it should be {trial.record}")
    return wrong or _contents(trial, trace, policies or {})


def _same(runs: tuple[Any, ...], wanted: tuple[Any, ...]) -> bool:
    """Whether the same tools were run, in any order."""
    return sorted(map(repr, runs)) == sorted(map(repr, wanted))


def _contents(trial: Trial, trace: Trace, policies: Mapping[str, str]) -> list[str]:
    """What the short notation does not show: the system text, tools, prompts and results."""
    wrong = []
    first, last = trace.requests[0], trace.requests[-1]
    if first.system != trial.script.system and policies.get("system") != "own":
        wrong.append(f"the system text arrived as {shown(first.system)}, not {shown(trial.script.system)}")
    names = [t.get("name") if isinstance(t, dict) else t for t in first.tools or ()]
    if names != ["echo"] and policies.get("specs") != "own":
        wrong.append(f"the tools offered to the model are {shown(names)}, not ['echo']")
    said = [m.get("content") for m in last.messages if role_of(m) == "user"]
    if said != [p.text for p in trial.script.prompts]:
        wrong.append(f"the prompts arrived as {shown(said)}")
    asked = [c for m in last.messages for c in calls_of(m)]
    given = [(c.get("name"), c.get("arguments")) for c in asked]
    if given != list(trial.runs):
        wrong.append(f"the calls went back to the model as {shown(given)}, not {shown(list(trial.runs))}")
    results = {m.get("tool_call_id"): m.get("content") for m in last.messages if role_of(m) == "toolResult"}
    for call in trial.calls:
        found, text = results.get(call.id), getattr(call.does, "text", "")
        if trial.mute and isinstance(call.does, Raises):
            continue
        if text not in str(found):
            wrong.append(f"the result of {call.id} is {shown(found)}, without the tool's {text!r}")
    return wrong


def _unlike(what: str, found: tuple[Any, ...], wanted: tuple[Any, ...]) -> str:
    def told(parts: tuple[Any, ...]) -> str:
        return " | ".join(map(str, parts)) or "(none)"

    return f"{what}: {told(found)}; it should be: {told(wanted)}"
