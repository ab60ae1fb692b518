"""The strategies for texts, budgets, offsets and limits: what they reach, and what they shrink to."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings

from adapters.contract import HarnessFault, ToolResult
from adapters.desk import Place
from properties import cut, read_edges, read_pages, read_reader, registry
from properties.checks import Violation
from strategies import lines, texts
from strategies.notices import read_notice
from strategies.readings import (
    missing_file_desks,
    needle_conversations,
    pagings,
    pagings_below_one,
    pagings_past_the_end,
    rereading_desks,
    the_empty_desk,
)  # fmt: skip
from strategies.script import Cut, Desk, Paging
from strategies.texts import cuts, default_cuts, text_files

DRAWS = 250
CHAPTERS = (cut, read_edges, read_pages, read_reader)  # imported, so that their laws are registered
QUIET = {"database": None, "deadline": None}


def drawn(strategy, count=DRAWS):
    """That many values of the strategy, always the same ones."""
    values = []

    @seed(7)
    @settings(max_examples=count, phases=[Phase.generate], suppress_health_check=list(HealthCheck), **QUIET)
    @given(strategy)
    def collect(value):
        values.append(value)

    collect()
    return values


def minimal(strategy, condition=lambda value: True):
    """The smallest value for which the condition holds."""
    return find(strategy, condition, settings=settings(max_examples=500, **QUIET))


def split(text):
    return text.splitlines(keepends=True)


# ---- texts --------------------------------------------------------------------------------

KINDS = {
    "empty": lambda t: t == "",
    "one line": lambda t: len(split(t)) == 1,
    "LF": lambda t: "\n" in t and "\r" not in t,
    "CRLF": lambda t: "\r\n" in t,
    "LF and CRLF": lambda t: "\r\n" in t and "\n" in t.replace("\r\n", ""),
    "lone CR": lambda t: "\r" in t.replace("\r\n", ""),
    "no ending at the end": lambda t: t and not t.endswith(("\n", "\r")),
    "no ending at the end of CRLF lines": lambda t: "\r\n" in t and not t.endswith("\n"),
    "blank line first": lambda t: t.startswith("\n"),
    "blank line last": lambda t: t.endswith("\n\n"),
    "blank lines in a row": lambda t: "\n\n\n" in t,
    "line of blanks": lambda t: "  \n" in t,
    "tab": lambda t: "\t" in t,
    "blanks at the end": lambda t: " \t\n" in t,
    "form feed": lambda t: "\x0c" in t,
    "vertical tab": lambda t: "\x0b" in t,
    "FS to RS": lambda t: all(c in t for c in "\x1c\x1d\x1e"),
    "NEL": lambda t: "\x85" in t,
    "U+2028": lambda t: "\u2028" in t,
    "U+2029": lambda t: "\u2029" in t,
    "BOM first": lambda t: t.startswith("\ufeff"),
    "BOM elsewhere": lambda t: "\ufeff" in t[1:],
    "NUL": lambda t: "\x00" in t,
    "ANSI": lambda t: "\x1b[31m" in t,
    "two bytes": lambda t: "é" in t,
    "three bytes": lambda t: "日" in t,
    "four bytes": lambda t: "🙂" in t,
    "combining mark": lambda t: "e\u0301" in t,
    "joined emoji": lambda t: "\u200d" in t,
    "long line": lambda t: any(len(line) > 50 for line in split(t)),
    "more than ten lines": lambda t: len(split(t)) > 10,
    "hundreds of lines": lambda t: 100 < len(split(t)) < 1000,
    "thousands of lines": lambda t: len(split(t)) > 1000,
}  # fmt: skip


@pytest.fixture(scope="module")
def files():
    return drawn(text_files(), 800)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_text_is_reached(files, kind):
    assert any(map(KINDS[kind], files))


def test_a_text_shrinks_to_nothing_or_to_one_line():
    assert minimal(text_files()) == ""
    assert minimal(text_files(empty=False)) == "1\n"
    assert minimal(text_files(), lambda t: len(split(t)) > 2) == "1\n2\n3\n"


def test_plain_texts_end_their_lines_with_lf_or_crlf():
    for text in drawn(text_files(endings="plain")):
        assert split(text) == lines.split(text, "cr") == lines.split(text, "lf")


def test_surrogates_and_imitations_come_only_where_asked():
    for text in drawn(text_files()):
        text.encode()
        assert not any("[" in line and "offset=" in line for line in split(text))
    assert any("\ud800" in t for t in drawn(text_files(surrogates=True)))


def test_imitations_stand_inside_or_anywhere():
    def last(text):
        return read_notice(text.splitlines()[-1]) if text else None

    inside = drawn(text_files(imitations=True, inside=True))
    assert any("offset=" in t for t in inside)
    assert not any(map(last, inside))
    assert any(last(t) and not t.endswith("\n") for t in drawn(text_files(imitations=True)))


def test_lines_are_told_apart():
    tells = [t for t in drawn(text_files(endings="plain")) if len(set(split(t))) > 2]
    assert len(tells) > DRAWS / 2


# ---- cuts ---------------------------------------------------------------------------------


def bound_by(script):
    """Which budgets a head cut of this script runs into."""
    sizes = [lines.size(line) for line in split(script.text)]
    kept = lines.fitting(split(script.text), script.max_lines, script.max_bytes)
    if kept == len(sizes):
        return "none"
    by_lines, by_bytes = kept == script.max_lines, sum(sizes[: kept + 1]) > script.max_bytes
    return "both" if by_lines and by_bytes else "lines" if by_lines else "bytes"


def test_most_cuts_cross_a_budget_and_which_one_varies():
    bounds = [bound_by(script) for script in drawn(cuts())]
    assert bounds.count("none") < 0.45 * DRAWS
    for kind in ("lines", "bytes", "both"):
        assert bounds.count(kind) > 0.05 * DRAWS, kind


@pytest.mark.parametrize("step", [-1, 0, 1])
def test_byte_budgets_fall_on_and_beside_the_edges(step):
    def on_edge(script):
        head, edges = 0, set()
        for line in split(script.text):
            head += lines.size(line)
            edges.add(head + step)
        return script.max_bytes in edges

    assert sum(map(on_edge, drawn(cuts()))) > 0.04 * DRAWS


@pytest.mark.parametrize("step", [-1, 0, 1])
def test_a_line_is_just_under_on_and_over_the_byte_budget(step):
    def just(script):
        return any(lines.size(line) == script.max_bytes + step for line in split(script.text))

    scripts = drawn(cuts()) + drawn(cuts(kind="giant")) + drawn(cuts(kind="fits"))
    assert sum(map(just, scripts)) > 0.01 * DRAWS


def test_what_fits_often_just_fits():
    scripts = [s for s in drawn(cuts(kind="fits")) if s.text]
    assert all(bound_by(s) == "none" for s in scripts)
    assert sum(lines.size(s.text) == s.max_bytes for s in scripts) > 0.3 * DRAWS
    assert sum(len(split(s.text)) == s.max_lines for s in scripts) > 0.3 * DRAWS


def test_default_cuts_cross_both_defaults():
    sizes = {(len(split(s.text)), lines.size(s.text)) for s in drawn(default_cuts())}
    assert {n for n, _ in sizes} >= {1999, 2000, 2001}
    assert {size for _, size in sizes} >= {49_999, 50_000, 50_001, 51_200}
    assert minimal(default_cuts()) == Cut("x\n" * 2000, None, None)


def test_a_cut_shrinks_to_an_empty_text_and_a_budget_of_one():
    smallest = minimal(cuts())
    assert smallest.text == ""
    assert min(smallest.max_lines, smallest.max_bytes) == 1


# ---- pages --------------------------------------------------------------------------------

GIANTS = {
    "first": lambda at, n: at == 1 < n, "middle": lambda at, n: 1 < at < n,
    "last": lambda at, n: at == n > 1, "only": lambda at, n: at == n == 1,
}  # fmt: skip


@pytest.mark.parametrize("place", GIANTS)
def test_a_giant_stands_anywhere(place):
    def there(script):
        sizes = [lines.size(line) for line in split(script.text)]
        return sizes[script.start - 1] > script.max_bytes and GIANTS[place](script.start, len(sizes))

    assert any(map(there, drawn(pagings(kind="giant", room=None, start_at_giant=True))))


def test_room_leaves_no_line_over_the_budget():
    for script in drawn(pagings(room=1)):
        assert max(map(lines.size, split(script.text))) < script.max_bytes


STARTS = {
    "first": lambda s, n: s == 1, "middle": lambda s, n: 1 < s < n, "last": lambda s, n: s == n > 1,
    "in the thousands": lambda s, n: s > 1000,
}  # fmt: skip
LIMITS = {
    "none": lambda s, rest: None in s.limits, "1": lambda s, rest: 1 in s.limits,
    "the rest": lambda s, rest: rest in s.limits, "one less": lambda s, rest: rest - 1 in s.limits,
    "one more": lambda s, rest: rest + 1 in s.limits, "changing": lambda s, rest: len(s.limits) > 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def paging_scripts():
    return drawn(pagings(), 500)


@pytest.mark.parametrize("start", STARTS)
def test_reading_starts_anywhere(paging_scripts, start):
    assert any(STARTS[start](s.start, len(split(s.text))) for s in paging_scripts)


@pytest.mark.parametrize("limit", LIMITS)
def test_each_kind_of_limit_is_reached(paging_scripts, limit):
    assert any(LIMITS[limit](s, len(split(s.text)) + 1 - s.start) for s in paging_scripts)


def test_pages_stay_few(paging_scripts):
    for script in paging_scripts:
        rest = split(script.text)[script.start - 1 :]
        fits = lines.fitting(rest, script.max_lines, script.max_bytes)
        shortest = min([fits, *(limit for limit in script.limits if limit)])
        assert len(rest) / shortest <= 60


def test_a_page_break_falls_into_crlf_lines(paging_scripts):
    assert any("\r\n" in s.text and s.max_lines < len(split(s.text)) for s in paging_scripts)


def test_pages_shrink_to_one_line_read_from_the_start():
    smallest = minimal(pagings())
    assert (smallest.text, smallest.start, smallest.limits) == ("1\n", 1, (None,))
    assert minimal(pagings_past_the_end()) == Paging("", "a.txt", 1, 1_000_000)
    assert minimal(pagings_below_one()).start == 0
    assert minimal(missing_file_desks()).files == {}


def test_offsets_and_limits_lie_outside_too():
    past = {s.start - len(split(s.text)) for s in drawn(pagings_past_the_end())}
    assert past >= {0, 1, 2, 1000, 100_000}
    below = drawn(pagings_below_one())
    assert {s.start for s in below} >= {0, -1, 1, 2}
    assert {s.limits[0] for s in below} >= {0, -1, None}


def test_odd_paths_and_both_ways_of_writing_are_reached():
    desks = drawn(rereading_desks())
    paths = {step.arguments["path"] for desk in desks for step in desk.steps if hasattr(step, "arguments")}
    assert paths >= {"a.txt", "A.TXT", "My Notes.txt", "a b/c d.txt", "日誌.log", " a.txt"}
    assert {type(step).__name__ for desk in desks for step in desk.steps} == {"Use", "Edit"}


def test_the_needle_is_there_or_not_and_fits():
    scripts = drawn(needle_conversations())
    there = [s for s in scripts if "needle" in s.files["big.log"]]
    assert 0.7 * DRAWS < len(there) < DRAWS
    assert all(s.tools[0].max_bytes > len("needle\n") for s in there)
    assert any(s.files["big.log"].endswith("needle") for s in there)


STRATEGIES = {
    "texts": text_files(), "cuts": cuts(), "pagings": pagings(), "giants": pagings(kind="brim", room=None),
    "needles": needle_conversations(), "desks": rereading_desks(),
}  # fmt: skip


@pytest.mark.parametrize("name", STRATEGIES)
def test_hardly_a_draw_is_thrown_away(name):
    assert len(drawn(STRATEGIES[name], 100)) >= 90


# ---- the judges that use them -------------------------------------------------------------


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


def test_nothing_of_the_tables_is_left_out():
    assert set(texts.FORMS) == {"plain", "rare", "any"}
    assert Desk() in drawn(the_empty_desk(), 1)
