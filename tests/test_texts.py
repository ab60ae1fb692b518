"""The strategies for texts and budgets: what they reach, and what they shrink to."""

from __future__ import annotations

import pytest

from strategies import lines, texts
from strategies.notices import read_notice
from strategies.script import Cut
from strategies.texts import cuts, default_cuts, text_files
from tests.drawing import drawn, minimal

DRAWS = 400


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


def test_nothing_of_the_tables_is_left_out():
    assert set(texts.FORMS) == {"plain", "rare", "any"}
