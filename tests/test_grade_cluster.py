"""A class on a Dask cluster: a scheduler and two workers on loopback, one of them killed halfway."""

import os
import subprocess
import sys

import pytest

from grading.batch import pools
from grading.leave import BadCall
from tests.classes import BROKEN, GOOD, RIGHT, ROOT, command, contents, graded, rubric, submissions

pytest.importorskip("distributed", reason="Dask is not installed (pip install 'harness-props[cluster]')")


def started(*arguments: str, said: str) -> "tuple[subprocess.Popen[str], str]":
    """A process of Dask's that has said this; the line in which it did."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([sys.executable, "-m", *arguments], env=environment, cwd=ROOT, text=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
    for line in process.stderr:
        if said in line:
            return process, line
    raise AssertionError(f"{arguments[0]} ended with {process.wait()}")


@pytest.fixture()
def cluster(tmp_path):
    """The address of a scheduler with two workers, and the workers' processes."""
    where = ("--host", "127.0.0.1", "--no-dashboard")
    scheduler, line = started("distributed.cli.dask_scheduler", *where, "--port", "0", said="Scheduler at:")
    address = line.split()[-1]
    workers = []
    try:
        for number in range(2):
            own = ("--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path / f"worker{number}"))
            workers.append(started("distributed.cli.dask_worker", address, *where, *own, said="Registered to:")[0])
        yield address, workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.stderr.close()
            process.wait()


def test_a_cluster_that_loses_a_worker_gives_the_same_grades(tmp_path, cluster):
    """One of two workers is killed in the middle: nothing is lost, and every file is as without a cluster."""
    address, workers = cluster
    submissions(tmp_path / "class", ada=RIGHT, bob=GOOD, cy=f"{GOOD}\n", dee=BROKEN)
    process = command(tmp_path / "class", "-o", tmp_path / "results", "--rubric", rubric(tmp_path), "--trust", "-q",
                      "--cluster", address, killing=(4, workers[0].pid))  # fmt: skip
    out, err = process.communicate(timeout=300)
    assert process.returncode == 1, err
    assert (out, err) == ("", "")
    assert workers[0].wait(30) == -9
    assert workers[1].poll() is None
    submissions(tmp_path / "here" / "class", ada=RIGHT, bob=GOOD, cy=f"{GOOD}\n", dee=BROKEN)
    graded(tmp_path / "here")
    assert contents(tmp_path / "results") == contents(tmp_path / "here" / "results")


def test_no_cluster_is_one_line(monkeypatch):
    """An address where nothing answers, and one that is none."""
    monkeypatch.setattr(pools, "ANSWER", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        with pytest.raises(BadCall, match=f"--cluster {address}: no Dask scheduler answers there"):
            pools.Cluster(address)


def test_without_dask_it_says_what_to_install(monkeypatch):
    """The extra is optional, and its absence is one line."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadCall, match=r"--cluster needs Dask: install it with `pip install 'harness-props\[cluster\]'`"):
        pools.Cluster("tcp://127.0.0.1:1")
