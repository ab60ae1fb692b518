"""The lists of one conversation as the command sent them last: whole, or as what is new since then.

A message that comes again is the same object again, so that whoever compares requests looks at it once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapters.child.pool import fingerprint
from adapters.contract import Garbage

if TYPE_CHECKING:
    from adapters.remote.module import Module


class Lists:
    """What the harness said last of each of its lists, by the list's name."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._sent: dict[str, list[Any]] = {}
        self._messages: dict[bytes, Any] = {}  # the print of what came in -> the message

    def now(self, name: str, sent: Any) -> Any:
        """A list as the harness has it now: all of it, or what is new since it was sent last."""
        if isinstance(sent, dict) and "keep" in sent:
            keep, add = sent["keep"], sent.get("add")
            last = self._sent.get(name, [])
            if type(keep) is not int or not 0 <= keep <= len(last) or not isinstance(add, list):
                self._module.fail(Garbage(f"the harness sent as {name} what does not follow from the last"))
            now = last[:keep] + [self._message(one) for one in add]
        elif isinstance(sent, list):
            now = [self._message(one) for one in sent]
        else:
            return self._module.read(sent)
        self._sent[name] = now
        return list(now)

    def _message(self, sent: Any) -> Any:
        """A message as it came in: the same object for the same message, so that it is looked at once."""
        mark = fingerprint(sent)
        if mark is None:
            return self._module.read(sent)
        if mark not in self._messages:
            self._messages[mark] = self._module.read(sent)
        return self._messages[mark]
