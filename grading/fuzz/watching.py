"""How a run goes on: a bar on a terminal, elsewhere a line on standard error for each round."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from grading.fuzz.journal import Finding, State
from grading.fuzz.session import told


def many(number: int, word: str, more: str = "") -> str:
    """A number of things in words."""
    return f"{number:,} {word if number == 1 else more or word + 's'}"


class Watching:
    """Counts scripts, and tells whoever looks on."""

    def __init__(self, state: State, bar: Progress | None = None) -> None:
        self.scripts, self.rounds = state.scripts, 0
        self._state, self._bar = state, bar
        self._task = bar.add_task("beginning", total=None, said="") if bar else None

    def at(self, property_: str, number: int) -> None:
        """A property is looked at in a round."""
        if number != self.rounds and self._bar is None:
            sys.stderr.write(f"round {number}: {self._said()}\n")
        self.rounds = number
        self._show(f"round {number}, {property_}")

    def script(self) -> None:
        """A script was judged."""
        self.scripts += 1
        if self.scripts % 10 == 0:
            self._show()

    def found(self, _: Finding) -> None:
        """A finding came, or its smallest script did."""
        self._show()

    def _said(self) -> str:
        return f"{many(self.scripts, 'script')}, {many(len(told(self._state)[0]), 'finding')} so far"

    def _show(self, description: str | None = None) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=description, said=self._said())


@contextlib.contextmanager
def watching(state: State, console: Console) -> Iterator[Watching]:
    """Whoever looks on at a run."""
    errors = Console(stderr=True)
    if not (errors.is_terminal and console.is_terminal):
        yield Watching(state)
        return
    columns = (SpinnerColumn(), TextColumn("{task.description:<20}"), TimeElapsedColumn(),
               TextColumn("{task.fields[said]}"))  # fmt: skip
    with Progress(*columns, console=errors, transient=True) as bar:
        yield Watching(state, bar)
