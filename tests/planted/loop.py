"""Planted bugs: control flow, labels, pairing, ids and order."""

from tests.planted.catalogue import bug

STANDS = "            messages.append(result)  # before the next one runs, which may interrupt the run\n"
NEXT = "        turns += 1\n"
ASK = "        reply = model.complete(system, context_for_model(messages), tool_specs(tools))\n"
WHOLE = '        return [first, *results] if first["content"] else results\n'
RUN = "            result = run_tool(tools, call)\n"
EACH = "        for call in calls:\n"
NAMED = '    name = call.get("name")\n'


@bug("LOOP-01", ("loop.run_agent", "    turns = 0\n", "    turns = 0\n    asked = []\n"), (
    "loop.run_agent", NEXT, NEXT + '        asked.append([call.get("name") for call in calls])\n'
    "        if len(asked) > 2 and asked[-1] == asked[-3] != asked[-2]:\n            return result\n",
), source="students")  # fmt: skip
def takes_turns_about_for_a_loop() -> None:
    """Three replies that call one tool, another, and the first again end the run as a loop."""


@bug("LOOP-01", (
    "messages.has_failed", '== "error"',
    'is not None and str(reply["stop_reason"]).lower().startswith("error")',
), source="students")  # fmt: skip
def takes_every_label_like_error_for_it() -> None:
    """The labels Error and errors count as failures."""


@bug("LOOP-02", (
    "view._as_sent", WHOLE,
    '        if first.get("stop_reason") in ("length", "max_tokens"):\n'
    '            results = [{**result, "is_error": True} for result in results]\n' + WHOLE,
), source="students")  # fmt: skip
def sends_results_of_cut_replies_as_errors() -> None:
    """What the calls of a reply labelled as cut gave is sent marked as an error."""


@bug("LOOP-02", (
    "loop.run_agent", "calls = tool_calls(reply)",
    'calls = tool_calls(reply)[: 1 if reply.get("stop_reason") == "length" else None]',
), source="SWE-agent/mini-swe-agent#804")  # fmt: skip
def reads_one_call_of_a_cut_reply() -> None:
    """Of a reply labelled length only the first call is read."""


@bug("LOOP-03", (
    "view._as_sent", WHOLE,
    '        doubled = results[-1:] if len(results) > 2 else []\n'
    '        return [first, *results, *doubled] if first["content"] else results\n',
), source="CopilotKit/CopilotKit#6201")  # fmt: skip
def sends_the_last_of_three_results_twice() -> None:
    """After a reply with three or more calls the last result is sent two times."""


@bug("LOOP-03", (
    "loop.run_agent", STANDS,
    '            known = {tool["name"] for tool in tools}\n'
    '            if call["name"] in known or not any(c["name"] in known for c in calls):\n    ' + STANDS,
), source="run-llama/llama_index#22066")  # fmt: skip
def answers_only_its_own_tools_in_a_mixed_batch() -> None:
    """Where a reply calls known and unknown tools, the calls of unknown ones are never answered."""


@bug("LOOP-03", (
    "tools.run_tool", "    except Exception as error:",
    (
        "    except (StopIteration, KeyError, TimeoutError):\n        return None\n"
        "    except Exception as error:"
    ),
), (
    "loop.run_agent", "            messages.append(result)",
    "            if result is not None:\n                messages.append(result)",
), source="livekit/agents PR 6785")  # fmt: skip
def lets_a_call_end_without_a_result() -> None:
    """A tool that raises StopIteration, KeyError or TimeoutError leaves its call without a result."""


@bug("LOOP-03", (
    "loop.run_agent", STANDS,
    STANDS + '            if any("cache" in tool for tool in tools if tool["name"] == call.get("name")):\n'
    '                messages.append({**result, "content": "(kept for later)"})\n',
), source="strands-agents/harness-sdk#1435")  # fmt: skip
def adds_a_result_of_its_own_for_a_tool_with_a_cache() -> None:
    """A call of a tool that has a cache is followed by a second result, which no call asked for."""


@bug("LOOP-03", (
    "loop.run_agent", "while max_turns is None or turns < max_turns:\n",
    "while max_turns is None or turns < max_turns:\n"
    '        if turns and max_turns is not None and turns == max_turns - 1 and len(calls) > 1:\n'
    "            messages.append(messages.pop(-2))\n",
), source="students")  # fmt: skip
def swaps_results_before_the_last_turn() -> None:
    """Before the last turn that max_turns allows, the last two results of a batch change places."""


@bug("LOOP-03", (
    "loop.run_agent", EACH,
    "        if turns + 1 == max_turns:\n            break\n" + EACH,
), source="microsoft/agent-framework#1366")  # fmt: skip
def leaves_the_last_batch_to_the_limit() -> None:
    """The calls of the last reply that max_turns allows are neither run nor answered."""


@bug("LOOP-04", (
    "loop.run_agent", "    turns = 0\n",
    (
        '    turns = 0\n    names = {m["tool_call_id"]: m["tool_name"] for m in messages if m["role"] == '
        '"toolResult"}\n'
    ),
), (
    "loop.run_agent", STANDS,
    '            result["tool_name"] = names.setdefault(call.get("id"), result["tool_name"])\n' + STANDS,
), source="students")  # fmt: skip
def remembers_names_by_id() -> None:
    """A call whose id came up before in the record gets a result with the earlier call's tool name."""


@bug("LOOP-04", (
    "tools.run_tool", "    return result_message(call,",
    '    if is_error and not any(tool["name"] == call.get("name") for tool in tools):\n'
    '        call = {**call, "name": "unknown"}\n    return result_message(call,',
), source="smallest-inc/smallest-python-sdk PR 118")  # fmt: skip
def calls_every_unknown_tool_unknown() -> None:
    """The result for an unknown tool does not carry the name that was called."""


@bug("LOOP-05", (
    "loop.run_agent", RUN,
    '            place = sum(m is not reply for m in messages[messages.index(reply):])\n'
    "            result = run_tool(tools if place < 32 else [], call)\n",
), source="lightdash/lightdash#25262")  # fmt: skip
def runs_thirty_two_calls_at_most() -> None:
    """Of a very large batch only the first 32 calls are run; the rest are answered with an error."""


@bug("LOOP-05", (
    "tools._outcome", 'deepcopy(call.get("arguments"))',
    (
        "{k: repr(v) if isinstance(v, dict) and any(isinstance(x, list) for x in v.values()) "
        'else deepcopy(v) for k, v in call["arguments"].items()} if '
        'isinstance(call.get("arguments"), dict) else call.get("arguments")'
    ),
), source="anthropics/claude-code#75945")  # fmt: skip
def gives_nested_objects_as_text() -> None:
    """An argument that is an object with a list in it reaches the tool as a text."""


@bug("LOOP-05", (
    "loop.run_agent", RUN,
    (
        "            earlier = calls[: calls.index(call)]\n"
        "            before = [m for m, c in zip(messages[-len(earlier) :], earlier)\n"
        '                      if {**c, "id": ""} == {**call, "id": ""}]\n'
        '            again = len(calls) > 2 and before and not before[0]["is_error"]\n'
        '            result = {**before[0], "tool_call_id": call["id"]} if again else run_tool(tools, call)\n'
    ),
), source="students")  # fmt: skip
def runs_equal_calls_of_three_once() -> None:
    """In a batch of three or more, a call like an earlier one gets that one's result and is not run."""


@bug("LOOP-08", (
    "loop.run_agent", "            return reply\n",
    (
        '            words = [b for b in reply["content"] if b.get("type") == "text"]\n'
        "            if has_failed(reply) or len(words) < 2:\n                return reply\n"
        '            return {**reply, "content": [{"type": "text", "text": "".join(b["text"] for '
        "b in words)}]}\n"
    ),
), source="students")  # fmt: skip
def returns_several_blocks_as_one() -> None:
    """The message returned holds the text blocks of the last reply joined into one."""


@bug("LOOP-09", (
    "loop.run_agent", "while max_turns is None or",
    "while len(messages) < 2000 and max_turns is None or max_turns is not None and",
), source="students")  # fmt: skip
def stops_at_two_thousand_messages() -> None:
    """A record of 2,000 messages ends the run, though no limit was given."""


@bug("LOOP-09", (
    "loop.run_agent", NEXT,
    NEXT + '        asked = [m["content"] for m in messages if m["role"] == "assistant"][-12:]\n'
    '        kinds = [[(b.get("name"), b.get("arguments")) for b in blocks] for blocks in asked]\n'
    "        if len(kinds) == 12 and all(kind == kinds[0] for kind in kinds):\n            return result\n",
), source="ahwurm/localharness#77")  # fmt: skip
def has_a_loop_detector() -> None:
    """Twelve replies in a row with the same calls end the run."""


@bug("LOOP-10", (
    "loop.run_agent", "or not calls:",
    'or (not calls and (tools or turns or reply["content"][0].get("text", "").strip())):',
), source="students")  # fmt: skip
def asks_again_after_blank_text_without_tools() -> None:
    """Without tools a blank answer makes the loop ask once more."""


@bug("LOOP-16", (
    "view._as_sent", "    unanswered = tool_calls(first)",
    (
        '    ids = [c.get("id") for c in tool_calls(first)]\n'
        "    results = [r for n, r in enumerate(results) if ids[n] not in ids[:n]]\n"
        '    kept = [b for n, b in enumerate(first["content"]) if b.get("type") != "toolCall" or '
        "not any(\n"
        '        b.get("id") == other.get("id") and other.get("type") == "toolCall" for other in '
        'first["content"][:n])]\n'
        '    first = first if kept == first["content"] else {**first, "content": kept}\n'
        "    unanswered = tool_calls(first)"
    ),
), source="NousResearch/hermes-agent PR 67777")  # fmt: skip
def sends_one_pair_for_each_id() -> None:
    """Of calls with one id in a reply only the first is sent, and only its result."""


@bug("LOOP-16", (
    "tools._outcome", NAMED, f'{NAMED}    if not call.get("id"):\n        raise ValueError("a call without an id")\n',
), source="huggingface/smolagents PR 2768")  # fmt: skip
def takes_an_empty_id_for_none() -> None:
    """A call whose id is the empty text is not run."""


@bug("LOOP-19", (
    "loop.run_agent", "or not calls:", 'or (not calls and reply.get("stop_reason") != 0):',
), source="mastra-ai/mastra#23746")  # fmt: skip
def goes_on_after_labels_that_equal_zero() -> None:
    """An answer labelled 0 or false makes the loop ask again."""


@bug("LOOP-20", (
    "loop.run_agent", ASK, f"        try:\n    {ASK}"
    "        except KeyError as error:\n"
    '            raise ValueError(f"the provider sent no {error}") from error\n',
), source="students")  # fmt: skip
def rewords_key_errors() -> None:
    """A KeyError out of the provider comes out as a ValueError."""


@bug("LOOP-20", (
    "loop.run_agent", ASK, f"        try:\n    {ASK}"
    "        except Exception:\n"
    '            while messages[-1]["role"] == "toolResult":\n                messages.pop()\n'
    "            raise\n",
), source="HKUDS/OpenHarness#240")  # fmt: skip
def loses_the_last_results_in_a_crash() -> None:
    """An exception out of the provider takes the results of the last batch with it."""
