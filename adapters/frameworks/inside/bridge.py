"""What the adapters of frameworks share: the record, the event loop, the way to the model and the tools.

It runs in the child, beside the framework, and is loaded by path. A framework's file keeps its own
objects in a `Talk`, one for each of the caller's lists, and says with `read` how they look in normal form.
Nothing is repaired here: what the framework keeps is what the caller's list becomes.
"""

from __future__ import annotations

import asyncio
import ctypes
import functools
import json
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

Messages = list[dict[str, Any]]
Read = Callable[[Any], Messages]
REFUSAL = "400 invalid_request"  # how the scripted provider begins a refusal
HERE = Path(__file__).parent
STEPS = 300  # of a framework's own, between two things that it asks of the suite
LOOKED_AT = 40  # requests that are compared with what became of them at the end
DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)

if sys.platform == "linux":  # a framework that hangs does not outlive the check, however that ended
    ctypes.CDLL(None).prctl(DIES_WITH_PARENT, ctypes.c_ulong(signal.SIGKILL))


class Unplayable(BaseException):
    """The framework's own types cannot say what this script holds. Not an Exception: no guard catches it."""


class AdapterBroke(BaseException):
    """An adapter's own code went wrong, which says nothing of the framework. No guard catches it, either."""


class Endless(BaseException):
    """The framework goes on and on and asks for nothing. No guard catches it."""


class Refused(Exception):
    """The provider refused a request, told as a provider's client tells it."""


class Talk:
    """One conversation: the caller's list, and whatever the framework keeps of it.

    `state` is the framework's. `record` gives what it remembers, in normal form. `fails` says that its
    replies have a label for failures; where they have none, a refusal is an exception.
    """

    def __init__(self, messages: Messages) -> None:
        self.messages = messages
        self.fails = False
        self.state: Any = None
        self.record: Callable[[], Messages] = lambda: list(messages)
        self.fault: Unplayable | None = None
        self._model: Any = None
        self._steps = 0
        self._sent: list[tuple[Messages, list[Any], Read]] = []

    def ask(self, system: Any, given: Any, tools: Any, read: Read) -> dict[str, Any]:
        """One model call: `given` is the framework's own list of messages. Returns the reply."""
        messages = read(given) if self._model.looks() else []
        count, self._steps = len(messages), 0
        if self._model.watched and len(self._sent) < LOOKED_AT:
            self._sent.append((messages, list(given), read))
        reply: dict[str, Any] = self._model.complete(system, messages, tools)
        if isinstance(given, list) and len(messages) != count:  # the provider meddled with what it was sent
            if self._sent:
                self._sent.pop()
            given[:] = given + given[:1] if messages else []
        said = reply.get("error_message")
        if not self.fails and isinstance(said, str) and said.startswith(REFUSAL):
            raise Refused(said)
        return reply

    def step(self, what: str) -> None:
        """The framework made a step of its own; it may make so many before it asks the model again.

        A thread that spins costs the watch's whole allowance of CPU time, a loop whose steps can be seen
        costs this many.
        """
        self._steps += 1
        if self._steps > STEPS:
            raise Endless(f"{STEPS} times {what}, and the model was not asked: the run has no end")

    def unplayable(self, why: str) -> Unplayable:
        """What to raise when a script cannot be said in the framework's types; the run ends with it."""
        self.fault = Unplayable(why)
        return self.fault

    def run(self, work: Callable[[], Any] | Coroutine[Any, Any, Any]) -> Any:
        """Run the framework, on the event loop if it is a coroutine; what comes out of it comes out."""
        try:
            return on_loop(work) if asyncio.iscoroutine(work) else work()  # type: ignore[operator]
        finally:
            self._look_again()
            if self.fault is not None:
                raise self.fault

    def _look_again(self) -> None:
        """Earlier requests as they are by now: the framework may have changed its own messages."""
        for messages, given, read in self._sent:
            for then, now in zip(messages, read(given), strict=False):
                if then != now:
                    then.clear()
                    then.update(now)


_talk: Talk | None = None


def talk_on(messages: Messages, model: Any) -> Talk:
    """The conversation on this list: the one under way, or a new one. `model` is asked from now on."""
    global _talk
    if _talk is None or _talk.messages is not messages:
        _talk = Talk(messages)
    _talk._model = model  # noqa: SLF001
    return _talk


def record(messages: Messages) -> None:
    """Make the caller's list what the framework remembers now; the driver asks before it looks."""
    if _talk is not None and _talk.messages is messages and _talk.state is not None:
        messages[:] = _talk.record()


# -- whose fault it is ---------------------------------------------------------------------------


def adapter(run_agent: Callable[..., Any]) -> Callable[..., Any]:
    """The run of an adapter: what goes wrong in its own files comes out as AdapterBroke."""

    @functools.wraps(run_agent)
    def run(*given: Any, **more: Any) -> Any:
        try:
            return run_agent(*given, **more)
        except Exception as error:
            if rose_here(error):
                raise AdapterBroke(f"{type(error).__name__}: {readable(error)}") from error
            raise

    return run


def rose_here(error: BaseException | None) -> bool:
    """Whether an exception, or one that led to it, rose in an adapter's file and not in what that called.

    What is raised here of another exception only hands that on; a refusal is the provider's. Where a
    recursion ends is chance.
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        ours = trace is not None and Path(trace.tb_frame.f_code.co_filename).parent == HERE
        if ours and error.__cause__ is None and not isinstance(error, (Refused, RecursionError)):
            return True
        error = error.__cause__ or error.__context__
    return False


# -- the event loop ------------------------------------------------------------------------------

_loop: asyncio.AbstractEventLoop | None = None


def loop() -> asyncio.AbstractEventLoop:
    """The one event loop; a fresh one after a run that was interrupted."""
    global _loop
    if _loop is None or _loop.is_closed():
        _loop = asyncio.new_event_loop()
        _loop.set_exception_handler(lambda *_: None)
        asyncio.set_event_loop(_loop)
    return _loop


def on_loop(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end. What an interrupt leaves unfinished is cancelled, as asyncio.run does."""
    here = loop()
    try:
        return here.run_until_complete(work)
    except BaseException as error:
        if not isinstance(error, Exception):
            _abandon(here)
        raise


def _abandon(here: asyncio.AbstractEventLoop) -> None:
    left = asyncio.all_tasks(here)
    for task in left:
        task.cancel()
    try:
        here.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        here.run_until_complete(here.shutdown_asyncgens())
    except BaseException:  # noqa: S110 - a second interrupt: the loop is given up in any case
        pass
    here.close()


# -- the suite's tools ---------------------------------------------------------------------------


def use(tool: dict[str, Any], arguments: Any) -> Any:
    """Run a scripted tool inside a coroutine. Python lets no StopIteration out of one, so that is told
    as a RuntimeError which says what it was; every tool's author has to do the same."""
    try:
        return tool["execute"](arguments)
    except (StopIteration, StopAsyncIteration) as error:
        raise RuntimeError(f"{type(error).__name__}: {error}") from error


def telling(tool: dict[str, Any], talk: Talk, failure: type[Exception]) -> Callable[..., Any]:
    """A scripted tool as a coroutine function that raises its failures as `failure`."""

    async def run(**arguments: Any) -> Any:
        try:
            return use(tool, arguments)
        except Exception as error:
            said = readable(error)
            if not said.strip():
                raise talk.unplayable(f"{failure.__name__} says what failed in the tool's words") from error
            raise failure(said) from error

    return run


def readable(error: BaseException) -> str:
    """What an exception says; nothing if that cannot be had."""
    try:
        return str(error)
    except Exception:
        return ""


def parsed(arguments: str) -> Any:
    """Arguments as they came over the wire: what they say in JSON, or the text if they say nothing."""
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def spec(name: Any, description: Any, parameters: Any) -> dict[str, Any]:
    """A tool as a request carries it."""
    return {"name": name, "description": description, "parameters": parameters}


# -- messages in normal form ---------------------------------------------------------------------


def calls(reply: dict[str, Any]) -> list[dict[str, Any]]:
    """The call blocks of a reply."""
    return [block for block in reply["content"] if block["type"] == "toolCall"]


def words(reply: dict[str, Any]) -> str:
    """The text blocks of a reply, joined."""
    return "".join(block["text"] for block in reply["content"] if block["type"] == "text")


def text(said: Any) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": said}


def filled(messages: Messages) -> Messages:
    """Without replies that hold nothing and did not fail, where a framework leaves those out."""
    return [m for m in messages if m.get("content") != [] or m.get("stop_reason") == "error"]


def call(id_: Any, name: Any, arguments: Any) -> dict[str, Any]:
    """A call block."""
    return {"type": "toolCall", "id": id_, "name": name, "arguments": arguments}


def user(said: Any) -> dict[str, Any]:
    """A prompt."""
    return {"role": "user", "content": said}


def assistant(content: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A reply; `more` is what else the framework knows of it (stop_reason, error_message, usage)."""
    return {"role": "assistant", "content": content, **more}


def result(id_: Any, name: Any, content: Any, **mark: Any) -> dict[str, Any]:
    """A result; `mark` is is_error, where the framework has such a mark."""
    return {"role": "toolResult", "tool_call_id": id_, "tool_name": name, "content": content, **mark}
