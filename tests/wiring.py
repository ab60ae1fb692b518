"""What tests of the wire provider share: scripts, a server for a module, faults that every dialect knows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adapters.wire.server import Run, Server
from strategies.script import Call, Conversation, Crash, Odd, Prompt, Raw, Reply, Say, Sent, Tool

ECHO = Tool("echo", "Give the text back.", {"type": "object", "properties": {"text": {"type": "string"}}})
RICH = (Say("naïve 日本語 🚀"), Call("c1", "echo", {"text": "日本"}), Call("c2", "echo", {}))
FRAGMENTS = [
    Sent(), Sent((1,)), Sent((3,)), Sent((0, 2)), Sent((0,)), Sent((1,), together=True), Sent((2, 5), chunk=1),
    Sent((4,), chunk=7), Sent((1000,), chunk=3),
]  # fmt: skip
STATUSES = (400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 529)


def script(*replies: Reply | Crash, **more: object) -> Conversation:
    """A conversation of one prompt with these replies."""
    return Conversation((Prompt("Go.", replies),), (ECHO,), **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """The provider, for all tests of a module."""
    with Server(wires=("chat", "anthropic")) as started:
        yield started


def sound(run: Run) -> None:
    """The provider itself did not break."""
    run.close()


__all__ = [
    "ECHO", "FRAGMENTS", "RICH", "STATUSES", "Call", "Conversation", "Crash", "Odd", "Prompt", "Raw", "Reply", "Run",
    "Say", "Sent", "Server", "Tool", "script", "server", "sound",
]  # fmt: skip
