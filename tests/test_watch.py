"""The watch on a child counts the child's own idleness, not what keeps the suite or the machine busy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adapters import watch
from adapters.contract import Hung
from adapters.wall import Bounds
from adapters.watch import TICK, Census, Watch


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        """The time in seconds."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The watch's own clock, in the test's hand."""
    made = Clock()
    monkeypatch.setattr(watch, "time", made)
    return made


@pytest.fixture
def census(monkeypatch: pytest.MonkeyPatch) -> Census:
    """What is counted of the child, in the test's hand; at first it has done nothing."""
    made = Census(0)
    made.seconds = made.starved = 0.0
    monkeypatch.setattr(watch, "Census", lambda pid: made)
    return made


def wait(one: Watch, clock: Clock, seconds: float) -> None:
    """Wait for the child, a tick at a time, and look after each."""
    for _ in range(round(seconds / TICK)):
        clock.now += TICK
        one.rested(TICK)
        one.look()


def test_a_silent_child_hangs(clock: Clock, census: Census) -> None:
    """It is waited for the seconds it is given, and no longer."""
    one = Watch(1, 10.0, 2.0)
    wait(one, clock, 1.9)
    with pytest.raises(Hung, match="did nothing for 2 s"):
        wait(one, clock, 0.3)


def test_a_suite_that_was_stopped_blames_nobody(clock: Clock, census: Census) -> None:
    """An hour between two looks was not the child's: somebody pressed Ctrl-Z, or the machine slept."""
    one = Watch(1, 10.0, 2.0, Bounds(idle_seconds=5.0))
    wait(one, clock, 1.0)
    clock.now += 3600
    one.rested(3600)
    one.glance()
    one.look()


def test_a_child_without_a_processor_is_not_idle(clock: Clock, census: Census) -> None:
    """On a machine that is busy elsewhere it could have worked and was not let."""
    one = Watch(1, 100.0, 2.0, Bounds(idle_seconds=5.0))
    for _ in range(400):
        census.starved += TICK
        wait(one, clock, TICK)
    with pytest.raises(Hung, match="did nothing"):
        wait(one, clock, 6.0)


def test_rests_add_up_behind_a_wall(clock: Clock, census: Census) -> None:
    """A child that says a word before each silence is long is given up for all of them together."""
    one = Watch(1, 10.0, 2.0, Bounds(idle_seconds=5.0))
    with pytest.raises(Hung, match="for 5 s in all"):
        for _ in range(9):
            wait(one, clock, 1.0)
            one.heard()


def test_what_the_kernel_counts() -> None:
    """What a process waited for a processor only grows; no process has the number 0."""
    before = int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    assert Census(os.getpid()).starved >= before
    assert Census(0).starved == 0
