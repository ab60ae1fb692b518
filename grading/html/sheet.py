"""The file page: a script's text line by line, with lines drawn where it is cut.

Two kinds of cut: where the budget ends by the suite's own count, and what the trace shows that
the harness did. A sheet is a plain JSON object: `title`, `rows` (line number, text, line ending,
bytes, bytes so far) and `cuts` (after which line, its words, its kind).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grading.html.clean import one_line
from strategies import lines
from strategies.script import Conversation, Cut, Desk, Own, Paging, Relabelled, Use

MAX_LINES, MAX_BYTES = 2000, 50_000  # the course's budgets where a script leaves them open
AROUND, SHEETS, WIDTH, ROWS = 3, 3, 160, 60
_ENDINGS = {"\n": "\\n", "\r": "\\r", "\r\n": "\\r\\n"}
_NOTICE = re.compile(
    r"\[Showing lines (\d{1,9})-(\d{1,9}) of (\d{1,9})\. Use offset=(\d{1,9}) to continue\.\]"
)

Sheet = dict[str, Any]
Mark = tuple[int, str, str]  # after this line, words, kind


def sheets(script: Any, trace: Sequence[str], policies: Mapping[str, str]) -> list[Sheet]:
    """The texts that a script cuts or reads, each as a sheet; none for other scripts."""
    if isinstance(script, Relabelled):
        script = script.conversation
    if isinstance(script, Cut):
        model = policies.get("lines", "universal")
        split = lines.split(script.text, _known(model))
        budget = _budget(script.max_lines, script.max_bytes)
        return [_sheet("the text that is cut", split, _cut_marks(script, split, budget, trace))]
    model = _known(policies.get("read-lines", "universal"))
    if isinstance(script, Paging):
        split = lines.split(script.text, model)
        budget = _budget(script.max_lines, script.max_bytes)
        marks = _page_marks(script.path, split, budget, trace, script.start)
        return [_sheet(f"the file {script.path}", split, marks)]
    found: list[Sheet] = []
    if isinstance(script, Desk):
        budget = _budget(script.max_lines, script.max_bytes)
        used = [s for s in script.steps if isinstance(s, Use) and isinstance(s.arguments, dict)]
        paths = [str(s.arguments.get("path")) for s in used if s.tool == "read"]
        found = _files({p: t for p, t in script.files.items() if p in paths}, model, budget, trace)
        model = _known(policies.get("bash-lines", "universal"))
        asked = {str(s.arguments.get("command")) for s in used}
        ran = {command: r.output for command, r in script.commands.items() if command in asked}
        found += [_output(command, lines.split(text, model), budget) for command, text in ran.items()]
    elif isinstance(script, Conversation):
        own = next((t for t in script.tools if isinstance(t, Own) and t.name == "read"), None)
        if own is not None:
            found = _files(script.files, model, _budget(own.max_lines, own.max_bytes), trace)
    return found[:SHEETS]


def _known(model: str) -> str:
    return model if model in lines.MODELS else "universal"


def _budget(max_lines: Any, max_bytes: Any) -> tuple[int, int]:
    return (max_lines if isinstance(max_lines, int) else MAX_LINES,
            max_bytes if isinstance(max_bytes, int) else MAX_BYTES)  # fmt: skip


def _files(
    files: Mapping[str, str], model: str, budget: tuple[int, int], trace: Sequence[str]
) -> list[Sheet]:
    texts = {path: lines.split(text, model) for path, text in files.items() if isinstance(text, str)}
    return [_sheet(f"the file {p}", s, _page_marks(p, s, budget, trace, 1)) for p, s in texts.items()]


def _output(command: str, split: list[str], budget: tuple[int, int]) -> Sheet:
    """What a command prints: its end is kept."""
    fits = lines.fitting(split[::-1], *budget)
    marks = [(len(split) - fits, _words("from the end", fits, len(split), budget), "fits")]
    return _sheet(f"the output of {command}", split, marks if fits < len(split) else [])


# ---- where it is cut ----------------------------------------------------------------------


def _words(which: str, fits: int, of: int, budget: tuple[int, int]) -> str:
    verb = "fits" if fits == 1 else "fit"
    return f"{which}, {fits} of {of} lines {verb} max_lines={budget[0]}, max_bytes={budget[1]}"


def _cut_marks(script: Cut, split: list[str], budget: tuple[int, int], trace: Sequence[str]) -> list[Mark]:
    found: list[Mark] = []
    for end in ("head", "tail"):
        said = next((line for line in trace if line.startswith(f"truncate_{end}(")), None)
        if said is None:
            continue
        fits = lines.fitting(split if end == "head" else split[::-1], *budget)
        at = fits if end == "head" else len(split) - fits
        which = "from the head" if end == "head" else "from the tail"
        found.append((at, _words(which, fits, len(split), budget), "fits"))
        found += _kept(end, said, script.text, split)
    return found


def _kept(end: str, said: str, text: str, split: list[str]) -> list[Mark]:
    """Where the harness cut, if the trace still holds all that it kept."""
    try:
        back = ast.literal_eval(said.rpartition(" -> ")[2])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    if not (isinstance(back, (tuple, list)) and len(back) == 2 and isinstance(back[0], str)):
        return []
    kept = back[0]
    size = f"{lines.size(kept)} bytes, and says that is {one_line(repr(back[1]), 30)} lines"
    if not (text.startswith(kept) if end == "head" else text.endswith(kept)):
        return [(len(split), f"truncate_{end} gave back {size}; it is not the {end} of this text", "kept")]
    ends = [0]
    for line in split:
        ends.append(ends[-1] + len(line))
    place = len(kept) if end == "head" else len(text) - len(kept)
    if place in ends:
        return [(ends.index(place), f"truncate_{end} cut here: it kept {size}", "kept")]
    inside = next(i for i, at in enumerate(ends) if at > place)
    return [(inside, f"truncate_{end} cut inside line {inside}: it kept {size}", "kept")]


def _page_marks(
    path: str, split: list[str], budget: tuple[int, int], trace: Sequence[str], start: int
) -> list[Mark]:
    """For each read of this file: where the page begins, how much fits, what its notice says."""
    found: list[Mark] = []
    for line in trace:
        call, _, back = line.partition(" -> ")
        if not call.startswith("read {") or repr(path) not in call:
            continue
        asked = {k: int(v) for k, v in re.findall(r"'(offset|limit)': (\d{1,9})\b", call)}
        offset = max(1, asked.get("offset", 1))
        if offset > 1 or start > 1:
            found.append((min(offset - 1, len(split)), f"read(offset={offset}) begins here", "page"))
        if back.startswith("error ") or offset > len(split):
            continue
        rest = split[offset - 1 :]
        most = (min(budget[0], asked.get("limit", budget[0])), budget[1])
        fits = lines.fitting(rest, *most)
        if fits < len(rest):
            words = _words(f"from line {offset} on", fits, len(rest), most)
            found.append((offset - 1 + fits, words, "fits"))
        notice = _NOTICE.search(back)
        if notice:
            last = int(notice[2])
            words = f"the notice says: lines {notice[1]}-{last} of {notice[3]}, go on at {notice[4]}"
            found.append((min(last, len(split)), words, "kept"))
    return list(dict.fromkeys(found))


# ---- the rows -----------------------------------------------------------------------------


def _sheet(title: str, split: Sequence[str], marks: Iterable[Mark]) -> Sheet:
    """The lines round the cuts, at both ends, and how many stand between; bytes counted along."""
    cuts = sorted(marks, key=lambda mark: mark[0])[:20]
    near = {i for at, _, _ in cuts for i in range(at - AROUND, at + AROUND)}
    wanted = {i for i in (*range(6), *range(len(split) - 3, len(split)), *near) if 0 <= i < len(split)}
    rows: list[list[Any]] = []
    total, last = 0, -1
    for index, line in enumerate(split):
        size = lines.size(line)
        total += size
        if index in wanted and len(rows) < ROWS:
            body = line.rstrip("\r\n") if line.endswith(("\n", "\r")) else line
            ending = _ENDINGS.get(line[len(body) :], "")
            rows.append([index + 1, one_line(body, WIDTH), ending, size, total, index - last - 1])
            last = index
    return {
        "title": one_line(title, 120), "rows": rows, "left": len(split) - last - 1,
        "cuts": [[at, words, kind] for at, words, kind in cuts], "lines": len(split), "bytes": total,
    }  # fmt: skip
