"""Harnesses that are one loop and declare policies, for tests of what is asked of them."""

from types import SimpleNamespace

from adapters.contract import DEFAULTS, About
from adapters.local import Local
from adapters.reference import load as load_reference
from adapters.shape import CourseShape, Declared
from grading.engine import examine
from grading.verdicts import Options
from properties.registry import FIELD, load

FEW = Options(tier=FIELD, examples=15)
ABLE = frozenset({"loop", "record", "max-turns"})


def harness(run_agent, *, declared: bool = True, **policies: str) -> CourseShape:
    """A harness with this loop, which declares these policies, or none at all."""
    known = {**DEFAULTS, "lesson": "6", **policies}
    about = About("toy")
    module = SimpleNamespace(run_agent=run_agent)
    return CourseShape(Local(lambda: module), about, declared=Declared(ABLE, known) if declared else None)


def reference_loop():
    """The reference's own loop."""
    return load_reference().run_agent


def verdict(id_: str, run_agent, **how):
    """What a property says of this loop."""
    return examine(load()[id_], harness(run_agent, **how), FEW)
