"""A command starts a daemon and has a timeout of one second: when does tau's bash tool come back?"""

import asyncio
import os
import signal
import tempfile
import time
from pathlib import Path

from tau_coding.tools import create_bash_tool

BOUND = 6


async def main():
    with tempfile.TemporaryDirectory() as folder:
        arguments = {"command": "setsid sleep 60 & echo $! > pid; echo started", "description": "x", "timeout": 1}
        task = asyncio.create_task(create_bash_tool(cwd=folder).execute("c1", arguments))
        start = time.monotonic()
        await asyncio.wait({task}, timeout=BOUND)
        late = not task.done()
        print(f"after {time.monotonic() - start:.1f} s, with a timeout of 1 s, the tool", "still waits" if late else "is back")
        os.kill(int(Path(folder, "pid").read_text()), signal.SIGKILL)
        print("and once the daemon has ended it says:", repr((await task).text))
    return int(late)


raise SystemExit(asyncio.run(main()))
