"""The messages of a program's requests as the script's own: what the program puts round them is taken off.

A call is known again by the step that its command names. What fits no description stays as it is.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from adapters.normal import blocks_of, calls_of, role_of
from adapters.programs.described import Shell
from adapters.programs.steps import COMMAND
from adapters.programs.translation import Translated
from strategies.script import Call, Reply, Say


class Messages:
    """The messages of one run on their way back; `main` are its exchanges, those beside it left out."""

    def __init__(self, made: Translated, main: list[Mapping[str, Any]]) -> None:
        self._made, self._main, self._program = made, main, made.program

    def _before(self, number: int) -> Iterator[tuple[Reply, Reply]]:
        """The replies that were delivered before this request: as they were drawn, as the wire has them."""
        for seen in self._main[:number]:
            if seen["played"] is not None:
                drawn = self._made.played[seen["prompt"]][seen["played"]]
                replies = self._made.wire.prompts[seen["prompt"]].replies
                assert isinstance(replies, tuple)
                sent = replies[seen["played"]]
                if isinstance(drawn, Reply) and isinstance(sent, Reply):
                    yield drawn, sent

    def normal(self, messages: list[Any], prompt: int, number: int) -> list[Any]:
        """The messages of the run's request of this number, as the script's own."""
        before = self._before(number)
        found: list[Any] = []
        own = False  # whether the message before was one of the program's own
        stands_for: dict[Any, str | None] = {}  # id of a call -> the tool that its step stands for
        for message in messages:
            role = role_of(message)
            after_own, own = own, False
            if role == "user":
                kept = self._user(message, prompt)
                found, own = found + kept, not kept
            elif role == "assistant" and after_own and self._put_there(message):
                continue
            elif role == "assistant":
                stands_for = {}
                found.append(self._assistant(message, stands_for, before))
            elif role == "toolResult":
                found.append(self._result(message, stands_for))
            else:
                found.append(message)
        return found

    def _user(self, message: Any, prompt: int) -> list[Any]:
        """A user message: none if it is the program's own, its prompt if it is wrapped."""
        parts = _texts(message.get("content"))
        if parts is None:
            return [message]
        own = self._program.own.messages
        kept = [text for text in parts if not any(re.fullmatch(p, text, re.DOTALL) for p in own)]
        if not kept:
            return []
        asked = [self._prompt(text, prompt) for text in kept]
        if len(asked) > 1:
            return [{**message, "content": [{"type": "text", "text": text} for text in asked]}]
        return [{**message, "content": asked[0]}]

    def _put_there(self, message: Any) -> bool:
        """Whether an assistant message is none of the model's, but what the program has it say."""
        said = "".join(str(b.get("text")) for b in blocks_of(message) if b.get("type") == "text")
        answers = self._program.own.answers
        return not calls_of(message) and any(re.fullmatch(p, said, re.DOTALL) for p in answers)

    def _prompt(self, text: str, prompt: int) -> str:
        wrapped = self._program.prompts.wrapped
        found = re.fullmatch(wrapped, text, re.DOTALL) if wrapped else None
        if found:
            text = found["prompt"]
        if self._program.prompts.trimmed:
            given = [p.text for p in self._made.script.prompts[: prompt + 1]]
            return next((whole for whole in reversed(given) if whole.strip() == text), text)
        return text

    def _assistant(
        self, message: Any, stands_for: dict[Any, str | None], before: Iterator[tuple[Reply, Reply]]
    ) -> Any:  # fmt: skip
        """A reply with its calls as the script's own; its texts in one, as on the wire."""
        texts = [b["text"] for b in blocks_of(message) if b.get("type") == "text"]
        rest = [b for b in blocks_of(message) if b.get("type") not in ("text", "toolCall")]
        calls = [self._own_call(call, stands_for) for call in calls_of(message)]
        if calls:
            calls = self._unparsed(calls, stands_for, before)
        said = self._unpadded("".join(texts)) if self._program.own.padded else "".join(texts)
        blocks = [{"type": "text", "text": said}] if said or (texts and not calls) else []
        return {**message, "content": [*rest, *blocks, *calls]}

    def _unpadded(self, said: str) -> str:
        """The words of a reply as they came, if they are these but for the white space at the end."""
        came = (b.text for played in self._made.played for r in played if isinstance(r, Reply)
                for b in r.blocks if isinstance(b, Say))  # fmt: skip
        return next((text for text in came if text.rstrip() == said.rstrip()), said)

    def _own_call(self, block: dict[str, Any], stands_for: dict[Any, str | None]) -> dict[str, Any]:
        shell, given = self._program.tools.shell, block.get("arguments")
        call = None
        if shell is not None and block.get("name") == shell.name and isinstance(given, dict):
            found = COMMAND.fullmatch(str(shell.command_of(given)))
            place = found and found[1]
            call = self._made.steps.calls.get(place or "")
            if call is not None and place is not None and given == self._sent(place):
                block = {**block, "name": call.name, "arguments": call.arguments}
        stands_for[block.get("id")] = call.name if call else None
        return block

    def _unparsed(
        self, calls: list[dict[str, Any]], stands_for: dict[Any, str | None],
        before: Iterator[tuple[Reply, Reply]],
    ) -> list[dict[str, Any]]:  # fmt: skip
        """The calls; those whose arguments are no object, and so name no step, by the script's name.

        So are those that the program sends again in the name of a tool of its own for calls gone wrong.
        """
        drawn, sent = next(((d, s) for d, s in before if len(d.calls) == len(calls)), (Reply(), Reply()))
        named = []
        for call, own, wire in itertools.zip_longest(calls, drawn.calls, sent.calls):
            unparsed = wire is not None and not isinstance(wire.arguments, dict) and own.name != wire.name
            if unparsed and call["name"] == wire.name:
                stands_for[call.get("id")] = own.name
                call = {**call, "name": own.name}
            elif wire is not None and call["name"] == self._program.tools.misnamed != "" and (
                own.name == wire.name or not isinstance(wire.arguments, dict)
            ):  # fmt: skip
                stands_for[call.get("id")] = own.name
                given = own.arguments if isinstance(own.arguments, dict) else call.get("arguments")
                call = {**call, "name": own.name, "arguments": given}
            named.append(call)
        return named

    def _sent(self, place: str) -> Any:
        """The arguments that the call of a step was sent with."""
        prompt, at, block = map(int, place.split("."))
        replies = self._made.wire.prompts[prompt].replies
        assert isinstance(replies, tuple)
        reply = replies[at]
        sent = reply.blocks[block] if isinstance(reply, Reply) else None
        return sent.arguments if isinstance(sent, Call) else None

    def _result(self, message: Any, stands_for: dict[Any, str | None]) -> Any:
        """A result without what the program puts round what a command printed."""
        tool, content = stands_for.get(message.get("tool_call_id")), message.get("content")
        if tool is None:
            return message
        shell = self._program.tools.shell
        if shell is not None and isinstance(content, str):
            content = bare(content, shell)
        return {**message, "tool_name": tool, "content": content}


def bare(content: str, shell: Shell) -> str:
    """What a command printed, without the frame that the program shows it in."""
    for pattern in shell.shows:
        found = re.fullmatch(pattern, content, re.DOTALL)
        if found:
            content = _unquoted(found["output"]) if shell.quoted else found["output"]
            break
    return "" if any(re.fullmatch(p, content, re.DOTALL) for p in shell.empty) else content


def _unquoted(text: str) -> str:
    """The text that this JSON stands for, the text itself if it is none."""
    try:
        held = json.loads(text if text.startswith('"') else f'"{text}"')
    except ValueError:
        return text
    return held if isinstance(held, str) else text


def _texts(content: Any) -> list[str] | None:
    """The texts of a user message, None if there is anything else in it."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return None
    texts = [b.get("text") for b in content if isinstance(b, dict) and b.get("type") == "text"]
    return texts if len(texts) == len(content) else None  # type: ignore[return-value]
