"""The model sends true as offset: does tau's read tool say that it is no number?"""

import asyncio
import tempfile
from pathlib import Path

from tau_coding.tools import create_read_tool


async def main():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.txt").write_text("one\ntwo\nthree\n")
        read = create_read_tool(cwd=folder)
        try:
            done = await read.execute("c1", {"path": "a.txt", "limit": True})
        except ValueError as error:
            print("an error:", error)
            return 0
    print("no error; with limit=true it gives back:", repr(done.text))
    return 1


raise SystemExit(asyncio.run(main()))
