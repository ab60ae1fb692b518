"""The worker: a harness in its own process, and every way in which that process can go wrong."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.contract import Died, Garbage, HarnessFault, Hung
from adapters.worker import Broken, Unloadable, Worker

DRIVER = '''
codec = None
def perform(harness, job, ask):
    return getattr(harness, job["do"])(ask, *job.get("args", []))
'''
CHANNEL = """
import os, fcntl
def channel(mode):
    for fd in range(3, 200):
        try:
            flags = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE
        except OSError:
            continue
        if flags == mode and 'pipe:' in os.readlink(f'/proc/self/fd/{fd}'):
            return fd
"""

Make = Callable[..., Worker]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Writes a harness file beside a stand-in driver; every worker is closed at the end."""
    workers: list[Worker] = []
    driver = tmp_path / "stand_in_driver.py"
    driver.write_text(DRIVER)

    def made(source: str, **options: Any) -> Worker:
        path = tmp_path / "student" / "harness.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
        worker = Worker(path, driver=driver, **options)
        workers.append(worker)
        return worker

    yield made
    for worker in workers:
        worker.close()


def do(worker: Worker, what: str, *args: Any, answer: Any = None, cpu_seconds: float = 10.0) -> Any:
    """Run one job of the stand-in driver's: call the harness's function `what`."""
    return worker.run({"do": what, "args": args}, answer or (lambda event: event), cpu_seconds=cpu_seconds)


def test_a_job_asks_and_returns(make: Make) -> None:
    """Events reach `answer`, its answers reach the harness, and the value comes back."""
    with make("def go(ask, n):\n    return [ask({'event': 'double', 'n': i})['n'] for i in range(n)]") as worker:
        seen = []

        def answer(event: dict[str, Any]) -> dict[str, Any]:
            seen.append(dict(event))
            return {"n": event["n"] * 2}

        assert do(worker, "go", 3, answer=answer) == [0, 2, 4]
        assert seen == [{"event": "double", "n": n} for n in range(3)]
        assert worker.ready["pid"] == worker.pid


def test_noise_and_closed_streams_do_no_harm(make: Make) -> None:
    """Output goes nowhere, print may be replaced, the streams may be closed."""
    noise = (
        "import builtins, os, sys, threading\nprint('hello')\nos.write(1, b'raw')\nos.write(2, b'raw')\n"
        "builtins.print = None\nsys.stdout.close()\nos.close(1)\nos.close(2)\n"
        "def go(ask):\n    t = threading.Thread(target=sys.exit)\n    t.start(); t.join()\n"
        "    json = __import__('json'); json.dumps = json.loads = os.read = os.write = None\n"
        "    return [sys.stdin and sys.stdin.read(), ask({'event': 'e'})['event']]"
    )
    with make(noise) as worker:
        assert do(worker, "go") == ["", "e"]
        assert do(worker, "go") == ["", "e"]


def test_text_of_every_kind_survives(make: Make) -> None:
    """Line ends and lone surrogates do not break the lines."""
    with make("def go(ask, text):\n    return ask({'event': 'e', 'text': text})['text'] + text") as worker:
        assert do(worker, "go", "a\r\n\u2028\ud800") == "a\r\n\u2028\ud800" * 2


def test_large_lines_both_ways(make: Make) -> None:
    """Ten megabytes travel in a job, in an event, in an answer and in a value."""
    with make("def go(ask, text):\n    return ask({'event': 'e', 'text': text})['text']") as worker:
        text = "x" * 10_000_000
        assert do(worker, "go", text) == text


def test_the_file_is_a_module_with_siblings(make: Make, tmp_path: Path) -> None:
    """Its folder comes first, it is in sys.modules while it runs, and nothing of the suite is on the path."""
    (tmp_path / "student").mkdir()
    (tmp_path / "student" / "helper.py").write_text("import harness\nname = harness.__name__\n")
    source = (
        "import dataclasses, sys\nme = sys.modules[__name__]\nimport helper\n"
        "@dataclasses.dataclass\nclass Point:\n    x: 'int'\n"
        "def go(ask):\n    return [helper.name, __file__, sys.path, sys.argv, me.go is go]"
    )
    with make(source) as worker:
        name, file, path, argv, same = do(worker, "go")
        assert (name, file, argv, same) == ("harness", str(worker.path), [str(worker.path)], True)
        assert path[0] == str(tmp_path / "student")
        assert not [p for p in path if "adapters" in p or p == str(Path.cwd())]


def test_the_environment_is_scrubbed(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret of the grader's is handed on; home is an empty folder that goes away."""
    monkeypatch.setenv("SECRET", "1")
    worker = make(
        "import os\ndef go(ask):\n    return [dict(os.environ), os.getcwd(), os.listdir(), os.listdir(os.environ['TMPDIR'])]"
    )
    with worker:
        environment, folder, home, scratch = do(worker, "go")
    assert "SECRET" not in environment
    assert environment["PYTHONHASHSEED"] == "0"
    assert (environment["HOME"], home, scratch) == (folder, [], [])
    assert not os.path.exists(folder)


def test_programs_of_the_harness_do_not_hold_the_channel(make: Make) -> None:
    """A subprocess gets no descriptor of ours, not even with close_fds off."""
    source = (
        "import subprocess\ndef go(ask):\n"
        "    run = subprocess.run(['ls', '/proc/self/fd'], close_fds=False, capture_output=True, text=True)\n"
        "    return [int(n) for n in run.stdout.split()]"
    )
    with make(source) as worker:
        assert max(do(worker, "go")) < 10


# ---- files that do not load -----------------------------------------------------------------


def refused(worker: Worker) -> Unloadable:
    """The reason why this worker does not start; no process and no folder stay behind."""
    with pytest.raises(Unloadable) as caught:
        worker.start()
    assert worker.pid is None
    return caught.value


def test_a_syntax_error_has_its_line(make: Make) -> None:
    """The line is the one that Python names."""
    fault = refused(make("x = 1\n\ndef broken(:\n"))
    assert (fault.error, fault.line, os.path.basename(fault.file)) == ("SyntaxError", 3, "harness.py")
    assert str(fault).startswith("harness.py does not load: SyntaxError: ")
    assert isinstance(fault, HarnessFault)


def test_an_exception_at_import_has_the_files_own_line(make: Make) -> None:
    """The line is the last one in the student's file, not one inside a library."""
    fault = refused(make("import json\n\nx = json.loads('{')\n"))
    assert (fault.error, fault.line) == ("JSONDecodeError", 3)


@pytest.mark.parametrize("statement", ["import sys; sys.exit('bye')", "raise SystemExit('bye')"])
def test_exit_at_import(make: Make, statement: str) -> None:
    """Leaving at import is a file that does not load, not the end of the child."""
    fault = refused(make(f"x = 1\n{statement}\n"))
    assert (fault.error, fault.text, fault.line) == ("SystemExit", "bye", 2)


def test_an_absent_import_is_named(make: Make) -> None:
    """What is missing comes by name."""
    fault = refused(make("import no_such_module_anywhere.part\n"))
    assert (fault.error, fault.missing, fault.line) == ("ModuleNotFoundError", ["no_such_module_anywhere"], 1)


@pytest.mark.parametrize("source", ["x = '\0'", "# coding: nonsense\n", "raise type('E', (Exception,), {'__str__': 1})"])
def test_odd_files_are_refused(make: Make, source: str) -> None:
    """Null bytes, unknown encodings and unreadable exceptions are reasons, too."""
    assert refused(make(source)).error


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """It does not load."""
    assert refused(Worker(tmp_path / "none.py")).error == "FileNotFoundError"


def test_a_file_that_ends_or_blocks_the_process(make: Make) -> None:
    """Death and endless loops at import are named as such."""
    with pytest.raises(Died, match="exit status 3"):
        make("import os; os._exit(3)").start()
    with pytest.raises(Hung, match="0.2 s of CPU time"):
        make("while True: pass", cpu_seconds=0.2).start()


def test_a_file_that_forks_is_loaded_once(make: Make) -> None:
    """Only the process that we started speaks on the channel."""
    with make("import os\npid = os.fork()\ndef go(ask):\n    return pid != 0") as worker:
        assert do(worker, "go") is True


# ---- jobs that go wrong ---------------------------------------------------------------------


def fails(worker: Worker, fault: type[HarnessFault], match: str, **options: Any) -> None:
    """The job `go` ends in this fault, and the worker can be started again afterwards."""
    worker.start()
    pid = worker.pid
    with pytest.raises(fault, match=match):
        do(worker, "go", **options)
    assert worker.pid is None
    worker.start()
    assert worker.pid not in (None, pid)
    assert do(worker, "fine") == 1


FINE = "\ndef fine(ask):\n    return 1\n"


def test_leaving_the_process(make: Make) -> None:
    """The exit status or the signal is named."""
    fails(make("import os\ndef go(ask):\n    os._exit(3)" + FINE), Died, r"exit status 3 \(os._exit or a crash\)")
    fails(make("import os\ndef go(ask):\n    os.kill(os.getpid(), 11)" + FINE), Died, "killed by SIGSEGV")


def test_leaving_the_process_while_a_child_lives(make: Make) -> None:
    """A forked child that holds the pipes open does not hide the death of its parent, and dies with it."""
    source = "import os, time\ndef go(ask):\n    if os.fork() == 0: time.sleep(60)\n    os._exit(4)" + FINE
    fails(make(source), Died, "exit status 4")


def test_an_endless_loop(make: Make) -> None:
    """CPU time is the bound, in silence and in endless talk."""
    fails(make("def go(ask):\n    while True: pass" + FINE), Hung, "0.3 s of CPU", cpu_seconds=0.3)
    talk = "def go(ask):\n    while True: ask({'event': 'e'})" + FINE
    fails(make(talk), Hung, "0.3 s of CPU", cpu_seconds=0.3)


def test_an_endless_loop_in_a_program_of_the_harness(make: Make) -> None:
    """The CPU time of what the harness starts counts, too."""
    source = "import subprocess\ndef go(ask):\n    subprocess.run(['sh', '-c', 'while :; do :; done'])" + FINE
    fails(make(source), Hung, "0.3 s of CPU", cpu_seconds=0.3)


def test_a_process_that_does_nothing(make: Make) -> None:
    """Idleness is bounded by the clock."""
    source = "import threading\ndef go(ask):\n    threading.Event().wait()" + FINE
    fails(make(source, idle_seconds=1.0), Hung, "did nothing for 1 s")


@pytest.mark.parametrize("garbage", ["hello", "[1]", '{"event": 3}', '{"event": "ready"}', "[" * 50_000, "\\xff"])
def test_garbage_on_the_channel(make: Make, garbage: str) -> None:
    """A line that no program of ours has written is shown, shortened."""
    source = CHANNEL + f"def go(ask):\n    os.write(channel(os.O_WRONLY), b'{garbage}\\n')" + FINE
    fails(make(source), Garbage, "on the suite's channel")


def test_a_closed_channel(make: Make) -> None:
    """Closing the pipes is found out at once."""
    source = CHANNEL + "def go(ask):\n    os.close(channel(os.O_WRONLY))\n    ask({'event': 'e'})" + FINE
    fails(make(source), Died, "closed|exit status")


def test_memory_is_bounded(make: Make) -> None:
    """Asking for more than the limit is a MemoryError in the harness, and no end of the process."""
    source = "def go(ask):\n    try:\n        return len(bytearray(1 << 30))\n    except MemoryError:\n        return -1"
    with make(source, memory=512 << 20) as worker:
        assert do(worker, "go") == -1


def test_an_exception_of_answer_comes_out_itself(make: Make) -> None:
    """The very object is raised again, and the child is gone."""
    worker = make("def go(ask):\n    ask({'event': 'e'})")
    worker.start()
    mine = KeyboardInterrupt()

    def answer(_: dict[str, Any]) -> dict[str, Any]:
        raise mine

    with pytest.raises(KeyboardInterrupt) as caught:
        do(worker, "go", answer=answer)
    assert caught.value is mine
    assert worker.pid is None


def test_an_exception_of_the_driver_is_the_suites(make: Make) -> None:
    """It is `Broken`, with a traceback, and never a fault of the harness."""
    worker = make("def go(ask):\n    return {1, 2}\ndef event(ask):\n    ask({'event': {1}})")
    for what in ("missing", "go", "event"):
        worker.start()
        with pytest.raises(Broken, match="Traceback") as caught:
            do(worker, what)
        assert not isinstance(caught.value, HarnessFault)


def test_a_child_that_does_not_come_up_is_the_suites(make: Make) -> None:
    """A launcher that fails is `Broken` and quoted."""
    with pytest.raises(Broken, match="no room"):
        make("", launcher=["sh", "-c", "echo no room >&2; exit 9"]).start()
    with pytest.raises(Broken, match="cannot be started"):
        make("", launcher=["/no/such/program"]).start()


def test_a_launcher_is_a_prefix(make: Make) -> None:
    """The child's command is appended to it."""
    with make("import os\ndef go(ask):\n    return os.environ['ROOM']", launcher=["env", "ROOM=7"]) as worker:
        assert do(worker, "go") == "7"


# ---- threads and signals --------------------------------------------------------------------


def test_asks_of_many_threads_do_not_mix(make: Make) -> None:
    """Each thread gets its own answer."""
    source = (
        "from concurrent.futures import ThreadPoolExecutor\ndef go(ask):\n"
        "    with ThreadPoolExecutor(8) as pool:\n"
        "        return list(pool.map(lambda n: ask({'event': 'e', 'n': n})['n'], range(200)))"
    )
    with make(source) as worker:
        assert do(worker, "go") == list(range(200))


def test_an_ask_after_the_end_gets_no_answer(make: Make) -> None:
    """A thread that goes on after its run cannot speak in the next one."""
    source = (
        "import threading\nover, told = threading.Event(), []\n"
        "def late(ask):\n    over.wait()\n    try:\n        ask({'event': 'late'})\n"
        "    except RuntimeError as e:\n        told.append(str(e))\n"
        "def go(ask):\n    global thread\n    thread = threading.Thread(target=late, args=[ask])\n    thread.start()\n"
        "def then(ask):\n    over.set()\n    thread.join()\n    return told"
    )
    with make(source) as worker:
        do(worker, "go")
        assert do(worker, "then") == ["this run is over"]


def test_an_interrupted_ask_does_not_shift_the_answers(make: Make) -> None:
    """A harness that breaks off a slow tool by an alarm gets the right answers afterwards."""
    source = (
        "import signal\ndef ring(*_):\n    raise TimeoutError\nsignal.signal(signal.SIGALRM, ring)\n"
        "def go(ask):\n    signal.setitimer(signal.ITIMER_REAL, 0.05)\n    try:\n"
        "        ask({'event': 'slow', 'n': 1})\n    except TimeoutError:\n"
        "        return [ask({'event': 'e', 'n': n})['n'] for n in (2, 3)]"
    )
    with make(source) as worker:

        def answer(event: dict[str, Any]) -> dict[str, Any]:
            if event["event"] == "slow":  # until the alarm has rung: the second ask is on its way
                ready = __import__("select").select([worker._child.source], [], [], 5)[0]
                assert ready
            return event

        assert do(worker, "go", answer=answer) == [2, 3]


def test_closing_twice_and_running_without_a_start(make: Make) -> None:
    """Closing what is closed is nothing; running it is a mistake of the suite's."""
    worker = make("")
    worker.close()
    worker.close()
    with pytest.raises(Broken, match="not been started"):
        do(worker, "go")
