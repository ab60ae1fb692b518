"""A grader that is killed, or kills, at counted points: `python -m tests.killing COUNT:PID[,…] ARGUMENT…`.

Just before it keeps something of a submission for the COUNT-th time, SIGKILL goes to PID, or to the grader
itself if that is 0.
"""

import os
import signal
import sys
from collections.abc import Mapping

from grading.cli import main


def watching(kills: Mapping[int, int]) -> None:
    """Count what is kept, and kill when it is time."""
    kept = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal kept
        if event == "os.rename" and ".grading/" in str(arguments[1]) and "run.json" not in str(arguments[1]):
            kept += 1
            if kept in kills:
                os.kill(kills[kept] or os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


if __name__ == "__main__":
    watching({int(count): int(pid) for count, _, pid in (kill.partition(":") for kill in sys.argv[1].split(","))})
    sys.argv = ["harness-props", "grade", *sys.argv[2:]]
    main()
