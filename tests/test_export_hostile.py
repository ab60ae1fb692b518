"""What a harness says cannot do anything in what is written about it."""

import json
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from grading.export import gradescope, junit
from grading.export.texts import block, clean, inline, short
from tests.exported import FORMATS, HOSTILE, HOSTILE_PROBLEM, NASTY, judged, result, text
from tests.test_export_formats import RUNNER

OURS = {"p", "pre", "code", "strong"}  # all that our own Markdown asks for
HARMFUL = list(map(chr, [*range(9), 11, 12, *range(14, 32), *range(127, 160), *range(0xD800, 0xE000), 0x202E, 0xFFFE, 0xFFFF]))
anything = st.text(st.characters() | st.sampled_from("<>&`~#*_[]()!\\\n\r\t \x00\x1b\ud800\u2028") | st.sampled_from(HARMFUL), max_size=60)


class Seen(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs


def page(markdown: str) -> Seen:
    """Markdown as a renderer shows it that lets HTML through."""
    return Seen(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown))


def test_the_renderer_would_let_it_through():
    """The check can fail: the same text as it came makes elements of its own."""
    assert page(NASTY).tags > {"script", "img"}


@pytest.mark.parametrize("graded", [HOSTILE, HOSTILE_PROBLEM])
def test_markdown_for_gradescope_is_ours_alone(graded):
    """No element, link or image comes from a harness's words."""
    made = json.loads(gradescope.text(graded))
    for output in [made["output"], *(test["output"] for test in made["tests"])]:
        seen = page(output)
        assert seen.tags <= OURS
        assert not seen.attributes


@given(anything)
@settings(max_examples=300, deadline=None, database=None)
def test_any_text_in_markdown_only_shows(said):
    """A line and a block show any text as text, and the block shows all of it."""
    line, whole = page(f"**Law:** {inline(said)}\n\nAfter."), page(f"Before.\n\n{block(said)}\n\nAfter.")
    assert line.tags <= {"p", "strong"}
    assert whole.tags <= {"p", "pre", "code"}
    assert not line.attributes + whole.attributes


@given(anything)
@settings(max_examples=200, deadline=None, database=None)
def test_any_text_makes_xml_that_can_be_read(said):
    """JUnit XML is well-formed whatever the student is called and whatever the harness says."""
    odd = result(judged("LOOP-01", "fails", message=said), student=said, suite_version=said)
    root = ET.fromstring(junit.text(odd).encode())
    assert len(root.findall("testsuite/testcase")) == 1


@given(anything)
@settings(max_examples=200, deadline=None, database=None)
def test_clean_text_is_harmless_and_stays_so(said):
    """No control character and no lone surrogate is left, and cleaning twice is cleaning once."""
    once = clean(said)
    assert not set(once) & set(HARMFUL)
    assert clean(once) == once
    once.encode()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_free_of_control_characters(name, monkeypatch):
    """The files, and every text in them, hold no escape sequence and nothing that UTF-8 cannot."""
    for key, value in RUNNER.items():
        monkeypatch.setenv(key, value)
    for graded in (HOSTILE, HOSTILE_PROBLEM):
        made = text(name, graded)
        made.encode()
        assert not set(made) & set(HARMFUL)
        if made.startswith("{"):
            assert not set("".join(texts(json.loads(made)))) & set(HARMFUL)


def texts(data):
    """All texts in JSON data, keys included."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from texts(value)


def test_what_is_cut_says_so():
    """A text over its size keeps its beginning and says how much is missing."""
    assert short("a" * 10, 10) == "a" * 10
    assert short("a" * 1510, 10) == "a" * 10 + " … (1,500 more characters)"
