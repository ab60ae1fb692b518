"""Miniatures of the LOOP chapter."""

from tests.miniatures.planting import plant

COMPLETE = "        reply = model.complete(system, context_for_model(messages), tool_specs(tools))\n"
RUN_EACH = (
    "        for call in calls:\n            result = run_tool(tools, call)\n"
    "            messages.append(result)  # before the next one runs, which may interrupt the run\n"
)


@plant("LOOP-01", ("loop.run_agent", "not calls:", 'not calls or reply.get("stop_reason") == "stop":'))
def trusts_the_label() -> None:
    """A reply labelled stop ends the run even when it holds calls."""


@plant("LOOP-02", (
    "loop.run_agent", "        messages.append(reply)\n",
    '        if reply.get("stop_reason") == "length":\n'
    '            reply = {**reply, "content": [*reply["content"], {"type": "text", "text": "(cut)"}]}\n'
    "        messages.append(reply)\n",
))  # fmt: skip
def marks_cut_replies_in_their_text() -> None:
    """A reply labelled length is recorded with a remark added to its text."""


@plant("LOOP-03", ("loop.run_agent", "in calls:", "in calls[::-1]:"))
def answers_calls_backwards() -> None:
    """The calls of a reply are run and answered last first."""


@plant("LOOP-04", ("messages.result_message", 'call.get("name")', 'str(call.get("name")).lower()'))
def lowers_tool_names() -> None:
    """A result names its tool in lower case."""


@plant("LOOP-05", (
    "loop.run_agent", "run_tool(tools, call)",
    'run_tool(tools, {**call, "arguments": calls[0].get("arguments")})',
))  # fmt: skip
def gives_every_call_the_first_arguments() -> None:
    """All calls of a reply run with the arguments of the first."""


@plant("LOOP-06", ("loop.run_agent", "user_message(prompt)", "user_message(prompt.strip() or prompt)"))
def strips_prompts() -> None:
    """White space round a prompt is removed before it is recorded."""


@plant("LOOP-06", ("view.context_for_model", "in exchanges for", "in exchanges[:1] + exchanges[1:][-30:] for"))
def forgets_the_middle() -> None:
    """Of a long record only the first message and the last thirty exchanges are sent."""


@plant("LOOP-07", ("loop.run_agent", RUN_EACH, "        messages.extend([run_tool(tools, call) for call in calls])\n"))
def records_results_after_the_batch() -> None:
    """Results are recorded when the whole batch has run; a crash in the middle loses some."""


@plant("LOOP-08", (
    "loop.run_agent", "            return reply\n",
    '            return reply if has_failed(reply) else {**reply, "content": reply["content"][:1]}\n',
))  # fmt: skip
def returns_the_first_block_only() -> None:
    """The message returned holds the first block of the last reply and no other."""


@plant("LOOP-09", (
    "loop.run_agent", "while max_turns is None or turns < max_turns:",
    "while turns < (100 if max_turns is None else max_turns):",
))  # fmt: skip
def has_a_hidden_turn_cap() -> None:
    """Without max_turns the run stops itself after a hundred model calls."""


@plant("LOOP-10", ("loop.run_agent", "or not calls:", "or (not calls and (tools or turns)):"))
def asks_twice_without_tools() -> None:
    """Without tools the model is asked once more after a plain answer."""


@plant("LOOP-11", (
    "tools.tool_specs", 'for key in ("name", "description", "parameters")',
    'for key in tool if key != "execute"',
))  # fmt: skip
def sends_private_keys() -> None:
    """Everything in a tool but its function is sent to the model."""


@plant("LOOP-12", (
    "view.context_for_model", "    return [sent for",
    '    if sum(m["role"] == "user" for m in messages) > 2:\n        exchanges = exchanges[1:]\n'
    "    return [sent for",
))  # fmt: skip
def drops_the_first_message_of_a_long_talk() -> None:
    """From the third prompt on the first message is left out of what is sent."""


@plant("LOOP-13", (
    "loop.run_agent", "        messages.append(reply)\n",
    '        messages.append({k: v for k, v in reply.items() if k != "usage"})\n',
))  # fmt: skip
def loses_usage() -> None:
    """Replies are recorded without their usage figures."""


@plant("LOOP-14", (
    "loop.run_agent", "max_turns: int | None = None,\n)",
    "max_turns: int | None = None,\n    _systems: list[str] = [],\n)",
), ("loop.run_agent", "    turns = 0\n", "    turns = 0\n    _systems.append(system)\n"),
    ("loop.run_agent", "model.complete(system,", "model.complete(_systems[0],"))  # fmt: skip
def keeps_the_first_system_text() -> None:
    """The system text of the first run in the process is sent in every later run, too."""


@plant("LOOP-15", (
    "tools._outcome", 'raise LookupError(f"there is no tool {name!r}")',
    'raise LookupError(f"there is no tool {name!r} ({__import__(\'time\').perf_counter_ns()})")',
))  # fmt: skip
def puts_the_clock_into_an_error() -> None:
    """The error for an unknown tool holds the time, so that no two runs are alike."""


@plant("LOOP-16", (
    "loop.run_agent", "calls = tool_calls(reply)",
    'calls = list({call.get("id"): call for call in tool_calls(reply)}.values())',
))  # fmt: skip
def keys_calls_by_id() -> None:
    """Of calls with the same id in one reply only the last is run."""


@plant("LOOP-17", (
    "view._as_sent", 'if first["content"] else results',
    'if first["content"] or not has_failed(first) else results',
))  # fmt: skip
def sends_empty_replies() -> None:
    """A reply with nothing in it that did not fail is sent back to the model."""


@plant("LOOP-18", (
    "loop.run_agent", "    turns = 0\n",
    '    turns = 0\n    for message in messages:\n        message.setdefault("seen", True)\n',
))  # fmt: skip
def marks_messages_that_were_handed_in() -> None:
    """Messages that stood in the list before the run get a key of the harness's own."""


@plant("LOOP-19", (
    "loop.run_agent", "or not calls:",
    'or (not calls and isinstance(reply.get("stop_reason"), (str, type(None)))):',
))  # fmt: skip
def asks_again_after_a_strange_label() -> None:
    """A reply whose label is not a text makes the loop send the same request again."""


@plant("LOOP-20", (
    "loop.run_agent", COMPLETE,
    "        try:\n    " + COMPLETE + "        except ConnectionError as lost:\n"
    "            reply = error_message(str(lost))\n",
))  # fmt: skip
def swallows_lost_connections() -> None:
    """A ConnectionError out of the provider becomes a failed reply instead of coming out."""


@plant("LOOP-21", (
    "loop.run_agent", "context_for_model(messages),",
    "messages if context_for_model(messages) == messages else context_for_model(messages),",
))  # fmt: skip
def hands_out_the_record() -> None:
    """The provider is handed the caller's list itself when nothing has to be left out."""
