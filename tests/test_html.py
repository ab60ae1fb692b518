"""The class report: what stands in the page, what is left out, and that a text stays a text."""

import base64
import hashlib
import json
import random
import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grading.batch.record import Isolation
from grading.cli import app
from grading.html.clean import MESSAGE, data, number, one_line, visible
from grading.html.page import page
from grading.html.panels import LEFT_OUT, Pool, quoted
from tests.html_class import HOSTILE, SAMPLE, all_failing, copies, data_of, hostile, named

SAMPLE_FILE = Path(__file__).parents[1] / "examples" / "student_harness.py"
VOID = {"meta", "input", "br", "link"}


class Reader(HTMLParser):
    """Collects what a browser would make of a page; fails where elements are not closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.scripts, self.tags, self.attributes = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID and self.open:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_data(self, text):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += text


def test_the_same_results_give_the_same_page_in_any_order():
    """Neither the order of the results nor the moment changes a byte."""
    other = list(SAMPLE)
    random.Random(1).shuffle(other)
    assert page(SAMPLE) == page(other)


def test_the_page_shows_every_student_and_every_property():
    """A row for each, a cell for each verdict, the ungraded ones with the reason."""
    text = page(SAMPLE)
    for result in SAMPLE:
        assert f"<bdi>{result.student}</bdi></a></th>" in text
    graded = [r for r in SAMPLE if r.verdicts]
    assert len(re.findall(r'<td class="[hfrne]" aria-label=', text)) == sum(len(r.verdicts) for r in graded)
    assert "unusable: ivo: there is no harness.py in it" in text
    assert "error: the process that graded it died" in text
    held = data_of(text)
    assert [s["name"] for s in held["students"]] == [r.student for r in SAMPLE]
    chen = held["students"][1]
    column = [c["id"] for c in held["columns"]].index("CUT-04")
    assert chen["v"][column] == "f"
    message, place = chen["told"][str(column)]
    assert held["texts"][message].startswith("truncate_head('1\\n'")
    assert held["shown"][place]["python"] == "Cut('1\\n', 1000000)"


def test_equal_counterexamples_are_kept_once():
    """Two students with one counterexample share it."""
    held = data_of(page([named("chen"), named("fatou")]))
    assert len(held["shown"]) == 2
    assert held["students"][0]["told"] == held["students"][1]["told"]


@pytest.mark.parametrize("results", [[], [named("ada")], [named("ivo")], [named("jana")]])
def test_small_classes_have_a_page_too(results):
    """Nobody, one without a fault, one unusable, one not graded."""
    assert "h1" in Reader(page(results)).tags


def test_only_the_page_s_own_texts_may_run():
    """The policy forbids everything but the inlined style and scripts, by their hashes."""
    text = page(SAMPLE)
    read = Reader(text)
    policy = next(v for t, k, v in read.attributes if t == "meta" and k == "content" and "default-src" in v)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    scripts = [s for s in read.scripts if not s.startswith('{"students"')]
    assert len(scripts) == len(read.scripts) - 1 == 4
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    for inlined in [style, *scripts]:
        digest = base64.b64encode(hashlib.sha256(inlined.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert policy.count("sha256-") == 5


def test_nothing_is_loaded_from_anywhere():
    """No address but places in the page, no style or handler in an attribute."""
    read = Reader(page(SAMPLE))
    assert not {"link", "img", "iframe", "object", "base"} & set(read.tags)
    for tag, name, value in read.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name not in ("src", "style", "action"), (tag, name)
        assert name != "href" or value.startswith("#"), value


@pytest.mark.parametrize("text", HOSTILE)
def test_what_students_wrote_stays_text(text):
    """Markup, terminal escapes, surrogates and bidi controls do nothing, and can be encoded."""
    made = page([named("ada"), hostile(text)])
    made.encode()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\ud800-\udfff]", made)
    plain, evil = Reader(page([named("ada"), hostile("plain")])), Reader(made)
    assert evil.tags == plain.tags
    assert [(t, k) for t, k, _ in evil.attributes] == [(t, k) for t, k, _ in plain.attributes]
    assert one_line(text, 80) in [s["name"] for s in data_of(made)["students"]]


def test_a_data_block_cannot_be_left():
    """No text ends the block, opens another or starts a comment; what is read back is the same."""
    for text in HOSTILE:
        shown = data([visible(text)])
        assert not set("<>&") & set(shown)
    assert data_of(page([hostile("</script>")]))["students"][0]["name"] == "</script>"


def test_a_long_text_is_cut_and_says_so():
    """A message of a megabyte costs a few kilobytes, and the rest is counted."""
    long = "<é\x00" * 350_000
    made = page([hostile(long)])
    assert len(made.encode()) < 250_000
    assert f"{3 * 350_000 - MESSAGE:,} more characters" in "".join(data_of(made)["texts"])


def test_a_large_class_is_a_small_file():
    """300 students share what they have in common; the page stays far below 10 MB."""
    made = page(copies(300))
    assert len(made) < 2_500_000
    assert made.count("data-i=") == 300


def test_the_worst_class_is_cut_to_size():
    """300 students whom all 89 properties fail, no two alike: under 10 MB, and what is left out is said."""
    made = page(all_failing(300))
    assert 2_000_000 < len(made.encode()) < 10_000_000
    held = data_of(made)
    assert held["texts"][0] == LEFT_OUT
    first = held["students"][0]["told"]["0"]
    assert held["shown"][first[1]]["events"]
    assert held["students"][-1]["told"]["88"][1] == 0
    assert "smaller groups" in made


def test_a_pool_keeps_what_it_has_room_for():
    """Equal values have one place, and one that does not fit is named by the stand-in's place."""
    pool = Pool(10, "?")
    assert [pool.add("abc"), pool.add("abc"), pool.add("x" * 9), pool.add("d")] == [1, 1, 0, 2]
    assert pool.values == ["?", "abc", "d"]


@pytest.mark.parametrize("word", ["ada", "a b", "it's", "$(reboot)", "-x", "`id`", "a\nb", "\x1b[0m", "é", "\udcff"])
def test_a_word_for_the_shell_is_one_word(word):
    """What a shell makes of it is the very same word, and it shows no control character."""
    shown = quoted(word)
    assert shown.isprintable()
    if word.isprintable():
        assert shlex.split(shown) == [word]
    else:
        raw = re.fullmatch(r"\$'(.*)'", shown)[1].encode().decode("unicode_escape").encode("latin-1")
        assert raw == word.encode("utf-8", "surrogateescape")


def test_the_folder_is_the_caller_s_to_name():
    """The command names the file where the caller says it lies."""
    held = data_of(page([named("chen")], folder=lambda r: f"submissions/{r.student}-1"))
    assert held["students"][0]["replay"] == [
        "harness-props replay submissions/chen-1", f" --target SUBMISSIONS/{named('chen').submission}",
    ]  # fmt: skip


def test_the_command_plays_the_counterexample_again(tmp_path, monkeypatch):
    """In the folder of the results, with the graded folder in its place, `replay` takes it as it stands."""
    monkeypatch.chdir(tmp_path)
    chen = named("chen")
    start, end = data_of(page([chen]))["students"][0]["replay"]
    words = shlex.split(f"{start}/counterexample-CUT-04.json{end}")
    known = next(v.counterexample for v in chen.verdicts if v.id == "CUT-04")
    for path, text in ((words[2], json.dumps(known)), (words[4], SAMPLE_FILE.read_text())):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)
    said = CliRunner().invoke(app, words[1:])
    assert said.exit_code == 0, said.output
    assert said.output.startswith(f"FIXED CUT-04 on {words[4]}")


def test_the_page_says_what_the_grades_depend_on():
    """Rung and its gaps, versions, rubric and seed; a secret seed by its digest, a mix as a mix."""
    other = replace(named("ada"), student="zoe", isolation=Isolation("namespace"), seed=None, seed_digest="0" * 12)
    text = page([*SAMPLE, other])
    assert "What the isolation <code>process</code> does not contain" in text
    assert "The network can be reached." in text
    assert "<dt>isolation</dt><dd>namespace, process</dd>" in text
    assert "<dt>seed</dt><dd>0, secret, digest 000000000000</dd>" in text


def test_points_read_as_a_person_writes_them():
    """No zeros behind the point."""
    assert [number(v) for v in (50.0, 37.5, 1 / 3, 0.0, 100)] == ["50", "37.5", "0.33", "0", "100"]
