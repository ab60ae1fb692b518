"""The parts of the class report: clusters, the drawn transcript, the file page, the plots."""

from dataclasses import replace

import pytest

from grading.html.clusters import clusters, message_shape, normal_step
from grading.html.plots import failing_most, histogram
from grading.html.sheet import sheets
from grading.html.transcript import chips, events
from strategies.script import (
    Call,
    Conversation,
    Cut,
    Desk,
    Paging,
    Prompt,
    Raises,
    Ran,
    Relabelled,
    Reply,
    Returns,
    Say,
    Use,
)  # fmt: skip
from tests.html_class import SAMPLE, named

TWO = Conversation((Prompt(replies=(
    Reply((Call(does=Returns("r1")), Call("c2", "cat", {"a": 1}, Raises("OSError", "gone")))),
    Reply((Say("Done."),)),
)),))  # fmt: skip


# ---- clusters -----------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "normal"), [
    ("request 1", "the first request"), ("request 2", "a request after the first"),
    ("request 17", "a request after the first"), ("prompt 2, request 3", "a request of a later prompt"),
    ("end of prompt 4", "the end of a prompt"), ("tool echo run after request 2", "a tool run"),
    ("read(offset=31, limit=2)", "read(offset=N, limit=N)"), ("", ""),
])  # fmt: skip
def test_steps_do_not_depend_on_how_far_a_script_was_shrunk(step, normal):
    """The same stumble at another request is the same step."""
    assert normal_step(step) == normal


def test_messages_have_a_shape():
    """Drawn values are no part of it."""
    assert message_shape("cut('1é', 3) kept 4 bytes, not \"x\"") == "cut('…', N) kept N bytes, not '…'"


def test_students_with_one_fault_are_one_cluster():
    """The same property at the same step, whatever the numbers; others apart; larger ones first."""
    found = clusters(SAMPLE)
    assert (found[0].property, found[0].members) == ("CUT-04", (1, 4))
    assert found[0].chosen == 1
    assert {c.property for c in found[1:]} == {"LOOP-03", "TOOL-01", "CUT-01"}
    loop = next(c for c in found if c.property == "LOOP-03")
    assert (loop.step, loop.named) == ("a request after the first", True)


def test_the_smallest_script_of_the_most_frequent_message_stands_for_a_cluster():
    """One odd message does not speak for the others, however small its script."""
    def failing(student, message, python):
        verdict = next(v for v in named("emil").verdicts if v.counterexample)
        known = {**verdict.counterexample, "python": python}
        changed = replace(verdict, message=message, counterexample=known)
        return replace(named("emil"), student=student, verdicts=(changed,))

    odd = failing("a", "something else", "C()")
    long, short = failing("b", "call 'c1' is lost", "Conversation()"), failing("c", "call 'c7' is lost", "Conv()")
    (found,) = clusters([odd, long, short])
    assert (found.members, found.chosen, found.ways) == ((0, 1, 2), 2, 2)


# ---- the transcript -----------------------------------------------------------------------


@pytest.mark.parametrize(("shape", "told"), [
    ("U", "U"), ("(empty)", "?"), ("U A[c1] R(c1) A", "U A R A"), ("U A[c1,c2] R(c2) A", "U A R M A"),
    ("U A[c1]", "U A M"), ("U A[c1](error) U", "U E U"), ("U A[]", "U A"), ("U A[c1] R!(c1) R(c1)", "U A X O"),
    ("U R(c9)", "U O"), ("U A[c1] R(c1) …7 more… R(c4) A", "U A R … R A"), ("U A[c1] …7 more… U", "U A … U"),
    ("Untold Always R2", "? ? ?"), ("U A[a b,c] R(a b) R(c)", "U A R R"), ("", ""),
])  # fmt: skip
def test_a_record_in_short_notation_becomes_chips(shape, told):
    """Each message is one chip, and a result that is missing or too much is one of its own kind."""
    assert " ".join(kind for kind, _ in chips(shape)) == told


def test_a_transcript_says_who_called_what():
    """Prompt, requests with what is new, replies with their words, runs with what the tool does."""
    trace = ["request 1: U -> A[c1,c2]", "  run echo {}", "  run cat {'a': 1}",
             "request 2: U A[c1,c2] R(c1) -> A", "returned A; record: U A[c1,c2] R(c1) A"]  # fmt: skip
    found = events(trace, TWO, "request 2")
    assert [e["k"] for e in found] == ["prompt", "request", "run", "run", "request", "end"]
    assert found[0]["text"] == "Go."
    assert [found[2]["does"], found[3]["does"]] == ["returns 'r1'", "raises OSError('gone')"]
    assert found[4]["sent"][-1] == ["M", "R(c2)"]
    assert (found[4]["old"], found[4]["text"], found[4]["bad"]) == (1, "Done.", True)
    assert [e for e in found if e.get("bad")] == [found[4]]


def test_what_a_tool_does_is_not_guessed():
    """Two calls that look alike and do different things leave it open."""
    script = Conversation((Prompt(replies=(Reply((Call(), Call("c2", does=Raises()))),)),))
    found = events(["request 1: U -> A[c1,c2]", "  run echo {}"], script)
    assert found[-1]["does"] == ""


@pytest.mark.parametrize(("line", "expected"), [
    ("request 1: U -> refused: 400: an -> arrow", {"refused": "refused: 400: an -> arrow"}),
    ("request 1: U -> raises ConnectionError", {"refused": "raises ConnectionError"}),
    ("request 3: U -> A (the script was over)", {"n": 3, "extra": True, "answer": ["A", "A"]}),
    ("request 1: (not looked at) -> A[c1]", {"answer": ["A", "A[c1]"]}),
    ("request 1: U A[c1] R(c1) A[c2] R…", {"n": 1}),
    ("run_agent raised KeyError; record: U A[c1]", {"k": "end", "how": "raised", "what": "KeyError"}),
    ("stopped by the suite; record: U", {"k": "end", "how": "stopped"}),
    ("read {'path': 'a'} -> error 'no'", {"k": "use", "error": True, "back": "'no'"}),
    ("… 9 more lines …", {"k": "line", "text": "… 9 more lines …"}),
])  # fmt: skip
def test_every_line_of_a_trace_has_its_event(line, expected):
    """What the line says is in its event."""
    assert expected.items() <= events([line])[-1].items()


def test_two_runs_are_told_apart_and_leave_the_bad_step_open():
    """A relabelled conversation is played twice; the step's number fits both runs."""
    trace = ["run 1:", "request 1: U -> A", "returned A; record: U A", "run 2:", "request 1: U -> A"]
    found = events(trace, Relabelled(), "request 1")
    assert [e["k"] for e in found] == ["line", "prompt", "request", "end", "line", "prompt", "request"]
    assert [e["text"] for e in found if e["k"] == "request"] == ["Done.", "Done."]
    assert not any(e.get("bad") for e in found)


@pytest.mark.parametrize(("step", "place"), [
    ("prompt 2, request 2", 4), ("end of prompt 2", 5), ("tool echo run after request 1", None), ("nowhere", None),
])  # fmt: skip
def test_the_first_bad_step_is_marked(step, place):
    """Requests are counted on from prompt to prompt, endings one for each prompt."""
    trace = ["request 1: U -> A", "returned A; record: U A", "request 2: U A U -> A", "returned A; record: U A U A"]
    found = events(trace, None, step)
    assert [e["k"] for e in found] == ["prompt", "request", "end", "prompt", "request", "end"]
    assert [i for i, e in enumerate(found) if e.get("bad")] == ([] if place is None else [place])


# ---- the file page ------------------------------------------------------------------------


def test_a_cut_shows_where_the_budget_ends_and_where_the_harness_cut():
    """By bytes, not by characters; a cut inside a line says so."""
    trace = ["truncate_head('1é\\n2\\n', max_lines=9, max_bytes=3) -> ('1é\\n', 1)",
             "truncate_tail('1é\\n2\\n', max_lines=9, max_bytes=3) -> ('\\n', 1)"]  # fmt: skip
    (sheet,) = sheets(Cut("1é\n2\n", 9, 3), trace, {})
    assert sheet["rows"] == [[1, "1é", "\\n", 4, 4, 0], [2, "2", "\\n", 2, 6, 0]]
    assert [(at, kind) for at, _, kind in sheet["cuts"]] == [(0, "fits"), (1, "kept"), (1, "fits"), (2, "kept")]
    assert "it kept 4 bytes" in sheet["cuts"][1][1]
    assert "inside line 2" in sheet["cuts"][3][1]


def test_the_pages_of_a_file_begin_where_they_were_read():
    """Each read is a line, with what fits from there and what its notice says."""
    trace = ["files {'a.txt': '1\\n2\\n3\\n'}, max_lines=9, max_bytes=3",
             "read {'path': 'a.txt'} -> '1\\n[Showing lines 1-1 of 3. Use offset=2 to continue.]'",
             "read {'path': 'a.txt', 'offset': 2} -> error 'no'"]  # fmt: skip
    (sheet,) = sheets(Paging("1\n2\n3\n", max_lines=9, max_bytes=3), trace, {})
    assert [(at, kind) for at, _, kind in sheet["cuts"]] == [(1, "fits"), (1, "kept"), (1, "page")]
    assert sheet["cuts"][2][1] == "read(offset=2) begins here"


def test_the_line_model_is_the_harness_s_own():
    """A form feed ends a line for one harness and not for another."""
    assert sheets(Cut("1\x0c2\n", 1, 9), [], {"lines": "lf"})[0]["lines"] == 1
    assert sheets(Cut("1\x0c2\n", 1, 9), [], {"lines": "universal"})[0]["lines"] == 2


def test_a_desk_shows_the_files_that_are_read_and_the_output_that_is_cut():
    """What a command prints is kept at its end."""
    desk = Desk({"a.txt": "1\n", "b.txt": "2\n"}, {"run": Ran("1\n2\n3\n")},
                (Use("read", {"path": "b.txt"}), Use("bash", {"command": "run"})), max_lines=2)  # fmt: skip
    file, output = sheets(desk, [], {})
    assert file["title"] == "the file b.txt"
    assert output["cuts"] == [[1, "from the end, 2 of 3 lines fit max_lines=2, max_bytes=50000", "fits"]]
    assert sheets(TWO, [], {}) == []


def test_of_a_long_file_the_lines_round_the_cuts_are_shown():
    """A few dozen rows of a million lines, and the gaps say how many are missing."""
    (sheet,) = sheets(Cut("x\n" * 100_000, 5000, None), ["truncate_head('x') -> ('x', 1)"], {})
    rows = sheet["rows"]
    assert len(rows) < 30
    assert 5000 in [row[0] for row in rows]
    assert sum(row[5] for row in rows) + len(rows) + sheet["left"] == 100_000


# ---- the plots ----------------------------------------------------------------------------


def test_the_columns_of_the_plot_count_everybody_who_has_points():
    """The unusable have none and count, those we could not grade do not."""
    found = histogram(SAMPLE)
    assert sum(bar.count for bar in found.bars) == len(SAMPLE) - 1
    assert found.bars[0].count == 1
    assert found.bars[-1].count == 1
    assert (found.unit, found.median[1]) == ("points", "8")
    assert histogram([]) is None


def test_what_fails_most_comes_first():
    """Failures are counted by student; who never reached it is counted apart."""
    columns = named("ada").verdicts
    found = failing_most(SAMPLE, columns)
    assert (found[0].judged.id, found[0].fails, found[0].waits) == ("CUT-04", 2, 0)
    assert {often.fails for often in found[1:]} == {1}
