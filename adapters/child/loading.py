"""How the harness's file becomes a module, and what is told of one that cannot be run.

Runs in the child's process before any job, and in a server's for its own use. Standard library only.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_new_module = type(sys)
TEXT = 2000  # characters kept of an exception's text


def load_harness(path: str, suite: str) -> ModuleType:
    """Run the harness's file as the module that `import` would make of it.

    It is compiled afresh: a compiled copy may be stale within the second. `suite` is the folder
    that a suite installed in place put on the path. Raises what it raises.
    """
    stem = os.path.splitext(os.path.basename(path))[0]
    if not suite.endswith("-packages"):  # a checkout that was installed in place is nobody's module
        sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != suite]
    sys.path.insert(0, os.path.dirname(path))
    sys.argv = [path]
    module = _new_module(stem)
    module.__file__ = path
    module.__loader__ = SourceFileLoader(stem, path)
    module.__spec__ = ModuleSpec(stem, module.__loader__, origin=path)
    module.__spec__.has_location = True
    with open(path, "rb") as file:
        source = file.read()
    code = compile(source, path, "exec", dont_inherit=True)
    sys.modules[stem] = module
    exec(code, module.__dict__)
    found = sys.modules.get(stem, module)
    return found if isinstance(found, _new_module) else module


def unloadable(error: BaseException, path: str) -> dict[str, Any]:
    """What kept the file from running: `line` is a line of `file`, None when there is none."""
    try:
        text = str.__str__(str(error))[:TEXT]
    except BaseException:
        text = "<no readable text>"
    event = {"event": "unloadable", "error": type(error).__name__, "text": text, "file": path}
    line, missing = None, []
    if isinstance(error, SyntaxError) and isinstance(error.filename, str):
        event["file"], event["text"], line = error.filename, str(error.msg)[:TEXT], error.lineno
    else:
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == path:
                line = trace.tb_lineno
            trace = trace.tb_next
    if isinstance(error, ModuleNotFoundError) and isinstance(error.name, str):
        missing.append(error.name)
    return {**event, "line": line if isinstance(line, int) else None, "missing": missing}
