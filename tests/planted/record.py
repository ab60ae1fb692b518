"""Planted bugs: what is sent, what is recorded, and what is kept between prompts and runs."""

from tests.planted.catalogue import bug

FROM = "    exchanges: list[list[Message]] = []\n"
SEND = "    return [sent for first, *results in exchanges for sent in _as_sent(first, results)]\n"
LIST = "    sent = [sent for first, *results in exchanges for sent in _as_sent(first, results)]\n"
WHOLE = '        return [first, *results] if first["content"] else results\n'
REPLY = "        messages.append(reply)\n"
ASK = "        reply = model.complete(system, context_for_model(messages), tool_specs(tools))\n"
RUN = "            result = run_tool(tools, call)\n            messages.append(result)"
BEGIN = "    messages.append(user_message(prompt))\n"


@bug("LOOP-06", ("view.context_for_model", SEND, LIST + (
    "    merged = []\n    for message in sent:\n"
    '        if merged and message["role"] == merged[-1]["role"] == "user":\n'
    '            both = merged[-1]["content"] + "\\n\\n" + message["content"]\n'
    '            merged[-1] = {**message, "content": both}\n'
    "        else:\n            merged.append(message)\n    return merged\n"
)), source="students")  # fmt: skip
def sends_two_prompts_in_a_row_as_one() -> None:
    """A prompt that nothing but an empty failure came after is sent in one message with the next."""


@bug("LOOP-06", (
    "view.context_for_model", SEND,
    LIST + (
    '    last = max(n for n, m in enumerate(sent) if m["role"] == "user")\n'
    '    old = [m["role"] == "toolResult" and n < last and m["content"][15:] for n, m in enumerate(sent)]\n'
    '    return [{**m, "content": m["content"][:15] + " ..."} if cut else m for cut, m in zip(old, sent)]\n'
),
), source="students")  # fmt: skip
def shortens_results_of_earlier_prompts() -> None:
    """From the next prompt on, longer results are sent with their first characters only."""


@bug("LOOP-06", ("view.context_for_model", SEND, (
    '    seen, renamed = set(), []\n    for n, (first, *results) in enumerate(exchanges):\n'
    '        calls = [b for b in first["content"] if b.get("type") == "toolCall"] if results else []\n'
    '        if any(c["id"] in seen for c in calls):\n'
    '            first = {**first, "content": [{**b, "id": f"{n}:{b[\'id\']}"} if "id" in b else b'
    ' for b in first["content"]]}\n'
    '            results = [{**r, "tool_call_id": f"{n}:{r[\'tool_call_id\']}"} for r in results]\n'
    '        seen.update(c["id"] for c in calls)\n        renamed.append([first, *results])\n'
    "    exchanges = renamed\n"
) + SEND), source="students")  # fmt: skip
def renames_ids_that_come_again() -> None:
    """Calls whose ids an earlier reply had are sent under other ids, their results, too."""


@bug("LOOP-06", ("view.context_for_model", SEND, LIST + (
    '    said = [n for n, m in enumerate(sent) if m["role"] == "user"]\n'
    "    return sent[:1] + sent[said[-8] :] if len(said) > 8 else sent\n"
)), source="students")  # fmt: skip
def remembers_eight_prompts() -> None:
    """From the ninth prompt on only the first message and the last eight prompts are sent."""


@bug("LOOP-13", ("loop.run_agent", ASK, (
    "        if len(context_for_model(messages)) != len(messages):\n            messages = list(messages)\n"
) + ASK), source="pydantic/pydantic-ai#2914")  # fmt: skip
def goes_on_with_a_copy_once_something_is_left_out() -> None:
    """As soon as the record is not sent whole, the run goes on with a list of its own."""


@bug("LOOP-13", (
    "loop.run_agent", BEGIN,
    "    messages = list(messages) if messages else messages\n" + BEGIN,
), source="symfony/ai PR 2009")  # fmt: skip
def copies_a_list_that_holds_something() -> None:
    """A list that already holds messages is copied, and the caller's never grows."""


@bug("LOOP-07", ("__init__", "", (
    "_run_agent = run_agent\n\n\ndef run_agent(model, system, messages, tools, prompt, *, max_turns=None):\n"
    "    try:\n        return _run_agent(model, system, messages, tools, prompt, max_turns=max_turns)\n"
    "    except BaseException:\n        for message in messages:\n"
    '            told = message.get("error_message") or "failed"\n'
    '            if message.get("stop_reason") == "error" and "max_turns" not in told:\n'
    '                message["content"] = [{"type": "text", "text": told}]\n        raise\n'
)), source="students")  # fmt: skip
def words_earlier_failures_when_a_run_dies() -> None:
    """A run that dies puts a text into the failed replies of earlier prompts."""


@bug("TOOL-17", (
    "loop.run_agent", RUN,
    (
        "            try:\n                result = run_tool(tools, call)\n"
        "            except BaseException:\n                if call is calls[0]:\n"
        "                    messages.remove(reply)\n                raise\n"
        "            messages.append(result)"
    ),
), source="students")  # fmt: skip
def takes_back_a_reply_that_was_interrupted() -> None:
    """An interrupt in the first call of a reply takes the reply out of the record."""


@bug("LOOP-06", ("loop.run_agent", BEGIN, (
    '    if messages and messages[-1].get("stop_reason") == "error" and messages[-1]["content"]:\n'
    "        messages.pop()\n"
) + BEGIN), source="students")  # fmt: skip
def forgets_half_an_answer() -> None:
    """A failed reply with text is removed from the record when the next prompt comes."""


@bug("LOOP-11", (
    "tools.tool_specs",
    "    return [{key: tool[key] for key in (\"name\", \"description\", \"parameters\")} for tool in tools]",
    (
        '    specs = [{key: tool[key] for key in ("name", "description", "parameters")} for tool '
        'in tools]\n    return [{**s, "parameters": {"required": [], **s["parameters"]}} for s in specs]'
    ),
), source="students")  # fmt: skip
def adds_an_empty_required() -> None:
    """A schema that requires nothing is sent with an empty list of what it requires."""


@bug("LOOP-11", (
    "loop.run_agent", "model.complete(system,",
    'model.complete("\\n".join([system] * sum(m["role"] == "user" for m in messages)),',
), source="meridianlabs-ai/inspect_swe PR 64")  # fmt: skip
def sends_the_system_text_once_for_each_prompt() -> None:
    """With the second prompt the system text is sent two times, with the third three times."""


@bug("LOOP-11", (
    "tools.tool_specs", 'for key in ("name", "description", "parameters")',
    'for key in ("name", "description", "parameters", "execute")',
), source="microsoft/agent-framework#3903")  # fmt: skip
def sends_functions() -> None:
    """A tool is sent with the function that runs it."""


@bug("LOOP-13", ("loop.run_agent", REPLY, (
    '        if tool_calls(reply):\n'
    '            reply["content"] = [b for b in reply["content"] if b.get("type") in ("text", "toolCall")]\n'
) + REPLY), source="students")  # fmt: skip
def drops_unknown_blocks_beside_calls() -> None:
    """A block of an unknown type is not recorded where the reply holds calls."""


@bug("LOOP-13", ("loop.run_agent", REPLY, (
    '        if len(tool_calls(reply)) > 1:\n'
    '            reply["content"].sort(key=lambda block: block.get("type") == "toolCall")\n'
) + REPLY), source="students")  # fmt: skip
def records_words_before_calls() -> None:
    """The text between and after two or more calls is recorded in front of them."""


@bug("LOOP-13", ("loop.run_agent", REPLY, (
    '        before = [m["usage"] for m in messages if m.get("usage")]\n'
    '        if before and reply.get("usage"):\n'
    '            reply["usage"] = {k: v + before[-1].get(k, 0) for k, v in reply["usage"].items()}\n'
) + REPLY), source="microsoft/agent-framework#7143")  # fmt: skip
def adds_usage_up_in_the_record() -> None:
    """The usage of a reply is recorded with that of the reply before it added."""


@bug("LOOP-14", (
    "loop", "",
    "_SYSTEMS: list[str] = []\n",
), (
    "loop.run_agent", "    turns = 0\n",
    "    turns = 0\n    moved = _SYSTEMS[-1:] not in ([], [system])\n    _SYSTEMS[:] = [system]\n",
), (
    "loop.run_agent", "context_for_model(messages), ",
    (
        '[{**m, "content": "(from before)"} if moved and m["role"] == "toolResult" else m for m '
        "in context_for_model(messages)], "
    ),
), source="run-llama/llama_index#21774")  # fmt: skip
def hides_results_after_another_system_text() -> None:
    """A run whose system text is not that of the run before in the process sends no results."""


@bug("LOOP-15", (
    "tools", "",
    "_FAILED: list[str] = []\n",
), (
    "tools.run_tool", "content, is_error = reason(error), True",
    'content, is_error = f"error {len(_FAILED)}: {reason(error)}", True\n        _FAILED.append(content)',
), source="students")  # fmt: skip
def numbers_errors_through_the_process() -> None:
    """Error results are numbered, and the number runs on from run to run."""


@bug("LOOP-17", (
    "loop.run_agent", "            return reply\n",
    '            return reply if reply["content"] or has_failed(reply) else None\n',
), source="aaif-goose/goose#11975")  # fmt: skip
def returns_nothing_for_an_empty_reply() -> None:
    """A run that ends on an empty reply returns None."""


@bug("LOOP-17", ("loop.run_agent", "            return reply\n", (
    '            known = ("stop", "length", "toolUse", "end_turn", "max_tokens", "tool_use", "error")\n'
    '            return reply if reply["content"] or reply.get("stop_reason") in known else None\n'
)), source="anomalyco/opencode PR 43665")  # fmt: skip
def ends_silently_on_an_empty_reply_with_a_strange_label() -> None:
    """A run that ends on an empty reply with a label nobody knows returns None."""


@bug("LOOP-17", (
    "loop.run_agent", "        if has_failed(reply) or not calls:\n",
    (
        '        if not reply["content"] and not has_failed(reply) and turns < 3:\n'
        '            messages.append(user_message("Please go on."))\n            turns += 1\n'
        "            continue\n        if has_failed(reply) or not calls:\n"
    ),
), source="defilantech/LLMKube#650")  # fmt: skip
def nudges_after_an_empty_reply() -> None:
    """An empty reply makes the loop ask the model to go on."""


@bug("LOOP-17", (
    "loop.run_agent", "            return reply\n",
    (
        '            if not reply["content"] and not has_failed(reply) and turns:\n'
        "                messages.append(user_message(prompt))\n                continue\n"
        "            return reply\n"
    ),
), source="HKUDS/nanobot#4079")  # fmt: skip
def puts_the_prompt_again_after_an_empty_reply() -> None:
    """An empty reply after calls makes the loop put the prompt a second time."""


@bug("LOOP-18", (
    "tools._outcome", '        if tool["name"] == name:\n',
    '        if tool["name"] == name:\n            tool["calls"] = tool.get("calls", 0) + 1\n',
), source="students")  # fmt: skip
def counts_calls_in_the_tool() -> None:
    """A tool that is run gets a key that counts its calls."""


@bug("LOOP-18", ("loop.run_agent", BEGIN, (
    '    for message in messages:\n        message.pop("cache", None)\n'
) + BEGIN + '    messages[-1]["cache"] = True\n'), source="students")  # fmt: skip
def moves_a_mark_to_the_last_prompt() -> None:
    """The mark on a prompt that was sent is taken off when the next prompt comes."""


@bug("LOOP-21", (
    "loop.run_agent", "context_for_model(messages),",
    "context_for_model(messages) if len(messages) > 1 else messages,",
), source="students")  # fmt: skip
def hands_out_a_record_of_one() -> None:
    """The first request on an empty list is the caller's list itself."""
