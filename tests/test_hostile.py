"""A loop that sends and leaves behind what it likes is judged; it never becomes an error of ours."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from adapters.contract import About, HarnessFault
from adapters.local import Local
from adapters.reference import load
from adapters.shape import CourseShape
from properties import registry
from properties.checks import Violation
from tests.drawing import drawn

LAWS = {id_: law for id_, law in registry.load().items() if law.chapter in ("LOOP", "TOOL", "LIMIT", "BILL", "HELP")}
SENT: dict[str, Any] = {
    "nothing": None, "a text": "all of it", "a number": 7, "a dict": {"role": "user"}, "a tuple": (),
    "no messages": [None, "a", 3], "messages without keys": [{}, {"role": "assistant"}, {"role": "toolResult"}],
    "odd content": [{"role": "user", "content": "a"}, {"role": "assistant", "content": [None, {"type": "text"}]},
                    {"role": "assistant", "content": [{"type": "toolCall"}]}, {"role": "toolResult", "content": 1}],
    "odd types": [{"role": ["user"]}, {"role": "assistant", "stop_reason": [], "content": [{"type": []}, {"type": {}}]},
                  {"role": "assistant", "content": [{"type": "toolCall", "id": [], "name": {}, "arguments": 3}]},
                  {"role": "toolResult", "tool_call_id": [], "tool_name": {}, "content": None, "is_error": "yes"}],
}  # fmt: skip


def sends(what: Any, *, from_prompt: int) -> CourseShape:
    """The reference, which from one prompt on sends this and nothing else."""
    module = load()
    real = module.run_agent

    def run_agent(model: Any, system: Any, messages: Any, tools: Any, prompt: Any, **more: Any) -> Any:
        before = sum(m["role"] == "user" for m in messages)

        def complete(system: Any, _: Any, tools: Any) -> Any:
            return model.complete(system, what, tools)

        changed = SimpleNamespace(complete=complete) if before >= from_prompt else model
        return real(changed, system, messages, tools, prompt, **more)

    made = SimpleNamespace(**{**vars(module), "run_agent": run_agent})
    return CourseShape(Local(lambda: made), About("hostile"))


def leaves(what: Any) -> CourseShape:
    """The reference, which leaves this in the record and returns it."""
    module = load()

    def run_agent(model: Any, system: Any, messages: Any, tools: Any, prompt: Any, **more: Any) -> Any:
        module.run_agent(model, system, messages, tools, prompt, **more)
        messages[:] = what if isinstance(what, list) else [what]
        return what

    made = SimpleNamespace(**{**vars(module), "run_agent": run_agent})
    return CourseShape(Local(lambda: made), About("hostile"))


def judged(law: Any, harness: CourseShape) -> None:
    """Play a few scripts; whatever comes out but a failure of the harness is an error."""
    if law.needs - harness.capabilities:
        return
    for stage in law.stages:
        for script in (*stage.examples[:2], *drawn(stage.draws, 5)):
            try:
                stage.judge(script, harness)
            except (Violation, HarnessFault):
                continue


@pytest.mark.parametrize("id_", LAWS)
@pytest.mark.parametrize("what", SENT)
def test_whatever_is_sent_is_judged(what: str, id_: str) -> None:
    """From the first prompt on, and from the second."""
    for start in (0, 1):
        judged(LAWS[id_], sends(SENT[what], from_prompt=start))


@pytest.mark.parametrize("id_", LAWS)
@pytest.mark.parametrize("what", SENT)
def test_whatever_is_left_is_judged(what: str, id_: str) -> None:
    """In the record and as what is returned."""
    judged(LAWS[id_], leaves(SENT[what]))
