"""The model writes a text that UTF-8 cannot encode: what is left of the file that was there?"""

import asyncio
import json
import tempfile
from pathlib import Path

from tau_coding.tools import create_write_tool


async def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "notes.txt")
        place.write_text("three years of notes\n")
        arguments = json.loads(r'{"path": "notes.txt", "content": "half an emoji: \ud83d"}')
        try:
            await create_write_tool(cwd=folder).execute("c1", arguments)
        except UnicodeEncodeError as error:
            print("the tool fails:", error)
        left = place.read_bytes()
    print("the file holds now:", left)
    return int(left == b"")


raise SystemExit(asyncio.run(main()))
