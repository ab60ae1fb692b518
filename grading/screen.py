"""Lines on a terminal or in a pipe: wrapped and coloured there, plain and unbroken here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

PIPE = 88  # columns that code is laid out for where nobody says how wide a line is


def safe(text: str) -> str:
    """The text with control characters and lone surrogates spelled out, so that it only shows."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


class Screen:
    """Where a person reads. `console` decides between terminal and pipe."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._pretty = console.is_terminal
        self.room = max(50, min(console.width, 100) - 12) if self._pretty else PIPE

    def line(self, text: str | Text = "", style: str = "", indent: int = 0) -> None:
        """One line, or as many as the terminal's width makes of it, all of them indented."""
        told = text if isinstance(text, Text) else Text(safe(text), style)
        parts: Iterable[Text] = [told]
        if self._pretty:
            parts = told.wrap(self.console, max(20, self.console.width - indent))
        for part in parts:
            part.rstrip()
            self.console.print(Text(" " * indent if part else "") + part, soft_wrap=True, highlight=False)

    def labelled(self, label: str, text: str | Text, style: str = "") -> None:
        """A line behind a word in the margin; lines after the first stand below the text."""
        told = text if isinstance(text, Text) else Text(safe(text), style)
        parts: list[Text] = [told]
        if self._pretty:
            parts = list(told.wrap(self.console, max(20, self.console.width - 12)))
        for number, part in enumerate(parts):
            part.rstrip()
            self._in_margin("" if number else label, part)

    def code(self, label: str, lines: Sequence[str]) -> None:
        """Python behind a word in the margin, in colour on a terminal."""
        for number, line in enumerate(lines):
            shown = Text(line)
            if self._pretty:
                shown = Syntax("", "python", theme="ansi_dark").highlight(line)
                shown.rstrip()
            self._in_margin("" if number else label, shown)

    def _in_margin(self, label: str, text: Text) -> None:
        told = Text.assemble((f"  {label:<10}", "cyan"), text)
        told.rstrip()
        self.console.print(told, soft_wrap=True, highlight=False)
