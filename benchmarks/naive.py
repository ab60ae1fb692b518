"""Strategies as somebody writes them who has just read Hypothesis' tutorial: the baseline.

Lists of `builds` with independent fields, `st.text` wherever there is text, small default sizes.
What they draw is well-formed, and little else was thought about.
"""

from __future__ import annotations

import copy
import time
from functools import cache
from typing import Any

from hypothesis import strategies as st

from grading.engine import draw
from properties.registry import Stage
from strategies.script import (
    Call,
    Conversation,
    Cut,
    Desk,
    Own,
    Paging,
    Pair,
    Prompt,
    Raises,
    Ran,
    Relabelled,
    Reply,
    Returns,
    Say,
    Tool,
    Use,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
BEHAVIOURS = st.builds(Returns, st.text()) | st.builds(Raises, st.just("ValueError"), st.text())
CALLS = st.builds(
    Call, st.text(), st.sampled_from(["echo", "add", "fail"]), st.dictionaries(st.text(), JSON), BEHAVIOURS
)
LABELS = st.text() | st.sampled_from(["stop", "toolUse", "length"])
REPLIES = st.builds(Reply, st.lists(st.builds(Say, st.text()) | CALLS).map(tuple), LABELS)
TOOLS = (Tool("echo"), Tool("add"), Tool("fail"))


def _ending(replies: list[Reply]) -> tuple[Reply, ...]:
    """The replies that a loop would ask for, and a last one without calls."""
    return (*(reply for reply in replies if reply.calls), Reply((Say("done"),)))


PROMPTS = st.builds(Prompt, st.text(), st.lists(REPLIES).map(_ending))
CONVERSATIONS = st.builds(Conversation, st.lists(PROMPTS, min_size=1, max_size=2).map(tuple), st.just(TOOLS))
LIMITED = st.builds(
    Conversation,
    st.builds(Prompt, st.text(), st.lists(REPLIES).map(_ending), st.integers(1, 10)).map(lambda p: (p,)),
    st.just(TOOLS),
)
SIZES = st.integers(1, 100)
CUTS = st.builds(Cut, st.text(), SIZES, SIZES)
LIMITS = st.none() | st.integers(1, 20)
PAGINGS = st.builds(Paging, st.text(), st.just("a.txt"), SIZES, SIZES, st.just(1), LIMITS.map(lambda n: (n,)))
PATHS = st.sampled_from(["a.txt", "b.txt", "missing.txt"])
FILES = st.dictionaries(st.sampled_from(["a.txt", "b.txt"]), st.text(), min_size=1)
COMMANDS = st.fixed_dictionaries({"run": st.builds(Ran, st.text(), st.integers(0, 255))})
NUMBERS = st.none() | st.integers(1, 20)
READS = st.builds(
    lambda path, offset, limit: Use("read", {"path": path, "offset": offset, "limit": limit}),
    PATHS, NUMBERS, NUMBERS,
)  # fmt: skip
WRITES = st.builds(lambda path, text: Use("write", {"path": path, "content": text}), PATHS, st.text())
RUNS = st.builds(lambda command: Use("bash", {"command": command}), st.just("run"))
USES = READS | WRITES | RUNS


def _desks(uses: Any) -> Any:
    steps = st.lists(uses, min_size=1).map(tuple)
    return st.builds(Desk, FILES, COMMANDS, steps, st.none() | SIZES, st.none() | SIZES)


OWN = st.builds(
    lambda files, uses: Conversation(
        (Prompt("go", (*(Reply((Call(f"c{n}", u.tool, u.arguments),), "toolUse") for n, u in enumerate(uses)),
                       Reply((Say("done"),)))),),
        (Own("read"), Own("write"), Own("bash")), files=files, commands={"run": Ran("ok\n")},
    ),
    FILES, st.lists(USES, min_size=1),
)  # fmt: skip

KINDS: dict[str, Any] = {
    "Conversation": CONVERSATIONS, "limited": LIMITED, "own": OWN, "Cut": CUTS, "Paging": PAGINGS,
    "Desk": _desks(USES), "READ": _desks(READS), "WRITE": _desks(WRITES), "BASH": _desks(RUNS),
    "Pair": st.builds(Pair, CONVERSATIONS, CONVERSATIONS),
    "Relabelled": st.builds(Relabelled, CONVERSATIONS, st.lists(LABELS, min_size=1).map(tuple)),
}  # fmt: skip


@st.composite
def copied(draw_: Any, draws: Any) -> Any:
    """The same draws, of which Hypothesis knows no origin: it takes minutes to print nested `builds`."""
    return copy.deepcopy(draw_(draws))


def kind_of(id_: str, stage: Stage) -> str:
    """Which naive strategy draws the scripts of this stage; "" where the kind of script has none."""
    seen: list[Any] = []
    draw(seen.append, stage.draws, 1, "kind")
    script = seen[0]
    if isinstance(script, Conversation) and id_.startswith("LIMIT"):
        return "limited"
    if isinstance(script, Conversation) and any(isinstance(tool, Own) for tool in script.tools):
        return "own"
    kind = type(script).__name__
    chapter = id_.partition("-")[0]
    if kind == "Desk" and chapter in KINDS:  # one tool at a time
        return chapter
    return kind if kind in KINDS else ""


@cache
def drawn(kind: str, most: int, seed: int) -> tuple[tuple[Any, float], ...]:
    """The scripts of a naive strategy, each with the CPU seconds that it took to draw all up to it.

    They do not depend on the harness, so they are drawn once for all bugs of a kind.
    """
    started, scripts = time.process_time(), []

    def body(script: Any) -> None:
        scripts.append((script, time.process_time() - started))

    draw(body, copied(KINDS[kind]), most, f"{seed}:naive:{kind}", shrink=False)
    return tuple(scripts)
