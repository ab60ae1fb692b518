"""Descriptions of programs: the ones there are can be used, and each mistake is told with file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.contract import Unusable
from adapters.programs.described import filled
from adapters.programs.harness import named, whole
from adapters.programs.installing import FOLDER, commands
from adapters.programs.reading import Malformed, described, known

EXAMPLE = Path(__file__).parents[1] / "examples" / "wire_agent.toml"


@pytest.mark.parametrize("name", known())
def test_a_known_program_says_who_it_is(name: str) -> None:
    """Its file's name is its own, a licence and pinned commands are there."""
    program = known()[name]
    assert program.name == name
    assert program.licence
    assert program.homepage.startswith("https://")
    assert any(program.version in command for command in program.install.commands)
    assert program.install.check
    assert program.tools.shell or program.policies["tools"].value == "none"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "wire-agent"', "", "name: missing; a text is expected"),
        ('name = "wire-agent"', "name = 3", "name: a text is expected, not 3"),
        ('name = "wire-agent"', 'name = "Wire Agent"', "name: small letters, digits and dashes are expected"),
        ('wires = ["chat"]', 'wires = ["telex"]', "wires: 'telex' is no wire; there are chat, responses"),
        ('wires = ["chat"]', "wires = []", "wires: at least one of chat"),
        ('wires = ["chat"]', "wires = [1]", "wires[0]: a text is expected, not 1"),
        ('can = ["retry"]', 'can = ["fly"]', "can: 'fly' is no capability"),
        ("[run]\n", "[run]\nspeed = 3\n", "run.speed: there is no such key; here are command"),
        (', "{prompt}"]', "]", "run.command: {prompt} is expected in one of its parts"),
        ('command = "command"', "command = true", "tools.shell.command: a text is expected, not True"),
        ("(?P<output>.*)", ".*", "has no group called output"),
        ("(?P<output>.*)", "(?P<output>.*", "is no regular expression"),
        ("[environment]", "[policies.calls]\nvalue = 'odd'\nwords = ''\nwhere = ''\n[environment]",
         "policies.calls.value: one of sequential, parallel is expected, not 'odd'"),
        ("[environment]", "[policies.odd]\nvalue = 'a'\nwords = ''\nwhere = ''\n[environment]",
         "policies.odd: there is no such policy"),
        ("[environment]", "[limits]\nturns = 1.5\n[environment]", "limits.turns: a whole number is expected"),
        ("[run]", "[run", "this is not TOML"),
    ],
)
def test_a_mistake_is_told_with_its_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    """The message names the file, the key, and what is expected."""
    text = EXAMPLE.read_text()
    assert old in text
    path = tmp_path / "agent.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(Malformed) as told:
        described(path)
    assert str(told.value).startswith(f"{path}: ")
    assert said in str(told.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """The file is named, and why it cannot be read."""
    with pytest.raises(Unusable, match="no-such.toml: cannot be read"):
        whole(f"wire:{tmp_path}/no-such.toml")


def test_an_unknown_name_shows_the_known_ones() -> None:
    """And says how a file of one's own is given."""
    with pytest.raises(Unusable, match=r"no program called 'nobody'; there are wire:.*wire:FILE.toml"):
        named("wire:nobody")


def test_what_is_not_installed_says_how(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command stands in the message, in one line."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(Unusable, match="`harness-props programs --install codex` installs it") as told:
        whole("wire:codex")
    assert "\n" not in str(told.value)
    assert str(tmp_path / "codex") in commands(known()["codex"])[0]


def test_braces_that_are_nobodys_stay() -> None:
    """JSON in a template keeps its braces; known names are filled in."""
    assert filled('{"a": {"url": "{base_url}"}} {x}', {"base_url": "B"}) == '{"a": {"url": "B"}} {x}'
