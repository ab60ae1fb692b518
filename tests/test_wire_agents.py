"""The properties that only a wire shows: the small agent holds them, and each broken one is caught."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grading.engine import examine
from grading.hunt import first_catch
from grading.verdicts import HOLDS, Options
from properties.registry import FIELD, load

pytest.importorskip("starlette", reason="the wire provider is not installed")

from adapters.programs.harness import whole
from adapters.wire.server import Server
from tests.wire_agents.broken import AGENTS, SOUND, Agent
from tests.wire_agents.driver import Driven

HERE = ("STREAM-01", "STREAM-02", "STREAM-03", "LIMIT-07", "LIMIT-08", "LOOP-16", "LOOP-17", "BILL-01")
FEW, FEWER = Options(tier=FIELD, examples=25), Options(tier=FIELD, examples=10)


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """One provider for all of them."""
    with Server(wires=("chat",)) as running:
        yield running


@pytest.mark.slow
@pytest.mark.parametrize("id_", HERE)
def test_the_small_agent_is_sound(server: Any, id_: str) -> None:
    """It holds each of these properties."""
    verdict = examine(load()[id_], Driven(server, SOUND), FEWER)
    assert verdict.verdict == HOLDS, verdict.message


@pytest.mark.slow
@pytest.mark.parametrize("agent", [a for a in AGENTS if a.property in HERE], ids=lambda agent: agent.name)
def test_a_broken_agent_is_caught(server: Any, tmp_path: Path, agent: Agent) -> None:
    """By the property that it names, and the message is a sentence."""
    program = tmp_path / f"{agent.name}.py"
    program.write_text(agent.source())
    catch = first_catch(load()[agent.property], Driven(server, program), FEW)
    assert catch is not None
    assert catch.message


IN_A_ROOM = ("runs_half_a_call", "repairs_what_was_cut_off", "runs_the_tools_again", "calls_home", "collapses_equal_ids")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap builds the room")
@pytest.mark.parametrize("name", IN_A_ROOM)
def test_a_broken_agent_is_caught_in_its_room(tmp_path: Path, name: str) -> None:
    """As `wire:FILE.toml`, behind walls and with a name server that sees who asks."""
    agent = next(a for a in AGENTS if a.name == name)
    (tmp_path / "wire_agent.py").write_text(agent.source())
    shutil.copy(SOUND.with_suffix(".toml"), tmp_path)
    harness = whole(f"wire:{tmp_path}/wire_agent.toml")
    try:
        assert first_catch(load()[agent.property], harness, FEW) is not None
    finally:
        harness.close()


def test_each_property_of_a_wire_has_a_broken_agent() -> None:
    """None without one; the names are unique, and each says what is wrong."""
    assert {agent.property for agent in AGENTS} >= {*HERE, "BILL-01", "CLI-01"}
    assert len({agent.name for agent in AGENTS}) == len(AGENTS)
    assert all(agent.sentence for agent in AGENTS)
