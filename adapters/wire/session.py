"""One run over the wire: it plays a conversation to whoever asks, and keeps all that was asked.

A session is told of requests one after the other and never waits; the server does the waiting. A
refused request and a side request leave the script where it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from adapters.normal import plain
from adapters.strict import Gate
from adapters.wire.dialects import Body, Dialect, Refused, Route
from adapters.wire.exchange import Answer, Exchange, public
from adapters.wire.parts import chunks, dumps, progress, sent_of
from strategies.paging import next_page
from strategies.script import Conversation, Crash, Pager, Reply, Say, unrolled

PATIENCE = 3  # requests past the end of the script that still get a reply
MOST = 32 * 1024 * 1024  # bytes of a body
RUNAWAY = 25  # unanswered requests after which a run is given up
STRICT = 12  # rules up to this number always hold; above it are those of one API, which `picky` asks for
OVER = "(the script is over)"
SIDE = "A short title"

Source = Callable[[Exchange], "Reply | Crash | Future[Reply | Crash | None] | None"]


class Session:
    """One run. `source` is asked for replies instead of the script, and may answer later.

    `side` are patterns of requests that are beside the conversation: searched for in the system text
    and the last message. Where `with_tools`, a request without tools that does not go on with the
    conversation is one, too. `picky` also refuses what one API refuses and others take.
    """

    def __init__(
        self, script: Conversation, *, side: Sequence[str] = (), source: Source | None = None,
        with_tools: bool | None = None, picky: bool = False, model: str = "scripted", side_text: str = SIDE,
    ) -> None:  # fmt: skip
        self.script, self.model, self.picky = script, model, picky
        self.exchanges: list[Exchange] = []
        self.heard: Callable[[Exchange], None] | None = None  # told of each exchange as it comes in
        self.watch: Callable[[Exchange], None] | None = None  # and once its answer is decided
        self._side = [re.compile(pattern) for pattern in side]
        self._side_text = side_text
        self.with_tools = bool(script.tools) if with_tools is None else with_tools
        self._asked, self._gate = source, Gate(script.allowed)
        self._clock = self._prompt = self._extra = self._refused = self._answers = self._in_prompt = 0
        self._main: tuple[Any, list[Any]] = (None, [])  # system and messages of its last request
        self._source = self._replies()
        self.left_over = 0
        self.answers_done = 0  # answers whose last byte is out

    # -- prompts -----------------------------------------------------------------------------

    def begin(self, prompt: int) -> None:
        """The next requests belong to this prompt; what is left of the one before is counted."""
        self.left_over += sum(1 for _ in self._source)
        self._prompt, self._extra, self._in_prompt = prompt, 0, 0
        self._source = self._replies()

    def finish(self) -> int:
        """How many replies of the script nobody asked for, now that the run is over."""
        self.left_over += sum(1 for _ in self._source)
        return self.left_over

    @property
    def runaway(self) -> bool:
        """Whether it goes on asking though nothing comes of it any more."""
        return max(self._extra, self._refused) > RUNAWAY

    def _replies(self) -> Iterator[Reply | Crash]:
        if self._prompt >= len(self.script.prompts):
            return iter(())
        replies = self.script.prompts[self._prompt].replies
        return iter(()) if isinstance(replies, Pager) else unrolled(replies)

    # -- requests ----------------------------------------------------------------------------

    def tick(self) -> int:
        """The next moment of the run's own clock."""
        self._clock += 1
        return self._clock

    def hear(
        self, speaks: Dialect | None, route: Route | None, method: str, path: str,
        headers: dict[str, str], raw: bytes,
    ) -> Exchange:  # fmt: skip
        """Take a request in, and decide what of it is wrong."""
        body: Any = raw
        wrong = ""
        if raw:
            try:
                body = json.loads(raw)
            except (ValueError, RecursionError) as error:
                wrong = f"We could not parse the JSON body of your request: {error}"
        exchange = Exchange(
            len(self.exchanges), speaks.name if speaks else "?", method, path, public(headers), body,
            self._prompt, route.kind if route else "unknown", self.tick(), route=route,
        )  # fmt: skip
        self.exchanges.append(exchange)
        if speaks is None or route is None:
            return _refuse(exchange, 404, f"Unknown request URL: {method} /{path}")
        if route.kind != "model":
            return exchange
        if len(raw) > MOST:
            return _refuse(exchange, 413, f"Request exceeds the maximum size of {MOST} bytes")
        if wrong or not isinstance(body, dict):
            return _refuse(exchange, 400, wrong or "The JSON body of your request is no object.", rule=11)
        try:
            exchange.read = read = speaks.read(body, route)
        except Refused as refused:
            exchange.param = refused.param
            return _refuse(exchange, refused.status, refused.words, kind=refused.kind)
        exchange.side = self._aside(read)
        fault = next((f for f in read.faults if self._holds(f[0])), None)
        if fault is None and not exchange.side:
            found = self._gate.refuse(read.system, read.messages, read.tools)
            fault = found and (found[0], found[1].removeprefix("400 invalid_request: "))
        if fault is not None:
            return _refuse(exchange, 400, fault[1], rule=fault[0])
        if not exchange.side:
            self._main = read.system, plain(read.messages)
        return exchange

    def _holds(self, rule: int) -> bool:
        return rule not in self.script.allowed and (self.picky or rule <= STRICT)

    def _aside(self, read: Body) -> bool:
        """Whether a request stands beside the conversation: a title, a check, a summary."""
        last = read.messages[-1].get("content") if read.messages else ""
        shown = f"{_words(read.system)}\n{_words(last)}"
        if any(pattern.search(shown) for pattern in self._side):
            return True
        system, before = self._main
        goes_on = bool(before) and read.system == system and read.messages[: len(before)] == before
        return self.with_tools and not read.tools and not goes_on

    def play(self, exchange: Exchange) -> Reply | Crash | Future[Reply | Crash | None] | None:
        """What the script has for this request; None if it has nothing, or need not be asked."""
        if exchange.refusal is not None or exchange.kind != "model" or exchange.side:
            return None
        self._in_prompt += 1
        if self._asked is not None:
            return self._asked(exchange)
        replies = self.script.prompts[self._prompt].replies if self._prompt < len(self.script.prompts) else ()
        if isinstance(replies, Pager):
            assert exchange.read is not None
            return next_page(replies, exchange.read.messages, self._in_prompt)
        return next(self._source, None)

    # -- answers -----------------------------------------------------------------------------

    def answer(self, speaks: Dialect | None, exchange: Exchange, played: Reply | Crash | None) -> Answer:
        """The bytes that this request is answered with."""
        self._answers += 1
        if exchange.refusal is not None:
            self._refused += 1
            status = exchange.status or 400
            assert exchange.status is not None
            if speaks is None:
                return Answer(status, (dumps({"error": {"message": exchange.refusal}}),))
            body = speaks.failure(status, exchange.refusal, exchange.blamed)
            if exchange.param is not None and "param" in body["error"]:
                body["error"]["param"] = exchange.param
            return Answer(status, (dumps(body),))
        assert speaks is not None
        assert exchange.route is not None
        if exchange.kind != "model":
            exchange.status = 200
            body = exchange.body if isinstance(exchange.body, dict) else {}
            return Answer(200, (dumps(speaks.aside(exchange.route, body, self.model)),))
        if isinstance(played, Crash):
            return self._crash(speaks, exchange, played)
        if played is None and not exchange.side:
            return self._past(speaks, exchange)
        exchange.played = None if exchange.side else played
        return self._reply(speaks, exchange, played or Reply((Say(self._side_text),)))

    def _past(self, speaks: Dialect, exchange: Exchange) -> Answer:
        """The script is over: a plain closing reply, and after a few of those nothing but errors."""
        exchange.extra = True
        self._extra += 1
        if self._extra > PATIENCE:
            exchange.status = 400
            return Answer(400, (dumps(speaks.failure(400, OVER)),))
        return self._reply(speaks, exchange, Reply((Say(OVER),)))

    def _crash(self, speaks: Dialect, exchange: Exchange, crash: Crash) -> Answer:
        exchange.played, exchange.status = crash, crash.status
        if crash.status is None:
            return Answer(None, cut=True)
        told = speaks.failure(crash.status, crash.text)
        headers: tuple[tuple[str, str], ...] = ()
        if crash.retry_after is not None:
            headers = (("retry-after", f"{crash.retry_after:g}"),)
            delayed = getattr(speaks, "delayed", None)  # of a dialect whose errors say it, too
            told = delayed(told, crash.retry_after) if delayed else told
        return Answer(crash.status, (dumps(told),), headers=headers)

    def _reply(self, speaks: Dialect, exchange: Exchange, reply: Reply) -> Answer:
        assert exchange.read is not None
        exchange.delivered, exchange.status = reply, 200
        sent = sent_of(reply)
        if not exchange.read.streamed:
            body = dumps(speaks.whole(reply, self._answers, exchange.read))
            if sent.cut is not None:  # a body has no events: the half of it stands for them
                return Answer(200, (body[: len(body) // 2],), cut=True, after=sent.after)
            return Answer(200, chunks([body], sent.chunk), after=sent.after)
        kept, cut = speaks.events(reply, self._answers, exchange.read), False
        if sent.cut is not None:  # never among the closing events: a reply that was closed is whole
            held = replace(reply, sent=replace(sent, unclosed=True))
            opened = speaks.events(held, self._answers, exchange.read)
            if sent.cut < len(opened):
                kept, cut = opened[: sent.cut], True
        parts = chunks(kept, sent.chunk)
        array = bool(kept) and kept[0].startswith(b"[")  # a dialect that streams one JSON array
        media = "application/json" if array else "text/event-stream; charset=utf-8"
        out = progress(kept, parts)
        return Answer(200, parts, media, (("cache-control", "no-cache"),), out, cut, sent.after)


def _refuse(exchange: Exchange, status: int, words: str, rule: int = 0, kind: str = "") -> Exchange:
    exchange.refusal, exchange.status, exchange.rule, exchange.blamed = words, status, rule, kind
    return exchange


def _words(content: Any) -> str:
    return content if isinstance(content, str) else dumps(content).decode()


