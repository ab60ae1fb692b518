"""HELP, the four small functions that take messages apart and put them together."""

from __future__ import annotations

from typing import Any

from properties.checks import check, equal, fail, shown
from properties.registry import COURSE, law
from strategies.own_calls import helper_messages
from strategies.script import Conversation


@law(
    "HELP-01", tier=COURSE, needs=("helpers",), draws=helper_messages(), lesson3=helper_messages(),
    source="the docstrings of text_of, tool_calls, user_message and error_message",
    hint="A message's words are its text blocks, one straight after the other; its calls are its toolCall "
    "blocks, in order; all other blocks are neither.",
)  # fmt: skip
def helpers_do_what_they_say(script: Conversation, harness: Any) -> None:
    """text_of joins the text blocks, tool_calls lists the calls, and new messages have the stated keys.

    Catches separators between text blocks, blocks that are lost, and blocks taken for what they are not.
    """
    message, text = script.history[0], script.prompts[0].text
    words = [b["text"] for b in message["content"] if b["type"] == "text"]
    equal(harness.help("text_of", message), "".join(words), f"text_of, for the text blocks {shown(words)},")
    calls = [b for b in message["content"] if b["type"] == "toolCall"]
    _same_calls(harness.help("tool_calls", message), calls)
    _has(harness.help("user_message", text), {"role": "user", "content": text}, "user_message")
    if harness.policies.get("lesson") != "3":
        wanted = {"role": "assistant", "content": [], "stop_reason": "error", "error_message": text}
        _has(harness.help("error_message", text), wanted, "error_message")


def _same_calls(found: Any, wanted: list[dict[str, Any]]) -> None:
    if not isinstance(found, (list, tuple)):
        fail(f"tool_calls gives {shown(found)} instead of a list")
    ids = [c.get("id") if isinstance(c, dict) else c for c in found]
    check(len(found) == len(wanted), f"tool_calls finds {shown(ids)} among {len(wanted)} calls")
    for number, (call, block) in enumerate(zip(found, wanted, strict=True), 1):
        _has(call, block, f"call {number} of tool_calls")


def _has(found: Any, wanted: dict[str, Any], what: str) -> None:
    """All of `wanted` is there; more keys are allowed."""
    if not isinstance(found, dict):
        fail(f"{what} is {shown(found)}, not a message")
    for key, value in wanted.items():
        check(key in found, f"{what} has no {key!r}: {shown(found)}")
        now = list(found[key]) if isinstance(found[key], tuple) else found[key]
        equal(now, value, f"{key!r} of {what}")
