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
