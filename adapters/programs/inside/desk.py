"""A run in which the provider holds every request until the suite says what the model does next."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from adapters.programs.inside.service import LOOK
from adapters.wire.exchange import Exchange
from strategies.script import Crash, Reply, Say

if TYPE_CHECKING:
    from adapters.programs.inside.player import Room

Waiting = Future[Reply | Crash | None]


class Held:
    """One run of the program with a model that is told what to reply, one reply at a time."""

    def __init__(self, room: Room, job: dict[str, Any]) -> None:
        self._room = room
        self._pending: tuple[Exchange, Waiting] | None = None
        self._over = False
        self.run = room.open(job, source=self._hold)
        self._watch = room.watching(self.run, 0)
        self._process = room.begun(self.run)

    def _hold(self, exchange: Exchange) -> Waiting:
        """Called where the provider serves: the answer comes when it is known."""
        future: Waiting = Future()
        self._pending = (exchange, future)
        return future

    def _request(self) -> Exchange | None:
        """The next request, None if the program has come to its end instead."""
        while self._pending is None:
            self._over = self._over or self._process.poll() is not None or self._room.rested()
            if self._over:
                return None
            self._watch()
            time.sleep(LOOK)
        return self._pending[0]

    def use(self, reply: Reply) -> Exchange | None:
        """The model replies this; the request that follows, None if the run ended instead."""
        self._watch = self._room.watching(self.run, 0)
        if self._request() is None or self._pending is None:
            return None
        (_, future), self._pending = self._pending, None
        future.set_result(reply)
        return self._request()

    def close(self) -> None:
        """Let the run come to its end, and forget it; a request that is on its way is waited for.

        It would come to the next run otherwise.
        """
        self.use(Reply((Say("Done."),)))
        self._room.end(self._process)
        self.run.close()
