"""Any Python value as plain JSON data and back, and lists of messages that grow.

None, bool, int, float, text, lists and dicts with text keys stand for themselves. Everything else
is `{"$": [tag, payload]}`. What is none of these (a function, an exception, an instance) arrives
as `Foreign`. Encoding never runs code of the value it reads, save a guarded `repr` of a foreign
object; decoding never runs anything and raises `CodecError` on data that `encode` cannot have made.

Standard library only and no import of the suite: the harness's process loads this file by path.
`dataclasses` stays out on purpose: it would add half to the start-up time of that process.
"""

from __future__ import annotations

import marshal
from json import JSONEncoder

TYPE_CHECKING = False
if TYPE_CHECKING:  # not from typing, which takes four milliseconds
    from collections.abc import Iterator
    from typing import Any, NoReturn

DEPTH = 40  # levels written as nested data; deeper values are written as a graph
BUDGET = 100_000  # items written as nested data; shared parts could multiply without end
DECODE_DEPTH = 200  # levels of nested data that `decode` follows
HUGE = 2_000  # bits; JSON text of longer ints can be refused (`sys.set_int_max_str_digits`)
REPR = 200  # characters shown of a foreign object

_json = JSONEncoder().encode
_CONSTANTS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


class CodecError(ValueError):
    """Data that `encode` or `Pool` cannot have produced; the message says what is wrong with it."""


class Foreign:
    """An object that has no plain form: its type's name and its repr without addresses.

    Immutable, compared and hashed by both fields.
    """

    __slots__ = ("text", "type_name")
    type_name: str
    text: str

    def __init__(self, type_name: str, text: str) -> None:
        object.__setattr__(self, "type_name", type_name)
        object.__setattr__(self, "text", text)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot assign to field {name!r} of a Foreign")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete field {name!r} of a Foreign")

    def __eq__(self, other: object) -> bool:
        if type(other) is not Foreign:
            return NotImplemented
        return self.type_name == other.type_name and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.type_name, self.text))

    def __repr__(self) -> str:
        return f"Foreign(type_name={self.type_name!r}, text={self.text!r})"

    def __reduce__(self) -> tuple[type[Foreign], tuple[str, str]]:
        return Foreign, (self.type_name, self.text)


# ---- encoding -----------------------------------------------------------------------------


class _TooMuch(Exception):
    """The value is too deep or too large to be written as nested data."""


def encode(value: object) -> Any:
    """`value` as new plain data that JSON carries without loss; `decode` is the inverse.

    Subclasses of the builtin types are read as the base they are, by the base's own methods.
    Raises nothing of its own; a value of any depth and with any cycles is written.
    """
    try:
        return _nested(value, DEPTH, [BUDGET])
    except _TooMuch:
        return {"$": ["graph", _graph(value)]}


def _nested(value: Any, depth: int, budget: list[int]) -> Any:
    kind: Any = type(value)
    if kind is str and value.isascii():
        return value
    if kind is not dict and kind is not list and kind is not tuple:
        base = _base(kind)
        if base is not dict and base is not list and base is not tuple:
            return _leaf(value, base, depth, budget)
        kind = base
    if kind is dict:
        entries = list(dict.items(value))
        _spend(len(entries), depth, budget)
        result: dict[str, Any] = {}
        for key, item in entries:
            if type(key) is not str:
                if not issubclass(type(key), str):
                    return _pairs(entries, result, depth, budget)
                key = str.__str__(key)
            if key == "$" or not _clean(key) or key in result:
                return _pairs(entries, result, depth, budget)
            if type(item) is str and item.isascii():
                result[key] = item
            else:
                result[key] = _nested(item, depth - 1, budget)
        return result
    items = kind.__getitem__(value, slice(None))
    _spend(len(items), depth, budget)
    depth -= 1
    encoded = [_nested(item, depth, budget) for item in items]
    return encoded if kind is list else {"$": ["tuple", encoded]}


_BASES: tuple[type, ...] = (str, dict, list, int, tuple, float, bytes, set, frozenset)


def _base(kind: type) -> type | None:
    """The builtin type that instances of `kind` are at heart; None for a foreign one."""
    if kind is bool or kind is type(None):
        return kind
    for base in _BASES:  # neither `is` nor `issubclass` of these runs code of `kind`
        if kind is base or issubclass(kind, base):
            return base
    return None


def _spend(items: int, depth: int, budget: list[int]) -> None:
    budget[0] -= items
    if depth <= 0 or budget[0] < 0:
        raise _TooMuch


def _clean(text: str) -> bool:
    """Whether `text` holds no surrogates, so that JSON carries it as it stands."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _leaf(value: Any, base: type | None, depth: int, budget: list[int]) -> Any:
    """Everything but lists, tuples and dicts."""
    if base is type(None) or base is bool:
        return value
    if base is int:
        number = int.__int__(value)
        return number if number.bit_length() <= HUGE else {"$": ["int", hex(number)]}
    if base is str:
        text = str.__str__(value)
        if _clean(text):
            return text
        return {"$": ["text", text.encode("utf-8", "surrogatepass").hex()]}
    if base is float:
        real = float.__float__(value)
        if real - real == 0:
            return real
        return {"$": ["float", float.__repr__(real)]}
    if base is bytes:
        return {"$": ["bytes", bytes.hex(value)]}
    if base is set or base is frozenset:
        items = list(base.__iter__(value))
        _spend(len(items), depth, budget)
        return {"$": [base.__name__, [_key(item, depth - 1, budget) for item in items]]}
    if type(value) is Foreign:
        name, text = value.type_name, value.text
    else:
        name, text = _type_name(type(value)), _repr(value)
    return {"$": ["foreign", [_nested(name, 1, budget), _nested(text, 1, budget)]]}


def _pairs(
    entries: list[tuple[Any, Any]], done: dict[str, Any], depth: int, budget: list[int]
) -> Any:
    """A dict as pairs; `done` holds its first entries in their encoded form."""
    depth -= 1
    pairs = [[key, item] for key, item in done.items()]
    for key, item in entries[len(done) :]:
        pairs.append([_key(key, depth, budget), _nested(item, depth, budget)])
    return {"$": ["dict", pairs]}


def _key(value: Any, depth: int, budget: list[int]) -> Any:
    """A set's element or a dict's key: what cannot be hashed at the other end is foreign."""
    base = _base(type(value))
    if base is tuple or base is frozenset:
        items = list(base.__iter__(value))
        budget[0] -= len(items)
        if depth <= 0 or budget[0] < 0:
            return {"$": ["foreign", [base.__name__, "<too deep>"]]}
        return {"$": [base.__name__, [_key(item, depth - 1, budget) for item in items]]}
    if base is dict or base is list or base is set:  # subclasses that made themselves hashable
        base = None
    return _leaf(value, base, 1, budget)


def _type_name(kind: type) -> str:
    return str.__str__(type.__dict__["__name__"].__get__(kind))


def _repr(value: object) -> str:
    """The repr without ` at 0x…`, at most `REPR` characters; `<no repr>` when it raises."""
    try:
        text = str.__str__(repr(value))[: 10 * REPR]
    except BaseException:
        return "<no repr>"
    first, *rest = text.split(" at 0x")
    return "".join([first, *(part.lstrip("0123456789abcdefABCDEF") for part in rest)])[:REPR]


def _graph(root: object) -> list[Any]:
    """The value as a list of nodes that refer to each other by index; node 0 is the root.

    A node is a leaf as `encode` writes it or `[tag, payload]`: indices for a list or a tuple,
    `[key, index]` for a dict. Sharing and cycles are kept. No recursion at any depth.
    """
    nodes: list[Any] = []
    seen: dict[int, int] = {}
    waiting: list[tuple[int, Any, Any]] = []  # index, base, value
    alive: list[Any] = []  # what a foreign repr lets go of must not lend its id to another object

    def index(value: Any) -> int:
        base = _base(type(value))
        if base is list or base is dict or base is tuple:
            known = seen.setdefault(id(value), len(nodes))
            if known == len(nodes):
                nodes.append(None)
                alive.append(value)
                waiting.append((known, base, value))
            return known
        size = base.__len__(value) if base is set or base is frozenset else 0
        nodes.append(_leaf(value, base, DEPTH, [BUDGET + size]))
        return len(nodes) - 1

    index(root)
    while waiting:
        at, base, value = waiting.pop()
        if base is dict:
            entries = list(dict.items(value))
            payload: list[Any] = [[_key(k, DEPTH, [BUDGET]), index(item)] for k, item in entries]
        else:
            payload = [index(item) for item in base.__getitem__(value, slice(None))]
        nodes[at] = [base.__name__, payload]
    return nodes


# ---- decoding -----------------------------------------------------------------------------


def decode(data: Any) -> Any:
    """The value that `encode` wrote as `data`; raises `CodecError` when it wrote no such thing."""
    return _value(data, DECODE_DEPTH)


def _value(data: Any, depth: int) -> Any:
    kind = type(data)
    if kind is str:
        return data
    if kind is dict:
        if depth <= 0:
            raise CodecError(f"data nested deeper than {DECODE_DEPTH} levels")
        if "$" in data:
            return _tagged(data, depth - 1)
        depth -= 1
        return {key: v if type(v) is str else _value(v, depth) for key, v in data.items()}
    if kind is list:
        if depth <= 0:
            raise CodecError(f"data nested deeper than {DECODE_DEPTH} levels")
        depth -= 1
        return [_value(item, depth) for item in data]
    if data is None or kind is int or kind is float or kind is bool:
        return data
    raise CodecError(f"{kind.__name__} is not JSON data")


def _tagged(data: dict[str, Any], depth: int) -> Any:
    body = data["$"]
    if len(data) != 1 or type(body) is not list or len(body) != 2 or type(body[0]) is not str:
        raise CodecError('a "$" entry that is not {"$": [tag, payload]}')
    tag, payload = body
    if tag in ("tuple", "set", "frozenset", "dict", "foreign", "graph"):
        if type(payload) is not list:
            raise CodecError(f"the payload of {tag!r} is {type(payload).__name__}, not a list")
        if tag == "graph":
            return _from_graph(payload, depth)
        if tag == "dict":
            return _from_pairs([(_value(k, depth), _value(v, depth)) for k, v in _two(payload)])
        items = [_value(item, depth) for item in payload]
        if tag == "tuple":
            return tuple(items)
        if tag == "foreign":
            if len(items) != 2 or type(items[0]) is not str or type(items[1]) is not str:
                raise CodecError("a foreign object is a type's name and a text")
            return Foreign(items[0], items[1])
        try:
            return set(items) if tag == "set" else frozenset(items)
        except TypeError as error:
            raise CodecError(f"{tag} element: {error}") from None
    if type(payload) is not str:
        raise CodecError(f"the payload of {tag!r} is {type(payload).__name__}, not text")
    try:
        if tag == "text":
            return bytes.fromhex(payload).decode("utf-8", "surrogatepass")
        if tag == "bytes":
            return bytes.fromhex(payload)
        if tag == "int":
            return int(payload, 16)
        if tag == "float":
            return _CONSTANTS[payload]
    except (ValueError, KeyError):
        raise CodecError(f"the payload of {tag!r} cannot be read: {payload[:40]!r}") from None
    raise CodecError(f"unknown tag {tag[:40]!r}")


def _two(payload: list[Any]) -> Iterator[list[Any]]:
    for pair in payload:
        if type(pair) is not list or len(pair) != 2:
            raise CodecError("an entry of a dict that is not a pair")
        yield pair


def _from_pairs(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    try:
        return dict(pairs)
    except TypeError as error:
        raise CodecError(f"dict key: {error}") from None


def _from_graph(nodes: list[Any], depth: int) -> Any:
    size = len(nodes)
    made: list[Any] = []
    links: dict[int, list[int]] = {}
    keys: dict[int, list[Any]] = {}
    tuples: list[int] = []
    for at, node in enumerate(nodes):
        if type(node) is not list:
            made.append(_value(node, depth))
            continue
        if len(node) != 2 or node[0] not in ("list", "tuple", "dict") or type(node[1]) is not list:
            raise CodecError(f"graph node {at} is not [list, tuple or dict, payload]")
        tag, payload = node
        if tag == "dict":
            keys[at] = [_value(key, depth) for key, _ in _two(payload)]
            payload = [ref for _, ref in payload]
        for ref in payload:
            if type(ref) is not int or not 0 <= ref < size:
                raise CodecError(f"graph node {at} refers to a node that does not exist")
        links[at] = payload
        made.append({} if tag == "dict" else [])
        if tag == "tuple":
            tuples.append(at)
    if not size:
        raise CodecError("a graph without nodes")
    _make_tuples(tuples, links, made)
    for at, refs in links.items():
        if at in keys:
            entries = zip(keys[at], (made[ref] for ref in refs), strict=True)
            made[at].update(_from_pairs(list(entries)))
        elif type(made[at]) is list:
            made[at].extend(made[ref] for ref in refs)
    return made[0]


def _make_tuples(tuples: list[int], links: dict[int, list[int]], made: list[Any]) -> None:
    """Build each tuple after the tuples inside it; a tuple inside itself is a `CodecError`."""
    waiting = set(tuples)
    for start in tuples:
        path: set[int] = set()
        stack = [start] if start in waiting else []
        while stack:
            at = stack[-1]
            if at not in waiting:
                stack.pop()
                continue
            inner = [ref for ref in links[at] if ref in waiting]
            if not inner:
                made[at] = tuple(made[ref] for ref in links[at])
                waiting.discard(at)
                stack.pop()
            elif at in path or not path.isdisjoint(inner) or at in inner:
                raise CodecError("a tuple that holds itself")
            else:
                path.add(at)
                stack.extend(inner)


# ---- lists of messages --------------------------------------------------------------------


def fingerprint(value: Any, version: int = 2) -> bytes | None:
    """Bytes that are equal for equal plain values only; None if `value` is not plain or is cyclic.

    Two values that differ in `bytes` against another kind of buffer share theirs. From version 3
    on, equal values may differ in their bytes, but it is twice as fast.
    """
    try:
        return marshal.dumps(value, version)
    except Exception:
        return None


class Pool:
    """The sending end for lists of messages that grow: each distinct message travels once."""

    CHUNK = 64  # messages looked up at once

    def __init__(self) -> None:
        self._prints: dict[bytes, int | None] = {}  # None: look it up by its text
        self._texts: dict[str, int] = {}
        self._chunks: dict[bytes, list[int]] = {}
        self._last: dict[str, list[int]] = {}
        self._now: dict[int, int] | None = None  # id() of a message looked at since `begin` -> number

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
        ids: list[int] = []
        for start in range(0, len(items), self.CHUNK):
            ids += self._ids(items[start : start + self.CHUNK], new)
        last = self._last.get(name, [])
        keep = len(last)
        if ids[:keep] != last:
            pairs = zip(last, ids, strict=False)
            keep = next((i for i, (a, b) in enumerate(pairs) if a != b), min(keep, len(ids)))
        self._last[name] = ids
        return {"keep": keep, "add": ids[keep:], "new": new}

    def _ids(self, chunk: list[Any], new: list[list[Any]]) -> list[int]:
        whole = fingerprint(chunk, 4) if len(chunk) == self.CHUNK else None
        if whole is not None and whole in self._chunks:
            return self._chunks[whole]
        ids = []
        for message in chunk:
            seen = None if self._now is None else self._now.get(id(message))
            if seen is not None:
                ids.append(seen)
                continue
            mark = fingerprint(message)
            known = None if mark is None else self._prints.get(mark)
            if known is None:
                known = self._by_text(message, mark, new)
                if mark is None or self._prints[mark] is None:
                    whole = None
            ids.append(known)
            if self._now is not None:
                self._now[id(message)] = known
        if whole is not None:
            self._chunks[whole] = ids
        return ids

    def _by_text(self, message: Any, mark: bytes | None, new: list[list[Any]]) -> int:
        encoded = encode(message)
        text = _json(encoded)
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = len(self._texts)
            new.append([known, encoded])
        if mark is not None:
            shared = '{"$": ["bytes"' in text or '{"$": ["foreign"' in text
            self._prints[mark] = None if shared else known
        return known


def _items(messages: Any) -> list[Any] | None:
    """The members of a list or of what behaves like one; None for everything else."""
    base = _base(type(messages))
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
        for number, encoded in _two(new):
            if type(number) is not int or number in self._messages:
                raise CodecError("a new message without a new id")
            self._messages[number] = decode(encoded)
        try:
            now = last[:keep] + [self._messages[number] for number in add]
        except (KeyError, TypeError):
            raise CodecError("a snapshot that adds an unknown message") from None
        self._last[name] = now
        return list(now)
