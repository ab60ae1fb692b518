"""Real frameworks: the table, what is said where one is missing, other packages' adapters, conformance."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from adapters.contract import CAPABILITIES, DEFAULTS, POLICIES, Endless, Unplayable, Unusable
from adapters.frameworks import process
from adapters.frameworks.declaration import Framework
from adapters.frameworks.javascript import Library
from adapters.frameworks.table import FRAMEWORKS, INSIDE
from adapters.normal import calls_of, essence, role_of
from adapters.reference import reference
from adapters.shape import _no_word_of_the_adapter
from adapters.targets import resolve
from strategies.script import ABSENT, Call, Conversation, Prompt, Reply, Returns, Say

ROOT = Path(__file__).parents[1]
EACH = pytest.mark.parametrize("name", FRAMEWORKS)
DONE = Reply((Say("Done."),))
ASKS = Reply((Say("Let me look."), Call("c1", "echo", {"text": "a"}, Returns("r1"))), "toolUse")
TWICE = Reply(
    (Call("d1", "echo", {"text": "b"}, Returns("r2")), Call("d2", "echo", {"text": "c"}, Returns("r3"))), "toolUse"
)
WELL_BEHAVED = {
    "a plain answer": Conversation(),
    "a call": Conversation((Prompt("Go.", (ASKS, DONE)),)),
    "two calls": Conversation((Prompt("Go.", (TWICE, DONE)),)),
    "two prompts": Conversation((Prompt("Go.", (ASKS, DONE)), Prompt("And now?", (TWICE, DONE)))),
    "a record that was handed in": Conversation(history=(
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": [{"type": "text", "text": "Hi."}], "stop_reason": "stop"},
    )),
}  # fmt: skip


def installed(name: str) -> bool:
    """Whether the framework can be run here."""
    try:
        process.installed(FRAMEWORKS[name])
    except Unusable:
        return False
    return True


# ---- the table ----------------------------------------------------------------------------


@EACH
def test_every_row_is_complete(name):
    """A framework has a file inside, a pinned version, a tox environment, and known capabilities and policies."""
    one = FRAMEWORKS[name]
    assert one.file.is_file()
    assert pinned(one)
    assert {"loop", "record"} <= one.capabilities <= set(CAPABILITIES)
    assert set(one.lacks) <= set(CAPABILITIES) - one.capabilities
    for policy, says in one.policies.items():
        assert says.value in POLICIES[policy]
        assert says.words
        assert says.where
    listed = re.findall(r"\[testenv:fuzz-\{([^}]+)\}\]", (ROOT / "tox.ini").read_text())
    assert name in ",".join(listed).split(",")


def pinned(one: Framework) -> str:
    """The version in the file that pins it; nothing of that file may say where packages come from."""
    text = (ROOT / one.requirements).read_text()
    if isinstance(one, Library):
        assert '"resolved"' not in text
        return json.loads(text)["packages"][f"node_modules/{one.distribution}"]["version"]
    found = re.search(rf"^{re.escape(one.distribution)}==([0-9.]+)$", text, re.MULTILINE)
    return found[1] if found else ""


def test_what_is_meant_without_a_word_is_a_policy_that_exists():
    """Each default is one of its policy's values."""
    assert all(value in POLICIES[name] for name, value in DEFAULTS.items())


@EACH
def test_a_missing_package_is_told_in_one_line(name, monkeypatch):
    """Where a framework is not installed, one line says which command installs it; the name of its
    environment names it, too."""
    for kind in (Framework, Library):
        monkeypatch.setattr(kind, "version", lambda _: "")
    for target in (f"adapter:{name}", f"adapter:{FRAMEWORKS[name].env}"):
        with pytest.raises(Unusable) as told:
            resolve(target)
        said = str(told.value)
        assert said.count("\n") == 0
        assert f"tox -e fuzz-{name}" in said
        assert f"use `{FRAMEWORKS[name].install}`" in said


def test_the_command_line_ends_with_2_where_a_package_is_missing():
    """`harness-props check adapter:NAME` says it on standard error and ends with status 2."""
    absent = [name for name in FRAMEWORKS if not installed(name)]
    if not absent:
        pytest.skip("every framework is installed here")  # then no package is missing to be told of
    done = subprocess.run([sys.executable, "-m", "grading.cli", "check", f"adapter:{absent[0]}"], cwd=ROOT,
                          capture_output=True, text=True, check=False, timeout=60)  # fmt: skip
    assert done.returncode == 2
    assert f"tox -e fuzz-{absent[0]}" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_an_unknown_name_is_told_the_known_ones():
    """A name that nobody has is refused with the names that there are."""
    with pytest.raises(Unusable, match="adapter:reference.*adapter:tau"):
        resolve("adapter:nope")


# ---- adapters of other packages -----------------------------------------------------------


def plugged(folder: Path) -> dict[str, str]:
    """A fresh package of somebody else's whose root has folders with the names of the suite's own."""
    for name in ("adapters", "strategies", "properties", "grading"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("raise RuntimeError('this is not yours to import')\n")
    (folder / "toyland.py").write_text((ROOT / "examples" / "toy_adapter.py").read_text())
    about = folder / "toyland-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toyland\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[harness_props.adapters]\ntoyland = toyland:harness\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(folder)))}


@pytest.mark.parametrize("target", ["adapter:toyland", "toyland:harness"])
def test_another_package_brings_its_own_adapter(target, tmp_path):
    """An entry point and `module:object` lead to the same adapter, whatever the package's folders are called."""
    report = tmp_path / "report.json"
    (tmp_path / "toy").mkdir()
    environment = plugged(tmp_path / "toy")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "grading.cli", "check", target, "--only", "LOOP-01,LOOP-03", "--examples", "5",
         "--json", str(report)],
        cwd=tmp_path / "toy", env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = json.loads(report.read_text())["properties"]
    assert {v["id"]: v["verdict"] for v in verdicts} == {"LOOP-01": "holds", "LOOP-03": "holds"}


def test_an_entry_point_that_does_not_load_is_told(tmp_path, monkeypatch):
    """An entry point whose module raises is refused with its name and the exception."""
    (tmp_path / "brokenland.py").write_text("raise ValueError('no such luck')\n")
    about = tmp_path / "brokenland-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: brokenland\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[harness_props.adapters]\nbrokenland = brokenland:harness\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Unusable, match="brokenland.*ValueError: no such luck"):
        resolve("adapter:brokenland")


# ---- each adapter against the reference ---------------------------------------------------


CALLS_ALONE = ("crewai",)  # a finding: what a model says beside its calls is lost there


def told(trace, marks: bool, alone: bool):
    """What a trace says of a conversation, in normal form, without what the framework has no word for."""
    def plain(messages):
        kept = [dict(essence(m)) for m in messages]
        for message in kept if alone else ():
            if calls_of(message):
                message["content"] = calls_of(message)
        return [m if marks or role_of(m) != "toolResult" else {**m, "is_error": None} for m in kept]

    runs = sorted((e.tool, json.dumps(e.arguments)) for e in trace.executions)
    asked = [(plain(r.messages), r.system, [t["name"] for t in r.tools]) for r in trace.requests]
    return asked, runs, plain(trace.record), [e.kind for e in trace.endings]


@pytest.fixture(scope="module")
def opened():
    """The adapters that were opened, closed again at the end."""
    held = {}

    def open_once(name):
        if name not in held:
            held[name] = resolve(f"adapter:{name}")
        return held[name]

    yield open_once
    for harness in held.values():
        harness.close()


@EACH
@pytest.mark.parametrize("script", WELL_BEHAVED.values(), ids=list(WELL_BEHAVED))
def test_a_framework_gives_the_normal_form_of_the_reference(name, script, opened):
    """Where both are well-behaved, the same script through the reference and the framework is told the same."""
    if not installed(name):
        pytest.skip(f"{FRAMEWORKS[name].distribution} is not installed; tox -e fuzz-{name} has it")
    harness = opened(name)
    marks = harness.policies["marks"] == "yes"
    wanted = reference().converse(script)
    found = harness.converse(script)
    alone = name in CALLS_ALONE
    assert told(found, marks, alone) == told(wanted, marks, alone)
    words = [b["text"] for b in wanted.endings[-1].returned["content"]]
    assert [b["text"] for b in found.endings[-1].returned["content"]] == words


@EACH
def test_what_a_framework_cannot_say_is_not_played(name, opened):
    """A call without arguments, which no framework has a word for, is no fault of the framework's."""
    if not installed(name):
        pytest.skip(f"{FRAMEWORKS[name].distribution} is not installed; tox -e fuzz-{name} has it")
    with pytest.raises(Unplayable):
        opened(name).converse(Conversation((Prompt("Go.", (Reply((Call("c1", "echo", ABSENT),)), DONE)),)))


@EACH
def test_what_a_framework_says_is_quoted_word_for_word(name):
    """Each quotation stands in the file that it names, but for line breaks."""
    if not installed(name):
        pytest.skip(f"{FRAMEWORKS[name].distribution} is not installed; tox -e fuzz-{name} has it")
    place = FRAMEWORKS[name].place
    for says in FRAMEWORKS[name].policies.values():
        text = (place / says.where.partition(",")[0]).read_text()
        assert " ".join(says.words.split()) in " ".join(re.sub(r"\n\s*[#*]", "\n", text).split()), says


def deep(depth):
    """Recursion without an end."""
    return deep(depth + 1)


def test_an_adapters_own_failure_is_told_from_the_frameworks(monkeypatch):
    """Where an exception rose decides; what is translated, refused or recurses too deeply is not the adapter's."""
    spec = importlib.util.spec_from_file_location("bridge", INSIDE / "bridge.py")
    bridge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bridge)
    talk = bridge.Talk([])

    def run(work):
        bridge.adapter(work)()

    with pytest.raises(bridge.AdapterBroke, match="TypeError"):
        run(lambda: bridge.calls(None))  # rises in the bridge
    with pytest.raises(bridge.AdapterBroke):
        run(lambda: wrapped(lambda: bridge.calls(None)))  # and comes out as another exception
    with pytest.raises(ZeroDivisionError):
        run(lambda: 1 // 0)  # rises elsewhere
    with pytest.raises(json.JSONDecodeError):
        run(lambda: json.loads("{"))
    with pytest.raises(RuntimeError, match="StopIteration"):
        run(lambda: bridge.use({"execute": lambda _: next(iter(()))}, {}))  # a tool's failure, handed on
    with pytest.raises(bridge.Refused):
        run(lambda: refused(bridge, talk))
    monkeypatch.setattr(bridge, "HERE", Path(__file__).parent)  # as if this file were an adapter's
    with pytest.raises(RecursionError):
        run(lambda: deep(0))
    with pytest.raises(bridge.AdapterBroke, match="ZeroDivisionError"):
        run(lambda: 1 // 0)


def test_steps_without_end_are_told_before_time_runs_out():
    """A framework that goes round without asking the model is stopped after so many steps, by no guard of its."""
    spec = importlib.util.spec_from_file_location("bridge", INSIDE / "bridge.py")
    bridge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bridge)
    talk = bridge.Talk([])
    talk._model = SimpleNamespace(complete=lambda *_: {"content": []}, watched=False, looks=lambda: True)
    for _ in range(bridge.STEPS):
        talk.step("a step was made")
    talk.ask("", [], [], list)  # what is asked begins the count anew
    with pytest.raises(bridge.Endless, match="the run has no end"):
        for _ in range(bridge.STEPS + 1):
            talk.step("a step was made")
    with pytest.raises(Endless) as told:
        _no_word_of_the_adapter("Endless", "300 times")
    assert told.value.key == "endless"


def wrapped(work):
    """What `work` raises, as a framework's exception."""
    try:
        work()
    except Exception as error:
        raise LookupError("wrapped") from error


def refused(bridge, talk):
    """A request that the provider refuses."""
    refusal = {"content": [], "stop_reason": "error", "error_message": f"{bridge.REFUSAL}: no"}
    talk._model = SimpleNamespace(complete=lambda *_: refusal, watched=False, looks=lambda: True)
    talk.ask("", [], [], list)
