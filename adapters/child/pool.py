"""Lists of messages that grow, sent so that each distinct message travels once.

Standard library only and no import of the suite.
"""

from __future__ import annotations

import marshal
from json import JSONEncoder

from .codec import CodecError, base_of, decode, encode
from .decoding import pairs_of

TYPE_CHECKING = False
if TYPE_CHECKING:  # not from typing, which takes four milliseconds
    from typing import Any

_json = JSONEncoder().encode
_marshal = marshal.dumps  # under a name of our own: harnesses replace functions of modules


def fingerprint(value: Any) -> bytes | None:
    """Bytes that are equal for equal plain values only; None if `value` is not plain or is cyclic.

    Two values that differ in `bytes` against another kind of buffer share theirs.
    """
    try:
        return _marshal(value, 2)  # from version 3 on, equal values may differ in their bytes
    except Exception:
        return None


class Pool:
    """The sending end for lists of messages that grow: each distinct message travels once."""

    def __init__(self) -> None:
        self._prints: dict[bytes | None, int] = {}  # fingerprint -> number, where it tells messages apart
        self._texts: dict[str, int] = {}
        self._last: dict[str, list[int]] = {}
        self._now: dict[int, tuple[Any, int]] | None = None  # id() of a message seen since `begin` -> both

    def begin(self) -> None:
        """Nothing can have changed from here to the last snapshot before the next `begin`."""
        self._now = {}

    def snapshot(self, name: str, messages: object) -> dict[str, Any]:
        """`{"keep": n, "add": [id, …], "new": [[id, encoded], …]}` against the last list `name`.

        `messages` as it is now: later changes do not reach what is returned. What is no list of
        anything gives `{"odd": encoded}`.
        """
        items = _items(messages)
        if items is None:
            return {"odd": encode(messages)}
        new: list[list[Any]] = []
        last, now = self._last.get(name, []), [self._number(message, new) for message in items]
        keep = 0
        for before, after in zip(last, now, strict=False):
            if before != after:
                break
            keep += 1
        self._last[name] = now
        return {"keep": keep, "add": now[keep:], "new": new}

    def _number(self, message: Any, new: list[list[Any]]) -> int:
        if self._now is None:
            return self._look_up(message, new)
        seen = self._now.get(id(message))
        if seen is None:  # the message is kept with its number: nothing else gets its id meanwhile
            seen = self._now[id(message)] = message, self._look_up(message, new)
        return seen[1]

    def _look_up(self, message: Any, new: list[list[Any]]) -> int:
        mark = fingerprint(message)
        known = self._prints.get(mark)
        if known is not None:
            return known
        encoded = encode(message)
        text = _json(encoded)
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = len(self._texts)
            new.append([known, encoded])
        if mark is not None and '{"$": ["bytes"' not in text and '{"$": ["foreign"' not in text:
            self._prints[mark] = known
        return known


def _items(messages: Any) -> list[Any] | None:
    """The members of a list or of what behaves like one; None for everything else."""
    base = base_of(type(messages))
    if base is list or base is tuple:
        return list(base.__getitem__(messages, slice(None)))
    if base is not None:
        return None
    try:
        members = iter(messages)
        if members is messages:
            return None
        return list(members)
    except BaseException:
        return None


class Unpool:
    """The receiving end of a `Pool`."""

    def __init__(self) -> None:
        self._messages: dict[int, Any] = {}
        self._last: dict[str, list[Any]] = {}

    def lists(self, name: str, snapshot: Any) -> Any:
        """A new list of the messages `name` holds now, or the value that was no list.

        The same message is the same object in every list, so nobody may change it. Raises
        `CodecError` for a snapshot that does not follow from the ones before.
        """
        if type(snapshot) is not dict:
            raise CodecError("a snapshot that is not an object")
        if "odd" in snapshot:
            return decode(snapshot["odd"])
        keep, add, new = (snapshot.get(part) for part in ("keep", "add", "new"))
        last = self._last.get(name, [])
        if type(keep) is not int or not 0 <= keep <= len(last):
            raise CodecError("a snapshot that keeps more than there was")
        if type(add) is not list or type(new) is not list:
            raise CodecError('a snapshot without "add" and "new"')
        for number, encoded in pairs_of(new):
            if type(number) is not int or number in self._messages:
                raise CodecError("a new message without a new id")
            self._messages[number] = decode(encoded)
        try:
            now = last[:keep] + [self._messages[number] for number in add]
        except (KeyError, TypeError):
            raise CodecError("a snapshot that adds an unknown message") from None
        self._last[name] = now
        return list(now)
