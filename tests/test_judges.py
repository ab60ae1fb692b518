"""The judges of texts and pages: small counterexamples, and nothing that comes back breaks them."""

from __future__ import annotations

import contextlib

import pytest

from adapters.contract import HarnessFault, ToolResult
from adapters.desk import Place
from properties import cut, read_edges, read_pages, read_reader, registry
from properties.checks import Violation
from strategies import lines
from strategies.texts import cuts
from tests.drawing import drawn, minimal

CHAPTERS = (cut, read_edges, read_pages, read_reader)  # imported, so that their laws are registered


def split(text):
    return text.splitlines(keepends=True)


POLICIES = {"lines": "universal", "read-lines": "universal", "notice": "course"}


class Cutter:
    """A harness that can only cut, in the way it is given."""

    def __init__(self, cut):
        self.cut, self.policies = cut, POLICIES


def fails(judge, harness):
    def violated(script):
        try:
            judge(script, harness)
        except Violation:
            return True
        return False

    return violated


def one_line_too_many(end, text, max_lines, max_bytes):
    return getattr(lines, end)(text, max_lines + 1, max_bytes)


def never_quite_full(end, text, max_lines, max_bytes):
    return getattr(lines, end)(text, max_lines, max_bytes - 1)


def counts_characters(end, text, max_lines, max_bytes):
    kept = [line for line in split(text) if max_bytes >= len(line)][:max_lines]
    return "".join(kept) if end == "head" else "", len(kept)


@pytest.mark.parametrize(
    ("judge", "way", "most"),
    [
        (cut.keeps_within_both_budgets, one_line_too_many, 2),
        (cut.keeps_all_that_fits, never_quite_full, 1),
        (cut.keeps_within_both_budgets, counts_characters, 2),
    ],
)
def test_counterexamples_are_small(judge, way, most):
    script = minimal(cuts(), fails(judge, Cutter(way)))
    assert len(split(script.text)) <= most
    assert len(script.text) <= 8


GARBAGE = [
    None,
    7,
    True,
    "1\n",
    b"1\n",
    (),
    ("1\n",),
    (None, None),
    ("1\n", "1"),
    (1, 1),
    [1, 2, 3],
    {},
    int,
]


class Babbler:
    """A harness that gives back one and the same thing whatever it is asked."""

    capabilities = frozenset({"read", "write", "bash", "truncate", "bytes"})

    def __init__(self, back):
        self.back, self.specs, self.policies = back, back, POLICIES

    def cut(self, *_):
        return self.back

    def desk(self, files, commands, *_):
        self.place = Place(dict(files), dict(commands))
        return self

    def use(self, *_):
        return ToolResult(self.back, self.back, {}, {})


@pytest.mark.parametrize("back", GARBAGE, ids=repr)
def test_whatever_comes_back_is_judged(back):
    for known in registry.REGISTRY.values():
        if known.chapter in ("CUT", "READ") and "loop" not in known.needs:
            for stage in known.stages:
                for script in (*stage.examples, *drawn(stage.draws, 4)):
                    with contextlib.suppress(Violation, HarnessFault):
                        stage.judge(script, Babbler(back))


def test_every_example_is_of_the_kind_that_is_drawn():
    for known in registry.REGISTRY.values():
        if known.chapter in ("CUT", "READ"):
            for stage in known.stages:
                kinds = {type(value) for value in drawn(stage.draws, 20)}
                assert {type(e) for e in stage.examples} <= kinds, known.id
