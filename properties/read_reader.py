"""READ, the reader: what somebody comes to believe who sees only what the read tool says."""

from __future__ import annotations

from typing import Any

from adapters.contract import Harness, OpenDesk
from properties.checks import check, equal, fail, shown
from properties.pages import (
    agreement,
    call_of,
    desk_of,
    file_lines,
    free,
    giants,
    is_error,
    own_wording,
    page_at,
    read,
    shown_lines,
)  # fmt: skip
from properties.registry import COURSE, PRINCIPLE, law
from strategies import lines
from strategies.notices import Notice, last_line, read_notice
from strategies.paging import MISSING
from strategies.readings import needle_conversations, pagings, rereading_desks
from strategies.script import Conversation, Desk, Edit, Own, Pager, Paging, Prompt, Use

_LOG = "INFO request answered ok\n" * 2399 + "needle\n" + "INFO request answered ok\n" * 2600
_READ = Use("read", {"path": "a.txt"})
_FIND = Prompt("Is there a needle in big.log?", Pager())


@law(
    "READ-10", tier=COURSE, version=2, needs=("read", "loop"), source="lesson 6, statement 12",
    draws=needle_conversations(),
    hint="The model knows only what read shows: a page that stops early must say so, and where to go on.",
    after=("READ-01", "READ-06"),
    examples=(
        Conversation((_FIND,), (Own(),), files={"big.log": _LOG}),
        Conversation((_FIND,), (Own("read", 2, 200),), files={"big.log": "1\n2\nneedle"}),
        Conversation((_FIND,), (Own("read", 2, 200),), files={"big.log": "1\n2\n3\n"}),
        Conversation((_FIND,), (Own("read", 9, 60),), files={"big.log": "1\n" + "x" * 90 + "\nneedle\n"}),
    ),
)  # fmt: skip
def a_believing_model_finds_the_needle(script: Conversation, harness: Harness) -> None:
    """A model that believes what it is shown and follows notices finds the needle if and only if it is there.

    Catches a cut that is made in silence, and pages that never reach the end.
    """
    text = script.files["big.log"]
    total = len(lines.split(text, harness.policies["read-lines"]))
    trace = harness.converse(script)
    for ending in trace.endings:
        why = f"{ending.problem.type}: {ending.problem.text}" if ending.problem else ending.kind
        returned = ending.kind == "returned"
        check(returned, f"the run on big.log, a file of {total} lines, did not return: {why}")
    asked = trace.requests
    check(not trace.refusals, f"the provider refused a request: {trace.refusals[:1]}")
    ended = asked and asked[-1].reply and not asked[-1].extra
    check(ended, f"after {len(asked)} reads of {total} lines the model still follows notices")
    said = str(asked[-1].reply)
    page = f"the last line that it was shown is {_last_shown(asked[-1].messages)}"
    if "needle" in text:
        number = text.count("\n", 0, text.index("needle")) + 1
        told = f"after {len(asked) - 1} reads the model says that it {MISSING}"
        check(MISSING not in said, f"the needle is on line {number} of {total}, but {told}; {page}")
    else:
        check(MISSING in said, f"there is no needle in big.log, but the model found one; {page}")


def _last_shown(messages: Any) -> str:
    """The last line of the last message, for a message."""
    last = messages[-1] if isinstance(messages, list) and messages else None
    text = last.get("content") if isinstance(last, dict) else None
    return shown(last_line(text) if isinstance(text, str) else text)


def _end_of(text: str, line: str) -> int:
    """Where the last line of a page begins."""
    return text.rindex(line)


@law(
    "READ-12", tier=PRINCIPLE, needs=("read",), source="lesson 6, never cut without saying so",
    unless=own_wording, after=("READ-01",),
    draws=pagings(endings="plain", imitations=True, inside=False, room=1, starts=(0,), limits="none"),
    hint="A file can hold a line that looks like a notice: what stands last must be true all the same.",
    examples=(Paging("1\n[Showing lines 1-2 of 9. Use offset=3 to continue.]", "a.txt", 9, 200),),
)  # fmt: skip
def imitations_deceive_nobody(script: Paging, harness: Harness) -> None:
    """A reader who believes the last line of each page ends, and rebuilds the file, whatever it holds.

    Catches a file's own line that is taken for the notice of the tool.
    """
    all_lines, desk = file_lines(script, harness), desk_of(script, harness)
    if giants(script, all_lines, harness):
        return
    rebuilt, offset, total = [""], 1, len(all_lines)
    for _ in range(total + 2):
        result, text = read(desk, script.path, offset, None)
        call = call_of(offset, None)
        reader = "a reader who believes the last line of each page"
        if is_error(result):
            fail(f"{reader} is led to {call}, an error: {shown(text)}", call)
        notice = read_notice(last_line(text))
        body = text[: _end_of(text, last_line(text))] if notice else text
        if notice and notice.last < notice.total:
            rebuilt.append(body)
            check(notice.offset > offset, f"a reader of {call} is led back to offset={notice.offset}", call)
            offset = notice.offset
            continue
        whole, before = script.text, "".join(rebuilt)
        line = last_line(text)
        marked = text[: _end_of(text, line)] if line.startswith("[") and line.endswith("]") else body
        ends = {before + end for end in (body, body.removesuffix("\n"), marked, marked.removesuffix("\n"))}
        if whole not in ends:
            good = agreement(before + body, whole)
            number = whole.count("\n", 0, good) + 1
            fail(f"{reader} stops at {call} with another file: it differs from line {number} on", call)
        return
    fail(f"a reader who believes the last line of each page never ends: a file of {total} lines")


@law(
    "READ-13", tier=PRINCIPLE, needs=("read",), source="lesson 6, lines of the file",
    draws=pagings(endings="rare"), after=("CUT-05", "READ-01"),
    hint="Form feed, U+2028: whatever ends a line must do so in offset, limit, budget and notice alike.",
    examples=(Paging("1\x0c2\n3\n", "a.txt", 1, 200), Paging("1\u20282\n3\n", "a.txt", 9, 200, 2, (1,))),
)  # fmt: skip
def one_line_model_throughout(script: Paging, harness: Harness) -> None:
    """Notice, offset, limit and budget count rare line separators alike.

    Catches one part that splits at line feeds and another that splits at everything.
    """
    all_lines, desk = file_lines(script, harness), desk_of(script, harness)
    if giants(script, all_lines, harness) or script.start > len(all_lines):
        return
    for limit in dict.fromkeys((*script.limits, 1, None)):
        page = page_at(script, harness, desk, all_lines, script.start, limit)
        rest = all_lines[script.start - 1 :]
        number, total = shown_lines(page, rest), len(all_lines)
        fits = lines.fitting(rest, script.max_lines or 2000, script.max_bytes or 50_000, free(harness))
        wanted = fits if limit is None else min(limit, fits)
        equal(number, wanted, f"the number of lines that {page.call} shows of {total}")
        last = script.start + number - 1
        if page.notice:
            equal(page.notice, Notice(script.start, last, total, last + 1), f"the notice of {page.call}")
        else:
            equal(page.next, last + 1 if last < total else None, f"the offset that {page.call} offers")


@law(
    "READ-14", tier=COURSE, needs=("read",), source="lesson 4, read looks at the file",
    draws=rereading_desks(),
    hint="read opens the file each time it is called, and changes nothing.",
    examples=(Desk({"a.txt": "1\n"}, {}, (_READ, Edit("a.txt", "2\n"), _READ)),),
)  # fmt: skip
def reading_changes_nothing_and_sees_changes(script: Desk, harness: Harness) -> None:
    """Reading changes no file; a page read again is the same, unless the file was written in between.

    Catches caches that outlive a write, positions that are remembered, and files written by a read.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    seen: dict[str, Any] = {}
    stale: dict[str, Any] = {}
    faithful = True  # all pages so far were the very text of the file; if not, that is no concern here
    for number, step in enumerate(script.steps, 1):
        if isinstance(step, Edit) or step.tool == "write":
            _put(desk, step, "write" in harness.capabilities)
            stale, seen = seen, {}
            continue
        before, writes = dict(desk.place.files), len(desk.place.writes)
        result = desk.use("read", dict(step.arguments))
        text = result.content
        call = f"step {number}, read({', '.join(f'{k}={v!r}' for k, v in step.arguments.items())}),"
        same = desk.place.files == before and len(desk.place.writes) == writes
        check(same, f"{call} wrote to a file: {shown(desk.place.writes[writes:] or desk.place.files)}")
        key, now = repr(sorted(step.arguments.items())), before[step.arguments["path"]]
        check(
            text == seen.setdefault(key, text),
            f"{call} is {shown(text)}, but was {shown(seen[key])} when nothing was written",
        )
        if set(step.arguments) == {"path"} and text != now and not is_error(result):
            old = f"{call} still shows {shown(text, 50)}, but the file now holds {shown(now, 50)}"
            check(not (key in stale and ((faithful and now) or text == stale[key])), old)
            faithful = False


def _put(desk: OpenDesk, step: Use | Edit, has_tool: bool) -> None:
    """Write a file, by the harness's tool or from outside; that the tool writes is WRITE-01's concern."""
    if isinstance(step, Edit):
        desk.place.put(step.path, step.text)
        return
    if has_tool:
        desk.use("write", dict(step.arguments))
    path, text = step.arguments["path"], step.arguments["content"]
    if desk.place.files.get(path) != text:
        desk.place.put(path, text)
