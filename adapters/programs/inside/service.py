"""One process of a program that plays many runs: lines of JSON in, lines of JSON out."""

from __future__ import annotations

import json
import os
import re
import selectors
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from adapters.programs.described import Service

LOOK = 0.02  # seconds between looks at a program that says nothing


class Ended(Exception):
    """The process ended though nobody asked it to."""


class Persistent:
    """A program that waits for prompts. `watch` is called between looks, and may raise."""

    def __init__(self, service: Service, process: subprocess.Popen[bytes], errors: Path) -> None:
        self._service, self.process, self._errors = service, process, errors
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._ready = selectors.DefaultSelector()
        self._ready.register(process.stdout, selectors.EVENT_READ)
        self._rest = b""
        self._lines: list[str] = []

    def begin(self, watch: Callable[[], None]) -> None:
        """A new conversation: nothing of the one before is left."""
        self._say(self._service.begin)
        self._until(self._service.began, watch)

    def ask(self, prompt: str, watch: Callable[[], None]) -> str:
        """One prompt to its end; what the program says of it, all texts of its last line."""
        self.tell(prompt)
        return "\n".join(_texts(json.loads(self._until(self._service.done, watch))))

    def tell(self, prompt: str) -> None:
        """Put a prompt to it and do not wait."""
        self._say(self._service.prompt.replace('"{prompt}"', json.dumps(prompt)))

    def over(self) -> bool:
        """Whether it has said that the prompt is over; what it says is read."""
        return any(re.search(self._service.done, line) for line in list(self._taken()))

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise Ended(self._last_words()) from error

    def _until(self, pattern: str, watch: Callable[[], None]) -> str:
        """The next line that this pattern is found in; lines before it are passed over."""
        while True:
            for line in self._taken():
                if re.search(pattern, line):
                    return line
            if self.process.poll() is not None:
                raise Ended(self._last_words())
            watch()
            self._ready.select(LOOK)

    def _taken(self) -> Iterator[str]:
        """The lines there are; what comes after the one that is looked for stays."""
        assert self.process.stdout is not None
        while more := self.process.stdout.read():
            self._rest += more
        *whole, self._rest = self._rest.split(b"\n")
        self._lines += [line.decode("utf-8", "replace") for line in whole]
        while self._lines:
            yield self._lines.pop(0)

    def _last_words(self) -> str:
        said = self._errors.read_bytes()[-500:].decode("utf-8", "replace")
        return f"the program ended with status {self.process.wait()} while it was asked: {said!r}"


def _texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
