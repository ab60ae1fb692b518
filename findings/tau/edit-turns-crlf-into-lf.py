"""One word of a file with CRLF line endings is edited: what are its line endings afterwards?"""

import asyncio
import tempfile
from pathlib import Path

from tau_coding.tools import create_edit_tool


async def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "a.bat")
        place.write_bytes(b"echo one\r\necho two\r\necho three\r\n")
        edit = {"oldText": "two", "newText": "2"}
        await create_edit_tool(cwd=folder).execute("c1", {"path": "a.bat", "edits": [edit]})
        left = place.read_bytes()
    print("before:", b"echo one\r\necho two\r\necho three\r\n")
    print("after: ", left)
    return int(b"\r\n" not in left)


raise SystemExit(asyncio.run(main()))
