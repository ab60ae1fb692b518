"""The parts of the ladder: user numbers, files that come along, the filter, the watch, a container's command line."""

import os
import platform
import re
import shutil
import sys
from pathlib import Path

import pytest

from adapters import watch
from adapters.contract import Unusable
from adapters.course import course
from adapters.watch import Census, sizes
from grading.isolation import engine, uids, visible
from grading.isolation.inside import sieve
from grading.isolation.submission import Submission, read
from grading.run import Target, check
from grading.verdicts import Options
from properties.registry import COURSE
from tests.test_isolation import SAMPLE, chosen

HEADERS = {"x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "/usr/include/asm-generic/unistd.h"}


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


def test_a_childs_first_process_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From one run to the next it is known whose files are measured; another child has another one."""
    harness = chosen("namespace").open(SAMPLE)
    assert harness.capabilities
    looked = []
    monkeypatch.setattr(watch, "family", lambda pid: looked.append(pid) or iter(()))
    for _ in range(3):
        harness.cut("head", "1\n2\n", 1, 100)
    harness.close()
    assert not looked


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
    harness = course(SAMPLE, wall=wall)
    report = check(Target(str(SAMPLE)), Options(int(COURSE), 6, 5, 0, ("HELP-01",)), harness=harness)
    assert report.verdicts[0].verdict == "holds", report.verdicts[0].message
    assert "rm --force harness-" in log.read_text()
    assert shutil.which("podman") != str(engine_)
