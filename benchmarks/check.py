"""What a check costs, in CPU seconds: `python benchmarks/check.py [SOUND.py [BROKEN.py]]`.

Prints four things, each next to the figure it is held to: a check of a correct student file and
of a failing one at 100 examples; drawing and judging against a bare Hypothesis baseline, per
chapter; the process boundary against a run in this process; and the largest process. Figures are
medians of paired runs; on a shared machine look at the ratios.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.internal.conjecture.data import ConjectureData

from adapters.contract import About
from adapters.course import course
from adapters.local import Local
from adapters.reference import load as load_reference
from adapters.shape import CourseShape
from grading.engine import draw, examine
from grading.run import Target, check
from grading.verdicts import Options
from properties.registry import COURSE, load
from strategies.conversations import repeated

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "examples" / "student_harness.py"
EXAMPLES, PAIRS = 100, 3


def cpu() -> float:
    """CPU seconds of this process and of all that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def cost(body: Callable[[], Any]) -> float:
    """CPU seconds that the body takes."""
    started = cpu()
    body()
    return cpu() - started


def sound_copy() -> Path:
    """The shipped sample without its bug."""
    text = SAMPLE.read_text().replace("size += len(line)\n", "size += len(line.encode())\n")
    path = Path(tempfile.mkdtemp()) / "harness.py"
    path.write_text(text)
    return path


def whole_checks(sound: Path, broken: Path) -> None:
    """The two figures a teacher feels."""
    for name, path, limit in (("correct file", sound, 40), ("failing file", broken, 80)):
        spent = cost(lambda path=path: check(Target(str(path)), Options(tier=COURSE, examples=EXAMPLES)))
        print(f"{name:<28}{spent:8.1f} CPU s   (at most {limit})")
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"{'largest process':<28}{peak / 1024:8.0f} MB      (under 300)")


def leaves(draws: Any) -> int:
    """The median number of leaf draws of a strategy, over fifty examples."""
    counts: list[int] = []

    def body(script: object) -> None:
        del script

    original = ConjectureData.freeze

    def counted(self: ConjectureData) -> None:
        if not self.frozen:
            counts.append(len(self.nodes))
        original(self)

    ConjectureData.freeze = counted  # type: ignore[method-assign]
    try:
        draw(body, draws, 50, "leaves")
    finally:
        ConjectureData.freeze = original  # type: ignore[method-assign]
    return max(1, round(statistics.median(counts)))


def chapters() -> None:
    """Drawing and judging in this process, against as many draws of a byte with an empty body."""
    by_chapter: dict[str, list[Any]] = defaultdict(list)
    for prop in load().values():
        if prop.tier is COURSE:
            by_chapter[prop.chapter].append(prop)
    harness = CourseShape(Local(load_reference), About("harness_ref"))
    for chapter, props in by_chapter.items():
        size = round(statistics.median(leaves(p.stages[0].draws) for p in props))
        plain = st.lists(st.integers(0, 255), min_size=size, max_size=size)
        ratios = []
        for _ in range(PAIRS):
            ours = statistics.median(cost(lambda p=p: _drawn_and_judged(p, harness)) for p in props)
            base = cost(lambda plain=plain: draw(lambda _: None, plain, EXAMPLES, "baseline"))
            ratios.append(ours / base)
        ratio = statistics.median(ratios)
        print(f"{chapter:<10}{size:4d} leaf draws   {ratio:6.2f} times the baseline   (at most 3)")


def _drawn_and_judged(prop: Any, harness: CourseShape) -> None:
    stage = prop.stages[0]
    draw(lambda script: stage.judge(script, harness), stage.draws, EXAMPLES, f"0:{prop.id}:0")


def boundary(sound: Path) -> None:
    """The same property on the same file, in a process of its own and in this one."""

    def module() -> Any:
        import importlib.util

        spec = importlib.util.spec_from_file_location("student", sound)
        assert spec is not None
        assert spec.loader is not None
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        return made

    prop, options = load()["LOOP-05"], Options(tier=COURSE, examples=EXAMPLES)
    outside, inside = course(sound), CourseShape(Local(module), About("student"))
    ratios = []
    for _ in range(PAIRS):
        apart = cost(lambda: (examine(prop, outside, options), outside.close()))
        ratios.append(apart / cost(lambda: examine(prop, inside, options)))
    print(f"{'process boundary':<28}{statistics.median(ratios):8.2f} times    (at most 2)")
    spent = cost(lambda: inside.converse(repeated(1100, glance=True)))
    print(f"{'1,100 turns in process':<28}{spent:8.1f} CPU s")


def main() -> None:
    """Print all figures."""
    given = [Path(a) for a in sys.argv[1:]]
    sound = given[0] if given else sound_copy()
    whole_checks(sound, given[1] if len(given) > 1 else SAMPLE)
    boundary(sound)
    chapters()


if __name__ == "__main__":
    main()
