"""Any Python value as plain JSON data, and back (`decoding.py`).

None, bool, int, float, text, lists and dicts with text keys stand for themselves. Everything else
is `{"$": [tag, payload]}`. What is none of these (a function, an exception, an instance) arrives
as `Foreign`. Encoding never runs code of the value it reads, save a guarded `repr` of a foreign
object.

Standard library only and no import of the suite: the harness's process loads this file by path.
`dataclasses` stays out on purpose: it would add half to the start-up time of that process.
"""

from __future__ import annotations

from .decoding import CodecError, Foreign, decode

TYPE_CHECKING = False
if TYPE_CHECKING:  # not from typing, which takes four milliseconds
    from typing import Any

__all__ = ["CodecError", "Foreign", "decode", "encode"]

DEPTH = 40  # levels written as nested data; deeper values are written as a graph
BUDGET = 100_000  # items written as nested data; shared parts could multiply without end
HUGE = 2_000  # bits; JSON text of longer ints can be refused (`sys.set_int_max_str_digits`)
REPR = 200  # characters shown of a foreign object


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
        base = base_of(kind)
        if base is set or base is frozenset:
            members = list(base.__iter__(value))
            _spend(len(members), depth, budget)
            return {"$": [base.__name__, [_key(member, depth - 1, budget) for member in members]]}
        if base is not dict and base is not list and base is not tuple:
            return _leaf(value, base)
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


def base_of(kind: type) -> type | None:
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


def _leaf(value: Any, base: type | None) -> Any:
    """Everything that holds nothing else."""
    if base is type(None) or base is bool:
        return value
    if base is int:
        number = int.__int__(value)
        return number if number.bit_length() <= HUGE else {"$": ["int", hex(number)]}
    if base is str:
        return _text(str.__str__(value))
    if base is float:
        real = float.__float__(value)
        if real - real == 0:
            return real
        return {"$": ["float", float.__repr__(real)]}
    if base is bytes:
        return {"$": ["bytes", bytes.hex(value)]}
    if type(value) is Foreign:
        name, text = value.type_name, value.text
    else:
        name, text = _type_name(type(value)), _repr(value)
    return {"$": ["foreign", [_text(name), _text(text)]]}


def _text(text: str) -> Any:
    return text if _clean(text) else {"$": ["text", text.encode(errors="surrogatepass").hex()]}


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
    base = base_of(type(value))
    if base is tuple or base is frozenset:
        items = list(base.__iter__(value))
        budget[0] -= len(items)
        if depth <= 0 or budget[0] < 0:
            return {"$": ["foreign", [base.__name__, "<too deep>"]]}
        return {"$": [base.__name__, [_key(item, depth - 1, budget) for item in items]]}
    hashable = base is not dict and base is not list and base is not set  # some subclasses say they are
    return _leaf(value, base if hashable else None)


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
        base = base_of(type(value))
        if base is list or base is dict or base is tuple:
            known = seen.setdefault(id(value), len(nodes))
            if known == len(nodes):
                nodes.append(None)
                alive.append(value)
                waiting.append((known, base, value))
            return known
        size = base.__len__(value) if base is set or base is frozenset else 0
        nodes.append(_nested(value, DEPTH, [BUDGET + size]))
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
