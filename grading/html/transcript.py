"""A counterexample's trace as events that can be drawn: who called what, what is missing.

The trace is text in short notation (`grading/watched.py` writes it); the script says what a
prompt, a reply or a tool said. An event is a plain JSON object with its kind under "k":
`prompt`, `request`, `run`, `end`, `use` (a helper or tool called by itself) and `line`. A message
is a chip `[kind, text]`; the kinds are those of the notation, M for a result that is missing and
O for one that no call asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from grading.html.clean import LINE, one_line
from grading.html.told import Told

Chip = list[str]
Event = dict[str, Any]

_CHIP = re.compile(
    r"(?P<U>U)|(?P<R>R(?P<bad>!?)\((?P<id>.*?)\))|(?P<A>A(?:\[(?P<calls>.*?)\])?(?P<failed>\(error\))?)"
    r"|(?P<more>…\d+ more…)|(?P<other>\S+)"
)
_REQUEST = re.compile(r"request (\d+): (.*)", re.DOTALL)
_END = re.compile(r"(returned|run_agent raised|stopped by the suite)(.*?); record: (.*)", re.DOTALL)
MOST = 60  # events of one transcript


def chips(shape: str) -> list[Chip]:
    """The messages of a record in short notation, with chips for what is missing or too much."""
    found: list[Chip] = []
    waiting: list[str] = []
    for token in _tokens(shape):
        kind, id_ = token[0], token[2]
        if kind in ("R", "X"):
            if id_ in waiting:
                waiting.remove(id_)
            elif not (found and found[-1][0] == "…"):
                kind = "O"
        else:
            found += [] if kind == "…" else _missing(waiting)
            waiting = []
            if kind == "A" and token[2]:
                waiting = token[2].split(",")
        found.append([kind, token[1]])
    return found + _missing(waiting)


def _missing(ids: Sequence[str]) -> list[Chip]:
    return [["M", f"R({id_})"] for id_ in ids]


def _tokens(shape: str) -> Iterator[tuple[str, str, str]]:
    """(kind, text, call ids or the id of the result) of each message."""
    at = 0
    while at < len(shape):
        found = _CHIP.match(shape, at)
        if found is None:
            at += 1
            continue
        at = found.end()
        if at < len(shape) and shape[at] != " " and not found["other"]:
            while at < len(shape) and not shape[at].isspace():  # a word that only begins like a message
                at += 1
            yield "?", shape[found.start() : at], ""
        elif found["U"]:
            yield "U", "U", ""
        elif found["R"]:
            yield ("X" if found["bad"] else "R"), found.group(), found["id"]
        elif found["A"]:
            yield ("E", found.group(), "") if found["failed"] else ("A", found.group(), found["calls"] or "")
        else:
            yield ("…" if found["more"] else "?"), found.group(), ""


# ---- events -------------------------------------------------------------------------------


def events(trace: Sequence[str], script: Any = None, step: str = "") -> list[Event]:
    """The trace as events, the first bad step marked with "bad" where one can be told."""
    told = Told(script)
    found: list[Event] = []
    fresh, prompts, before = True, 0, 0
    for line in trace[:MOST]:
        run = re.fullmatch(r"run (\d+):", line)
        asked = _REQUEST.fullmatch(line)
        if run:
            told.run(int(run[1]))
            fresh, prompts, before = True, 0, 0
            found.append({"k": "line", "text": f"run {run[1]}, on a fresh record"})
        elif asked:
            if fresh:
                prompts += 1
                found.append({"k": "prompt", "n": prompts, "text": one_line(told.prompt(), 120)})
                fresh = False
            found.append(_request(int(asked[1]), asked[2], before, told))
            before = sum(c[0] not in "MO" for c in found[-1]["sent"])
        elif line.startswith("  run "):
            tool, _, arguments = line[6:].partition(" ")
            found.append({"k": "run", "tool": one_line(tool, 60), "args": one_line(arguments, LINE),
                          "does": told.does(tool, arguments)})  # fmt: skip
        else:
            found.append(_other(line))
            fresh = fresh or found[-1]["k"] == "end"
    if len(trace) > MOST:
        found.append({"k": "line", "text": f"… {len(trace) - MOST} more lines"})
    return _marked(found, step)


def _request(number: int, rest: str, before: int, told: Told) -> Event:
    sent, arrow, answer = rest.rpartition(" -> ")
    if " -> refused: " in rest:  # the refusal may hold an arrow of its own
        sent, arrow, answer = rest.partition(" -> ")
    told_sent = chips(one_line(sent if arrow else rest))
    event: Event = {"k": "request", "n": number, "sent": told_sent, "old": before}
    if not arrow:
        return event
    problem = re.match(r"(refused: |raises )(.*)", answer, re.DOTALL)
    if problem:
        event["refused"] = one_line(answer)
        return event
    word, _, extra = answer.partition(" (the script was over)")
    event["answer"] = next(iter([[kind, text] for kind, text, _ in _tokens(one_line(word))]), ["?", "?"])
    event["text"] = one_line(told.reply(event["answer"]), 80)
    event["extra"] = bool(extra) or answer.endswith("(the script was over)")
    return event


def _other(line: str) -> Event:
    ended = _END.fullmatch(line)
    if ended:
        how = "stopped" if ended[1].startswith("stopped") else ended[1].removeprefix("run_agent ")
        record = chips(one_line(ended[3]))
        return {"k": "end", "how": how, "what": one_line(ended[2].strip()), "record": record}
    call, arrow, back = line.partition(" -> ")
    if arrow:
        said = one_line(back.removeprefix("error "))
        return {"k": "use", "call": one_line(call), "back": said, "error": back.startswith("error ")}
    return {"k": "line", "text": one_line(line)}


def _marked(found: list[Event], step: str) -> list[Event]:
    """The events with the first bad one marked; several runs leave open which is meant."""
    if any(e["k"] == "line" and e["text"].startswith("run ") for e in found):
        return found
    asked, ended = re.search(r"request (\d+)$", step), re.fullmatch(r"end of prompt (\d+)", step)
    candidates: list[Event] = []
    if ended:
        candidates = [e for e in found if e["k"] == "end"][int(ended[1]) - 1 :]
    elif asked:
        at = [i for i, e in enumerate(found) if e["k"] == "request" and e["n"] == int(asked[1])][:1]
        candidates = found[at[0] :] if at else []
        if "tool " in step:
            candidates = [e for e in candidates if e["k"] == "run"]
    elif step:
        candidates = [e for e in found if e["k"] == "use" and _same_call(step, e["call"])]
    if candidates:
        candidates[0]["bad"] = True
    return found


def _same_call(step: str, call: str) -> bool:
    """Whether `read(offset=3)` names the call `read {'path': 'a.txt', 'offset': 3}`."""
    tool = step.partition("(")[0]
    given = dict(re.findall(r"(\w+)=(\d+)", step))
    found = dict(re.findall(r"'(offset|limit)': (\d+)", call))
    return call.startswith(f"{tool} ") and given == found
