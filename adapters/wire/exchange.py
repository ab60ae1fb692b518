"""What was seen of one request to the wire provider, and what it is answered with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapters.wire.dialects import Body, Route
from strategies.script import Crash, Reply

SECRETS = ("authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie", "proxy-authorization")


@dataclass
class Exchange:
    """One request and its answer. `number` counts all requests of the run from 0.

    `kind` is the route's, "unknown" for a path that nobody has. `read` is None where the body was
    refused before it could be read. `played` is the script's reply, None for a refusal, an extra or a
    side request. `at` and `done` are ticks of the run's own clock, at arrival and after the last byte:
    requests whose ticks overlap were under way at one time.
    """

    number: int
    dialect: str
    method: str
    path: str
    headers: dict[str, str]
    body: Any
    prompt: int = 0
    kind: str = "model"
    at: int = 0
    done: int | None = None
    read: Body | None = None
    refusal: str | None = None
    param: str | None = None  # the member that is to blame
    blamed: str = ""  # the type of error, where the API has one of its own for it
    rule: int = 0  # the number of the rule that refused it, 0 for the API's own schema
    played: Reply | Crash | None = None
    delivered: Reply | None = None  # what went out, whether the script's or not
    side: bool = False
    extra: bool = False
    status: int | None = None  # None: the connection was closed without an answer
    sent_events: int = 0
    cut: bool = False  # the connection was ended before the answer was
    left: bool = False  # the client went away first
    route: Route | None = field(default=None, repr=False)

    @property
    def ok(self) -> bool:
        """Whether this is a call of the model that the script answered."""
        return self.kind == "model" and self.played is not None


@dataclass(frozen=True)
class Answer:
    """Bytes to send. `parts` are network writes; `cut` ends the connection after them.

    Without a status nothing is sent and the connection is closed. `after` is how many later answers
    of the run come first.
    """

    status: int | None
    parts: tuple[bytes, ...] = ()
    media: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    events: tuple[int, ...] = ()  # how many events are out after each part
    cut: bool = False
    after: int = 0


def public(headers: dict[str, str]) -> dict[str, str]:
    """The headers without what is secret in them."""
    return {key: "(hidden)" if key in SECRETS else value for key, value in headers.items()}
