"""Planted bugs: one call in, one result out; arguments, errors, and the small helpers."""

from tests.miniatures.pairs import RAW
from tests.planted.catalogue import bug

CATCH = "    except Exception as error:  # whatever a tool may raise\n"
RAISED = "content, is_error = reason(error), True"
TRIED = "content, is_error = _outcome(tools, call), False"
COPY = 'deepcopy(call.get("arguments"))'
TEXT = "    return sendable(returned)"
CHECKED = "    if not isinstance(returned, str):\n"
RUN = "            result = run_tool(tools, call)\n"
EACH = "        for call in calls:\n"
NEXT = "        turns += 1\n"
WORDS = "if shown == said and said.strip() else"
UNKNOWN = 'raise LookupError(f"there is no tool {name!r}")'
NULL = "    if value is None:\n"
ISTEXT = "    if isinstance(value, str):\n"


def returning(expression: str) -> tuple[str, str, str]:
    """A patch of what becomes of a text that a tool returned."""
    return ("tools._text", TEXT, f"    text = sendable(returned)\n    return {expression}")


@bug("TOOL-01", ("tools._outcome", COPY, (
    '__import__("json").loads(call["arguments"]) if isinstance(call.get("arguments"), str) else ' + COPY
)), source="students")  # fmt: skip
def reads_an_object_out_of_a_text() -> None:
    """Arguments that are a text with an object in it are taken for that object."""


@bug("TOOL-01", ("tools.run_tool", "    try:\n", (
    '    if not str(call.get("name")).isidentifier():\n        raise KeyError(call.get("name"))\n    try:\n'
)), source="openai/openai-agents-python#3459")  # fmt: skip
def raises_for_names_no_tool_can_have() -> None:
    """An unknown name that is empty or holds a blank ends the run with a KeyError."""


@bug("TOOL-01", (
    "tools._outcome", UNKNOWN,
    'return f"Error: there is no tool {name!r}"',
), source="gleanwork/glean-agent-toolkit#42")  # fmt: skip
def answers_an_unknown_tool_like_a_success() -> None:
    """The result for an unknown tool is not marked as an error."""


@bug("TOOL-01", ("loop.run_agent", EACH, (
    '        known = {tool["name"] for tool in tools}\n'
    '        if not any(call.get("name") in known for call in calls):\n            messages.pop()\n'
    '            messages.append(user_message("There is no tool of that name."))\n            calls = []\n'
) + EACH), source="SWE-agent/mini-swe-agent#897")  # fmt: skip
def takes_out_a_reply_that_calls_no_known_tool() -> None:
    """A reply that calls unknown tools only is replaced in the record by a remark."""


@bug("TOOL-02", (
    "tools.run_tool", RAISED,
    'content, is_error = reason(error) if len(str(error)) < 200 else "the tool failed", True',
), source="vercel/ai#6039")  # fmt: skip
def says_nothing_of_long_errors() -> None:
    """The text of an exception of 200 characters or more is replaced by a sentence."""


@bug("TOOL-02", (
    "tools.run_tool", RAISED,
    'content, is_error = reason(error).splitlines()[0], True',
), source="students")  # fmt: skip
def keeps_one_line_of_an_error() -> None:
    """Of an exception's text only the first line is kept."""


@bug("TOOL-02", ("loop.run_agent", RUN, RUN + (
    '            if result["is_error"] and messages[-1].get("is_error"):\n'
    '                result["content"] = "failed like the call before"\n'
)), source="students")  # fmt: skip
def tells_the_second_failure_in_a_row_as_the_first() -> None:
    """A failing call right behind another failing one does not say what went wrong."""


@bug("TOOL-03", (
    "tools.run_tool", TRIED,
    TRIED + '\n        is_error = content in ("", "[]", "None")',
), source="students")  # fmt: skip
def takes_nothing_for_a_failure() -> None:
    """A tool that gives back an empty text, an empty list or None in words is marked as failed."""


@bug("TOOL-04", ("loop.run_agent", EACH, "        bad = []\n" + EACH), ("loop.run_agent", RUN, (
    '            result = run_tool([] if call.get("name") in bad else tools, call)\n'
    '            bad += [call.get("name")] * result["is_error"]\n'
)), source="huggingface/smolagents#2457")  # fmt: skip
def gives_a_tool_up_for_the_rest_of_the_batch() -> None:
    """A tool that failed once is not run again for later calls of the same batch."""


@bug("TOOL-05", ("text.reason", WORDS, "if shown == said and said else"), source="students")
def takes_blank_text_for_a_reason() -> None:
    """An exception whose text is a blank gives an error result of a blank."""


@bug("TOOL-06", (
    "view._as_sent", "    missing = [",
    (
        '    text += f" after {results[-1][\'content\'][:20]!r}" if len(tool_calls(first)) > 1 else ""\n'
        "    missing = ["
    ),
), source="students")  # fmt: skip
def breaks_on_an_interrupt_in_the_first_of_several_calls() -> None:
    """A record whose last batch was interrupted in its first call breaks the next run."""


@bug("TOOL-07", ("tools._text", TEXT, "    return returned"), source="NousResearch/hermes-agent PR 66822")
def passes_surrogates_on() -> None:
    """A lone surrogate in a result is recorded and sent as it is."""


@bug("TOOL-07", (
    "tools._text", CHECKED,
    "    if isinstance(returned, (dict, list)):\n        return returned\n" + CHECKED,
), source="NousResearch/hermes-agent#31435")  # fmt: skip
def passes_objects_on() -> None:
    """A list or an object that a tool gives back is put into the message as it is."""


@bug("TOOL-08", ("tools._outcome", COPY, "_copy(call.get(\"arguments\"))"), ("tools", "", (
    "def _copy(value: Any) -> Any:\n"
    "    return {k: _copy(v) for k, v in value.items()} if isinstance(value, dict) else value\n"
)), source="langchain-ai/langchain PR 28824")  # fmt: skip
def shares_lists_in_arguments() -> None:
    """A tool can change the lists in the arguments of the recorded call."""


@bug("TOOL-09", (
    "__init__", "",
    RAW.replace("if isinstance(value, dict) else ({}, True)", "if isinstance(value, dict) else ({}, False)"),
), source="NousResearch/hermes-agent PR 2342")  # fmt: skip
def runs_arguments_of_other_kinds_as_empty() -> None:
    """Arguments that parse, but to no object, are replaced by {} and the tool is run."""


@bug("TOOL-09", (
    "__init__", "",
    RAW.replace("        return reply\n", (
    '        if reply.get("stop_reason") != "length":\n'
    '            reply["content"] = [b for b in reply["content"] if not b.get("unparsed")]\n'
    "        return reply\n"
)),
), source="NousResearch/hermes-agent#74798")  # fmt: skip
def drops_calls_that_do_not_parse() -> None:
    """A call whose arguments do not parse is dropped without a word."""


@bug("TOOL-09", (
    "__init__", "",
    RAW.replace(
    "        reply = self._model.complete(",
    "        blocks = [b for m in messages if m['role'] == 'assistant' for b in m['content']]\n"
    "        for text in [b['raw'] for b in blocks if 'raw' in b]:\n            _json.loads(text)\n"
    "        reply = self._model.complete(",
).replace("                block[\"arguments\"], block", (
    "                block[\"raw\"] = block[\"arguments\"]\n                block[\"arguments\"], block"
)),
), source="agno-agi/agno#10254")  # fmt: skip
def parses_old_arguments_for_every_request() -> None:
    """Each request parses the arguments of earlier calls again, and what does not parse ends the run."""


@bug("TOOL-10", ("tools.run_tool", "    try:\n", (
    "    for tool in tools:\n"
    '        schema, given = tool["parameters"], call.get("arguments") or {}\n'
    '        if tool["name"] == call.get("name") and [*given][:1] == schema.get("required"):\n'
    "            for name in given:\n"
    '                if name not in schema["properties"] and isinstance(given[name], int):\n'
    '                    raise TypeError(f"{name} is one argument too many")\n    try:\n'
)), source="vercel/ai#5104")  # fmt: skip
def raises_for_a_number_too_many() -> None:
    """A call with the one text that is required and then a number nobody asked for ends the run."""


@bug("TOOL-11", returning('text if "\\r\\n" in text else text.replace("\\r", "\\n")'),
     source="students")  # fmt: skip
def takes_returns_for_line_breaks() -> None:
    """A carriage return that no line feed follows becomes one."""


@bug("TOOL-16", returning('__import__("json").dumps(text) if text[:1] in ("{", "[") else text'),
     source="pipecat-ai/pipecat PR 4988")  # fmt: skip
def encodes_json_results_twice() -> None:
    """A result that looks like a JSON object or list is encoded as a JSON text."""


@bug("TOOL-12", ("loop.run_agent", NEXT, (
    "        if len(calls) > 3:\n"
    '            messages[-len(calls) :] = sorted(messages[-len(calls) :], key=lambda m: m["is_error"])\n'
) + NEXT), source="strands-agents/harness-sdk PR 2199")  # fmt: skip
def puts_failures_of_a_large_batch_last() -> None:
    """In batches of four or more calls the results of failing ones are moved to the end."""


@bug("TOOL-13", (
    "arguments.int_arg", NULL,
    "    if isinstance(value, float) and value.is_integer():\n        return int(value)\n" + NULL,
), source="students")  # fmt: skip
def takes_whole_floats() -> None:
    """2.0 is accepted where a whole number is due."""


@bug("TOOL-14", (
    "arguments.str_arg", ISTEXT,
    '    if isinstance(value, list) and len(value) == 1:\n        value = value[0]\n' + ISTEXT,
), source="students")  # fmt: skip
def takes_the_only_member_of_a_list() -> None:
    """A list of one text is accepted where a text is due."""


@bug("TOOL-14", ("write.make_write_tool", 'ws.write_text(path, str_arg(arguments, "content"))',
    'ws.write_text(path, "")\n        ws.write_text(path, str_arg(arguments, "content"))',
), source="students")  # fmt: skip
def empties_the_file_before_it_looks() -> None:
    """write empties the file before it finds that the content is no text."""


@bug("TOOL-16", returning('text if len(text) <= 30_000 else text[:15_000] + text[-15_000:]'),
     source="students")  # fmt: skip
def takes_the_middle_out_of_long_results() -> None:
    """Results of more than 30,000 characters lose their middle without a word."""


@bug("TOOL-17", (
    "loop.run_agent", RUN,
    f"            try:\n    {RUN}            except KeyboardInterrupt:\n"
    '                messages.append({"role": "toolResult", "tool_call_id": call["id"], "tool_name": "",\n'
    '                                 "content": "interrupted", "is_error": True})\n                raise\n',
), source="students")  # fmt: skip
def writes_an_interrupt_into_the_record() -> None:
    """A KeyboardInterrupt out of a tool adds a result to the record on its way out."""


@bug("TOOL-18", ("arguments.int_arg", NULL, "    if value is None or value is False:\n"), source="students")
def takes_false_for_the_default() -> None:
    """false stands for the default of a whole number."""


@bug("HELP-01", (
    "messages.text_of", 'block["text"] for block in blocks_of(message, "text")',
    'block["text"].strip(" ") for block in blocks_of(message, "text")',
), source="students")  # fmt: skip
def strips_text_blocks() -> None:
    """text_of removes the blanks round each text block."""
