"""What a dialect is: one provider's wire format, read into the normal form and written out of a script.

A dialect translates and holds no state. It says what its API refuses by its own schema; what every
strict provider refuses is the business of `adapters.strict`.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any, Protocol

from strategies.script import Reply

NAMES = ("chat", "responses", "anthropic", "gemini")


@dataclass(frozen=True)
class Route:
    """What a path asks for: a "model" call, the "models" there are, a "count" of tokens, or "other".

    `streamed` and `model` are None where not the path but the body says so.
    """

    kind: str
    streamed: bool | None = None
    model: str | None = None


@dataclass(frozen=True)
class Body:
    """The body of a model call in the normal form of the contract.

    `messages` has one toolResult message a result, with the keys that the wire can say. A content of
    several text parts that is not a tool result stays a list of {"type": "text", "text"} blocks.
    `tools` is a list of {name, description, parameters}. `faults` are what this API refuses though
    its schema takes it, as (number, words); a script may switch the numbers off. `odd` is what is
    taken, and worth a word to a person.
    """

    system: Any
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    model: str
    streamed: bool
    odd: list[str] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)
    asked: dict[str, Any] = field(default_factory=dict)  # the body as it came


class Refused(Exception):
    """This API refuses such a body by its own schema: the HTTP status and the words it would use."""

    def __init__(self, status: int, words: str, kind: str = "", param: str | None = None) -> None:
        super().__init__(words)
        self.status, self.words, self.kind, self.param = status, words, kind, param


class Dialect(Protocol):
    """One wire format. `number` counts the run's answers from 1, so that ids differ."""

    name: str

    def route(self, method: str, path: str) -> Route | None:
        """What is asked for, None if this is none of the dialect's paths; `path` has no slash in front."""
        ...

    def read(self, body: dict[str, Any], route: Route) -> Body:
        """The body of a model call in the normal form. Raises Refused as the API's schema does."""
        ...

    def whole(self, reply: Reply, number: int, body: Body) -> dict[str, Any]:
        """The answer that is not streamed, checked by the official SDK's types where they can hold it."""
        ...

    def events(self, reply: Reply, number: int, body: Body) -> list[bytes]:
        """The stream's events in order, each as its bytes, in parts as `reply.sent` says.

        With `reply.sent.unclosed` the events that close a reply (its stop label and whatever follows)
        are left out. Cutting and chunking are not the dialect's business.
        """
        ...

    def failure(self, status: int, words: str, kind: str = "") -> dict[str, Any]:
        """The body of an error as this provider has it; `kind` is its type where that is known."""
        ...

    def aside(self, route: Route, body: dict[str, Any], model: str) -> dict[str, Any]:
        """What is answered to "models", "count" and "other"; `model` is the one there is."""
        ...


def dialect(name: str) -> Dialect:
    """The dialect of this name."""
    found: Dialect = importlib.import_module(f"adapters.wire.dialects.{name}").DIALECT
    return found


def dialects(names: tuple[str, ...] = NAMES) -> list[Dialect]:
    """These dialects, in order."""
    return [dialect(name) for name in names]
