"""Serves the reference, or a miniature of it, over the process protocol: `python -m tests.serve_module [NAME]`."""

import sys
from typing import NoReturn

from adapters.reference import load
from adapters.remote.serve import Server
from adapters.remote.served import channel
from tests.miniatures import planting


def main(name: str = "") -> NoReturn:
    """Serve it until the suite leaves."""
    module = load()
    if name:
        found = {one.name: one for one in planting.all_miniatures()}[name]
        module = planting.load(name, found.patches)
    Server(module, f"{name or 'reference'}.py", channel()).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
