"""The documentation is current: generated parts are as generated, and what it names is there."""

import importlib.util
import re
from pathlib import Path

import pytest

from grading.smoke import smoke_test

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/grading.md", "docs/matrix.md")
SUFFIXES = (".py", ".md", ".json", ".toml", ".ini")
INVENTED = {  # files of the reader's, or of a run's
    "harness.py", "main.py", "rubric.toml", ".venv/bin/activate", "report.md", "report-after-due-date.md", "verdicts.json", "counterexample-ID.json",
    "submissions/STUDENT/report.md", "submissions/STUDENT/verdicts.json", "after.json", "badges/", "index.html",
    "site/index.html", "docs/matrix/", "docs/matrix/verdicts/NAME.json", "verdicts/NAME.json", "verdicts/wire-NAME.json",
    "made.json", ".py", "adapters/javascript/NAME",
}  # fmt: skip
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

_spec = importlib.util.spec_from_file_location("docs_make", ROOT / "docs" / "make.py")
make = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def test_the_table_and_the_adapter_are_current() -> None:
    """docs/properties.md and the README's adapter are what docs/make.py makes of the code."""
    assert not make.stale(make.pages(with_sample=False)), "run python docs/make.py"


@pytest.mark.slow
def test_the_sample_output_is_current() -> None:
    """The README shows what the check of the sample says today."""
    assert not make.stale(make.pages()), "run python docs/make.py"


def test_check_names_what_is_out_of_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """With --check a stale file is named, left as it is, and the status is 1."""
    old = tmp_path / "old.md"
    old.write_text("before")
    monkeypatch.setattr(make, "ROOT", tmp_path)
    monkeypatch.setattr(make, "pages", lambda: {old: "after"})
    assert make.main(["--check"]) == 1
    assert capsys.readouterr().out == "old.md: is out of date\n"
    assert old.read_text() == "before"
    assert make.main([]) == 0
    assert old.read_text() == "after"
    assert make.main(["--check"]) == 0


def test_there_are_exactly_two_commands() -> None:
    """Under "Two commands" stand two shell commands of one line each; the second runs the tests."""
    section = text_of("README.md").split("\n## Two commands\n")[1].split("\n## ")[0]
    commands = [body.strip() for language, body in FENCE.findall(section) if language == "sh"]
    assert len(commands) == 2
    assert not any("\n" in command for command in commands)
    assert commands[0].endswith(f"harness-props check {make.SAMPLE}")
    assert commands[1] == ".venv/bin/tox"


def named_paths(page: str) -> set[str]:
    """The words in backticks that look like paths of this checkout."""
    prose = FENCE.sub("", text_of(page))
    words = {word for code in re.findall(r"`([^`\n]+)`", prose) for word in code.split()}
    return {
        word for word in words
        if re.fullmatch(r"[\w.][\w./-]*", word) and ("/" in word or word.endswith(SUFFIXES))
    }  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_is_named_exists(page: str) -> None:
    """No page sends its reader to a file that is not there."""
    assert not {path for path in named_paths(page) - INVENTED if not (ROOT / path).exists()}


def test_paths_are_found() -> None:
    """The test above looks at something."""
    assert {"docs/properties.md", "ARCHITECTURE.md", "adapters/contract.py"} <= named_paths("README.md")


@pytest.mark.parametrize("page", PAGES)
def test_python_in_the_pages_compiles(page: str) -> None:
    """Snippets are whole pieces of Python."""
    for language, body in FENCE.findall(text_of(page)):
        if language == "python":
            compile(body, page, "exec")


def test_the_toy_adapter_is_short_and_works(capsys) -> None:
    """At most thirty lines of code, and `smoke` finds nothing wrong with it."""
    lines = [line.strip() for line in make.ADAPTER.read_text().splitlines()]
    assert sum(bool(line) and not line.startswith(("#", '"""')) for line in lines) <= 30
    assert smoke_test("examples.toy_adapter:harness", app_dir=str(ROOT)) == 0, capsys.readouterr().out
