"""READ, what the tools say of themselves: budgets in their descriptions, and what their parameters offer."""

from __future__ import annotations

import re
from typing import Any

from adapters.contract import Harness
from properties.checks import check, shown
from properties.kept import fixed_budgets
from properties.registry import COURSE, PRINCIPLE, also, law
from strategies.notices import numbers
from strategies.readings import budgeted_desks, the_empty_desk
from strategies.script import Desk


def _stated(number: int, text: str) -> bool:
    """Whether a description states this number: plain, with separators, or as 50 KB."""
    if number in numbers(text):
        return True
    thousands = re.findall(r"([0-9][0-9,_.]*)\s?[kK]i?[bB]?\b", text)
    return any(
        found.replace(",", "").replace("_", "") == str(number / 1000).removesuffix(".0")
        for found in thousands
    )


def _described(desk: Any, tool: str, key: str) -> Any:
    spec = desk.specs.get(tool) if isinstance(desk.specs, dict) else None
    check(isinstance(spec, dict) and key in spec, f"the {tool} tool has no {key}: {shown(spec)}")
    return spec[key] if isinstance(spec, dict) else None


@law(
    "READ-15", tier=COURSE, needs=("read", "bash"), source="lesson 6, both descriptions tell the limits",
    draws=budgeted_desks(), unless=fixed_budgets,
    hint="Put the numbers that hold into the description: {max_lines} lines and {max_bytes} bytes.",
    examples=(Desk(), Desk(max_lines=20, max_bytes=200)),
)  # fmt: skip
def descriptions_state_the_budgets(script: Desk, harness: Harness) -> None:
    """The descriptions of read and bash state the budgets in force.

    Catches descriptions with the default numbers in them whatever the budgets are.
    """
    desk = harness.desk({}, {}, script.max_lines, script.max_bytes)
    for tool in ("read", "bash"):
        text = _described(desk, tool, "description")
        check(isinstance(text, str), f"the description of {tool} is {shown(text)}, not a text")
        for number, unit in ((script.max_lines or 2000, "lines"), (script.max_bytes or 50_000, "bytes")):
            check(
                _stated(number, text),
                f"the description of {tool} does not say {number} {unit}: {shown(text, 160)}",
            )


def own_specs(policies: Any) -> str | None:
    """Why what tools say of themselves is not compared with the course's own, or None."""
    return "its tools are its own, names of arguments and all" if policies.get("specs") == "own" else None


@law(
    "READ-17", tier=COURSE, needs=("read", "write", "bash"), source="lesson 6, the advertised parameters",
    draws=the_empty_desk(), unless=own_specs,
    hint="A model can use only what the parameters offer: read has path, offset and limit.",
)  # fmt: skip
def parameters_offer_what_the_texts_ask_for(script: Desk, harness: Harness) -> None:
    """read offers path, offset and limit, write offers path and content, and bash a command.

    Catches a notice that asks for an offset that the model is not offered.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    for tool, names in (
        ("read", ("path", "offset", "limit")),
        ("write", ("path", "content")),
        ("bash", ("command",)),
    ):
        schema = _described(desk, tool, "parameters")
        offered = schema.get("properties") if isinstance(schema, dict) else None
        check(isinstance(offered, dict), f"the parameters of {tool} have no properties: {shown(schema)}")
        missing = [name for name in names if name not in (offered or {})]
        there = shown(sorted(map(str, offered or {})))
        check(not missing, f"the parameters of {tool} do not offer {', '.join(missing)}: {there}")
        required = schema.get("required") if isinstance(schema, dict) else None
        if tool == "read":
            listed = list(required) if isinstance(required, (list, tuple)) else []
            check("path" in listed, f"read does not say that path is required: {shown(required)}")
            extra = [name for name in ("offset", "limit") if name in listed]
            check(not extra, f"read requires {', '.join(extra)}, which may be left out")


@also("READ-17", tier=PRINCIPLE, draws=the_empty_desk(), unless=own_specs)
def parameters_say_what_they_take(script: Desk, harness: Harness) -> None:
    """The parameters are the JSON schema of an object whose members are texts and whole numbers.

    Catches a schema without types, by which a model can write anything.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    for tool, texts, counts in (
        ("read", ("path",), ("offset", "limit")),
        ("write", ("path", "content"), ()),
        ("bash", ("command",), ()),
    ):
        schema = _described(desk, tool, "parameters")
        check("object" in _types(schema), f"the parameters of {tool} are no object's schema: {shown(schema)}")
        for name in (*texts, *counts):
            wanted = "string" if name in texts else "integer"
            member = schema["properties"][name]
            check(wanted in _types(member), f"{name} of {tool} should be of type {wanted}: {shown(member)}")


def _types(schema: Any) -> set[str]:
    """The types that a schema allows, directly or by one of its alternatives."""
    if not isinstance(schema, dict):
        return set()
    direct = schema.get("type")
    found = {t for t in (direct if isinstance(direct, list) else [direct]) if isinstance(t, str)}
    for word in ("anyOf", "oneOf"):
        alternatives = schema.get(word)
        found |= {t for one in alternatives for t in _types(one)} if isinstance(alternatives, list) else set()
    return found
