"""The table attack x rung: what comes of each hostile file.

A cell is C (contained: judged like the same file without the attack), D (detected: the file fails,
and for that), or N (not contained). The columns are those of `COLUMNS`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

FILES = Path(__file__).with_name("files")
COLUMNS = ("process, not root", "process", "landlock", "namespace", "container")
CELLS = {"C": "contained", "D": "detected", "N": "not contained"}


@dataclass(frozen=True)
class Attack:
    """One hostile file: its cells, the property that it is judged by, and a word of the verdict.

    `wrong` files are wrong in themselves, so holding would be a false mark. `gap` is the key of
    what lets it through where it gets through; `extra` files come along.
    """

    name: str
    cells: str
    says: str = ""
    only: str = "LOOP-01"
    examples: int = 3
    wrong: bool = False
    gap: str = ""
    extra: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def tries(self) -> str:
        """What the file says of itself, in a sentence."""
        doc = ast.get_docstring(ast.parse((FILES / f"{self.name}.py").read_text(encoding="utf-8")))
        return (doc or "").split("\n\n")[0].strip()

    def cell(self, rung: str, *, as_root: bool = True) -> str:
        """The cell of this rung, for a grader that is root or not."""
        return self.cells[COLUMNS.index("process, not root" if rung == "process" and not as_root else rung)]


_FAKES = {
    "conftest.py": "raise SystemExit('collected')\n", "sitecustomize.py": "raise SystemExit('site')\n",
    "usercustomize.py": "raise SystemExit('user')\n", "evil.pth": "import os; os._exit(3)\n",
    "harness_props.py": "judged = False\n", "adapters/__init__.py": "raise SystemExit('suite')\n",
    "codec.py": "raise SystemExit('codec')\n", "driver.py": "raise SystemExit('driver')\n",
    "inspect.py": "raise ImportError('mine')\n", "pytest.ini": "[pytest]\naddopts = --fail\n",
}  # fmt: skip

ATTACKS = (
    Attack("infinite_loop", "DDDDD", "CPU time"),
    Attack("infinite_loop_at_import", "DDDDD", "CPU time|did nothing"),
    Attack("endless_model_calls", "DDDDD", "calling the model|CPU time"),
    Attack("endless_recursion", "DDDDD", "Recursion"),
    Attack("c_stack_overflow", "DDDDD", "SIGSEGV|Recursion"),
    Attack("memory", "DDDDD", "MemoryError|memory|CPU time"),
    Attack("memory_in_many_processes", "DDCDD", "MiB of memory|CPU time"),
    Attack("fork_bomb", "DDCDD", "CPU time|memory"),
    Attack("many_processes", "CCCCC"),
    Attack("thread_bomb", "CCCCC"),
    Attack("threads_left_behind", "DDDDD"),
    Attack("daemon", "CCCCC"),
    Attack("program_left_behind", "CCCCC"),
    Attack("leaves_at_once", "DDDDD", "exit status 0"),
    Attack("leaves_at_import", "DDDDD", "exit status 0"),
    Attack("interrupts", "DDDDD", "KeyboardInterrupt"),
    Attack("raises_the_unreadable", "DDDDD"),
    Attack("stops_itself", "DDDDD", "stopped"),
    Attack("stops_its_group", "DDCDD", "stopped"),
    Attack("ignores_signals", "DDDDD", "CPU time"),
    Attack("kills_its_parent", "DCCCC"),
    Attack("kills_others", "NCCCC", gap="signals"),
    Attack("signals_everybody", "NCCCC", gap="signals"),
    Attack("signals_by_descriptor", "NCCCC", gap="signals"),
    Attack("traces_others", "NCCCC", gap="signals"),
    Attack("slows_others", "NCCCC", gap="signals"),
    Attack("reads_other_submissions", "NNCCC", gap="reads"),
    Attack("lists_other_submissions", "NNCCC", gap="reads"),
    Attack("reads_the_suite", "NNCCC", gap="reads"),
    Attack("reads_the_graders_command", "NNCCC", gap="reads"),
    Attack("reads_the_graders_memory", "NCCCC", gap="signals"),
    Attack("reads_the_environment", "CCCCC"),
    Attack("writes_outside", "NCCCC", gap="writes"),
    Attack("writes_to_shared_folders", "NCCCC", gap="writes"),
    Attack("changes_its_own_file", "NCCCC", gap="writes"),
    Attack("closed_folders", "CCCCC"),
    Attack("deep_folders", "DDDDC", "files"),
    Attack("many_files", "DDDDD", "files|CPU time"),
    Attack("fills_the_disk", "DDDCC", "MiB of files"),
    Attack("one_huge_file", "CCCCC"),
    Attack("uses_the_network", "NNCCC", gap="network"),
    Attack("uses_a_local_socket", "NNCCC", gap="network"),
    Attack("shared_memory", "NCCCC", gap="writes"),
    Attack("raises_its_limits", "CCCCC"),
    Attack("becomes_root", "CCCCC"),
    Attack("output_flood", "CCCCC"),
    Attack("forged_results", "DDDDD", wrong=True),
    Attack("forged_calls", "DDDDD", wrong=True),
    Attack("malformed_events", "DDDDD", "no driver sends"),
    Attack("malformed_values", "DDDDD", "cannot be read"),
    Attack("malformed_json", "DDDDD", "channel"),
    Attack("giant_message", "DDDDD", "a message of more than"),
    Attack("many_large_messages", "DDDDD", "of one run"),
    Attack("floods_the_channel", "DDDDD"),
    Attack("drips_bytes", "DDDDD", "did nothing"),
    Attack("drips_replies", "DDDDD", "did nothing"),
    Attack("sleeps", "DDDDD", "did nothing"),
    Attack("closes_descriptors", "DDDDD", "closed|ended"),
    Attack("replaces_builtins", "DDDDD"),
    Attack("replaces_json_and_pickle", "CCCCC"),
    Attack("replaces_the_encoder", "DDDDD"),
    Attack("acts_at_exit", "CCCCC"),
    Attack("looks_at_frames", "CCCCC"),
    Attack("always_equal", "DDDDD", wrong=True),
    Attack("lying_text", "DDDDD", wrong=True, only="CUT-04", examples=10),
    Attack("lying_list", "DDDDD", wrong=True),
    Attack("lying_dict", "DDDDD", wrong=True, only="LOOP-13"),
    Attack("changes_lazily", "DDDDD", wrong=True, only="LOOP-06"),
    Attack("huge_numbers", "DDDDD"),
    Attack("deep_nesting", "DDDDD"),
    Attack("endless_structure", "DDDDD"),
    Attack("unpickled", "DDDDD"),
    Attack("fake_modules", "CCCCC", extra=_FAKES),
    Attack("behaves_at_first", "DDDDD", "earlier runs", wrong=True, only="CUT-01", examples=150),
    Attack("remembers_in_files", "NCCCC", gap="writes"),
    Attack("behaves_when_drawn", "DDDDD", wrong=True, only="CUT-01", examples=30),
    Attack("hides_from_the_driver", "NNNNN", wrong=True, gap="observer"),
)  # fmt: skip
