"""Copies in which variables have other names are the same program."""

import ast

from tests.classes import RIGHT
from tests.renaming import renamed

TEXT = '''\
total = 1
def count(items, start=0):
    number = start
    for item in items:
        number += len(item)
    def more(by):
        nonlocal number
        return by
    print = total
    try:
        found = [one for one in items]
    except ValueError as error:
        found = error
    return f"{found} {number}"
class Box:
    size = 3
    def put(self, thing):
        size, kept = thing, self.size
        return kept
'''


def test_local_variables_alone_get_other_names() -> None:
    """Parameters, attributes, names of modules and of classes, of builtins and of `nonlocal` stay."""
    before = {node.id for node in ast.walk(ast.parse(TEXT)) if isinstance(node, ast.Name)}
    after = {node.id for node in ast.walk(ast.parse(renamed(TEXT, "_1"))) if isinstance(node, ast.Name)}
    assert after - before == {"item_1", "found_1", "one_1", "kept_1"}


def test_it_is_still_the_same_program() -> None:
    """What it computes is the same, and each suffix makes another text."""
    results = []
    for text in (TEXT, renamed(TEXT, "_1")):
        names: dict[str, object] = {}
        exec(text, names)
        results.append((names["count"](["ab", "c"]), names["Box"]().put(5)))
    assert results[0] == results[1]
    assert len({RIGHT, renamed(RIGHT, "_1"), renamed(RIGHT, "_2")}) == 3


def test_who_looks_at_names_keeps_them() -> None:
    """A program that calls `locals` is left as it is."""
    text = "def f():\n    x = 1\n    return locals()\n"
    assert renamed(text, "_1") == text
