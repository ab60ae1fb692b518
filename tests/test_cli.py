"""The command line: what it accepts, what it says, and how it ends."""

import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grading import checking
from grading.cli import app
from properties.registry import load
from tests.terminal import on_a_terminal

ROOT = Path(__file__).parents[1]
GOOD = (ROOT / "examples" / "student_harness.py").read_text()
FIRST_ONLY = GOOD.replace("for call in tool_calls(reply):", "for call in tool_calls(reply)[:1]:")
HANGS = GOOD.replace("        turns += 1\n", "        while True: pass\n")
QUICK = ("--examples", "5")
run = CliRunner().invoke


def harness(folder: Path, text: str = GOOD, name: str = "harness.py") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def command(*arguments: str, **how: object) -> "subprocess.CompletedProcess[str]":
    """The command line in a process of its own, its output in pipes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-m", "grading.cli", *arguments], env=environment, text=True,
                          capture_output=True, check=False, timeout=120, **how)  # fmt: skip


# ---- status -------------------------------------------------------------------------------


def test_status_0_if_everything_holds(tmp_path):
    """A harness that holds what is asked for ends in 0 and a sentence that says so."""
    said = run(app, ["check", harness(tmp_path), "--only", "LOOP-01,LOOP-03", *QUICK])
    assert said.exit_code == 0
    assert "2 properties hold, none fails." in said.stdout


def test_status_1_and_the_fault_told_once(tmp_path):
    """A failure ends in 1 and shows law, evidence, script, trace and hint in at most 25 lines."""
    said = run(app, ["check", harness(tmp_path, FIRST_ONLY), "--only", "LOOP-0[1-5]", *QUICK])
    assert said.exit_code == 1
    block = said.stdout.partition("FAILS")[2].partition("\n\n")[0]
    assert block.startswith(" LOOP-03  ")
    for word in ("seen ", "script ", "trace ", "hint ", "and because of it not reached: LOOP-01"):
        assert word in block
    assert block.count("\n") <= 25
    assert said.stdout.count("FAILS") == 1


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("nowhere.py", "no such file"),
        ("adapter:nothing", "there is no adapter called 'nothing'; known: adapter:"),
        ("no_such_module:thing", "cannot import no_such_module"),
        ("json:nothing", "json has no nothing"),
        ("json:dumps", "raised TypeError"),
    ],
)
def test_status_2_if_there_is_no_such_target(target, words):
    """An unusable target is named together with what to do."""
    said = run(app, ["check", target, *QUICK])
    assert said.exit_code == 2
    assert words in said.stderr
    assert "Traceback" not in said.output


def test_an_unusable_target_does_not_stop_the_others(tmp_path):
    """Every target is checked, and the worst status is the status of all."""
    bad = harness(tmp_path, FIRST_ONLY)
    said = run(app, ["check", "nowhere.py", bad, "--only", "LOOP-03", *QUICK])
    assert said.exit_code == 2
    assert f"{bad}: fails LOOP-03" in said.stdout
    assert "nowhere.py: nowhere.py: no such file" in said.stdout


def test_status_3_if_the_suite_breaks_in_a_property(tmp_path, monkeypatch):
    """An error of ours is told apart from failures and is never the harness's fault."""
    monkeypatch.setattr(load()["LOOP-03"].stages[0].__class__, "judge", property(lambda _: 1 / 0), raising=False)
    said = run(app, ["check", harness(tmp_path), "--only", "LOOP-03", *QUICK])
    assert said.exit_code == 3
    assert "ERROR LOOP-03  the suite or the adapter broke, not the harness" in said.stdout
    assert "FAILS" not in said.stdout


def test_status_3_and_no_traceback_if_the_suite_crashes(tmp_path, monkeypatch):
    """A crash of ours is one line that names a file with the whole traceback."""

    def crash(*_, **__):
        raise RuntimeError("a wheel came off")

    monkeypatch.setattr(checking, "check", crash)
    said = run(app, ["check", harness(tmp_path), "--only", "LOOP-03", *QUICK])
    assert said.exit_code == 3
    assert "Traceback" not in said.output
    told = re.search(r"the suite broke: RuntimeError: a wheel came off; the traceback is in (\S+)", said.stderr)
    assert told
    assert "Traceback" in Path(told[1]).read_text()
    Path(told[1]).unlink()


def _hears_interrupts():
    """As in a terminal: a shell that runs something in the background has it ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_status_130_on_interrupt_with_what_was_found(tmp_path):
    """Ctrl-C ends in 130; what was found until then is shown and written."""
    pipe = tmp_path / "reached"
    os.mkfifo(pipe)
    told = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    wait = f"    print('here', file=open({str(pipe)!r}, 'w'), flush=True)\n    import select; select.select([], [], [])\n"
    text = FIRST_ONLY.replace('    return "".join(block', wait + '    return "".join(block')
    report = tmp_path / "report.json"
    arguments = ["check", harness(tmp_path, text), "--only", "LOOP-03,HELP-01", *QUICK, "--json", str(report)]
    process = subprocess.Popen([sys.executable, "-m", "grading.cli", *arguments], text=True,
                               env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, preexec_fn=_hears_interrupts)  # noqa: PLW1509  # fmt: skip
    assert select.select([told], [], [], 60)[0], "HELP-01, where the harness is to stay, was never begun"
    os.close(told)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert "FAILS LOOP-03" in out
    assert "not reached (interrupted): HELP-01" in out
    assert '"problem": "interrupted' in report.read_text()
    assert "Traceback" not in out + err


# ---- values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--examples", "0"], "0 is too small, a whole number from 1 on is accepted"),
        (["--examples", "many"], "'many' is not a whole number"),
        (["-j", "0"], "0 is too small"),
        (["--seed", "x"], "'x' is not a whole number"),
        (["--tier", "gold"], "'gold' is not one of 'course', 'principle', 'field'"),
        (["--lesson", "4"], "'4' is not one of '3', '6'"),
        (["--only", ","], "an empty text names no property"),
        (["--only", "LOPO-3"], "no property is called 'LOPO-3' (did you mean LOOP-13 or LOOP-03"),
        (["--only", "LOOP-15"], "'LOOP-15' is of the tier principle, and only course is asked for"),
        (["--json", "/nowhere/at/all.json"], "/nowhere/at/all.json: cannot be written"),
        (["--json", "-", "--junit", "-"], "cannot both write to standard output"),
    ],
)
def test_a_wrong_value_is_echoed_with_what_is_accepted(tmp_path, arguments, words):
    """Status 2 before anything runs, naming the value and what would do."""
    said = run(app, ["check", harness(tmp_path), *arguments], env={"COLUMNS": "300"})
    assert said.exit_code == 2
    assert words in " ".join(said.output.split())


def test_patterns_are_repeatable_have_commas_and_any_case(tmp_path):
    """--only takes ids and patterns in every way one would write them."""
    arguments = ["--only", "loop-03, LOOP-01", "--only", "Bill-*", *QUICK, "-x", "--json", "-"]
    said = run(app, ["check", harness(tmp_path, "x ="), *arguments])
    assert re.findall(r'"id": "(.*?)"', said.stdout) == ["LOOP-01", "LOOP-03", "BILL-01", "BILL-02"]


def test_stop_at_the_first_failure(tmp_path):
    """With -x the rest is not reached, and says why."""
    said = run(app, ["check", harness(tmp_path, FIRST_ONLY), "--only", "LOOP-03,LOOP-05,HELP-01", *QUICK, "-x"])
    assert said.exit_code == 1
    assert "not reached (stopped at the first failure, LOOP-03): LOOP-05, HELP-01" in said.stdout


# ---- harnesses that do not get far -----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def run_agent(:\n", "harness.py does not load: SyntaxError: invalid syntax (line 1)"),
        ("import no_such_thing\n", "no_such_thing"),
        ("import os\nos._exit(4)\n", "harness.py does not load: the process ended with exit status 4"),
    ],
)
def test_a_file_that_does_not_load_is_one_failure(tmp_path, text, words):
    """One message with file and line; everything else waits for it."""
    said = run(app, ["check", harness(tmp_path, text)])
    assert said.exit_code == 1
    assert said.stdout.count("FAILS") == 1
    assert words in said.stdout
    assert "1 fails" in said.stdout


def test_what_a_file_lacks_is_told_once(tmp_path):
    """Missing functions are one fault, and what does not need them is still judged."""
    text = GOOD.replace("def run_agent(", "def run_agents(").replace("def truncate_head(", "def cut_head(")
    said = run(app, ["check", harness(tmp_path, text), "--only", "LOOP-0[1-3],CUT-0[1-3],HELP-01", *QUICK])
    assert said.exit_code == 1
    assert said.stdout.count("FAILS") == 1
    assert "harness.py has no run_agent (LOOP-01)" in said.stdout
    assert "harness.py has no truncate_head" in said.stdout
    assert "1 holds" in said.stdout


# ---- what is shown --------------------------------------------------------------------------


def test_a_pipe_gets_plain_lines(tmp_path):
    """No colour, no progress, no trailing blanks, and a line is never broken to fit a width."""
    target = harness(tmp_path, FIRST_ONLY)
    arguments = ["check", target, "--only", "LOOP-0*", *QUICK]
    narrow = command(*arguments, cwd=tmp_path)
    assert narrow.returncode == 1
    assert narrow.stderr == ""
    assert "\x1b" not in narrow.stdout
    assert not re.search(r"[ \t]$", narrow.stdout, re.MULTILINE)
    assert max(map(len, narrow.stdout.splitlines())) > 100
    assert os.listdir(tmp_path) == ["harness.py"]


def test_a_terminal_gets_colour_and_a_progress_bar(tmp_path):
    """Somebody who looks on sees which property is under way, in colour, in lines that fit."""
    target = harness(tmp_path, FIRST_ONLY)
    status, text = on_a_terminal(["check", target, "--only", "LOOP-0[13]", *QUICK], 70)
    assert status == 1
    assert "LOOP-03   " in text
    assert "2/2" in text
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text.rpartition("\x1b[?25h")[2])
    assert max(len(line) for line in re.split(r"[\r\n]+", plain)) <= 70


def test_long_evidence_is_cut_with_a_word(tmp_path):
    """However much a harness says, a failure stays on one screen, and controls only show."""
    text = GOOD.replace('"content": str(problem)', '"content": "\\x1b[2J" * 5000').replace(
        '"is_error": True', '"is_error": "no\\x1b[2J" * 5000'
    )
    said = run(app, ["check", harness(tmp_path, text), "--only", "TOOL-0*", *QUICK])
    assert said.exit_code == 1
    assert "\x1b" not in said.stdout
    assert len(said.stdout) < 20_000


def test_timings_are_shown_and_never_written(tmp_path):
    """--timings adds seconds to what is shown; the JSON stays free of times."""
    said = run(app, ["check", harness(tmp_path), "--only", "LOOP-03", *QUICK, "--timings"])
    assert re.search(r"^ +\d+\.\d\d  LOOP-03$", said.stdout, re.MULTILINE)


def test_a_reader_that_goes_away_is_no_crash():
    """`harness-props list | head -1` ends quietly."""
    shell = f"{sys.executable} -m grading.cli list | head -1; echo ${{PIPESTATUS[0]}}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", shell], text=True, capture_output=True, env=environment, check=False)
    assert done.stdout.startswith("LOOP-01\tcourse\t")
    assert done.stderr == ""


# ---- the other commands ---------------------------------------------------------------------


def test_list_in_a_pipe_has_tabs():
    """One line for each property: id, tier, sentence, source, needs, depends on."""
    said = run(app, ["list", "--tier", "course"])
    rows = [line.split("\t") for line in said.stdout.splitlines()]
    assert {len(row) for row in rows} == {6}
    assert {row[1] for row in rows} == {"course"}
    assert [row[0] for row in rows] == [p.id for p in load().values() if p.tier == 1]


def test_list_as_json():
    """The same as data, every tier included by default."""
    import json

    rows = json.loads(run(app, ["list", "--json"]).stdout)
    assert [row["id"] for row in rows] == list(load())
    assert list(rows[0]) == ["id", "tier", "sentence", "source", "needs", "depends_on", "readings"]


def test_version_and_help():
    """--version names the suite; no arguments show the help."""
    assert re.fullmatch(r"harness-props \S+\n", run(app, ["--version"]).stdout)
    assert "Usage" in run(app, ["--help"]).stdout


def test_smoke_of_a_good_harness(tmp_path):
    """Five scripts and two probes, what was sent and seen, and how to go on."""
    said = run(app, ["smoke", harness(tmp_path)])
    assert said.exit_code == 0
    assert said.stdout.count("OK ") == 7
    assert "request 2: U A[c1] R!(c1) -> A" in said.stdout
    assert f"next: harness-props check {tmp_path / 'harness.py'} --only 'LOOP-*'" in said.stdout


def test_smoke_says_what_is_wrong(tmp_path):
    """What differs is told in plain words, in the short notation."""
    said = run(app, ["smoke", harness(tmp_path, FIRST_ONLY)])
    assert said.exit_code == 1
    assert "WRONG   two calls in one reply" in said.stdout
    assert "the provider refused a request: 400 invalid_request: messages[1]: toolCall c2" in said.stdout


def test_smoke_leaves_out_what_an_adapter_cannot_do(tmp_path, monkeypatch):
    """Capabilities that are not named are skipped with a word; an adapter that breaks is an error."""
    (tmp_path / "thin.py").write_text(THIN)
    monkeypatch.syspath_prepend(str(tmp_path))
    said = run(app, ["smoke", "thin:Thin", "--app-dir", str(tmp_path)])
    assert said.exit_code == 3
    assert "SKIPPED one page of a file: the adapter does not name 'read'" in said.stdout
    assert "the adapter broke with NotImplementedError: not yet at" in said.stdout


THIN = """
from adapters.contract import About

class Thin:
    about = About("thin", "0")
    capabilities = frozenset({"loop"})
    policies = {}
    def converse(self, script, *, watch=False):
        raise NotImplementedError("not yet")  # an adapter whose author has just begun
    def restart(self): pass
    def close(self): pass
"""
