"""`harness-props serve`: a script played to whatever asks for it, for trying an agent by hand."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from adapters.normal import role_of, shape
from adapters.programs.translation import broken
from adapters.wire.dialects import NAMES
from adapters.wire.exchange import Exchange
from adapters.wire.server import Run, Server
from grading.across.script import asked
from grading.cases import an_object, read, script_of
from grading.leave import OK, BadCall
from grading.screen import Screen
from strategies.paging import next_page
from strategies.script import Conversation, Crash, Pager, Prompt, Reply, message_of, unrolled

MODEL = "scripted"


def serve_script(
    file: str, port: int, wires: tuple[str, ...], side: tuple[str, ...], picky: bool,
    wait: Callable[[Server], object] | None = None, record: Path | None = None,
) -> int:  # fmt: skip
    """Serve until Ctrl-C, or until `wait` returns. Raises BadCall and Unusable.

    `record` is a file that gets each request, a line of JSON each, as soon as it is answered.
    """
    unknown = [name for name in wires if name not in NAMES]
    if unknown:
        raise BadCall(f"no wire is called {unknown[0]!r}; there are {', '.join(NAMES)}")
    for pattern in side:
        try:
            re.compile(pattern)
        except re.error as error:
            raise BadCall(f"--side: {pattern!r} is no pattern: {error}") from error
    script = script_in(file)
    screen = Screen(Console())
    names = wires or NAMES
    with contextlib.suppress(KeyboardInterrupt), _recording(record) as sink, Server(port, names) as server:
        serving = Serving(script, screen, sink)
        server.default = run = server.open(script, source=serving.reply, side=side, picky=picky, model=MODEL)
        serving.attend(run)
        for line in ready(file, script, server):
            screen.line(line)
        (wait or _for_ever)(server)
    return OK


@contextlib.contextmanager
def _recording(file: Path | None) -> Iterator[TextIO | None]:
    """The file, open for writing and empty; None if there is to be none. Raises BadCall."""
    if file is None:
        yield None
        return
    try:
        sink = file.open("w", encoding="utf-8")
    except OSError as error:
        raise BadCall(f"--record: {file} cannot be written: {error.strerror}") from error
    with sink:
        yield sink


def _for_ever(_: Server) -> None:
    threading.Event().wait()


def script_in(file: str) -> Conversation:
    """The conversation in a file: a script, a counterexample, or a report with one. Raises BadCall."""
    data = read(file)
    if isinstance(data, dict) and "schema" not in data:
        bare = an_object(data["script"], f"{file}: script") if "script" in data else data
        script = script_of(bare, file)
    else:
        script = asked(file).script
    if not isinstance(script, Conversation):
        words = "what a model says is in a Conversation, and that is what can be served"
        raise BadCall(f"{file}: holds a {type(script).__name__}; {words}")
    return script


def ready(file: str, script: Conversation, server: Server) -> Iterator[str]:
    """What a person needs to point a client here."""
    count = sum(1 for prompt in script.prompts for _ in _replies(prompt))
    names = [each.name for each in server.dialects]
    yield f"{file}: {count} {'reply' if count == 1 else 'replies'} on {server.url}, Ctrl-C ends it"
    yield f"  wires     {', '.join(names)}; the model is called {MODEL}, any key will do"
    said = script.prompts[0].text[:60] if script.prompts else "Go."
    body = shlex.quote(json.dumps({"model": MODEL, "messages": [{"role": "user", "content": said}]}))
    sent = f"-H 'content-type: application/json' -d {body}"
    lines = {
        "chat": (
            f"curl      curl {server.url}/v1/chat/completions {sent}",
            f'openai    openai.OpenAI(base_url="{server.url}/v1", api_key="any")',
            f"          OPENAI_BASE_URL={server.url}/v1 OPENAI_API_KEY=any",
        ),
        "responses": ("responses the same client and environment, with client.responses.create(…)",),
        "anthropic": (
            f'anthropic anthropic.Anthropic(base_url="{server.url}", api_key="any")',
            f"          ANTHROPIC_BASE_URL={server.url} ANTHROPIC_API_KEY=any",
        ),
        "gemini": (
            f'gemini    google.genai.Client(api_key="any", http_options={{"base_url": "{server.url}"}})',
            f"          GOOGLE_GEMINI_BASE_URL={server.url} GEMINI_API_KEY=any",
        ),
    }  # fmt: skip
    yield from (f"  {line}" for name in names for line in lines[name])
    yield ""


def _replies(prompt: Prompt) -> Iterator[Reply | Crash]:
    """The replies of a prompt; a pager counts as one."""
    if isinstance(prompt.replies, Pager):
        yield Reply()
        return
    yield from unrolled(prompt.replies)


class Serving:
    """Plays the prompts one after the other, begins again with each new conversation, and tells."""

    def __init__(self, script: Conversation, screen: Screen, record: TextIO | None = None) -> None:
        self.script, self.screen, self._record = script, screen, record
        self._run: Run | None = None
        self._place, self._turn = 0, 0
        self._opening = 0  # messages of the request that a conversation began with
        self._broken = False  # whether the last reply did not come to its end, and so is asked for again
        self._notes: list[str] = []

    def attend(self, run: Run) -> None:
        """This is the run; nothing is beside the conversation before a request with tools has come."""
        self._run = run
        run.with_tools = False
        run.heard, run.watch = self._heard, self._told

    def _heard(self, exchange: Exchange) -> None:
        assert self._run is not None
        if exchange.read is not None and exchange.read.tools:
            self._run.with_tools = True

    def reply(self, exchange: Exchange) -> Reply | Crash | None:
        """The next reply. A conversation in which the model has not spoken yet begins the script anew.

        One that grew although what the model said is not in it goes on: its replies were dropped.
        """
        assert exchange.read is not None
        messages = exchange.read.messages
        spoken = any(role_of(message) == "assistant" for message in messages)
        grew = len(messages) > self._opening
        if self._place and not spoken and not self._broken and not grew:
            self._notes.append("a new conversation: the script begins anew")
            self._place = self._turn = 0
        if not self._place:
            self._opening = len(messages)
        if self._pager is not None:
            self._turn += 1
            page = next_page(self._pager, exchange.read.messages, self._turn)
            self._place += page is None or not page.calls
            return page
        flat = [reply for prompt in self.script.prompts for reply in _replies(prompt)]
        if self._place >= len(flat):
            return None
        self._place += 1
        found = flat[self._place - 1]
        self._broken = isinstance(found, Crash) or (found.sent is not None and broken(found.sent))
        return replace(found, times=1) if isinstance(found, Reply) else found

    @property
    def _pager(self) -> Pager | None:
        """The pager that a script of one prompt may have in place of replies."""
        replies = self.script.prompts[0].replies if self.script.prompts else ()
        return replies if isinstance(replies, Pager) and not self._place else None

    # -- what is shown -----------------------------------------------------------------------

    def _told(self, exchange: Exchange) -> None:
        for line, style in told(exchange, self._notes):
            self.screen.line(Text(line, style))
        self._notes.clear()
        if self._record is not None:
            self._record.write(json.dumps(recorded(exchange)) + "\n")
            self._record.flush()


def recorded(exchange: Exchange) -> dict[str, Any]:
    """One request as it is kept in a file: what came, word for word, and what was made of it."""
    return {
        "number": exchange.number + 1, "wire": exchange.dialect, "method": exchange.method,
        "path": exchange.path, "status": exchange.status, "refusal": exchange.refusal, "body": exchange.body,
    }  # fmt: skip


def told(exchange: Exchange, notes: list[str] | None = None) -> Iterator[tuple[str, str]]:
    """One request as lines with their style: what was asked, what was answered, what is wrong with it."""
    how = "streamed" if exchange.read and exchange.read.streamed else "whole"
    head = f"{exchange.number + 1:>3}  {exchange.dialect:<10}"
    if exchange.kind != "model":
        yield f"{head}{exchange.method} /{exchange.path} ({exchange.kind})", "dim"
    else:
        sent = shape(exchange.read.messages) if exchange.read else "(unreadable)"
        yield f"{head}{sent}  ->  {answered(exchange)}, {how}", "bold" if exchange.ok else ""
    yield from ((f"       {note}", "dim") for note in notes or ())
    if exchange.side:
        yield "       beside the conversation; the script stays where it is", "dim"
    if exchange.extra:
        yield "       WRONG  the script is over, and it asks again", "red"
    if exchange.refusal is not None:
        yield f"       WRONG  {exchange.status}: {exchange.refusal}", "red"
    yield from ((f"       {words}", "yellow") for words in remarks(exchange))


def answered(exchange: Exchange) -> str:
    """What a request was answered with, in short notation."""
    if isinstance(exchange.played, Crash):
        status = exchange.played.status
        return f"status {status}" if status else "the connection is closed"
    if exchange.delivered is None:
        return f"refused with {exchange.status}"
    label = exchange.delivered.label
    return f"{shape([message_of(exchange.delivered)])} labelled {label!r}"


def remarks(exchange: Exchange) -> Iterator[str]:
    """What is not refused here, and worth a word."""
    if exchange.read is None:
        return
    yield from (f"odd: {words}" for words in exchange.read.odd)
    if exchange.refusal is None:
        yield from (f"the real API refuses this: {words}" for _, words in exchange.read.faults)
    offered = [tool.get("name") for tool in exchange.read.tools]
    calls: tuple[Any, ...] = exchange.delivered.calls if exchange.delivered and not exchange.side else ()
    for call in calls:
        if call.name not in offered:
            names = ", ".join(map(str, offered)) or "none"
            yield f"note: the reply calls {call.name!r}, the tools that were offered are: {names}"
