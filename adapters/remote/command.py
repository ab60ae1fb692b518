"""The command of a `process:` target: how it is started, looked at and ended."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from adapters.contract import Died, Unusable
from adapters.watch import family

MANNERS = 0.5  # seconds that it may take to leave after goodbye
KEPT = 4096  # bytes of standard error that are shown
MUCH = 1 << 20  # bytes of standard error after which it is begun anew
SECRET = re.compile(
    r"(?i)key$|token|secret|passw|credential|cookie|_auth$|^(openai|anthropic|gemini|google|azure|aws|mistral|"
    r"openrouter|groq|hf|huggingface|github|gh|npm)_|_base_url$|_api_base$"
)


def scrubbed(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without what looks like a credential or points at a provider."""
    kept = {name: value for name, value in environment.items() if not SECRET.search(name)}
    language = dict.fromkeys(("LANG", "LC_ALL"), "C.UTF-8")
    return {**kept, **language, "PYTHONHASHSEED": "0", "NO_COLOR": "1", "HARNESS_PROPS": "1"}


class Command:
    """A command as a process group of its own, from `start` to `close`.

    `sink` is our end of its standard input; `sources` are our ends of its standard output and of the
    descriptor named in HARNESS_PROPS_OUT. `named` is how messages call it.
    """

    def __init__(self, words: Sequence[str], named: str, folder: Path | None = None,
                 environment: Mapping[str, str] | None = None) -> None:  # fmt: skip
        self.words, self.named, self._folder = list(words), named, folder
        self._more = dict(environment or {})
        self.sink, self.sources = -1, [-1, -1]
        self._process: subprocess.Popen[bytes] | None = None
        self._errors = -1

    @property
    def pid(self) -> int | None:
        """The process that was started; None if none runs."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the process. Raises Unusable if there is no such command."""
        self.close()
        self._errors, name = tempfile.mkstemp(prefix="harness-stderr-")
        os.unlink(name)
        os.set_blocking(self._errors, True)
        appended = os.open(f"/proc/self/fd/{self._errors}", os.O_WRONLY | os.O_APPEND)
        theirs_in, self.sink = os.pipe()
        standard, theirs_standard = os.pipe()
        other, theirs_other = os.pipe()
        self.sources = [standard, other]
        ends = (theirs_in, theirs_other)
        environment = {
            **scrubbed(os.environ), "HARNESS_PROPS_IN": str(ends[0]), "HARNESS_PROPS_OUT": str(ends[1]),
            **self._more,
        }  # fmt: skip
        try:
            self._process = subprocess.Popen(
                self.words, stdin=theirs_in, stdout=theirs_standard, stderr=appended, pass_fds=ends,
                start_new_session=True, cwd=self._folder, env=environment,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            self.close()
            raise Unusable(f"{self.named}: cannot be started: {error}") from error
        finally:
            for descriptor in (theirs_in, theirs_standard, theirs_other, appended):
                os.close(descriptor)
        os.set_blocking(self.sink, False)

    def close(self) -> None:
        """Kill the process, its group and whatever else came of it; nothing if none runs."""
        process, self._process = self._process, None
        if process is not None:
            members = [pid for pid, _ in family(process.pid)]
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # not yet waited for: the number is still its own
            for pid in members:  # those that left the group
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
        for descriptor in (self.sink, *self.sources, self._errors):
            if descriptor >= 0:
                os.close(descriptor)
        self.sink, self.sources, self._errors = -1, [-1, -1], -1

    def leave(self) -> None:
        """Give a process that was told goodbye a moment to go, then `close`."""
        if self._process is not None:
            if self.sink >= 0:
                os.close(self.sink)
                self.sink = -1
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(MANNERS)
        self.close()

    def mark(self) -> int:
        """Where standard error ends now, for `said`; it is begun anew when it has become long."""
        if self._errors < 0:
            return 0
        size = os.fstat(self._errors).st_size
        if size > MUCH:
            os.ftruncate(self._errors, 0)
            return 0
        return size

    def said(self, since: int = 0) -> str:
        """The last that it wrote on standard error since a mark."""
        if self._errors < 0:
            return ""
        size = os.fstat(self._errors).st_size
        begin = max(since, size - KEPT)
        return os.pread(self._errors, KEPT, begin).decode(errors="replace").strip() if size > begin else ""

    def gone(self) -> bool:
        """Whether the process has ended; its number stays taken until `close` waits for it."""
        assert self._process is not None
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    def died(self) -> Died:
        """Why nothing more comes."""
        assert self._process is not None
        for _ in range(200):  # two seconds at most: the pipes close shortly before the end
            if self.gone():
                break
            select.poll().poll(10)
        else:
            return Died("the command closed its output")
        end = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        assert end is not None
        if end.si_code == os.CLD_EXITED:
            return Died(f"the command ended with exit status {end.si_status}")
        try:
            name = signal.Signals(end.si_status).name
        except ValueError:
            name = f"signal {end.si_status}"
        return Died(f"the command was killed by {name}")
