"""The ASGI application: requests in, answers out, connections that end when they are meant to."""

from __future__ import annotations

import asyncio
import gzip
import threading
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Mount
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from adapters.wire.exchange import Answer, Exchange

if TYPE_CHECKING:
    from adapters.wire.server import Server


def application(server: Server, ready: threading.Event) -> tuple[Any, Any]:
    """The application of a server, and the protocol that knows its connections."""
    lines: dict[Any, Any] = {}  # address of a client -> its connection

    class Doors(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
        """uvicorn's protocol, with a list of the connections that are open."""

        def connection_made(self, transport: Any) -> None:
            lines[transport.get_extra_info("peername")] = transport
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            lines.pop(self.transport.get_extra_info("peername"), None)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        ready.set()
        yield

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        await _serve(server, lines, scope, receive, send)

    return Starlette(routes=[Mount("/", app=serve)], lifespan=lifespan), Doors


async def _serve(server: Server, lines: dict[Any, Any], scope: Any, receive: Any, send: Any) -> None:
    request = Request(scope, receive)
    run, path = server.find(scope["path"])
    if run is None:
        await JSONResponse({"error": {"message": f"no run at {scope['path']}"}}, 404)(scope, receive, send)
        return
    try:
        raw = _unpacked(await request.body(), request.headers.get("content-encoding", ""))
    except ClientDisconnect:
        return
    try:
        query = scope["query_string"].decode("latin-1")
        speaks, exchange = server.hear(run, scope["method"], path, query, dict(request.headers), raw)
        answer = await server.decide(run, speaks, exchange)
    except Exception as error:
        run.broken.append(error)
        told = {"error": {"message": f"the provider broke: {error!r}"}}
        await JSONResponse(told, 500)(scope, receive, send)
        return
    await _send(exchange, answer, lines.get(scope["client"]), send)
    server.done(run, exchange)


def _unpacked(raw: bytes, how: str) -> bytes:
    """A body that some clients compress; one that is broken stays as it is, and is no JSON."""
    try:
        return gzip.decompress(raw) if how == "gzip" else raw
    except (OSError, EOFError, zlib.error):
        return raw


async def _send(exchange: Exchange, answer: Answer, line: Any, send: Any) -> None:
    if answer.status is None:
        exchange.cut = True
        _end(line)
        return
    headers = [(b"content-type", answer.media.encode()), (b"request-id", f"req_{exchange.number}".encode())]
    headers += [(key.encode(), value.encode()) for key, value in answer.headers]
    if not answer.events and not answer.cut:
        headers.append((b"content-length", str(sum(map(len, answer.parts))).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    try:
        for at, part in enumerate(answer.parts):
            await send({"type": "http.response.body", "body": part, "more_body": True})
            exchange.sent_events = answer.events[at] if answer.events else 0
            if answer.events:
                await asyncio.sleep(0)  # the part goes out before the next one is written
        if answer.cut:
            exchange.cut = True
            _end(line)
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    except OSError:
        exchange.left = True


def _end(line: Any) -> None:
    """End a connection after what has been written to it."""
    if line is not None:
        line.close()
