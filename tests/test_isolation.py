"""The ladder: what is chosen, what is refused, and what a rung does to a child that is no attack."""

import os
import pickle
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.contract import Unusable
from adapters.watch import Census, sizes
from grading.checking import Asked, run_checks
from grading.cli import Isolation
from grading.isolation import engine, gaps, ladder, probe, rooms, uids, visible
from grading.isolation.inside import landlock, sieve
from grading.isolation.ladder import NAMES, Rung, Unavailable, choose
from grading.isolation.submission import Submission, read
from grading.run import Target, check
from grading.verdicts import Options
from properties.registry import COURSE

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "examples" / "student_harness.py"
HEADERS = {"x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "/usr/include/asm-generic/unistd.h"}


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


# ---- the parts ------------------------------------------------------------------------------


def test_each_child_has_a_user_of_its_own() -> None:
    """As root no two get the same number, and a number that was given back is free again."""
    held = [uids.take() for _ in range(5)]
    if os.geteuid():
        assert held == [None] * 5
        return
    assert len({one.number for one in held}) == 5
    for one in held:
        one.free()
    again = uids.take()
    assert again.number == held[0].number
    again.free()


def test_numbers_that_are_not_mapped_are_not_used() -> None:
    """In a container with few users the small range is taken, with none at all no number."""
    assert uids.mapped("         0          0 4294967295\n") == uids.RANGES[0]
    assert uids.mapped("0 100000 65536\n") == uids.RANGES[1]
    assert uids.mapped("0 1000 1\n") is None


def test_links_and_odd_files_do_not_come_along(tmp_path: Path) -> None:
    """A submission's link shows nobody the file that it leads to, and hidden folders stay away."""
    (tmp_path / "harness.py").write_text("x = 1\n")
    (tmp_path / "stolen.py").symlink_to("/etc/passwd")
    (tmp_path / "all").symlink_to("/etc")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("secret")
    os.mkfifo(tmp_path / "pipe")
    assert [name for name, _ in read(tmp_path / "harness.py", tmp_path).files] == ["harness.py"]
    for bad in ("stolen.py", "all", "pipe", "none.py"):
        with pytest.raises(Unusable, match=bad):
            read(tmp_path / bad)


def test_a_submission_is_of_limited_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than anybody writes is refused by name and limit."""
    (tmp_path / "harness.py").write_bytes(b"#" * 100)
    monkeypatch.setattr("grading.isolation.submission.MOST_BYTES", 150)
    (tmp_path / "data").write_bytes(b"x" * 100)
    with pytest.raises(Unusable, match="data: more than 0 MiB"):
        read(tmp_path / "harness.py", tmp_path)


def test_a_submission_is_put_in_place_whole(tmp_path: Path) -> None:
    """Folders are made as needed, and nobody but us may write."""
    made = Submission("a/b/h.py", (("a/b/h.py", b"1"), ("a/c", b"2"))).put(tmp_path)
    assert (made.read_bytes(), (tmp_path / "a" / "c").read_bytes()) == (b"1", b"2")
    assert made.stat().st_mode & 0o777 == 0o644


def test_the_filter_has_the_kernels_numbers() -> None:
    """Each call's number is the one in the kernel's own header, where that is installed."""
    machine = platform.machine()
    if machine not in HEADERS or not Path(HEADERS[machine]).exists():
        pytest.skip("the kernel's headers are not installed")
    text = Path(HEADERS[machine]).read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", text)}
    column = list(HEADERS).index(machine)
    table = {**sieve.OUTWARD, **sieve.ALONE, **sieve._LOOKED_INTO}
    wrong = {n: (both[column], known[n]) for n, both in table.items() if n in known and both[column] != known[n]}
    assert not wrong
    assert len(sieve.program(alone=True)) % 8 == 0


def test_the_suite_is_not_visible() -> None:
    """What a child may read holds the interpreter and the libraries, and no part of the suite."""
    read_, listed = visible.readable()
    assert any(sys.base_prefix == path or sys.base_prefix.startswith(f"{path}/") for path in read_)
    for part in visible.hidden():
        assert not [path for path in read_ if part == path or part.startswith(path.rstrip("/") + "/")], part
    assert not set(listed) & set(visible.hidden())


def test_the_watch_counts_what_a_child_takes(tmp_path: Path) -> None:
    """Memory of this process, and the size of files, links not followed."""
    assert Census(os.getpid()).resident > 1 << 20
    (tmp_path / "file").write_bytes(b"x" * 100_000)
    (tmp_path / "link").symlink_to("/usr")
    assert 100_000 <= sum(sizes(str(tmp_path))) < 200_000


# ---- the container's command line -------------------------------------------------------------


def test_the_containers_command_line() -> None:
    """Word for word what docker and podman are given."""
    line = " ".join(engine.command("podman", "python:3.11-slim", Path("/tmp/harness-x")))
    assert line == (
        "podman run --rm --interactive --pull never --name harness-x --init --network none --read-only "
        "--memory 2147483648 --memory-swap 2147483648 --pids-limit 64 --cpus 1 --cap-drop ALL --ipc none "
        "--security-opt no-new-privileges --user 65534:65534 --ulimit nofile=256 --ulimit fsize=16777216 "
        "--ulimit cpu=3600 --ulimit core=0 --log-driver none "
        "--volume /tmp/harness-x/program:/tmp/harness-x/program:ro "
        "--volume /tmp/harness-x/submission:/tmp/harness-x/submission:ro "
        "--tmpfs /tmp/harness-x/home:rw,nosuid,nodev,noexec,size=33554432,mode=1777 "
        "--tmpfs /tmp/harness-x/tmp:rw,nosuid,nodev,noexec,size=33554432,mode=1777 "
        "--env HOME=/tmp/harness-x/home --env TMPDIR=/tmp/harness-x/tmp --env LANG=C.UTF-8 --env LC_ALL=C.UTF-8 "
        "--env PYTHONHASHSEED=0 --workdir /tmp/harness-x/home python:3.11-slim"
    )


def test_a_container_speaks_over_standard_streams(tmp_path: Path) -> None:
    """With an engine that runs its command on the spot, a harness is judged over input and output."""
    log = tmp_path / "log"
    engine_ = tmp_path / "podman"
    engine_.write_text(
        f'#!/bin/sh\necho "$1 $2 $3" >> {log}\ncase $1 in run) ;; *) exit 0;; esac\n'
        f'while [ "$1" != IMAGE ]; do shift; done\nshift 2\nexec {sys.executable} "$@"\n'
    )
    engine_.chmod(0o755)
    wall = engine.Container(read(SAMPLE), str(engine_), "IMAGE")
    from adapters.course import course

    harness = course(SAMPLE, wall=wall)
    report = check(Target(str(SAMPLE)), Options(int(COURSE), 6, 5, 0, ("HELP-01",)), harness=harness)
    assert report.verdicts[0].verdict == "holds", report.verdicts[0].message
    assert "rm --force harness-" in log.read_text()
    assert shutil.which("podman") != str(engine_)
