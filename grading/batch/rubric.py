"""The rubric: a TOML file that says what is judged, what it is worth and who may see it.

`rubric.toml` beside this file is the default and documents every key. What a rubric leaves out is
taken from there. Anything that is not understood is refused with file, key and what is accepted.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grading.batch.record import VISIBILITIES, VISIBLE
from grading.leave import BadCall
from properties.registry import Tier

DEFAULT = Path(__file__).with_name("rubric.toml")
NOTHING, PRO_RATA = "nothing", "pro rata"
SHORTEST = 16  # characters of a secret seed
SECRETS = ("secret_seed", "secret_seed_file")


@dataclass(frozen=True)
class Rubric:
    """A rubric as it was written: names of properties and chapters are not looked up yet.

    `seed` is None where there is a `secret`, which is never shown. `digest` stands for all but the
    seed, in twelve hex digits; comments and the order of keys do not change it. `total` is 0 if
    nothing is scaled, `minutes` bounds one submission.
    """

    file: str
    set: str
    only: tuple[str, ...]
    tiers: tuple[Tier, ...]
    lesson: int
    examples: int
    seed: int | None
    not_reached: str
    total: float
    minutes: float
    points: Mapping[str, float]
    requires: Mapping[str, tuple[str, ...]]
    visibility: Mapping[str, str]
    show_hints: bool
    hints: Mapping[str, str]
    digest: str
    secret: str = field(default="", repr=False)

    @property
    def tier(self) -> Tier:
        """Up to which tier is judged."""
        return max(self.tiers)

    def number(self) -> int:
        """The seed that decides the draws; not to be shown if it is secret."""
        if self.seed is not None:
            return self.seed
        taken = hashlib.sha256(b"harness-props draws:" + self.secret.encode()).digest()
        return int.from_bytes(taken[:16], "big")

    def seed_digest(self) -> str:
        """Twelve hex digits that stand for a secret seed; "" if it is none."""
        taken = hashlib.sha256(b"harness-props digest:" + self.secret.encode()).hexdigest()
        return "" if self.seed is not None else taken[:12]


def read(path: str | None = None) -> Rubric:
    """The rubric in a file, or the default. Raises BadCall saying what is wrong with it and where."""
    file = Path(path) if path else DEFAULT
    given = _toml(file)
    _known(given, _toml(DEFAULT), str(file))
    data = {**_toml(DEFAULT), **given}
    ask = _Reader(str(file), data)
    secret = _secret(file, given)
    content = {key: value for key, value in data.items() if key not in ("seed", *SECRETS)}
    text = json.dumps(content, sort_keys=True, default=str)
    hints = ask.table("hints", str, "a text", boolean="show")
    return Rubric(
        str(file), ask.text("set"), ask.texts("only"), _tiers(ask), ask.one_of("lesson", (3, 6)),
        ask.whole("examples", 1), None if secret else ask.whole("seed"),
        ask.one_of("not_reached", (PRO_RATA, NOTHING)),
        ask.number("total"), ask.number("minutes", positive=True),
        ask.points(), ask.requires(), ask.visibility(), bool(hints.pop("show", True)), hints,
        hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:12], secret,
    )  # fmt: skip


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadCall(f"{file}: cannot be read, {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeError, RecursionError) as error:
        raise BadCall(f"{file}: not TOML: {error}") from error


def _known(given: Mapping[str, Any], default: Mapping[str, Any], file: str) -> None:
    """Raise BadCall for a key that means nothing."""
    keys = [*default, *SECRETS]
    for key in given:
        if key not in keys:
            near = difflib.get_close_matches(key, keys, 1)
            meant = f" (did you mean {near[0]}?)" if near else ""
            raise BadCall(f"{file}: {key}: no such key{meant}; accepted are {', '.join(keys)}")


def _tiers(ask: _Reader) -> tuple[Tier, ...]:
    words = [tier.word for tier in Tier]
    value = ask.data["tiers"]
    if not isinstance(value, list) or not value or any(word not in words for word in value):
        raise ask.wrong("tiers", value, f"a list of {_or(words)}")
    return tuple(sorted({Tier.named(word) for word in value}))


def _secret(file: Path, given: Mapping[str, Any]) -> str:
    """The secret seed, "" if there is none. What is wrong with one is said without showing it."""
    named = [key for key in ("seed", *SECRETS) if key in given]
    if len(named) > 1:
        raise BadCall(f"{file}: {' and '.join(named)}: only one of them can hold")
    if not named or named[0] == "seed":
        return ""
    value = given[named[0]]
    if not isinstance(value, str):
        raise BadCall(f"{file}: {named[0]}: here should be a text, not {_kind(value)}")
    if named[0] == "secret_seed_file":
        there = file.parent / value
        try:
            value = there.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError) as error:
            raise BadCall(f"{file}: secret_seed_file: {there} cannot be read: {error}") from error
    if len(value) < SHORTEST:
        raise BadCall(f"{file}: {named[0]}: too short to stay secret, it needs at least {SHORTEST} "
                      "characters; `python3 -c 'import secrets; print(secrets.token_hex())'` makes one"
                      )  # fmt: skip
    return value


class _Reader:
    """Takes values out of a rubric and says in one sentence what is wrong with one."""

    def __init__(self, file: str, data: Mapping[str, Any]) -> None:
        self.file, self.data = file, data

    def wrong(self, key: str, value: Any, accepted: str) -> BadCall:
        """The complaint about a value."""
        shown = _kind(value) if isinstance(value, (dict, list)) else repr(value)[:60]
        return BadCall(f"{self.file}: {key}: {shown} is not accepted here, only {accepted}")

    def text(self, key: str) -> str:
        value = self.data[key]
        if not isinstance(value, str):
            raise self.wrong(key, value, "a text")
        return value

    def texts(self, key: str, value: Any = None) -> tuple[str, ...]:
        value = self.data[key] if value is None else value
        if not isinstance(value, list) or any(not isinstance(part, str) for part in value):
            raise self.wrong(key, value, "a list of properties and chapters")
        return tuple(value)

    def one_of(self, key: str, accepted: tuple[Any, ...]) -> Any:
        value = self.data[key]
        if isinstance(value, (bool, float)) or value not in accepted:
            raise self.wrong(key, value, _or(accepted))
        return value

    def whole(self, key: str, least: int | None = None) -> int:
        value = self.data[key]
        if not isinstance(value, int) or isinstance(value, bool) or (least is not None and value < least):
            more = f" from {least} on" if least is not None else ""
            raise self.wrong(key, value, f"a whole number{more}")
        return value

    def number(self, key: str, value: Any = None, *, positive: bool = False) -> float:
        value = self.data[key] if value is None else value
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not fits or value < 0 or (positive and not value) or value > 1e9:
            raise self.wrong(key, value, "a number above 0" if positive else "a number from 0 on")
        return float(value)

    def table(self, key: str, kind: type, word: str, *, boolean: str = "") -> dict[str, Any]:
        """A table whose values are all of one kind, but for one that is true or false."""
        value = self.data[key]
        if not isinstance(value, dict):
            raise self.wrong(key, value, "a table")
        for name, part in value.items():
            if not isinstance(part, bool if name == boolean else kind):
                raise self.wrong(f"{key}.{name}", part, "true or false" if name == boolean else word)
        return dict(value)

    def points(self) -> dict[str, float]:
        table = self.table("points", object, "")
        table.setdefault("default", 1)
        return {name: self.number(f"points.{name}", value) for name, value in table.items()}

    def visibility(self) -> dict[str, str]:
        table = self.table("visibility", object, "")
        for name, value in table.items():
            if value not in VISIBILITIES:
                raise self.wrong(f"visibility.{name}", value, _or(VISIBILITIES))
        return {"default": VISIBLE, **table}

    def requires(self) -> dict[str, tuple[str, ...]]:
        table = self.table("requires", object, "")
        return {name: self.texts(f"requires.{name}", value) for name, value in table.items()}


def _or(values: Iterable[Any]) -> str:
    told = [f'"{value}"' if isinstance(value, str) else str(value) for value in values]
    return " or ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)


def _kind(value: Any) -> str:
    words = {dict: "a table", list: "a list", bool: "true or false", int: "a number", float: "a number"}
    return words.get(type(value), "something else")
