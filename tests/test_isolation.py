"""The ladder: what is chosen, what is refused, and what a rung does to a child that is no attack."""

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from adapters.course import course
from grading.checking import Asked, run_checks
from grading.isolation import gaps, ladder, probe, rooms
from grading.isolation.inside import landlock
from grading.isolation.ladder import NAMES, Rung, Unavailable, choose
from grading.isolation.submission import read
from grading.options import Isolation
from grading.run import Target, check
from grading.verdicts import Options
from properties.registry import COURSE

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "examples" / "student_harness.py"


def chosen(name: str) -> Rung:
    """This rung, if the machine has it."""
    try:
        return choose(name)
    except Unavailable as reason:
        pytest.skip(str(reason))


# ---- choosing -------------------------------------------------------------------------------


def test_auto_takes_the_strongest_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rungs are tried from the strongest down, and the one that works is named."""
    for broken in range(len(ladder.STRONGEST_FIRST)):
        works = ladder.STRONGEST_FIRST[broken:]
        monkeypatch.setattr(ladder, "_try", lambda rung, works=works: "" if rung.name in works else "not here")
        assert choose("auto").name == works[0]


def test_auto_never_takes_process_without_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing else works, `auto` fails and says why of each, unless trust is given."""
    monkeypatch.setattr(ladder, "_try", lambda rung: "" if rung.name == "process" else f"no {rung.name} here")
    with pytest.raises(Unavailable, match="no namespace here.*no landlock here.*--trust"):
        choose("auto")
    assert choose("auto", trust=True).name == "process"


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_rung_that_was_asked_for_is_never_replaced(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unavailable is an error that names the rung and what is missing, with trust as without."""
    monkeypatch.setattr(ladder, "_try", lambda rung: f"{rung.name} is not here")
    with pytest.raises(Unavailable, match=f"isolation {name} is not available: {name} is not here"):
        choose(name, trust=True)


def test_an_unknown_rung() -> None:
    """Another name is a mistake of the caller's, and the known ones are listed."""
    with pytest.raises(ValueError, match="auto, process, landlock, namespace, container"):
        choose("chroot")


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without bubblewrap, an engine or landlock the message says what to install or to change."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="apt-get install bubblewrap"):
        choose("namespace")
    with pytest.raises(Unavailable, match="apt-get install podman"):
        choose("container")
    monkeypatch.setattr(landlock, "version", lambda: 0)
    with pytest.raises(Unavailable, match=r"no landlock.*Linux 5\.13"):
        choose("landlock")


def test_a_probe_really_starts_a_child(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bubblewrap that is there and does not work is found out, and quoted."""
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(Unavailable, match="uid map: Permission denied.*--isolation landlock"):
        choose("namespace")


def test_a_probe_finds_a_wall_with_a_hole() -> None:
    """A rung whose child can reach what it must not is not taken for working."""
    weak = rooms.Walls("process", probe.SUBMISSION)
    assert probe.started(weak, "process") == ""
    assert "could reach what it must not (reads, network" in probe.started(weak, "namespace")


# ---- a harness on a rung --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["process", "landlock", "namespace"])
def test_verdicts_are_the_same_on_every_rung(name: str) -> None:
    """A file that does no harm gets the verdicts and messages that it gets without isolation."""
    options = Options(int(COURSE), 6, 5, 0, ("CUT-0*",))
    plain = check(Target(str(SAMPLE)), options)
    walled = check(Target(str(SAMPLE), isolation=chosen(name)), options)
    assert [(v.id, v.verdict, v.message) for v in plain.verdicts] == [
        (v.id, v.verdict, v.message) for v in walled.verdicts
    ]


@pytest.mark.parametrize("name", ["process", "landlock", "namespace"])
def test_the_submissions_folder_comes_along(name: str, tmp_path: Path) -> None:
    """Modules beside the harness can be imported if the folder belongs to it, and not otherwise."""
    (tmp_path / "harness.py").write_text("from parts.helper import *\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "helper.py").write_text("EXTRAS = ['usage']\n")
    rung = chosen(name)
    harness = rung.open(tmp_path / "harness.py", root=tmp_path)
    assert "usage" in harness.capabilities
    harness.close()
    options = Options(int(COURSE), 6, 5, 0, ("HELP-01",))
    alone = check(Target(str(tmp_path / "harness.py"), isolation=rung), options)
    assert "No module named 'parts'" in alone.verdicts[0].message


@pytest.mark.parametrize("name", ["process", "landlock", "namespace"])
def test_whatever_the_umask_is(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A grader that keeps its files to itself starts children all the same, and they may read what is theirs."""
    (tmp_path / "parts" / "more").mkdir(parents=True)
    (tmp_path / "parts" / "more" / "helper.py").write_text("EXTRAS = ['usage']\n")
    (tmp_path / "harness.py").write_text("from parts.more.helper import *\n")
    rung, children = chosen(name), tmp_path / "children"
    children.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(children))
    before = os.umask(0o077)
    try:
        harness = course(Path("harness.py"), wall=rung.wall(read(tmp_path / "harness.py", tmp_path)))
        assert "usage" in harness.capabilities
    finally:
        os.umask(before)
    (folder,) = children.iterdir()
    for part in (folder / "program", folder / "submission"):
        for path in (part, *part.rglob("*")):
            assert path.stat().st_mode & 0o777 == (0o755 if path.is_dir() else 0o644), path
    harness.close()


def test_rungs_can_be_handed_on() -> None:
    """A rung goes to another process as it is."""
    rung = Rung("landlock", gaps.sentences("landlock"))
    assert pickle.loads(pickle.dumps(rung)) == rung
    assert hash(Target("a.py", isolation=rung)) == hash(Target("a.py", isolation=rung))


def test_nothing_is_left_when_the_grader_is_killed(tmp_path: Path) -> None:
    """SIGKILL to the grader ends the child and what it has started."""
    (tmp_path / "harness.py").write_text(
        "import os, signal\nif not os.fork():\n    os.setsid()\n    signal.pause()\n"
        "def run_agent(*a, **n):\n    while True: pass\n"
    )
    for name in ("process", "namespace"):
        chosen(name)
        grader = subprocess.Popen(
            [sys.executable, "-c", "import sys\nfrom grading.isolation.ladder import choose\n"
             f"h = choose({name!r}).open(sys.argv[1])\nh.capabilities\nprint('up', flush=True)\nsys.stdin.read()",
             str(tmp_path / "harness.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert grader.stdout.readline() == b"up\n"
        from adapters.watch import family

        pids = [pid for pid, _ in family(grader.pid) if pid != grader.pid]
        assert len(pids) >= 3
        grader.kill()
        grader.wait()
        grader.stdin.close()
        grader.stdout.close()
        for pid in pids:
            subprocess.run(["timeout", "10", "tail", f"--pid={pid}", "-f", "/dev/null"], check=True)


def test_the_command_line_names_its_rung(capsys: pytest.CaptureFixture[str]) -> None:
    """A check says on which rung it was made and what that does not contain; what is no file has no rung."""
    asked = Asked((str(SAMPLE),), only=("HELP-01",), examples=5, isolation="process")
    assert run_checks(asked) == 0
    assert "isolation process; it can read every file" in " ".join(capsys.readouterr().out.split())
    assert run_checks(Asked(("adapter:reference",), only=("HELP-01",), isolation="process")) == 2
    assert "only a file" in capsys.readouterr().err
    assert [one.value for one in Isolation] == list(NAMES)
