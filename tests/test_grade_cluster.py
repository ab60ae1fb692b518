"""A class on a Dask cluster: a scheduler and two workers on loopback, one of them killed halfway."""

import sys
import warnings
from dataclasses import replace

import pytest
from hypothesis.errors import HypothesisDeprecationWarning

from grading.batch import pools, task
from grading.isolation.ladder import Rung
from grading.leave import BadCall
from tests import dask
from tests.classes import BROKEN, GOOD, RIGHT, command, contents, graded, rubric, submissions

pytest.importorskip("distributed", reason="Dask is not installed (pip install 'harness-props[cluster]')")


@pytest.fixture()
def cluster(tmp_path):
    """The address of a scheduler with two workers, and the workers' processes."""
    with dask.cluster(tmp_path) as found:
        yield found


def test_a_cluster_that_loses_a_worker_gives_the_same_grades(tmp_path, cluster):
    """One of two workers is killed in the middle: nothing is lost, and every file is as without a cluster."""
    address, workers = cluster
    submissions(tmp_path / "class", ada=RIGHT, bob=GOOD, cy=f"{GOOD}\n", dee=BROKEN)
    process = command(tmp_path / "class", "-o", tmp_path / "results", "--rubric", rubric(tmp_path), "--trust", "-q",
                      "--cluster", address, killing=[(4, workers[0].pid)])  # fmt: skip
    out, err = process.communicate(timeout=300)
    assert process.returncode == 1, err
    assert (out, err) == ("", "")
    assert workers[0].wait(30) == -9
    assert workers[1].poll() is None
    submissions(tmp_path / "here" / "class", ada=RIGHT, bob=GOOD, cy=f"{GOOD}\n", dee=BROKEN)
    graded(tmp_path / "here")
    assert contents(tmp_path / "results") == contents(tmp_path / "here" / "results")


def test_a_worker_fills_no_log(monkeypatch):
    """Other threads of a worker draw random numbers, and Hypothesis does not complain of ours."""

    def complains(_):
        warnings.warn(HypothesisDeprecationWarning("Do not use the `random` module inside strategies; …"), stacklevel=1)

    monkeypatch.setattr(task, "_tried", lambda _: None)
    monkeypatch.setattr(task, "_judged", complains)
    job = task.Job({}, "", None, Rung("process", ()), frozenset(), {}, 0.0)
    with pytest.raises(HypothesisDeprecationWarning):
        task.judge(job)
    with warnings.catch_warnings():
        task.judge(replace(job, remote=True))


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
