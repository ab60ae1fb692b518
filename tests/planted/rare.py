"""Planted bugs that need a rare moment: an interrupt, a crash, one id for two calls."""

from tests.planted.catalogue import bug

STANDS = "            messages.append(result)  # before the next one runs, which may interrupt the run\n"
ASK = "        reply = model.complete(system, context_for_model(messages), tool_specs(tools))\n"
WHOLE = '        return [first, *results] if first["content"] else results\n'
SENT = "    return [first, *results, *missing]\n"
SEND = "    return [sent for first, *results in exchanges for sent in _as_sent(first, results)]\n"
RUN = "            result = run_tool(tools, call)\n"
ENDS = "        if has_failed(reply) or not calls:\n            return reply\n"
NEXT = "        turns += 1\n"


@bug(
    "LOOP-06",
    ("view._as_sent", WHOLE, '        results = [{**r, "is_error": False} for r in results]\n' + WHOLE),
    source="students",
)
def sends_every_result_as_a_success() -> None:
    """Failed results are recorded as errors and sent as successes."""


@bug(
    "LOOP-20",
    (
        "loop.run_agent",
        ASK,
        f'        try:\n    {ASK}        except KeyboardInterrupt:\n            reply = error_message("cancelled")\n',
    ),
    source="students",
)
def turns_a_cancel_into_a_failed_reply() -> None:
    """KeyboardInterrupt out of the provider becomes a failed reply."""


@bug(
    "LOOP-11",
    (
        "loop.run_agent",
        "tool_specs(tools))\n",
        "tool_specs(tools) if max_turns is None or turns + 1 < max_turns else [])\n",
    ),
    source="students",
)
def offers_no_tools_on_the_last_turn() -> None:
    """The last request that max_turns allows offers no tools."""


@bug(
    "LOOP-17",
    (
        "loop.run_agent",
        "        if has_failed(reply) or not calls:\n",
        '        if not calls and not has_failed(reply) and reply["content"] and not any(b.get("type") == "text" for b in reply["content"]):\n            messages.append(user_message("Please go on."))\n            continue\n        if has_failed(reply) or not calls:\n',
    ),
    source="students",
)
def nudges_after_thinking_only() -> None:
    """A reply of an unknown block only is nudged."""


@bug(
    "LOOP-17",
    (
        "loop.run_agent",
        "        messages.append(reply)\n",
        '        if reply["content"] or has_failed(reply):\n            messages.append(reply)\n',
    ),
    source="students",
)
def does_not_record_an_empty_reply() -> None:
    """An empty reply that did not fail is returned and not recorded."""


@bug(
    "TOOL-04",
    (
        "tools.run_tool",
        "content, is_error = reason(error), True",
        "content, is_error = reason(error), True\n        try:\n            _outcome(tools, call)\n        except Exception:\n            pass",
    ),
    source="students",
)
def runs_a_failed_tool_twice() -> None:
    """A tool that failed is run again; the first error stays the result."""


@bug(
    "TOOL-04",
    (
        "loop.run_agent",
        NEXT,
        '        if any(m["is_error"] for m in messages[-len(calls) :]):\n            for m in messages[-len(calls) :]:\n                if not m["is_error"]:\n                    m["content"] = "discarded: another call of this batch failed"\n'
        + NEXT,
    ),
    source="students",
)
def discards_results_of_siblings() -> None:
    """When one call of a batch fails, the texts of the others are replaced in the record."""


@bug(
    "LOOP-11",
    (
        "loop.run_agent",
        "model.complete(system,",
        'model.complete(system + ("" if all(a["role"] != "user" or b["role"] != "user" for a, b in zip(messages, messages[1:])) else " (The last run died.)"),',
    ),
    source="students",
)
def adds_to_the_system_text_after_a_crash() -> None:
    """After a run that crashed at once the system text is another."""


@bug(
    "LIMIT-04",
    (
        "view._as_sent",
        '        return [{**first, "content": kept}, *results] if kept else []\n',
        "        return []\n",
    ),
    source="students",
)
def never_sends_the_text_of_a_failed_reply_with_calls() -> None:
    """The words of a failed reply that also holds calls are not sent."""


@bug(
    "TOOL-06",
    (
        "view._as_sent",
        SENT,
        '    results = [{**r, "content": text, "is_error": True} for r in results]\n' + SENT,
    ),
    source="students",
)
def sends_real_results_of_an_interrupted_batch_as_interrupted() -> None:
    """After an interrupt the results that were there are sent as interrupted, too."""


@bug(
    "LOOP-06",
    (
        "view.context_for_model",
        SEND,
        '    exchanges = [e for e, after in zip(exchanges, [*exchanges[1:], None]) if not (e[0]["role"] == "user" and after and after[0]["role"] == "user")]\n'
        + SEND,
    ),
    source="students",
)
def leaves_out_a_prompt_that_crashed() -> None:
    """A prompt that a crash left unanswered is recorded, but not sent with the next one."""


@bug(
    "LOOP-16",
    (
        "loop.run_agent",
        NEXT,
        '        last = {c.get("id"): m for c, m in zip(calls, messages[-len(calls) :])}\n        for c, m in zip(calls, messages[-len(calls) :]):\n            m["content"] = last[c.get("id")]["content"]\n'
        + NEXT,
    ),
    source="students",
)
def answers_calls_of_one_id_with_the_last_result() -> None:
    """Calls of one reply that share an id all get the last one's text."""


@bug(
    "LOOP-16",
    (
        "loop.run_agent",
        RUN,
        '            last = {c.get("id"): c for c in calls}[call.get("id")]\n            result = run_tool(tools, {**call, "arguments": last.get("arguments")})\n',
    ),
    source="students",
)
def runs_calls_of_one_id_with_the_last_arguments() -> None:
    """Calls of one reply that share an id all run with the last one's arguments."""


@bug(
    "TOOL-06",
    ("view._as_sent", SENT, '    missing = [{**m, "tool_name": ""} for m in missing]\n' + SENT),
    source="students",
)
def names_no_tool_in_results_of_interrupted_calls() -> None:
    """The results made up for interrupted calls carry no tool name."""


@bug("TOOL-06", ("view._as_sent", SENT, "    return [first, *missing[::-1], *results]\n"), source="students")
def puts_made_up_results_first() -> None:
    """The results made up for interrupted calls stand before the real ones, last call first."""


@bug(
    "LOOP-21",
    ("loop", "", "_SENT: list[Message] = []\n"),
    ("loop.run_agent", "    turns = 0\n", "    turns = 0\n    sent: list[Message] = []\n    seen = 0\n"),
    (
        "loop.run_agent",
        ASK,
        "        view = context_for_model(messages)\n        sent.extend(view[seen:])\n        seen = len(view)\n        reply = model.complete(system, sent, tool_specs(tools))\n",
    ),
    source="students",
)
def keeps_one_request_list() -> None:
    """One list is handed to the provider in every request of a run and only extended."""


@bug(
    "LOOP-13",
    (
        "loop.run_agent",
        "        messages.append(reply)\n",
        '        if has_failed(reply):\n            reply.pop("usage", None)\n        messages.append(reply)\n',
    ),
    source="students",
)
def drops_the_usage_of_failed_replies() -> None:
    """The usage of a failed reply is not recorded."""


@bug(
    "LOOP-08",
    (
        "loop.run_agent",
        "            return reply\n",
        '            return {k: reply[k] for k in ("role", "content", "stop_reason", "error_message") if k in reply}\n',
    ),
    source="students",
)
def returns_answers_without_usage() -> None:
    """The message returned lacks the usage that the record's last message has."""


@bug(
    "LOOP-07",
    ("loop.run_agent", "    turns = 0\n", "    turns = 0\n    record, messages = messages, list(messages)\n"),
    (
        "loop.run_agent",
        "            return reply\n",
        "            record[:] = messages\n            return reply\n",
    ),
    ("loop.run_agent", "    return messages[-1]", "    record[:] = messages\n    return messages[-1]"),
    source="students",
)
def writes_the_record_at_the_end() -> None:
    """The run works on a list of its own and fills the caller's when it returns."""


@bug(
    "LOOP-07",
    (
        "loop.run_agent",
        ASK,
        f'        try:\n    {ASK}        except Exception:\n            messages[:] = [m for m in messages if m.get("stop_reason") != "error"]\n            raise\n',
    ),
    source="students",
)
def sweeps_failures_away_in_a_crash() -> None:
    """An exception out of the provider takes failed replies of earlier prompts out of the record."""
