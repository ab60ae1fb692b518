"""Planted bugs: control flow, labels, pairing, ids and order."""

from tests.planted.catalogue import bug

STANDS = "            messages.append(result)  # before the next one runs, which may interrupt the run\n"
NEXT = "        turns += 1\n"
ENDS = "        if has_failed(reply) or not calls:\n            return reply\n"
SENT = "    return [first, *results, *missing]\n"
ASKED = "context_for_model(messages), "
EACH = "        for call in calls:\n"


@bug("LOOP-01", ("loop.run_agent", "    turns = 0\n", "    turns = 0\n    asked = []\n"), (
    "loop.run_agent", NEXT, NEXT + '        asked.append([call.get("name") for call in calls])\n'
    "        if len(asked) > 2 and asked[-1] == asked[-3] != asked[-2]:\n            return result\n",
), source="students")  # fmt: skip
def takes_turns_about_for_a_loop() -> None:
    """Three replies that call one tool, another, and the first again end the run as a loop."""


@bug("LOOP-01", (
    "loop.run_agent", NEXT,
    NEXT + '        if reply["content"][-1].get("type") == "text":\n            return reply\n',
), source="students")  # fmt: skip
def ends_on_text_behind_the_calls() -> None:
    """A reply that has text after its calls ends the run as soon as they are answered."""


@bug("LOOP-01", (
    "loop.run_agent", "or not calls:",
    'or not calls or (reply.get("stop_reason") == "stop" and reply["content"][0].get("text")):',
), source="students")  # fmt: skip
def believes_stop_beside_words() -> None:
    """A reply labelled stop that begins with words ends the run, whatever it calls."""


@bug("LOOP-01", (
    "loop.run_agent", "or not calls:", 'or not calls or (turns and reply.get("stop_reason") in ("stop", "end_turn")):',
), source="students")  # fmt: skip
def believes_the_label_from_the_second_reply_on() -> None:
    """From the second reply of a run on, the labels stop and end_turn end it."""


@bug("LOOP-01", ("loop.run_agent", "if has_failed(reply) or", 'if has_failed(reply) or reply.get("error_message") or'),
     source="students")  # fmt: skip
def takes_a_message_for_a_failure() -> None:
    """A reply with a text in error_message ends the run, though its label is not error."""


@bug("LOOP-01", (
    "messages.has_failed", '== "error"', 'is not None and str(reply["stop_reason"]).lower().startswith("error")',
), source="students")  # fmt: skip
def takes_every_label_like_error_for_it() -> None:
    """The labels Error and errors count as failures."""


@bug("LOOP-02", (
    "view._as_sent", '        return [first, *results] if first["content"] else results\n',
    '        if first.get("stop_reason") in ("length", "max_tokens"):\n'
    '            results = [{**result, "is_error": True} for result in results]\n'
    '        return [first, *results] if first["content"] else results\n',
), source="students")  # fmt: skip
def sends_results_of_cut_replies_as_errors() -> None:
    """What the calls of a reply labelled as cut gave is sent marked as an error."""


@bug("LOOP-02", (
    "view._as_sent", '        return [first, *results] if first["content"] else results\n',
    '        if results and first.get("stop_reason") == "content_filter":\n'
    '            first = {**first, "content": [b for b in first["content"] if b.get("type") != "text"]}\n'
    '        return [first, *results] if first["content"] else results\n',
), source="students")  # fmt: skip
def hides_words_that_were_filtered() -> None:
    """The text beside the calls of a reply labelled content_filter is not sent again."""


@bug("LOOP-02", (
    "loop.run_agent", "calls = tool_calls(reply)",
    'calls = [] if reply.get("stop_reason") == "aborted" and len(reply["content"]) > 1 else tool_calls(reply)',
), source="students")  # fmt: skip
def drops_the_calls_of_aborted_replies() -> None:
    """The calls of a reply labelled aborted are dropped, unless it holds nothing but one call."""


@bug("LOOP-02", (
    "loop.run_agent", EACH, '        if turns and reply["stop_reason"] is None:\n            reply["stop_reason"] = "toolUse"\n' + EACH,
), source="students")  # fmt: skip
def expects_a_label_on_later_replies() -> None:
    """A second reply with calls that has no stop_reason breaks the loop with a KeyError."""


@bug("LOOP-02", (
    "loop.run_agent", "calls = tool_calls(reply)",
    'calls = tool_calls(reply)[: 1 if reply.get("stop_reason") == "length" and len(reply["content"]) > 1 else None]',
), source="SWE-agent/mini-swe-agent#804")  # fmt: skip
def reads_one_call_of_a_cut_reply() -> None:
    """Of a reply labelled length only the first call is read."""


@bug("LOOP-03", (
    "view._as_sent", '        return [first, *results] if first["content"] else results\n',
    '        doubled = results[-1:] if len(results) > 2 else []\n'
    '        return [first, *results, *doubled] if first["content"] else results\n',
), source="CopilotKit/CopilotKit#6201")  # fmt: skip
def sends_the_last_of_three_results_twice() -> None:
    """After a reply with three or more calls the last result is sent two times."""


@bug("LOOP-03", (
    "loop.run_agent", STANDS,
    '            known = {tool["name"] for tool in tools}\n'
    '            if call.get("name") in known or not any(c.get("name") in known for c in calls):\n    ' + STANDS,
), source="run-llama/llama_index#22066")  # fmt: skip
def answers_only_its_own_tools_in_a_mixed_batch() -> None:
    """Where a reply calls known and unknown tools, the calls of unknown ones are never answered."""


@bug("LOOP-03", ("tools.run_tool", "    except Exception as error:", "    except (StopIteration, KeyError, TimeoutError):\n        return None\n    except Exception as error:"),
     ("loop.run_agent", "            messages.append(result)", "            if result is not None:\n                messages.append(result)"),
     source="livekit/agents PR 6785")  # fmt: skip
def lets_a_call_end_without_a_result() -> None:
    """A tool that raises StopIteration, KeyError or TimeoutError leaves its call without a result."""


@bug("LOOP-03", (
    "loop.run_agent", STANDS,
    STANDS + '            if any("cache" in tool for tool in tools if tool["name"] == call.get("name")):\n'
    '                messages.append({**result, "content": "(kept for later)"})\n',
), source="strands-agents/harness-sdk#1435")  # fmt: skip
def adds_a_result_of_its_own_for_a_tool_with_a_cache() -> None:
    """A call of a tool that has a cache is followed by a second result, which no call asked for."""


@bug("LOOP-03", ("messages.result_message", 'call.get("id")', 'str(call.get("id"))[:64]'), source="students")
def cuts_long_ids_in_results() -> None:
    """A result carries the first 64 characters of its call's id."""


@bug("LOOP-03", ("messages.result_message", 'call.get("id")', '"".join(c for c in str(call.get("id")) if c.isascii() and c.isalnum())'),
     source="students")  # fmt: skip
def tidies_ids_in_results() -> None:
    """Blanks, punctuation and foreign letters are removed from the id that a result carries."""


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


@bug("LOOP-04", ("loop.run_agent", "    turns = 0\n", "    turns = 0\n    names = {m[\"tool_call_id\"]: m[\"tool_name\"] for m in messages if m[\"role\"] == \"toolResult\"}\n"), (
    "loop.run_agent", STANDS,
    '            result["tool_name"] = names.setdefault(call.get("id"), result["tool_name"])\n' + STANDS,
), source="students")  # fmt: skip
def remembers_names_by_id() -> None:
    """A call whose id came up before in the record gets a result with the earlier call's tool name."""


@bug("LOOP-04", ("messages.result_message", 'call.get("name")', 'call.get("name") if str(call.get("name")).isidentifier() else "tool"'),
     source="students")  # fmt: skip
def names_only_proper_tools_in_results() -> None:
    """The result for a name that is empty or holds a blank does not carry that name."""


@bug("LOOP-04", (
    "tools.run_tool", "    return result_message(call,",
    '    if is_error and not any(tool["name"] == call.get("name") for tool in tools):\n'
    '        call = {**call, "name": "unknown"}\n    return result_message(call,',
), source="smallest-inc/smallest-python-sdk PR 118")  # fmt: skip
def calls_every_unknown_tool_unknown() -> None:
    """The result for an unknown tool does not carry the name that was called."""


@bug("LOOP-04", (
    "view._as_sent", '        return [first, *results] if first["content"] else results\n',
    '        if len(results) > 1:\n            results = [{**r, "tool_name": results[0]["tool_name"]} for r in results]\n'
    '        return [first, *results] if first["content"] else results\n',
), source="students")  # fmt: skip
def sends_a_batch_under_one_name() -> None:
    """All results of a batch are sent with the tool name of the first."""


@bug("LOOP-05", (
    "loop.run_agent", "            result = run_tool(tools, call)\n",
    '            place = sum(m is not reply for m in messages[messages.index(reply):])\n'
    "            result = run_tool(tools if place < 32 else [], call)\n",
), source="lightdash/lightdash#25262")  # fmt: skip
def runs_thirty_two_calls_at_most() -> None:
    """Of a very large batch only the first 32 calls are run; the rest are answered with an error."""


@bug("LOOP-05", (
    "tools._outcome", 'deepcopy(call.get("arguments"))',
    '{k: repr(v) if isinstance(v, dict) else deepcopy(v) for k, v in call["arguments"].items()}'
    ' if isinstance(call.get("arguments"), dict) else call.get("arguments")',
), source="anthropics/claude-code#75945")  # fmt: skip
def gives_objects_as_text() -> None:
    """An argument that is an object reaches the tool as a text."""


@bug("LOOP-05", (
    "tools._outcome", 'deepcopy(call.get("arguments"))',
    '{k: deepcopy(v) for k, v in call["arguments"].items() if v not in (None, "")}'
    ' if isinstance(call.get("arguments"), dict) else call.get("arguments")',
), source="students")  # fmt: skip
def drops_empty_arguments() -> None:
    """Arguments that are null or an empty text do not reach the tool."""


@bug("LOOP-05", (
    "tools._outcome", 'deepcopy(call.get("arguments"))',
    '{k: v.strip() if isinstance(v, str) and v.strip() else deepcopy(v) for k, v in call["arguments"].items()}'
    ' if isinstance(call.get("arguments"), dict) else call.get("arguments")',
), source="students")  # fmt: skip
def strips_text_arguments() -> None:
    """White space round a text argument is removed before the tool sees it."""


@bug("LOOP-05", (
    "loop.run_agent", "            result = run_tool(tools, call)\n",
    "            before = [m for m, c in zip(messages[-calls.index(call) :], calls[: calls.index(call)])\n"
    '                      if (c.get("name"), c.get("arguments")) == (call.get("name"), call.get("arguments"))]\n'
    '            again = len(calls) > 2 and before and not before[0]["is_error"]\n'
    '            result = {**before[0], "tool_call_id": call.get("id")} if again else run_tool(tools, call)\n',
), source="students")  # fmt: skip
def runs_equal_calls_of_three_once() -> None:
    """In a batch of three or more, a call like an earlier one gets that one's result and is not run."""


@bug("LOOP-05", (
    "loop.run_agent", EACH,
    '        ready = {id(c): run_tool(tools, c) for c in sorted(calls, key=lambda c: str(c.get("name")))}\n'
    + EACH,
), ("loop.run_agent", "result = run_tool(tools, call)", "result = ready[id(call)]"), source="students")  # fmt: skip
def runs_batches_tool_by_tool() -> None:
    """The calls of a batch are run in the order of their tools' names, then answered in call order."""


@bug("LOOP-05", (
    "tools._outcome", '        if tool["name"] == name:\n', '        if tool["name"] == name.strip():\n',
), source="students")  # fmt: skip
def finds_tools_by_stripped_names() -> None:
    """A call of an unknown name runs the tool that is called so but for a blank."""


@bug("LOOP-08", (
    "loop.run_agent", ENDS,
    "        if has_failed(reply):\n            return reply\n        if not calls:\n"
    '            said = [m for m in messages if m["role"] == "assistant" and str(m["content"]).count("text")]\n'
    '            blank = len(reply["content"]) == 1 and not str(reply["content"][0].get("text")).strip()\n'
    "            return said[-2] if blank and len(said) > 1 else reply\n",
), source="students")  # fmt: skip
def returns_an_earlier_text_for_a_blank_one() -> None:
    """A run that ends on blank text returns the reply before it."""


@bug("LOOP-08", (
    "loop.run_agent", "            return reply\n",
    '            words = [b for b in reply["content"] if b.get("type") == "text"]\n'
    "            if has_failed(reply) or len(words) < 2:\n                return reply\n"
    '            return {**reply, "content": [{"type": "text", "text": "".join(b["text"] for b in words)}]}\n',
), source="students")  # fmt: skip
def returns_several_blocks_as_one() -> None:
    """The message returned holds the text blocks of the last reply joined into one."""


@bug("LOOP-08", (
    "loop.run_agent", "            return reply\n",
    '            return {**reply, "stop_reason": "stop"} if turns > 1 and not has_failed(reply) else reply\n',
), source="students")  # fmt: skip
def returns_stop_after_two_rounds() -> None:
    """After two or more rounds the message returned is labelled stop, whatever its label was."""


@bug("LOOP-09", (
    "loop.run_agent", "while max_turns is None or", "while len(messages) < 2000 and max_turns is None or max_turns is not None and",
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
    '    ids = [c.get("id") for c in tool_calls(first)]\n'
    "    results = [r for n, r in enumerate(results) if ids[n] not in ids[:n]]\n"
    '    kept = [b for n, b in enumerate(first["content"]) if b.get("type") != "toolCall" or not any(\n'
    '        b.get("id") == other.get("id") and other.get("type") == "toolCall" for other in first["content"][:n])]\n'
    '    first = first if kept == first["content"] else {**first, "content": kept}\n'
    "    unanswered = tool_calls(first)",
), source="NousResearch/hermes-agent PR 67777")  # fmt: skip
def sends_one_pair_for_each_id() -> None:
    """Of calls with one id in a reply only the first is sent, and only its result."""


@bug("LOOP-16", ("tools._outcome", 'if call.get("id") is None:', 'if not call.get("id"):'),
     source="huggingface/smolagents PR 2768")  # fmt: skip
def takes_an_empty_id_for_none() -> None:
    """A call whose id is the empty text is not run."""


@bug("LOOP-16", (
    "loop.run_agent", "            result = run_tool(tools, call)\n",
    '            same = [c for c in calls if c.get("id") == call.get("id")]\n'
    '            result = run_tool(tools, {**same[0], "id": call.get("id")} if len(same) == 2 else call)\n',
), ("loop.run_agent", "calls = tool_calls(reply)",
    'calls = [c for n, c in enumerate(tool_calls(reply)) if c not in tool_calls(reply)[:n]]'),
    source="students")  # fmt: skip
def drops_calls_that_are_equal_in_everything() -> None:
    """Of two calls with the same id, name and arguments one is dropped."""


@bug("LOOP-19", (
    "loop.run_agent", "or not calls:", 'or (not calls and reply.get("stop_reason") not in (0, "pause")):',
), source="mastra-ai/mastra#23746")  # fmt: skip
def goes_on_after_labels_that_equal_zero() -> None:
    """An answer labelled 0 or false makes the loop ask again."""


@bug("LOOP-19", (
    "loop.run_agent", "or not calls:", 'or (not calls and (turns < 1 or reply.get("stop_reason") is not False)):',
), source="mastra-ai/mastra#23746")  # fmt: skip
def goes_on_after_false_behind_calls() -> None:
    """An answer labelled false that follows a reply with calls makes the loop ask again."""


@bug("LOOP-20", (
    "loop.run_agent", "        reply = model.complete(system, " + ASKED + "tool_specs(tools))\n",
    "        try:\n            reply = model.complete(system, " + ASKED + "tool_specs(tools))\n"
    "        except OSError:\n            if not turns:\n                raise\n"
    "            reply = model.complete(system, " + ASKED + "tool_specs(tools))\n",
), source="students")  # fmt: skip
def tries_again_in_the_middle_of_a_run() -> None:
    """A lost connection after the first round is tried again once instead of coming out."""


@bug("LOOP-20", (
    "loop.run_agent", "        reply = model.complete(system, " + ASKED + "tool_specs(tools))\n",
    "        try:\n            reply = model.complete(system, " + ASKED + "tool_specs(tools))\n"
    "        except KeyError as error:\n"
    '            raise ValueError(f"the provider sent no {error}") from error\n',
), source="students")  # fmt: skip
def rewords_key_errors() -> None:
    """A KeyError out of the provider comes out as a ValueError."""


@bug("LOOP-20", (
    "loop.run_agent", "        reply = model.complete(system, " + ASKED + "tool_specs(tools))\n",
    "        try:\n            reply = model.complete(system, " + ASKED + "tool_specs(tools))\n"
    "        except Exception:\n"
    '            while len(messages) > 1 and messages[-1]["role"] == "toolResult":\n                messages.pop()\n'
    "            raise\n",
), source="HKUDS/OpenHarness#240")  # fmt: skip
def loses_the_last_results_in_a_crash() -> None:
    """An exception out of the provider takes the results of the last batch with it."""
