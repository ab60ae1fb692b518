"""What the supervisor looks at and puts in place: folders, files, logs, and exchanges as data."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from adapters.wire.exchange import Exchange
from strategies.script import Conversation, Crash, Reply

MOST = 1_000_000  # bytes of its output that are kept


def emptied(folder: Path, kept: set[Path]) -> None:
    """Empty a folder, which stays where it is, of all but what is to be kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in set(folder.iterdir()) - kept:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def put(path: Path, held: str) -> None:
    """Write a file, folders and all; lone surrogates stand for bytes that are no text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(held.encode("utf-8", "surrogateescape"))


def taken(path: str) -> str | None:
    """What a file of the workspace holds by now, None if there is none."""
    try:
        return Path(path).read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return None


def whole(path: str) -> str:
    """What a program printed, as far as it is kept."""
    return Path(path).read_bytes()[:MOST].decode("utf-8", "replace")


def tail(path: str) -> str:
    """The end of what a program printed."""
    return Path(path).read_bytes()[-300:].decode("utf-8", "replace")


def lines_of(log: bytes) -> list[list[Any]]:
    """The lines of the log, each with the place at which it ends."""
    found, at = [], 0
    for line in log.splitlines(keepends=True):
        at += len(line)
        found.append([at, line.decode("utf-8", "replace").rstrip("\n")])
    return found


def told(exchange: Exchange, script: Conversation, logged: dict[int, int]) -> dict[str, Any]:
    """An exchange as data; `played` is the place of the reply in the script."""
    read = exchange.read
    return {
        "number": exchange.number, "prompt": exchange.prompt, "kind": exchange.kind,
        "system": read and read.system, "messages": read and read.messages, "tools": read and read.tools,
        "refusal": exchange.refusal, "rule": exchange.rule, "side": exchange.side, "extra": exchange.extra,
        "played": place_of(exchange, script), "cut": exchange.cut, "left": exchange.left,
        "status": exchange.status, "logged": logged.get(exchange.number, 0), "dialect": exchange.dialect,
    }  # fmt: skip


def place_of(exchange: Exchange, script: Conversation) -> int | None:
    """Which of its prompt's replies this exchange was answered with."""
    played: Reply | Crash | None = exchange.played
    if played is None:
        return None
    replies = script.prompts[exchange.prompt].replies
    assert isinstance(replies, tuple)
    return next((i for i, one in enumerate(replies) if one is played), None)
