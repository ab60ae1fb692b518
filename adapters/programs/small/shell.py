"""What the small programs share: the one tool, a command, and how an answer is shown."""

import subprocess
import sys


def run(command: str) -> str:
    """What a command printed, and its exit code if that is not 0."""
    ran = subprocess.run(
        ["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    return ran.stdout if ran.returncode == 0 else f"{ran.stdout}\nexit code {ran.returncode}"


def show(answer: object) -> None:
    """Print the answer that the framework gave; one with nothing in it is told, with status 1."""
    text = str(answer)
    if not text.strip():
        sys.exit(f"the framework gave {answer!r} for an answer")
    print(text)
