"""The way back: what the wire saw of a run, as a trace.

Requests and their messages, the runs that followed each, and how each prompt ended. How a message of the
program's becomes one of the script's stands in `messages.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from adapters.contract import Unplayable
from adapters.normal import blocks_of, calls_of
from adapters.programs.messages import Messages
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
        self._made, self._seen = made, seen
        self._main = [e for e in seen["exchanges"] if e["kind"] == "model" and not e["side"]]
        self._numbers = {e["number"]: n for n, e in enumerate(self._main)}  # of all -> of these
        self._messages = Messages(made, self._main)
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
        messages = self._messages.normal(seen["messages"] or [], seen["prompt"], number)
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
