"""The way back: what the wire saw of a run, as a trace.

Calls are told from each other by the step they name, and what the program puts round prompts and results is
taken off as its description says. What fits no description stays as it is.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from adapters.contract import Unplayable
from adapters.normal import blocks_of, calls_of, role_of
from adapters.programs.described import Shell
from adapters.programs.steps import COMMAND
from adapters.programs.translation import Translated
from adapters.trace import Ending, Execution, Problem, Request, Trace
from strategies.script import Call, Crash, Reply, Say, Tool, message_of

Seen = Mapping[str, Any]


def trace_of(made: Translated, seen: Seen) -> Trace:
    """What came of a run. Raises Unplayable where a name of the script's is one of the program's own."""
    return _Back(made, seen).trace()


class _Back:
    """One run on its way back."""

    def __init__(self, made: Translated, seen: Seen) -> None:
        self._made, self._seen, self._program = made, seen, made.program
        self._main = [e for e in seen["exchanges"] if e["kind"] == "model" and not e["side"]]
        self._numbers = {e["number"]: n for n, e in enumerate(self._main)}  # of all -> of these
        self._delivered = {
            (e["prompt"], e["played"]): n for n, e in enumerate(self._main) if e["played"] is not None
        }

    def trace(self) -> Trace:
        """The events in order: requests, the runs that followed each, and how each prompt ended."""
        _no_own_names(self._made, self._main)
        script = self._made.script
        trace = Trace(left_over=self._seen["left_over"], lookups=tuple(self._seen["lookups"]))
        public = [_public(t) for t in script.tools if isinstance(t, Tool)]
        trace.tools_before, trace.tools_after = public, public
        requests = [self._request(n, e) for n, e in enumerate(self._main)]
        runs = [self._execution(place, line, requests) for place, line in self._runs()]
        for prompt in range(len(script.prompts)):
            of_prompt = [n for n, r in enumerate(requests) if r.prompt == prompt]
            for n in of_prompt:
                trace.events.append(requests[n])
                trace.events += [run for after, run in runs if after == n]
            trace.events.append(self._ending(prompt, [requests[n] for n in of_prompt]))
        return trace

    def _runs(self) -> list[tuple[int, str]]:
        """Each line of the log, with the request after whose answer it was written."""
        found, start = [], 0
        for end, line in self._seen["log"]:
            before = [n for n, e in enumerate(self._main) if e["logged"] <= start]
            found.append((before[-1] if before else 0, line))
            start = end
        return found

    def _execution(self, after: int, line: str, requests: list[Request]) -> tuple[int, Execution]:
        place, _, given = line.partition(" ")
        call = self._made.steps.calls[place]
        prompt, at, block = map(int, place.split("."))
        reply = self._made.played[prompt][at]
        assert isinstance(reply, Reply)
        number = sum(isinstance(b, Call) for b in reply.blocks[:block])
        asked = self._delivered.get((prompt, at), after)
        try:
            arguments = json.loads(given)
        except ValueError:
            arguments = given
        record = requests[after].messages if requests else []
        return after, Execution(prompt, asked, call.name, arguments, number, call, record)

    def _request(self, number: int, seen: Seen) -> Request:
        messages = self.normal(seen["messages"] or [], seen["prompt"], self._before(number))
        common: dict[str, Any] = {
            "prompt": seen["prompt"], "number": number, "system": seen["system"], "messages": messages,
            "tools": seen["tools"], "record": messages, "aliased": False,
        }  # fmt: skip
        if seen["refusal"] is not None:
            refused = message_of(Reply((), "error", seen["refusal"]))
            return Request(**common, reply=refused, refusal=seen["refusal"], rule=seen["rule"])
        if seen["extra"]:
            return Request(**common, reply=message_of(Reply((Say("(the script is over)"),))), extra=True)
        if seen["played"] is None:  # the client went away before it was answered
            return Request(**common, reply=None)
        played = self._made.played[seen["prompt"]][seen["played"]]
        if isinstance(played, Crash):
            return Request(**common, reply=None, crashed=played.type)
        unclosed = played.sent is not None and played.sent.unclosed
        return Request(**common, reply=message_of(played), played=played, cut=seen["cut"] or unclosed)

    def _ending(self, prompt: int, requests: list[Request]) -> Ending:
        ended = self._seen["ended"][prompt]
        status, printed = ended["status"], ended["stdout"] + ended["stderr"]
        last = requests[-1] if requests else None
        record = list(last.messages) if last else []
        if last is not None and last.reply is not None and last.refusal is None:
            record.append(last.reply)
        said = message_of(Reply((Say(ended["stdout"]),)))
        if not status:
            return Ending(prompt, "returned", said, None, record, status, printed)
        words = (ended["stderr"].strip() or ended["stdout"].strip())[-500:]
        problem = Problem(f"exit status {status}", words, "", _cause(last))
        return Ending(prompt, "raised", None, problem, record, status, printed)

    # -- messages --------------------------------------------------------------------------------

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

    def normal(self, messages: list[Any], prompt: int, before: Iterator[tuple[Reply, Reply]]) -> list[Any]:
        """The messages of a request as the script's own."""
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
        said = "".join(texts)
        blocks = [{"type": "text", "text": said}] if said or (texts and not calls) else []
        return {**message, "content": [*rest, *blocks, *calls]}

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
        """The calls; those whose arguments are no object, and so name no step, by the script's name."""
        drawn, sent = next(((d, s) for d, s in before if len(d.calls) == len(calls)), (Reply(), Reply()))
        named = []
        for call, own, wire in itertools.zip_longest(calls, drawn.calls, sent.calls):
            unparsed = wire is not None and not isinstance(wire.arguments, dict) and own.name != wire.name
            if unparsed and call["name"] == wire.name:
                stands_for[call.get("id")] = own.name
                call = {**call, "name": own.name}
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


def _public(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}


def _cause(last: Request | None) -> str | None:
    """What of the script explains an exit status other than 0; None if nothing does."""
    if last is None:
        return None
    if last.crashed is not None or last.cut:
        return f"crash{last.number + 1}"
    if last.refusal is not None:
        return "refusal"
    reply = last.reply or {}
    said = "".join(str(b.get("text", "")) for b in blocks_of(reply))
    if not calls_of(reply) and (not said.strip() or reply.get("stop_reason") != "stop"):
        return "no answer"  # an empty one, or one whose label says that something is amiss
    return None


def _no_own_names(made: Translated, exchanges: list[Seen]) -> None:
    """Raise Unplayable if a tool that the script takes for unknown is one of the program's own."""
    offered = {t["name"] for e in exchanges[:1] for t in e["tools"] or ()}
    scripted = {t.name for t in made.script.tools}
    for replies in made.played:
        for reply in replies:
            for call in reply.calls if isinstance(reply, Reply) else ():
                if call.name not in scripted and call.name in offered:
                    raise Unplayable(f"it has a tool called {call.name!r} of its own")
