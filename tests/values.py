"""Values of every kind that a trace can hold, and whether two of them are the same."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from adapters.child.codec import Foreign, decode, encode

EXACT = settings(deadline=None)

texts = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(["$", "\ud83d\ude00", "a\ud800"])
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-50, 50).map(lambda n: n * 10**5000)
    | st.floats()
    | texts
    | st.binary(max_size=8)
    | st.builds(Foreign, texts, texts)
)
keys = st.recursive(
    scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=4
)
values = st.recursive(
    scalars | st.sets(keys, max_size=3) | keys,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(texts, inner, max_size=4)
        | st.dictionaries(keys, inner, max_size=3)
    ),
    max_leaves=20,
)


def through(value: Any) -> Any:
    """To the other end and back: encoded, as a line of JSON, decoded."""
    return decode(json.loads(json.dumps(encode(value))))


def tagged(tag: str, payload: Any) -> dict[str, Any]:
    """The form of everything that JSON has no form for."""
    return {"$": [tag, payload]}


def form(value: Any) -> str:
    """A text that is equal for values of equal types, signs and order; sets have no order."""
    if isinstance(value, int):
        return f"{type(value).__name__} {hex(value)}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__} [{', '.join(map(form, value))}]"
    if isinstance(value, dict):
        return f"dict [{', '.join(map(form, value.items()))}]"
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__} [{', '.join(sorted(map(form, value)))}]"
    return f"{type(value).__name__} {value!r}"


def same(a: Any, b: Any) -> bool:
    """Whether nothing at all tells `a` from `b`, NaN included."""
    return form(a) == form(b)


def explode(*_: Any, **__: Any) -> Any:
    """What a hostile type does instead of everything."""
    raise SystemExit("code of the value ran")
