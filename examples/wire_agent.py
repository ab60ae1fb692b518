"""A small command-line agent: a loop, two tools, and the chat completions wire, streamed.

    OPENAI_BASE_URL=http://127.0.0.1:8000/v1 python wire_agent.py 'What is in notes.txt?'

The standard library is all it needs. It prints the model's answer and ends with status 0; where there is no
answer it says why on stderr and ends with status 1.
"""

import http.client
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

BASE = os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")
MODEL = os.environ.get("OPENAI_MODEL", "scripted")
TRIES, TURNS, LINES, BYTES = 4, 60, 2000, 50_000
SYSTEM = "You are a careful assistant with a shell."


class Passing(Exception):
    """A fault that may be gone when the same request is made again."""


class Final(Exception):
    """There is no answer, and asking again will not help."""


# ---- the wire -----------------------------------------------------------------------------


def ask(messages):
    """The model's reply to these messages; the same request is made again after a passing fault."""
    reason = ""
    for attempt in range(TRIES):
        try:
            return assembled(events(messages))
        except (Passing, OSError, http.client.HTTPException) as fault:
            reason = str(fault) or type(fault).__name__
            time.sleep(0.01 * 2**attempt)
    raise Final(f"gave up after {TRIES} tries: {reason}")


def events(messages):
    """The events of one streamed reply, as they come."""
    body = {"model": MODEL, "messages": messages, "tools": SPECS, "stream": True}
    url = urlsplit(f"{BASE}/chat/completions")
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    try:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY')}"}
        connection.request("POST", url.path, json.dumps(body), headers)
        response = connection.getresponse()
        if response.status != 200:
            words = f"{response.status} {response.read().decode('utf-8', 'replace')[:500]}"
            raise Passing(words) if response.status in (408, 409, 429) or response.status >= 500 else Final(words)
        for line in response:  # whole lines of bytes, so no character is ever cut
            if line.startswith(b"data:"):
                yield event(line[5:].strip())
    finally:
        connection.close()


def event(line):
    """One event; half of one is what a lost connection leaves."""
    if line == b"[DONE]":
        return {"done": True}
    try:
        return json.loads(line)
    except ValueError as fault:
        raise Passing(f"the stream broke off in {line[:40]!r}") from fault


def assembled(parts):
    """One reply out of the parts of a stream. A stream that does not say that it is over was cut off."""
    text, calls, finish = "", {}, None
    for part in parts:
        finish = finish or ("stop" if part.get("done") else None)
        for choice in part.get("choices", ())[:1]:
            delta = choice.get("delta") or {}
            text += delta.get("content") or ""
            for piece in delta.get("tool_calls") or ():
                call = calls.setdefault(piece["index"], {"id": "", "name": "", "arguments": ""})
                function = piece.get("function") or {}
                call["id"] = piece.get("id") or call["id"]
                call["name"] = function.get("name") or call["name"]
                call["arguments"] += function.get("arguments") or ""
            finish = choice.get("finish_reason") or finish
    if finish is None:
        raise Passing("the stream ended before the reply did")
    return {"text": text, "calls": [calls[index] for index in sorted(calls)], "finish": finish}


# ---- the loop -----------------------------------------------------------------------------


def run(prompt):
    """Play one prompt to its end; returns the model's answer."""
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": prompt}]
    for _ in range(TURNS):
        reply = ask(messages)
        if not reply["calls"]:
            return answer(reply)
        given = [understood(call, number) for number, call in enumerate(reply["calls"])]
        unique(given)
        messages.append(as_sent(reply, given))
        cut = reply["finish"] == "length" and any(isinstance(call["arguments"], str) for call in given)
        for call in given:
            result = "error: the reply was cut off, so nothing was run" if cut else done(call)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    raise Final(f"stopped after {TURNS} model calls")


def answer(reply):
    """What the user is shown at the end; a reply with nothing in it is no answer."""
    if not reply["text"].strip():
        raise Final(f"the model's last reply was empty ({reply['finish']})")
    if reply["finish"] == "length":
        print("the answer was cut off by the length limit", file=sys.stderr)
    return reply["text"]


def understood(call, number):
    """A call with its arguments read; those that are no JSON object stay a text."""
    try:
        arguments = json.loads(call["arguments"])
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        arguments = call["arguments"]
    return {"id": call["id"] or f"call_{number}", "name": call["name"], "arguments": arguments}


def unique(calls):
    """Give calls of one reply that share an id ids of their own."""
    seen = set()
    for number, call in enumerate(calls):
        if call["id"] in seen:
            call["id"] = f"{call['id']}.{number}"
        seen.add(call["id"])


def as_sent(reply, calls):
    """The reply as a message: what was no JSON object is an empty one, and its result says so."""
    sent = [
        {"id": call["id"], "type": "function", "function": {
            "name": call["name"],
            "arguments": json.dumps(call["arguments"] if isinstance(call["arguments"], dict) else {}),
        }}
        for call in calls
    ]  # fmt: skip
    return {"role": "assistant", "content": reply["text"] or None, "tool_calls": sent}


def done(call):
    """Run one call; whatever goes wrong is its result."""
    tool, arguments = TOOLS.get(call["name"]), call["arguments"]
    if tool is None:
        return f"error: there is no tool {call['name']!r}; there are {', '.join(TOOLS)}"
    if not isinstance(arguments, dict):
        return f"error: the arguments are no JSON object: {arguments!r}"
    try:
        return tool(arguments)
    except Exception as fault:
        return f"error: {type(fault).__name__}: {fault}"


# ---- the tools ----------------------------------------------------------------------------


def bash(arguments):
    """Run a command: the end of its output, and its exit code."""
    command = arguments.get("command")
    if not isinstance(command, str):
        raise ValueError("command has to be a text")
    ran = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=False)  # fmt: skip
    output = ran.stdout.decode("utf-8", "replace")
    kept = fitting(output.splitlines(keepends=True)[::-1])[::-1]
    text = "".join(kept)
    if len(text) < len(output):
        text += f"\n[The last {len(kept)} of {len(output.splitlines())} lines]"
    return text if ran.returncode == 0 else f"{text}\nexit code {ran.returncode}"


def read(arguments):
    """A page of a file, from line `offset` on, and how to go on where that is not the end."""
    with Path(arguments["path"]).open(encoding="utf-8", newline="") as file:
        lines = file.read().splitlines(keepends=True)
    start, limit = whole(arguments.get("offset"), 1), whole(arguments.get("limit"), LINES)
    if start > max(len(lines), 1):
        raise ValueError(f"offset {start} is past the end: there are {len(lines)} lines")
    page = fitting(lines[start - 1 : start - 1 + min(limit, LINES)])
    end = start - 1 + len(page)
    if lines and not page:
        onward = f" Use offset={start + 1} to continue." * (start < len(lines))
        return f"[Line {start} has {len(lines[start - 1].encode())} bytes, which is over {BYTES}.{onward}]"
    text = "".join(page)
    return text if end >= len(lines) else f"{text}\n[Showing lines {start}-{end} of {len(lines)}. Use offset={end + 1} to continue.]"


def write(arguments):
    """Write a file anew."""
    Path(arguments["path"]).write_text(arguments["content"], encoding="utf-8", newline="")
    return f"wrote {arguments['path']}"


def whole(given, default):
    """An optional whole number of at least 1."""
    if given is None:
        return default
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise ValueError(f"a whole number from 1 on was due, not {given!r}")
    return given


def fitting(lines):
    """As many of the first lines as fit into both budgets."""
    kept, size = [], 0
    for line in lines[:LINES]:
        size += len(line.encode("utf-8", "replace"))
        if size > BYTES:
            break
        kept.append(line)
    return kept


def spec(name, description, *required, **optional):
    """A tool as the model is told of it."""
    kinds = {**dict.fromkeys(required, "string"), **optional}
    members = {key: {"type": kind} for key, kind in kinds.items()}
    parameters = {"type": "object", "properties": members, "required": required}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


TOOLS = {"bash": bash, "read": read, "write": write}
SPECS = [
    spec("bash", f"Run a shell command. The last {LINES} lines or {BYTES} bytes of its output are shown.", "command"),
    spec("read", f"Read a text file, at most {LINES} lines or {BYTES} bytes at a time.", "path",
         offset="integer", limit="integer"),
    spec("write", "Write a text file anew.", "path", "content"),
]  # fmt: skip


def main(arguments):
    """The answer on stdout and 0, or the reason why there is none on stderr and 1."""
    if len(arguments) != 1:
        print("usage: wire_agent.py PROMPT", file=sys.stderr)
        return 2
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(run(arguments[0]))
    except Final as reason:
        print(f"no answer: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
