"""A file has one very long line in the middle: does a reader who follows tau's notices see what is behind it?"""

import asyncio
import re
import tempfile
from pathlib import Path

from tau_coding.tools import create_read_tool


async def main():
    pages, offset = [], 1
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.txt").write_text("first\n" + "x" * 60_000 + "\nlast\n")
        read = create_read_tool(cwd=folder)
        while offset and len(pages) < 10:
            pages.append((await read.execute("c1", {"path": "a.txt", "offset": offset})).text)
            following = re.search(r"Use offset=(\d+)", pages[-1])
            offset = int(following[1]) if following else None
    for page in pages:
        print(repr(page))
    hidden = not any("last" in page for page in pages)
    print("no notice leads to the line behind the long one" if hidden else "the last line was shown")
    return int(hidden)


raise SystemExit(asyncio.run(main()))
