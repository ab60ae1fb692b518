"""How large a script is to whoever has to read it."""

from __future__ import annotations

from typing import Any

from strategies.script import Conversation, Crash, Cut, Desk, Paging, Pair, Relabelled, Use


def weight(script: Any) -> tuple[int, int, int]:
    """(replies, calls, lines of files and output). Raises TypeError for what is no script."""
    if isinstance(script, Pair):
        return max(weight(script.first), weight(script.second))
    if isinstance(script, Relabelled):
        return weight(script.conversation)
    if isinstance(script, Conversation):
        replies = [r for p in script.prompts if isinstance(p.replies, tuple) for r in p.replies]
        lines = sum(len(t.splitlines()) for t in script.files.values())
        return len(replies), sum(len(r.calls) for r in replies if not isinstance(r, Crash)), lines
    if isinstance(script, (Cut, Paging)):
        return 0, 1, len(script.text.splitlines())
    if isinstance(script, Desk):
        texts = [*script.files.values(), *(r.output for r in script.commands.values())]
        calls = sum(isinstance(s, Use) for s in script.steps)
        return 0, calls, sum(len(t.splitlines()) for t in texts)
    raise TypeError(f"{type(script).__name__} is no script")
