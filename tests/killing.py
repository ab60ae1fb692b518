"""A grader that is killed, or kills, at a counted point: `python -m tests.killing COUNT PID ARGUMENT…`.

Just before it keeps something of a submission for the COUNT-th time, SIGKILL goes to PID, or to the grader
itself if that is 0.
"""

import os
import signal
import sys

from grading.cli import main


def watching(count: int, pid: int) -> None:
    """Count what is kept, and kill when it is time."""
    kept = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal kept
        if event == "os.rename" and ".grading/" in str(arguments[1]) and "run.json" not in str(arguments[1]):
            kept += 1
            if kept == count:
                os.kill(pid or os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


if __name__ == "__main__":
    watching(int(sys.argv[1]), int(sys.argv[2]))
    sys.argv = ["harness-props", "grade", *sys.argv[3:]]
    main()
