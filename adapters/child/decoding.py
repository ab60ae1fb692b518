"""What `codec.encode` wrote, read back: any Python value from plain JSON data.

Decoding never runs anything of the value's own and raises `CodecError` on data that `encode`
cannot have made. Standard library only and no import of the suite.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # not from typing, which takes four milliseconds
    from collections.abc import Iterator
    from typing import Any, NoReturn

DECODE_DEPTH = 200  # levels of nested data that `decode` follows

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
            return _from_pairs([(_value(k, depth), _value(v, depth)) for k, v in pairs_of(payload)])
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


def pairs_of(payload: list[Any]) -> Iterator[list[Any]]:
    """The members of a payload of pairs; raises `CodecError` at the first that is none."""
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
    tuples: set[int] = set()
    for at, node in enumerate(nodes):
        if type(node) is not list:
            made.append(_value(node, depth))
            continue
        if len(node) != 2 or node[0] not in ("list", "tuple", "dict") or type(node[1]) is not list:
            raise CodecError(f"graph node {at} is not [list, tuple or dict, payload]")
        tag, payload = node
        if tag == "dict":
            keys[at] = [_value(key, depth) for key, _ in pairs_of(payload)]
            payload = [ref for _, ref in payload]
        for ref in payload:
            if type(ref) is not int or not 0 <= ref < size:
                raise CodecError(f"graph node {at} refers to a node that does not exist")
        links[at] = payload
        made.append({} if tag == "dict" else [])
        if tag == "tuple":
            tuples.add(at)
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


def _make_tuples(tuples: set[int], links: dict[int, list[int]], made: list[Any]) -> None:
    """Build each tuple after the tuples inside it; a tuple inside itself is a `CodecError`."""
    missing = {at: tuples.intersection(links[at]) for at in tuples}
    holders: dict[int, list[int]] = {}
    for at, inner in missing.items():
        for ref in inner:
            holders.setdefault(ref, []).append(at)
    ready = [at for at, inner in missing.items() if not inner]
    for at in ready:  # which grows meanwhile
        made[at] = tuple(made[ref] for ref in links[at])
        for holder in holders.get(at, ()):
            missing[holder].remove(at)
            if not missing[holder]:
                ready.append(holder)
    if len(ready) != len(tuples):
        raise CodecError("a tuple that holds itself")
