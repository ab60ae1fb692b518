"""The supervisor of a room: a job comes in as a line, the program plays it, a line says what was seen.

`player.py` plays; what is here reads jobs, hands them on, and says what came of each.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

from adapters.programs.described import Program
from adapters.programs.inside.crowd import Endless, sweep
from adapters.programs.inside.player import Room
from adapters.programs.inside.service import Ended as Gone


def serve(jobs: Any, say: Callable[[Any], None]) -> None:
    """Do jobs until there are no more; the first says which program this room is for."""
    room: Room | None = None
    for line in jobs:
        job = json.loads(line)
        try:
            if job["op"] == "open":
                room = Room(made(job["program"]), job["values"])
                say({"done": {}})
            elif job["op"] in ("play", "hold", "use", "release"):
                say({"done": getattr(room, job["op"])(job)})
            elif job["op"] == "reset":
                if room is not None and room.service is not None:
                    room.reset()
                say({"done": {}})
            else:
                say({"broke": f"no job is called {job['op']!r}"})
        except Endless as endless:
            say({"hung": str(endless)})
        except Gone as gone:
            say({"died": str(gone)})
        except Exception:
            say({"broke": traceback.format_exc()[-3000:]})


def made(data: dict[str, Any]) -> Program:
    """The program out of what came over the line."""
    from adapters.programs.reading import rebuilt

    return rebuilt(data)


def main() -> None:
    """Serve the jobs of standard input; nothing but answers goes to standard output."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(what: Any) -> None:
        out.write(json.dumps(what) + "\n")
        out.flush()

    serve(sys.stdin, say)
    sweep()


if __name__ == "__main__":
    main()
