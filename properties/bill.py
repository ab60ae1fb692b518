"""BILL, everything a tool returns is paid for again: what a conversation may cost at most."""

from __future__ import annotations

import json
import re
from typing import Any

from adapters.normal import calls_of, essence, role_of
from adapters.trace import Request, Trace
from properties.checks import Violation, check, equal, fail, shown
from properties.command_output import MAX_BYTES, MAX_LINES, ONE_LINE, codes_in, like_notice, said
from properties.messages import listed
from properties.registry import COURSE, FIELD, law
from properties.story import play
from properties.write import SHORT, repeated
from strategies import lines
from strategies.own_calls import bills, shown_desks, usage_conversations
from strategies.script import Call, Conversation, Desk, Own, Prompt, Ran, Reply, Say, Use

# A server log of 5,000 lines and 139,986 bytes is read once; four more turns of work follow.
_LOG = "GET /orders/01 200 in 12 ms\n" * 4999 + "shutting down\n"
_JOB = tuple(
    Reply((Call(f"c{n}", "read", {"path": "config.py" if n > 1 else "big.log"}),), "toolUse")
    for n in range(1, 5)
)
BIG_JOB = Conversation(
    (Prompt("Check big.log, then the config.", (*_JOB, Reply((Say("Done."),)))),),
    (Own("read"), Own("write")), files={"big.log": _LOG, "config.py": "PORT = 9090\n"},
)  # fmt: skip

_TIMING = re.compile(
    r"\b[0-9]+(?:\.[0-9]+)?\s?(?:ms|µs|us|ns|s|secs?|seconds?|milliseconds?)\b", re.IGNORECASE
)


def weight(message: Any) -> int:
    """Bytes that one message adds to a request: its wire keys as JSON, a result's text as it is."""
    sent = essence(message)
    text = ""
    if role_of(sent) == "toolResult" and isinstance(sent.get("content"), str):
        text, sent = sent["content"], {**sent, "content": ""}
    try:
        rest = json.dumps(sent, ensure_ascii=False, default=repr)
    except (TypeError, ValueError, RecursionError):
        rest = repr(sent)
    return lines.size(rest) + lines.size(text)


def allowed(call: dict[str, Any], tools: dict[str, Own]) -> int:
    """Bytes that the result of one call of the harness's own tools may weigh."""
    given = call["arguments"]
    frame = weight({"role": "toolResult", "tool_call_id": call["id"], "tool_name": call["name"],
                    "content": "", "is_error": False})  # fmt: skip
    told = ONE_LINE + 2 * lines.size(str(given.get("path", "")))
    if call["name"] == "write":
        return frame + told
    return frame + told + (tools[call["name"]].max_bytes or MAX_BYTES)


@law(
    "BILL-01", tier=COURSE, needs=("loop", "read", "write", "bash"), draws=bills(), examples=(BIG_JOB,),
    source="lesson 6, a run where nothing goes wrong",
    hint="Every result is sent again with every later request: let no tool return more than its budget, "
    "and send nothing twice.",
)  # fmt: skip
def requests_stay_within_bounds(script: Conversation, harness: Any) -> None:
    """No request weighs more than what was handed in and said, plus a budget for each result so far.

    Catches results beyond their budget and transcripts that grow by themselves.
    """
    trace = play(script, harness)
    weighed: dict[int, int] = {}  # by identity: a trace holds a message that is sent again once
    for request, most in _bounds(script, trace):
        sent = listed(request.messages)
        for message in sent:
            if id(message) not in weighed:
                weighed[id(message)] = 0 if _failed_result(message) else weight(message)
        size = sum(weighed[id(m)] for m in sent)
        if size > most:
            step = f"request {request.number + 1}"
            found = f"{step} weighs {size:,} bytes where at most {most:,} are accounted for"
            which, tool = _worst(script, sent)
            raise Violation(found + which, step, OWNERS.get(tool, "LOOP-06"))


OWNERS = {"read": "READ-03", "bash": "BASH-01", "write": "BILL-02"}


def _worst(script: Conversation, sent: Any) -> tuple[str, str]:
    """The result that is furthest over what its call may bring back, in words, and its tool."""
    tools = _own(script)
    calls = [c for m in sent for c in calls_of(m) if c.get("name") in tools]
    most = {c["id"]: (allowed(c, tools), c["name"]) for c in calls}
    over = [(weight(m) - most[m["tool_call_id"]][0], m["tool_call_id"]) for m in sent
            if role_of(m) == "toolResult" and m.get("tool_call_id") in most]  # fmt: skip
    excess, worst = max(over, default=(0, ""))
    if excess <= 0:
        return "", ""
    room, name = most[worst]
    weighs = f"weighs {room + excess:,}, at most {room:,} with its notice"
    return f": the result of {worst} ({name}) {weighs}", name


def _own(script: Conversation) -> dict[str, Own]:
    return {t.name: t for t in script.tools if isinstance(t, Own)}


def _bounds(script: Conversation, trace: Trace) -> list[tuple[Request, int]]:
    """Each request with the bytes that its messages may weigh."""
    tools = _own(script)
    most, prompt, found = sum(map(weight, script.history)), -1, []
    for request in trace.requests:
        if request.prompt != prompt:
            prompt = request.prompt
            most += weight({"role": "user", "content": script.prompts[prompt].text})
        found.append((request, most))
        if request.reply is not None:
            most += weight(request.reply) + sum(allowed(c, tools) for c in calls_of(request.reply))
    return found


def _failed_result(message: Any) -> bool:
    return role_of(message) == "toolResult" and message.get("is_error") is True


@law(
    "BILL-02", tier=COURSE, needs=("write",), draws=shown_desks(),
    source="lesson 6, one call, two audiences",
    hint="A diff, a timing or a byte count for the screen does not belong in the result's text: the model "
    "pays for it on every later turn.",
)  # fmt: skip
def results_hold_nothing_for_the_screen(script: Desk, harness: Any) -> None:
    """No result's text holds a diff, old content, timings, or anything but output, page, notice and status.

    Catches details for the screen that travel in the transcript.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    for number, use in enumerate(script.steps, 1):
        if not isinstance(use, Use) or use.tool not in harness.capabilities:
            continue
        before = dict(desk.place.files)
        result = desk.use(use.tool, use.arguments)
        text, where = said(result, use.tool), f"call {number}"
        if use.tool == "write":
            _only_a_sentence(text, before.get(use.arguments["path"], ""), use.arguments, where)
        elif use.tool == "bash":
            _only_output(text, script.commands[use.arguments["command"]], script, harness, where)
        else:
            _no_timing(text, "read", where)


def _only_a_sentence(text: str, old: str, given: dict[str, Any], where: str) -> None:
    path = given["path"]
    for what, content, owner in (
        ("the content", given["content"], "WRITE-02"), ("the old content", old, "")
    ):  # fmt: skip
        piece = repeated(content, text, path)
        if piece:
            raise Violation(f"the result of write holds {what}, {piece}: {shown(text)}", where, owner)
    _no_timing(text.replace(path, ""), "write", where)
    if len(text) > SHORT + 2 * len(path):
        raise Violation(f"the result of write is long: {shown(text)}", where, "WRITE-02")


def _only_output(text: str, ran: Ran, script: Desk, harness: Any, where: str) -> None:
    model = harness.policies.get("bash-lines", "universal")
    limits = script.max_lines or MAX_LINES, script.max_bytes or MAX_BYTES
    kept, _ = lines.tail(ran.output, *limits, model)
    if not ran.output and harness.policies.get("notice") == "other":
        kept = text.partition("\n")[0]  # it says so in words of its own
    if ran.code == 0 or not text.startswith(kept):
        return  # BASH-03 and BASH-01 say what is wrong
    added = [line.strip() for line in text[len(kept) :].splitlines() if line.strip()]
    other = [n for n in added if not like_notice(n) and ran.code not in codes_in(n)]
    if other:
        owner = "BASH-03" if len(other) == 1 and other[0] == added[-1] else ""
        raise Violation(
            f"besides output, notice and status, bash's result holds {shown(other)}", where, owner
        )
    for line in added:
        _no_timing(line, "bash", where)


def _no_timing(text: str, tool: str, where: str) -> None:
    timing = _TIMING.search(text)
    check(not timing, f"the result of {tool} says how long it took: {shown(text)}", where)


@law(
    "BILL-03", tier=FIELD, needs=("loop", "usage"), draws=usage_conversations(),
    source="microsoft/agent-framework#7143",
    hint="Add up each reply's usage once; a cumulative figure is not an addend.",
)  # fmt: skip
def usage_is_the_sum(script: Conversation, harness: Any) -> None:
    """The usage that a harness reports is the sum of the usage of its replies.

    Catches totals that count a reply twice, or not at all.
    """
    trace = play(script, harness)
    used = [r.reply.get("usage") or {} for r in trace.requests if r.reply is not None]
    wanted = {key: sum(u.get(key, 0) for u in used) for key in ("input", "output")}
    if not isinstance(trace.usage, dict):
        fail(f"the usage reported is {shown(trace.usage)}, not figures by name")
    found = {key: trace.usage.get(key, 0) for key in wanted}
    equal(found, wanted, f"the usage of {len(used)} replies")
