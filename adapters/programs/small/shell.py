"""The one tool of the small programs: a command, and what it printed."""

import subprocess


def run(command: str) -> str:
    """What a command printed, and its exit code if that is not 0."""
    ran = subprocess.run(
        ["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    return ran.stdout if ran.returncode == 0 else f"{ran.stdout}\nexit code {ran.returncode}"
