"""`harness-props smoke`: a few trivial scripts, for whoever writes an adapter.

Nothing is drawn and no property is asked: each script is played once, what was sent and seen is
shown, and what should have been seen is known beforehand.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.text import Text

from adapters.contract import Harness, HarnessFault, Unplayable
from adapters.normal import calls_of, role_of, shape
from adapters.trace import Trace
from grading.judging import introduced, not_loading
from grading.leave import BROKEN, FAILED, OK, complain, crash
from grading.pretty import pretty
from grading.run import Target
from grading.screen import Screen, safe
from grading.verdicts import steady
from grading.watched import Watched
from properties.checks import shown
from strategies.printing import to_python
from strategies.script import Call, Conversation, Prompt, Raises, Reply, Returns, Say

FINE, WRONG, SKIPPED, BROKE = "OK", "WRONG", "SKIPPED", "ERROR"
COLOURS = {FINE: "bold green", WRONG: "bold red", SKIPPED: "yellow", BROKE: "bold magenta"}
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


def smoke_test(
    target: str, *, lesson: int = 6, app_dir: str | None = None, validate: bool = False
) -> int:
    """Play the trials and say how to go on; returns the worst status. Raises Unusable."""
    screen = Screen(Console())
    harness = Target(target, lesson, app_dir, validate=validate).open()
    try:
        fault = introduced(harness)
        if fault is not None:
            screen.line(Text.assemble((WRONG, COLOURS[WRONG]), f"  {safe(not_loading(harness, fault))}"))
            return FAILED
        name = f"{harness.about.name} {harness.about.version}".strip()
        able = frozenset(harness.capabilities)
        screen.line(Text.assemble((safe(name), "bold"), f"  can: {', '.join(sorted(able)) or 'nothing yet'}"))
        told = [_told(screen, harness, able, trial) for trial in TRIALS if not _left_out(lesson, trial)]
        told += [_tried(screen, harness, able, *probe) for probe in PROBES]
    finally:
        harness.close()
    return _next(screen, target, able, told)


def _left_out(lesson: int, trial: Trial) -> bool:
    """In lesson 3 a tool's exception may come out of the run; no result is asked for then."""
    return lesson == 3 and "R!" in trial.record


def _next(screen: Screen, target: str, able: frozenset[str], told: list[str]) -> int:
    named = shlex.quote(target)
    screen.line()
    if BROKE in told:
        screen.line("The adapter broke (see above); mend that first, then: "
                    f"harness-props smoke {named}")  # fmt: skip
        return BROKEN
    if WRONG in told:
        screen.line("If the harness does it right and the adapter tells it wrong, mend the adapter; if the "
                    "harness itself does this, go on, the properties will say so. Then: "
                    f"harness-props smoke {named}")  # fmt: skip
        return FAILED
    if FINE not in told:
        screen.line("Nothing could be tried: the adapter names no capability. Begin with `loop`; "
                    "adapters/contract.py lists what each of them asks for.")  # fmt: skip
        return FAILED
    chapter = "LOOP-*" if "loop" in able else "CUT-*" if "truncate" in able else "READ-*"
    screen.line(f"next: harness-props check {named} --only '{chapter}'")
    return OK


def _tried(screen: Screen, harness: Harness, able: frozenset[str], name: str, need: str,
           trial: Callable[[Watched], list[str]], show: Callable[[], str] | None = None) -> str:  # fmt: skip
    """Play one trial, show it, and say what is wrong; returns how it came out."""
    screen.line()
    if need not in able:
        words = f"{name}: the adapter does not name {need!r}"
        screen.line(Text.assemble((f"{SKIPPED:<8}", COLOURS[SKIPPED]), words))
        return SKIPPED
    watched = Watched(harness)
    wrong: list[str] = []
    outcome = BROKE
    try:
        harness.restart()
        wrong = trial(watched)
        outcome = WRONG if wrong else FINE
    except HarnessFault as fault:
        wrong, outcome = [str(fault)], WRONG
    except Unplayable as unplayable:
        screen.line(Text.assemble((f"{SKIPPED:<8}", COLOURS[SKIPPED]), f"{name}: {unplayable}"))
        return SKIPPED
    except Exception as error:  # the adapter's own code, or what it gave back
        complain(crash(error))
        wrong = [_where(error)]
    screen.line(Text.assemble((f"{outcome:<8}", COLOURS[outcome]), (name, "bold")))
    if show is not None:
        screen.code("script", pretty(show(), screen.room).split("\n"))
    for line in watched.lines(20):
        screen.labelled("", steady(line))
    for sentence in wrong:
        screen.labelled("wrong", steady(sentence), COLOURS[outcome])
    return outcome


def _where(error: Exception) -> str:
    """An exception and the line it came from."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    at = f" at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else ""
    return f"the adapter broke with {type(error).__name__}: {error}{at}"


def _told(screen: Screen, harness: Harness, able: frozenset[str], trial: Trial) -> str:
    def play(watched: Watched) -> list[str]:
        said = adjusted(trial, harness.policies)
        trace = watched.converse(trial.script)
        return differences(said, trace, record="record" in able, policies=harness.policies)

    return _tried(screen, harness, able, trial.name, "loop", play, lambda: to_python(trial.script))


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


# ---- the harness's own tools --------------------------------------------------------------


def _read(watched: Watched) -> list[str]:
    page = watched.desk({"notes.txt": "alpha\nbravo\n"}, {}, None, None).use("read", {"path": "notes.txt"})
    wrong = [] if isinstance(page.content, str) else [f"the page is {shown(page.content)}, not a text"]
    if not wrong and not ("alpha" in page.content and "bravo" in page.content):
        wrong.append(f"the page does not show the file's two lines: {shown(page.content)}")
    return [*wrong, *(["reading a file that is there is marked as an error"] if page.is_error else [])]


def _cut(watched: Watched) -> list[str]:
    wrong = []
    for end, line in (("head", "alpha\n"), ("tail", "bravo\n")):
        back = watched.cut(end, "alpha\nbravo\n", 1, 1000)
        pair = isinstance(back, (tuple, list)) and len(back) == 2
        if not pair:
            wrong.append(f"cut({end!r}) gave back {shown(back)}, not a pair (text kept, number of lines)")
        elif str(back[0]).rstrip("\n") != line.rstrip("\n"):
            wrong.append(f"cut({end!r}) to one line kept {shown(back[0])}, not {line!r}")
    return wrong


PROBES = (("one page of a file", "read", _read), ("one cut at each end", "truncate", _cut))
