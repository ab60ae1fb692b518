"""Copies of a Python file in which local variables have other names, as a student makes who copied."""

from __future__ import annotations

import ast
import builtins

LOOKING = {"locals", "vars", "eval", "exec", "dir", "globals"}  # whoever calls one of them may look at names


def renamed(text: str, suffix: str) -> str:
    """The same program: every name that is nothing but a local variable gets this suffix."""
    tree = ast.parse(text)
    names = _locals(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            node.id += suffix
    return ast.unparse(tree) + "\n"


def _locals(tree: ast.Module) -> set[str]:
    """The names that are bound by assignments in functions, and mean nothing else anywhere."""
    bound: set[str] = set()
    other = set(dir(builtins))
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            bound |= {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef)):
            other |= _bound_in(node)
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                other.add(name)
            case ast.arg(arg=name) | ast.alias(asname=str(name)) | ast.alias(name=name):
                other.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                other.add(name)
            case ast.Global(names=several) | ast.Nonlocal(names=several):
                other |= set(several)
            case ast.Name(id=name) if name in LOOKING:
                return set()
            case _:
                pass
    return bound - other


def _bound_in(scope: ast.Module | ast.ClassDef) -> set[str]:
    """The names that are assigned to in this scope itself, not in functions inside it."""
    found, waiting = set(), list(scope.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return found
