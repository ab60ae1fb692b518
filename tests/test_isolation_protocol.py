"""What an untrusted child sends is checked in shape and size, and its greed is told apart from hangs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from adapters import protocol
from adapters.contract import Garbage, HarnessFault
from adapters.course import course
from adapters.protocol import Meddled
from adapters.wall import Bounds, Room
from adapters.watch import Greedy
from adapters.worker import Worker

DRIVER = "def perform(harness, job, ask):\n    return getattr(harness, job['do'])(ask)\n"
PLACE = {"odd": None}
ERROR = {"type": "E", "text": "t", "where": "", "key": None, "is_exception": True}
ENDED = {"event": "ended", "kind": "returned", "returned": None, "record": PLACE}
RAN = {"event": "execute", "tool": "t", "arguments": {}, "call": 0, "record": PLACE}
REQUEST = {"event": "request", "aliased": False, "messages": PLACE, "record": PLACE, "queued": [RAN, ENDED]}
REPORT = {"changed_requests": [[0, 1]], "tools": [{}], "queued": [ENDED], "usage": None}


class Bare:
    """A wall that only sets bounds."""

    def __init__(self, path: Path, bounds: Bounds) -> None:
        self.path, self.bounds = path, bounds

    def room(self, folder: Path) -> Room:
        writable = (str(folder / "home"), str(folder / "tmp"))
        return Room(str(self.path), bounds=Bounds(**{**vars(self.bounds), "writable": writable}))


def go(tmp_path: Path, source: str, **bounds: Any) -> Any:
    """Run `go` of this harness under these bounds, with seconds enough."""
    path, driver = tmp_path / "harness.py", tmp_path / "driver.py"
    path.write_text(source)
    driver.write_text(DRIVER)
    with Worker(path, driver=driver, wall=Bare(path, Bounds(**bounds))) as worker:
        value = worker.run({"do": "go"}, lambda _: {}, cpu_seconds=10.0)
        return [value, worker.run({"do": "go"}, lambda _: {}, cpu_seconds=10.0)]


def test_bounds_do_not_hinder(tmp_path: Path) -> None:
    """A harness within its bounds runs as it does without."""
    source = "def go(ask):\n    open('f', 'w').write('x')\n    return ask({'event': 'e'})"
    assert go(tmp_path, source, memory=1 << 30, disk=1 << 20, entries=9, idle_seconds=5.0, line=99) == [{}, {}]


@pytest.mark.parametrize(
    ("body", "bounds", "fault", "says"),
    [
        ("x = b'x' * (90 << 20)\n    while True: pass", {"memory": 80 << 20}, Greedy, "more than 80 MiB of memory"),
        ("open('f', 'wb').write(b'x' * (3 << 20))", {"disk": 2 << 20, "entries": 9}, Greedy, "more than 2 MiB of files"),
        ("[open(str(n), 'w') for n in range(30)]", {"disk": 1 << 20, "entries": 20}, Greedy, "more than 20 files"),
        ("ask({'event': 'x' * (3 << 20)})", {"line": 1 << 20}, Garbage, "a message of more than 1 MiB"),
        ("[ask({'event': 'x' * (1 << 19)}) for _ in range(9)]", {"traffic": 2 << 20}, Garbage, "more than 2 MiB came"),
        ("while True: __import__('time').sleep(0.03); ask({'event': 'e'})", {"idle_seconds": 0.4}, HarnessFault, "in all"),
        ("__import__('os').kill(__import__('os').getpid(), 19)", {}, HarnessFault, "stopped its own process"),
    ],
)
def test_what_is_too_much(tmp_path: Path, body: str, bounds: dict, fault: type, says: str) -> None:
    """Memory, files, messages and rest beyond the bounds are faults of the harness, each with its own words."""
    with pytest.raises(fault, match=says):
        go(tmp_path, f"def go(ask):\n    {body}", **bounds)


def test_a_message_between_two_jobs(tmp_path: Path) -> None:
    """Who speaks without being asked is caught before the next job, whatever is said."""
    source = (
        "import os, fcntl\ndef go(ask):\n    for fd in range(100, 120):\n        try:\n"
        "            os.write(fd, b'{\"event\": \"finished\", \"value\": 1, \"number\": 1}\\n')\n        except OSError: pass\n"
    )
    with pytest.raises(Garbage, match="while it was asked nothing|the end of a run"):
        go(tmp_path, source)


def test_replaced_builtins_are_the_harnesses_doing(tmp_path: Path) -> None:
    """A driver that broke because Python's own functions were replaced is no fault of the suite's."""
    source = "import builtins\nbuiltins.getattr = None\ndef go(ask):\n    return 1"
    with pytest.raises(Meddled, match="replaced Python's own getattr"):
        go(tmp_path, source)


def test_a_folder_that_nobody_may_enter_is_removed(tmp_path: Path) -> None:
    """What the harness leaves in its folder goes away, closed folders included."""
    source = "import os\nos.makedirs('a/b/c')\nos.chmod('a/b', 0)\nos.chmod('a', 0)\ndef go(ask):\n    return os.getcwd()"
    assert not os.path.lexists(os.path.dirname(go(tmp_path, source)[0]))


# ---- shapes -----------------------------------------------------------------------------------


def test_what_the_driver_sends_is_let_through() -> None:
    """Each event and each result that the driver makes has a good shape."""
    for event in (REQUEST, {"event": "busy", "queued": []}, {"event": "desk", "do": "run", "command": "ls"}):
        assert protocol.served(lambda _: {"fine": 1})(event) == {"fine": 1}
    job = {"op": "converse", "tools": [{}]}
    for value in (REPORT, {"error": ERROR}, {"unmade": "f", "error": ERROR}):
        assert protocol.finished(job, value) is value
    assert protocol.finished({"op": "inspect"}, {"wrong": {"a": "b"}, "extras": ["usage"]})
    assert protocol.finished({"op": "call"}, {"value": None})
    assert protocol.finished({"op": "desk", "call": 1}, {"result": 1, "call": 1})


@pytest.mark.parametrize(
    "event",
    [
        {"event": "other"}, {"event": "busy", "queued": {}}, {"event": "busy", "queued": [7]},
        {"event": "request"}, {**REQUEST, "aliased": 1}, {"event": "request", "aliased": True, "messages": 1},
        {"event": "busy", "queued": [{**RAN, "call": True}]}, {"event": "busy", "queued": [{**RAN, "call": -1}]},
        {"event": "busy", "queued": [{**RAN, "tool": 1}]}, {"event": "busy", "queued": [{**ENDED, "kind": 1}]},
        {"event": "busy", "queued": [{"event": "ended", "kind": "returned"}]},
        {"event": "busy", "queued": [{**ENDED, "kind": "raised"}]},
        {"event": "busy", "queued": [{**ENDED, "kind": "raised", "error": {**ERROR, "text": {"$": 1}}}]},
        {"event": "busy", "queued": [{**ENDED, "kind": "raised", "error": {**ERROR, "key": 1}}]},
        {"event": "desk", "do": []}, {"event": "desk", "do": "run"}, {"event": "desk", "do": "remove", "path": ""},
    ],
)  # fmt: skip
def test_events_of_no_driver(event: dict[str, Any]) -> None:
    """An event of another shape is the harness's doing, and never reaches the provider."""
    with pytest.raises(Garbage, match="no driver sends"):
        protocol.served(lambda _: pytest.fail("it got through"))(event)


@pytest.mark.parametrize(
    ("job", "value"),
    [
        ({"op": "converse", "tools": []}, value)
        for value in (None, [], {}, REPORT, {**REPORT, "tools": [], "changed_requests": [[0]]},
                      {**REPORT, "tools": [], "changed_requests": [[0, -1]]},
                      {**REPORT, "tools": [], "queued": [{}]}, {"error": {**ERROR, "type": 1}})
    ]
    + [
        ({"op": "inspect"}, {"wrong": {"a": 1}, "extras": []}), ({"op": "inspect"}, {"wrong": {}, "extras": [[]]}),
        ({"op": "call"}, {}), ({"op": "desk", "call": 1}, {"result": 1}),
        ({"op": "desk", "open": {"tools": [1, 2]}}, {"specs": [1]}),
    ],
)  # fmt: skip
def test_results_of_no_driver(job: dict[str, Any], value: Any) -> None:
    """A result of another shape is the harness's doing."""
    with pytest.raises(Garbage, match="no driver sends"):
        protocol.finished(job, value)


def test_data_that_nobody_can_have_encoded() -> None:
    """What the codec refuses is the harness's doing; other errors of ours stay ours."""
    from adapters.child import codec

    def broken(_: Any) -> Any:
        raise KeyError("ours")

    with pytest.raises(Garbage, match="cannot be read: unknown tag"):
        protocol.served(lambda _: codec.decode({"$": ["what", ""]}))({"event": "busy"})
    with pytest.raises(KeyError):
        protocol.served(broken)({"event": "busy"})


def test_results_are_decoded_as_the_harnesses(tmp_path: Path) -> None:
    """A forged value inside a good shape is told as garbage, not as a fault of the suite."""
    path = tmp_path / "harness.py"
    path.write_text(
        "import sys\nfrom types import SimpleNamespace\n"
        "codec = sys.modules['_harness_props.driver'].codec\n"
        "def truncate_head(text, **_):\n    codec.encode = lambda _: {'$': ['int', 'zz']}\n    return text, 1\n"
    )
    harness = course(path)
    with pytest.raises(HarnessFault):
        harness.cut("head", "a", 1, 1)
    harness.close()
