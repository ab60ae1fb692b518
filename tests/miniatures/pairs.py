"""Pairs for capabilities that the course shape lacks: the reference with each, good and bad."""

from tests.miniatures.planting import plant

RAW = '''
import json as _json
from . import loop as _loop, tools as _tools
EXTRAS = ["raw-arguments"]
_run_tool = run_tool
_run_agent = run_agent


class _Parsing:
    """A model whose raw arguments are parsed before anybody sees them."""

    def __init__(self, model):
        self._model = model

    def complete(self, system, messages, specs):
        reply = self._model.complete(system, messages, specs)
        for block in reply["content"]:
            if block.get("type") == "toolCall" and isinstance(block.get("arguments"), str):
                block["arguments"], block["unparsed"] = _parsed(block["arguments"])
        return reply


def _parsed(text):
    try:
        value = _json.loads(text)
    except (ValueError, RecursionError):
        return {}, True
    return (value, False) if isinstance(value, dict) else ({}, True)


def run_agent(model, system, messages, tools, prompt, *, max_turns=None):
    return _run_agent(_Parsing(model), system, messages, tools, prompt, max_turns=max_turns)


def run_tool(tools, call):
    if call.get("unparsed"):
        return {"role": "toolResult", "tool_call_id": call["id"], "tool_name": call["name"],
                "content": "the arguments are not a JSON object", "is_error": True}
    return _run_tool(tools, call)


_loop.run_tool = run_tool
'''
RETRY = '''
EXTRAS = ["retry"]
_run_agent = run_agent


class _Patient:
    """A model that is asked again after a lost connection."""

    def __init__(self, model):
        self._model = model

    def complete(self, system, messages, specs):
        for _ in range(2):
            try:
                return self._model.complete(system, messages, specs)
            except ConnectionError:
                continue
        return self._model.complete(system, messages, specs)


def run_agent(model, system, messages, tools, prompt, *, max_turns=None):
    return _run_agent(_Patient(model), system, messages, tools, prompt, max_turns=max_turns)
'''
BYTES = '''
EXTRAS = ["bytes"]
_make_read_tool = make_read_tool


class _Decoding:
    """A workspace whose files are bytes, read as text only if they are."""

    def __init__(self, ws):
        self._ws = ws

    def __getattr__(self, name):
        return getattr(self._ws, name)

    def read_text(self, path):
        try:
            return self._ws.read_bytes(path).decode()
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from None


def make_read_tool(ws, max_lines=2000, max_bytes=50_000):
    return _make_read_tool(_Decoding(ws), max_lines, max_bytes)
'''
USAGE = '''
EXTRAS = ["usage"]


def usage_of(messages):
    total = {"input": 0, "output": 0}
    for message in messages:
        for key, value in (message.get("usage") or {}).items():
            total[key] = total.get(key, 0) + value
    return total
'''


@plant("TOOL-09", ("__init__", "", RAW), good=True)
def parses_raw_arguments() -> None:
    """Raw arguments are parsed; what is no object becomes {} in the record and an error result."""


@plant("TOOL-09", ("__init__", "", RAW.replace("return {}, True\n    return", "return {}, False\n    return")))
def runs_unparsed_arguments_as_empty() -> None:
    """Arguments that do not parse are replaced by {} and the tool is run all the same."""


@plant("LIMIT-07", ("__init__", "", RAW), good=True)
def does_not_run_cut_calls() -> None:
    """A call that was cut off in the middle is answered with an error and not run."""


@plant("LIMIT-07", ("__init__", "", RAW.replace(
    "    except (ValueError, RecursionError):\n        return {}, True\n",
    "    except (ValueError, RecursionError):\n        return {}, not text.startswith('{')\n")))
def repairs_cut_calls() -> None:
    """A call that was cut off after its first brace is run with {}."""


@plant("LIMIT-08", ("__init__", "", RETRY), good=True)
def retries_the_request() -> None:
    """After a lost connection the same request is made again."""


@plant("LIMIT-08", ("__init__", "", '''
EXTRAS = ["retry"]
_run_agent = run_agent


def run_agent(model, system, messages, tools, prompt, *, max_turns=None):
    try:
        return _run_agent(model, system, messages, tools, prompt, max_turns=max_turns)
    except ConnectionError:
        return _run_agent(model, system, messages, tools, prompt, max_turns=max_turns)
'''))
def retries_the_whole_run() -> None:
    """After a lost connection the whole run begins again, so that the prompt stands there twice."""


@plant("READ-16", ("__init__", "", BYTES), good=True)
def refuses_bytes_that_are_no_text() -> None:
    """A file that is not UTF-8 gives a clear error result."""


@plant("READ-16", ("__init__", "", BYTES.replace(
    "raise ValueError(f\"{path} is not UTF-8 text: {error.reason} at byte {error.start}\") from None",
    "raise SystemExit(1) from None")))
def exits_on_bytes_that_are_no_text() -> None:
    """A file that is not UTF-8 ends the run."""


@plant("BILL-03", ("__init__", "", USAGE), good=True)
def sums_usage() -> None:
    """Usage is the sum over all replies."""


@plant("BILL-03", ("__init__", "", USAGE.replace("total.get(key, 0) + value", "value")))
def reports_the_last_usage() -> None:
    """Usage is that of the last reply that has any."""
