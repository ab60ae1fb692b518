"""Planted bugs that one property alone can see: without it nobody would catch them."""

from tests.miniatures.cut import HEAD
from tests.planted.catalogue import bug


@bug("CUT-06", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    return kept, count + (count > 0 and kept != text)\n"
)), source="students")  # fmt: skip
def counts_the_line_that_did_not_fit() -> None:
    """The head cut counts the first line that it left out; the read tool has a count of its own."""


@bug("LOOP-03", (
    "loop.run_agent", "    messages.append(error_message(",
    "    if turns and calls:\n"
    "        messages[-1] = {**messages[-1], 'tool_call_id': None}\n"
    "    messages.append(error_message(",
), source="students")  # fmt: skip
def loses_the_last_id_at_the_limit() -> None:
    """When the turn limit ends a run, the last result in the record has lost its id."""


@bug("TOOL-06", ("view._as_sent", "is_error=True) for call", "is_error=False) for call"), source="students")
def passes_made_up_results_off_as_successes() -> None:
    """The results made up for calls that an interrupt left open are not marked as errors."""


@bug("TOOL-07", (
    "tools._text", 'raise TypeError(f"the tool returned {returned.__class__.__name__} where text was due")',
    "raise TypeError(None)",
), source="students")  # fmt: skip
def says_none_of_what_is_no_text() -> None:
    """The error result on a return value that is no text reads "None" and nothing else."""


@bug("TOOL-04", ("loop.run_agent", "        for call in calls:\n", "        failed = False\n        for call in calls:\n"), (
    "loop.run_agent", "            result = run_tool(tools, call)\n",
    "            result = run_tool(tools, call)\n"
    "            if failed and not result['is_error']:\n"
    "                result['content'] += '\\n(An earlier call of this reply failed.)'\n"
    "            failed = failed or result['is_error']\n",
), source="students")  # fmt: skip
def remarks_on_a_failed_sibling() -> None:
    """What a tool gave back is followed by a remark if an earlier call of the same reply failed."""


@bug("TOOL-15", ("tools._outcome", 'deepcopy(call.get("arguments"))', (
    'call.get("arguments") if name == "read" else deepcopy(call.get("arguments"))'
)), (
    "read._page", '    path = str_arg(arguments, "path")\n',
    '    path = str_arg(arguments, "path")\n    arguments.setdefault("offset", 1)\n',
), source="students")  # fmt: skip
def tidies_the_call_it_reads_by() -> None:
    """Tools get copies of their arguments, but read, which writes its default offset into the call."""


@bug("BASH-04", (
    "bash.make_bash_tool", "        if shown < total:\n",
    "        if not shown and byte_size(output) > 60_000:\n            result = output[-max_bytes:]\n"
    "        if shown < total:\n",
), source="students")  # fmt: skip
def keeps_the_end_of_a_very_large_giant() -> None:
    """Of a last line of more than 60,000 bytes the last characters are kept, as many as max_bytes."""
