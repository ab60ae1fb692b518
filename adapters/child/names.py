"""Which of the course's functions a harness has, and whether they can be called as the course does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # not from typing, which takes four milliseconds
    from typing import Any

_WANTED = {
    "run_agent": ["model", "system", [], [], "prompt"], "run_tool": [[], {}],
    "truncate_head": ["text"], "truncate_tail": ["text"], "make_read_tool": [None],
    "make_write_tool": [None], "make_bash_tool": [None], "text_of": [{}], "tool_calls": [{}],
    "user_message": ["text"], "error_message": ["text"], "tool_specs": [[]],
    "context_for_model": [[]],
}  # fmt: skip
_LIMITS = {"max_lines": 1, "max_bytes": 1}
_KEYWORDS: dict[str, dict[str, Any]] = {
    "run_agent": {"max_turns": None}, "truncate_head": _LIMITS, "truncate_tail": _LIMITS,
    "make_read_tool": _LIMITS, "make_bash_tool": _LIMITS,
}  # fmt: skip


def _standard(name: str, harness: Any) -> Any:
    """A module of Python's own, even if the harness's folder holds one of the same name."""
    import os
    import sys
    from importlib import import_module

    ours, theirs = sys.path[:], os.path.dirname(getattr(harness, "__file__", None) or "")
    sys.path[:] = [folder for folder in ours if folder != theirs]
    try:
        return import_module(name)
    finally:
        sys.path[:] = ours


def inspect_names(harness: Any, keywords: bool) -> dict[str, str]:
    """Which functions are missing or cannot be called as the course does: name -> what is wrong."""
    inspect = _standard("inspect", harness)
    wrong = {}
    for name, args in _WANTED.items():
        found = getattr(harness, name, None)
        if found is None:
            wrong[name] = f"has no {name}"
            continue
        if not callable(found):
            wrong[name] = f"has a {name} that is not a function"
            continue
        named = _KEYWORDS.get(name, {}) if keywords else {}
        try:
            signature = inspect.signature(found)
        except (TypeError, ValueError):
            continue
        try:
            signature.bind(*args, **named)  # type: ignore[misc]
        except TypeError as error:
            wrong[name] = f"defines {name}{signature}, which cannot be called as the course does: {error}"
    return wrong
