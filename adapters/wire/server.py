"""The server on loopback: many runs on one port, each below a path of its own.

    with Server() as server:
        run = server.open(script)
        openai.OpenAI(base_url=run.v1, api_key="any")
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import itertools
import socket
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any, Self

from adapters.contract import AdapterError, Unplayable, Unusable
from adapters.wire.dialects import NAMES, Body, Dialect, dialects
from adapters.wire.exchange import Answer, Exchange
from adapters.wire.session import Session
from strategies.script import Call, Conversation, Reply, Say

HOST = "127.0.0.1"
HOLD = 2.0  # seconds that an answer waits for others that have to come first
START = 30.0
PACKAGES = {"chat": "openai", "responses": "openai", "anthropic": "anthropic", "gemini": "google.genai"}


class Run(Session):
    """A session with its address."""

    def __init__(self, server: Server, name: str, script: Conversation, **how: Any) -> None:
        super().__init__(script, **how)
        self.server, self.name = server, name
        self.held: list[tuple[int, asyncio.Event]] = []  # (answers still to come first, the bell)
        self.broken: list[BaseException] = []  # what went wrong in the provider itself

    @property
    def base_url(self) -> str:
        """The address that clients append /v1/… or /v1beta/… to."""
        return f"{self.server.url}/r/{self.name}"

    @property
    def v1(self) -> str:
        """The address for clients that want the version in it."""
        return f"{self.base_url}/v1"

    def close(self) -> None:
        """Forget the run. Raises AdapterError if the provider itself broke in it, and Unplayable if it had to
        send what its wire cannot say."""
        self.server.runs.pop(self.name, None)
        if self.broken:
            if isinstance(self.broken[0], Unplayable):
                raise self.broken[0]
            raise AdapterError(f"the wire provider broke: {self.broken[0]!r}") from self.broken[0]


def _installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:  # of the package that it is in
        return False


def _warm(speaks: Dialect) -> None:
    """Load what the dialect needs, so that the first request is not late."""
    reply, body = Reply((Say(), Call())), Body("", [], [], "m", streamed=False)
    speaks.whole(reply, 0, body)
    speaks.events(reply, 0, body)


class Server:
    """The provider; starts in a thread of its own and ends with the block."""

    def __init__(self, port: int = 0, wires: Iterable[str] = NAMES) -> None:
        wires = tuple(wires)
        for name in ("starlette", "uvicorn", *(PACKAGES[wire] for wire in wires)):
            if not _installed(name):
                raise Unusable(f"the wire provider needs {name}: pip install 'harness-props[wire]'")
        self.runs: dict[str, Run] = {}
        self.dialects: list[Dialect] = dialects(wires)
        self.default: Run | None = None  # the run that is served without a prefix
        self._numbers = itertools.count(1)
        # with the protocol named, asyncio writes at once instead of waiting for acknowledgements
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((HOST, port))
        except OSError as error:
            self._socket.close()
            words = f"port {port} of {HOST}: {error.strerror}; give another --port, or 0 for a free one"
            raise Unusable(words) from error
        self._socket.listen(256)
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://{HOST}:{self.port}"
        self._thread: threading.Thread | None = None
        self._uvicorn: Any = None

    def __enter__(self) -> Self:
        import uvicorn

        from adapters.wire.application import application

        for each in self.dialects:
            _warm(each)
        ready = threading.Event()
        app, doors = application(self, ready)
        config = uvicorn.Config(
            app, http=doors, ws="none", log_config=None, log_level="critical", access_log=False,
            lifespan="on", timeout_graceful_shutdown=1, server_header=False, date_header=False,
            timeout_keep_alive=60,
        )  # fmt: skip
        self._uvicorn = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._uvicorn.run, kwargs={"sockets": [self._socket]}, name="wire", daemon=True
        )
        self._thread.start()
        if not ready.wait(START):
            raise AdapterError("the wire provider does not start")
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop serving."""
        if self._uvicorn is not None:
            self._uvicorn.should_exit = True
        if self._thread is not None:
            self._thread.join(START)
        self._socket.close()

    def open(self, script: Conversation, **how: Any) -> Run:
        """A new run of this script; the keywords are those of `Session`."""
        name = f"{next(self._numbers)}"
        run = Run(self, name, script, **how)
        self.runs[name] = run
        return run

    # -- a request ---------------------------------------------------------------------------

    def find(self, path: str) -> tuple[Run | None, str]:
        """The run that a path names, and what follows its prefix."""
        parts = path.lstrip("/").split("/", 2)
        if parts[0] == "r" and len(parts) > 1:
            return self.runs.get(parts[1]), parts[2] if len(parts) > 2 else ""
        return self.default, path.lstrip("/")

    def hear(self, run: Run, method: str, path: str, query: str, headers: dict[str, str],
             raw: bytes) -> tuple[Dialect | None, Exchange]:  # fmt: skip
        """The dialect that a request speaks, and the exchange that it begins."""
        asked = f"{path}?{query}" if query else path
        found = [(d, r) for d in self.dialects if (r := d.route(method, asked)) is not None]
        if len(found) > 1 and "anthropic-version" in headers:
            found = [(d, r) for d, r in found if d.name == "anthropic"] or found
        speaks, route = found[0] if found else (None, None)
        return speaks, run.hear(speaks, route, method, path, headers, raw)

    async def decide(self, run: Run, speaks: Dialect | None, exchange: Exchange) -> Answer:
        """What a request is answered with, once its turn has come."""
        if run.heard is not None:
            run.heard(exchange)
        played: Any = run.play(exchange)
        if isinstance(played, Future):
            played = await asyncio.wrap_future(played)
        answer = run.answer(speaks, exchange, played)
        if run.watch is not None:
            run.watch(exchange)
        if answer.after > 0:
            await self._wait(run, answer.after)
        return answer

    async def _wait(self, run: Run, later: int) -> None:
        bell = asyncio.Event()
        run.held.append((run.answers_done + later, bell))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(bell.wait(), HOLD)

    def done(self, run: Run, exchange: Exchange) -> None:
        """An answer is out; those that waited for it may follow."""
        exchange.done = run.tick()
        run.answers_done += 1
        for count, bell in run.held:
            if run.answers_done >= count:
                bell.set()
        run.held = [(count, bell) for count, bell in run.held if not bell.is_set()]
