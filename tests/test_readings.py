"""The strategies for reading files: offsets, limits, giants and needles are reached, nothing is wasted."""

from __future__ import annotations

import pytest

from strategies import lines
from strategies.readings import (
    missing_file_desks,
    needle_conversations,
    pagings,
    pagings_below_one,
    pagings_past_the_end,
    rereading_desks,
    the_empty_desk,
)  # fmt: skip
from strategies.script import Desk, Paging
from strategies.texts import cuts, text_files
from tests.drawing import drawn, minimal

DRAWS = 400


def split(text):
    return text.splitlines(keepends=True)


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


def test_the_empty_desk_is_empty():
    assert drawn(the_empty_desk(), 1) == [Desk()]
