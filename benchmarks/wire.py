"""What the wire provider costs: `python -m benchmarks.wire [--seconds N] [--json FILE]`.

For each wire: streamed requests a second over a few connections that are kept open, the CPU time of one
in the provider and in the client, and the same for whole replies. The clients run in processes of their
own and speak plain HTTP, so that what is measured is the provider. At least 500 streamed requests a second
are asked for; on a machine that others use, look at the CPU time: the last column is what a processor does
that has nothing else to do.
"""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from adapters.wire.dialects import NAMES
from adapters.wire.server import Run, Server
from strategies.script import Call, Conversation, Prompt, Reply, Say, Sent, Tool

ASKED, CLIENTS = 500, 2
REPLY = Reply((Say("Let me look, and say so."), Call("c1", "echo", {"text": "hello"})), "toolUse")
SPLIT = Reply(REPLY.blocks, "toolUse", sent=Sent((4,)))
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}
GO = [{"role": "user", "content": "Go."}]


def request_of(wire: str, *, streamed: bool) -> tuple[str, dict[str, Any]]:
    """Path and body of a small request with one tool."""
    if wire == "chat":
        tool = {"type": "function", "function": {"name": "echo", "parameters": SCHEMA}}
        return "v1/chat/completions", {"model": "m", "messages": GO, "tools": [tool], "stream": streamed}
    if wire == "responses":
        tool = {"type": "function", "name": "echo", "parameters": SCHEMA}
        return "v1/responses", {"model": "m", "input": "Go.", "tools": [tool], "stream": streamed}
    if wire == "anthropic":
        tool = {"name": "echo", "input_schema": SCHEMA}
        body = {"model": "m", "max_tokens": 9, "messages": GO, "tools": [tool], "stream": streamed}
        return "v1/messages", body
    how = "streamGenerateContent?alt=sse" if streamed else "generateContent"
    declared = [{"functionDeclarations": [{"name": "echo", "parameters": SCHEMA}]}]
    said = [{"role": "user", "parts": [{"text": "Go."}]}]
    return f"v1beta/models/m:{how}", {"contents": said, "tools": declared}


def client(port: int, prefix: str, wire: str, streamed: bool, seconds: float) -> None:
    """Ask for so long, one request after the other, and print how many were answered."""
    path, body = request_of(wire, streamed=streamed)
    raw, headers = json.dumps(body).encode(), {"content-type": "application/json"}
    line = http.client.HTTPConnection("127.0.0.1", port)
    count, spent, until = 0, time.process_time(), time.monotonic() + seconds
    while time.monotonic() < until:
        line.request("POST", f"{prefix}/{path}", raw, headers)
        answer = line.getresponse()
        got = answer.read()
        if answer.status != 200 or not got:
            raise SystemExit(f"{wire}: status {answer.status}: {got[:300]!r}")
        count += 1
    print(json.dumps({"count": count, "cpu": time.process_time() - spent}))


def measure(server: Server, wire: str, reply: Reply, seconds: float, *, streamed: bool) -> dict[str, float]:
    """Requests a second, and CPU seconds of one in the provider and in the client."""
    script = Conversation((Prompt("Go.", (reply,)),), (Tool(parameters=SCHEMA),))
    runs: list[Run] = [server.open(script, source=lambda _: reply) for _ in range(CLIENTS)]
    command = [sys.executable, "-m", "benchmarks.wire", "--client"]
    spent, started = time.process_time(), time.monotonic()
    clients = [
        subprocess.Popen(
            [*command, str(server.port), f"/r/{run.name}", wire, str(int(streamed)), str(seconds)],
            stdout=subprocess.PIPE, text=True,
        )
        for run in runs
    ]  # fmt: skip
    told = [json.loads(each.communicate()[0]) for each in clients]
    spent, passed = time.process_time() - spent, time.monotonic() - started
    for run in runs:
        run.close()
    count = sum(each["count"] for each in told)
    return {
        "requests": count, "a second": round(count / seconds, 1), "seconds": round(passed, 2),
        "provider ms": round(1000 * spent / count, 3),
        "client ms": round(1000 * sum(each["cpu"] for each in told) / count, 3),
    }  # fmt: skip


def main() -> int:
    """Measure every wire and print a table; status 1 if one is too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--wire", action="append", choices=NAMES)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    wires = tuple(asked.wire or NAMES)
    kinds = (("streamed", REPLY, True), ("streamed in parts", SPLIT, True), ("whole", REPLY, False))
    found: dict[str, dict[str, dict[str, float]]] = {}
    slow = False
    heads = f"{'a second':>9} {'provider ms':>12} {'client ms':>10} {'a CPU second':>13}"
    print(f"{'wire':<10} {'reply':<18} {heads}")
    with Server(wires=wires) as server:
        for wire in wires:
            for name, reply, streamed in kinds:
                row = measure(server, wire, reply, asked.seconds, streamed=streamed)
                found.setdefault(wire, {})[name] = row
                slow |= name == "streamed" and row["a second"] < ASKED
                figures = f"{row['a second']:>9.0f} {row['provider ms']:>12.2f} {row['client ms']:>10.2f}"
                figures += f" {1000 / row['provider ms']:>13.0f}"
                print(f"{wire:<10} {name:<18} {figures}", flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=2) + "\n")
    print(f"at least {ASKED} streamed requests a second are asked for: {'too slow' if slow else 'kept'}")
    return int(slow)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--client"]:
        port, prefix, wire, streamed, seconds = sys.argv[2:]
        client(int(port), prefix, wire, streamed == "1", float(seconds))
    else:
        sys.exit(main())
