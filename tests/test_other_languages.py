"""The tutorial for other languages, followed word for word."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "other-languages.md").read_text(encoding="utf-8")
STEPS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def part(name):
    """The code between two marks of the page."""
    return re.search(rf"<!-- begin: {name} -->\n```js\n(.*?)```\n<!-- end: {name} -->", PAGE, re.DOTALL).group(1)


def adapted(template):
    """The template with the two parts of the page in the places that the page names."""
    head, rest = template.split("// -- the harness: put yours here", 1)
    own = rest.split("// -- the adapter ---", 1)[1]
    said = re.search(r"/\*\* What an exception says.*?\n}\n", rest, re.DOTALL).group(0)
    head = re.sub(r"const HELLO = \{.*?^\};\n", lambda _: part("hello"), head, flags=re.DOTALL | re.MULTILINE)
    return f"{head}// -- the harness\n\n{part('agent')}\n{said}\n// -- the adapter ---{own}"


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_the_tutorial_finds_the_bug_and_sees_it_fixed(tmp_path):
    """From the template to a finding, and to the word FIXED, each command as it stands on the page."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    blocks = STEPS.findall(PAGE)
    assert len(blocks) == 5
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    shown = []
    for number, block in enumerate(blocks):
        folder = tmp_path if number == 0 else tmp_path / "try-agent"
        if number == 2:  # what is done by hand on the page
            adapter = folder / "adapter.mjs"
            adapter.write_text(adapted(adapter.read_text()))
        done = subprocess.run(["bash", "-e"], input=block, text=True, cwd=folder, env=environment, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        assert done.returncode == 0, done.stdout
        shown.append(done.stdout)
    assert "WRONG" not in shown[1] + shown[2]
    assert "FAILS LOOP-01" in shown[3]
    assert "FIXED" in shown[4]
    assert "STILL FAILS" not in shown[4]
