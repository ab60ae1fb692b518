"""Classes for the tests of the report: `data/class.jsonl`, graded for real, and what is made of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from grading.batch.record import Result, read
from properties.registry import load

SAMPLE = read(Path(__file__).with_name("data") / "class.jsonl")

HOSTILE = (
    "<script>window.hit = 1</script>",
    "</script><img src=x onerror='window.hit = 1'>",
    "<!--<script>",
    '"><svg onload=window.hit=1>',
    "{{ 7 * 7 }}{% raw %}",
    "\x1b[31mred\x1b]0;title\x07",
    "lone \ud800 and \udc80",
    "\u202egnp.exe\u202c \u2066x\u2069",
    "nul \x00 and \x85 and \u2028",
    "&lt;b&gt;&#60;",
)


def named(student: str) -> Result:
    """The sample's result of this student."""
    return next(result for result in SAMPLE if result.student == student)


def hostile(text: str) -> Result:
    """A result in which this text stands wherever a student has a say."""
    base = named("emil")
    verdicts = tuple(
        replace(v, message=text, counterexample=v.counterexample and {
            **v.counterexample, "message": text, "step": text, "hint": text, "python": repr(text),
            "trace": [f"request 1: U -> {text}", f"  run {text} {{}}", f"read {text} -> {text}",
                      f"returned {text}; record: {text}", text],
        })
        for v in base.verdicts
    )  # fmt: skip
    around = replace(base.isolation, uncontained=(text,))
    return replace(base, student=text, submission=f"{text}/harness.py", verdicts=verdicts, isolation=around)


def copies(count: int, *, apart: bool = False) -> list[Result]:
    """A class of this size out of the sample; `apart` makes every counterexample one of its own."""
    made = []
    for number in range(count):
        base = SAMPLE[number % len(SAMPLE)]
        verdicts = base.verdicts
        if apart:
            verdicts = tuple(
                replace(v, counterexample=v.counterexample and {**v.counterexample, "hint": f"hint {number}"})
                for v in verdicts
            )
        made.append(replace(base, student=f"{base.student} {number:03}", verdicts=verdicts))
    return made


def all_failing(count: int) -> list[Result]:
    """So many students whom all properties fail, each with a long script and message of its own."""
    one = next(v for v in named("chen").verdicts if v.counterexample)
    made = []
    for number in range(count):
        verdicts = []
        for law in load().values():
            known = {**(one.counterexample or {}), "python": f"Cut('{number} {law.id} {'x' * 900}', 1)"}
            verdicts.append(replace(one, id=law.id, chapter=law.chapter, message=f"{law.id} {number} {'y' * 900}",
                                    sentence=law.sentence, counterexample=known))  # fmt: skip
        made.append(replace(named("chen"), student=f"student {number:03}", verdicts=tuple(verdicts)))
    return made


def data_of(page: str) -> dict[str, Any]:
    """The data block of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data
