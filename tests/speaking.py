"""Commands that speak the process protocol, well or badly, for the tests of the way to them."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

PREAMBLE = '''
import json, os, signal, subprocess, sys

def say(**message):
    os.write(1, (json.dumps(message) + "\\n").encode())

def hear():
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

def done(message, **fields):
    say(type="done", id=message["id"], **fields)

def hello(**more):
    done(hear(), **{"protocol": 1, "name": "scripted", "capabilities": ["loop"], **more})

def started():
    message = hear()
    done(message)
    return hear()  # the prompt

def model(id=1, **more):
    user = {"role": "user", "content": "Go."}
    say(type="model", id=id, system="s", messages=[user], tools=[], **more)
    return hear()

def answered(prompt, **more):
    done(prompt, ending="returned", returned={"role": "assistant", "content": []}, **more)

'''


def speaker(folder: Path, body: str, name: str = "speaker.py") -> str:
    """The target of a command that does this, with the words of the preamble at hand."""
    path = folder / name
    path.write_text(PREAMBLE + body)
    return f"process:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"
