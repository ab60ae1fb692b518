"""Miniatures of the TOOL chapter and of HELP."""

from tests.miniatures.planting import plant


@plant("TOOL-01", ("tools.run_tool", "except Exception as", "except (LookupError, ValueError, TypeError, OSError) as"))
def catches_four_kinds_of_exception() -> None:
    """Exceptions of other kinds than the usual four come out of the run."""


@plant("TOOL-02", ("tools._outcome", 'LookupError(f"there is no tool {name!r}")', 'LookupError("there is no such tool")'))
def does_not_name_the_unknown_tool() -> None:
    """The error for an unknown tool does not say which name was unknown."""


@plant("TOOL-03", (
    "tools.run_tool", "content, is_error = _outcome(tools, call), False",
    'content = _outcome(tools, call)\n        is_error = content.startswith("Error")',
))  # fmt: skip
def guesses_errors_from_words() -> None:
    """A result that begins with Error is marked as an error, though the tool succeeded."""


@plant("TOOL-04", (
    "loop.run_agent", "            result = run_tool(tools, call)\n",
    '            failed = any(m.get("is_error") for m in messages[len(messages) - calls.index(call):])\n'
    '            result = {"role": "toolResult", "tool_call_id": call["id"], "tool_name": call["name"],\n'
    '                      "content": "skipped", "is_error": True} if failed else run_tool(tools, call)\n',
))  # fmt: skip
def skips_the_siblings_of_a_failure() -> None:
    """After a failing call the rest of the batch is answered without being run."""


@plant("TOOL-05", ("text.reason", 'else f"{kind}: {shown}"', "else shown"))
def says_nothing_for_wordless_exceptions() -> None:
    """An exception without text gives an empty error result."""


@plant("TOOL-06", ("view._as_sent", "[first, *results, *missing]", "[first, *results]"))
def leaves_interrupted_calls_open() -> None:
    """Calls that an interrupt left unanswered are sent without results."""


@plant("TOOL-07", (
    "tools._text",
    "    if not isinstance(returned, str):\n"
    '        raise TypeError(f"the tool returned {returned.__class__.__name__} where text was due")\n'
    "    return sendable(returned)",
    "    return sendable(returned) if isinstance(returned, str) else returned",
))  # fmt: skip
def passes_any_value_on() -> None:
    """What a tool returns goes into the message as it is, text or not."""


@plant("TOOL-08", ("tools._outcome", 'deepcopy(call.get("arguments"))', 'dict(call.get("arguments") or {})'))
def copies_arguments_one_level_deep() -> None:
    """A tool can change nested arguments in the recorded call."""


@plant("TOOL-10", ("tools.run_tool", "except Exception as", "except (LookupError, ValueError, OSError, RuntimeError, ArithmeticError) as"))
def lets_type_errors_out() -> None:
    """Arguments of the wrong type end the run with a TypeError."""


@plant("TOOL-11", ("tools._text", "return sendable(returned)", 'return sendable(returned).replace("\\u202e", "")'))
def cleans_results() -> None:
    """A control character is removed from what a tool returns."""


@plant("TOOL-12", ("loop.run_agent", "in calls:", "in (calls[::-1] if 3 < len(calls) < 7 else calls):"))
def answers_middling_batches_as_they_finish() -> None:
    """Batches of four to six calls are answered in another order than they were asked."""


@plant("TOOL-13", (
    "arguments.int_arg", "    if value is None:\n",
    "    if isinstance(value, str) and value.isdigit():\n        return int(value)\n    if value is None:\n",
))  # fmt: skip
def takes_digits_for_numbers() -> None:
    """A text of digits is accepted where a whole number is due."""


@plant("TOOL-14", ("arguments.str_arg", "    if isinstance(value, str):\n        return value\n", "    if value is not None:\n        return str(value)\n"))
def turns_anything_into_text() -> None:
    """A number or a list is accepted where a text is due."""


@plant("TOOL-15", ("tools._outcome", 'deepcopy(call.get("arguments"))', 'call.get("arguments")'),
       ("read._page", '    path = str_arg(arguments, "path")\n',
        '    path = str_arg(arguments, "path")\n    arguments.setdefault("offset", 1)\n'))  # fmt: skip
def fills_defaults_into_the_call() -> None:
    """read writes its default offset into the recorded call."""


@plant("TOOL-16", ("tools._text", "return sendable(returned)", "return sendable(returned)[:200_000]"))
def cuts_long_results_silently() -> None:
    """Results of more than 200,000 characters lose their end without a word."""


@plant("TOOL-17", ("tools.run_tool", "except Exception as", "except (Exception, SystemExit) as"))
def catches_system_exit() -> None:
    """SystemExit out of a tool becomes an error result."""


@plant("TOOL-18", ("arguments.int_arg", " and not isinstance(value, bool)", ""))
def takes_true_for_one() -> None:
    """true is accepted as a whole number."""


@plant("HELP-01", ("__init__", "", '''
def text_of(message):
    return "\\n".join(b["text"] for b in message["content"] if b.get("type") == "text")
'''))  # fmt: skip
def joins_text_with_newlines() -> None:
    """text_of puts a line break between text blocks."""
