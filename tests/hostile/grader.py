"""`harness-props grade` in a hurry: `python -m tests.hostile.grader FILE ARGUMENT…`.

It is the real command but for two things: its workers give a child little, so that each attack is over
soon, and each user number that a child is given is noted in FILE.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys

from grading.batch import pools
from grading.cli import main
from grading.isolation import uids
from tests.hostile.limits import lower
from tests.hostile.run import noting

_begin = pools._begin


def watched(file: str) -> None:
    """Note in this process, too, who is given which number."""
    noted = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    uids.take = noting(uids.take, lambda number: os.write(noted, b"%d\n" % number))


def begin(file: str) -> None:
    """In a worker, as it begins."""
    lower(setattr)
    watched(file)
    _begin()


if __name__ == "__main__":
    watched(sys.argv[1])
    named = importlib.import_module("tests.hostile.grader")  # workers do not know it as __main__
    pools._begin = functools.partial(named.begin, sys.argv[1])
    sys.argv = ["harness-props", "grade", *sys.argv[2:]]
    main()
