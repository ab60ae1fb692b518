"""The write tool: the whole of a file, made or replaced."""

from typing import Any

from .arguments import schema, str_arg
from .shapes import Tool, Workspace


def make_write_tool(ws: Workspace) -> Tool:
    """Return the `write` tool over the workspace `ws`.

    The result names the path and says no more: the model knows what it wrote. Its ``execute``
    raises ValueError, before anything is written, for a path or content that is not text.
    """

    def execute(arguments: Any) -> str:
        path = str_arg(arguments, "path")
        ws.write_text(path, str_arg(arguments, "content"))
        return f"{path} is written."

    return {
        "name": "write",
        "description": """Write a text file: `content` becomes all of the file at `path`.""",
        "parameters": schema(["path", "content"], []),
        "execute": execute,
    }
