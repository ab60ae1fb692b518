"""Planted bugs: limits, failed replies, and the ways out of a run."""

from tests.miniatures.pairs import RAW, RETRY
from tests.planted.catalogue import bug

WHILE = "while max_turns is None or turns < max_turns:"
COUNT = "        turns += 1\n"
ENDS = "        if has_failed(reply) or not calls:\n            return reply\n"
BEGIN = "    messages.append(user_message(prompt))\n"
STOP = 'error_message(f"stopped at the limit of max_turns={max_turns} requests")'
ADD = f"    messages.append({STOP})\n"
ASK = "        reply = model.complete(system, context_for_model(messages), tool_specs(tools))\n"
WHOLE = '        return [first, *results] if first["content"] else results\n'
UNPARSED = "    except (ValueError, RecursionError):\n        return {}, True\n"
AGAIN = "            except ConnectionError:\n                continue\n"


@bug("LIMIT-01", (
    "loop.run_agent", "turns < max_turns",
    "turns <= max_turns",
), source="langchain4j/langchain4j#5313")  # fmt: skip
def makes_one_request_more() -> None:
    """max_turns=N allows N+1 requests."""


@bug("LIMIT-01", ("loop.run_agent", WHILE, "while not max_turns or turns < max_turns:"), source="students")
def takes_zero_for_no_limit() -> None:
    """max_turns=0 means no limit at all."""


@bug("LIMIT-01", (
    "loop.run_agent", "    turns = 0\n",
    '    turns = sum(m["role"] == "assistant" for m in messages)\n',
), source="students")  # fmt: skip
def counts_the_replies_of_earlier_prompts() -> None:
    """Replies that stood in the record before count as turns of this run."""


@bug("LIMIT-01", (
    "loop.run_agent", ENDS,
    (
        "        if has_failed(reply) or not calls and (turns + 1 != max_turns or turns < 2):\n"
        "            return reply\n"
    ),
), source="students")  # fmt: skip
def calls_an_answer_on_the_last_turn_a_stop() -> None:
    """From three turns on, an answer on the last turn that the limit allows ends the run as failed."""


@bug("LIMIT-01", ("loop.run_agent", COUNT, "        turns += 1 + (len(calls) > 4)\n"), source="students")
def counts_a_large_batch_twice() -> None:
    """A reply with five or more calls counts as two turns."""


@bug("LIMIT-01", (
    "loop.run_agent", "    turns = 0\n",
    "    turns = 0\n    max_turns = max_turns and min(max_turns, 100)\n",
), source="students")  # fmt: skip
def allows_a_hundred_turns_at_most() -> None:
    """A max_turns above 100 counts as 100."""


@bug("LIMIT-01", (
    "loop.run_agent", COUNT,
    '        turns += calls[0].get("arguments") != {}\n',
), source="students")  # fmt: skip
def does_not_count_calls_without_arguments() -> None:
    """A reply whose first call has no arguments does not count as a turn."""


@bug("LIMIT-02", ("loop.run_agent", ADD, (
    '    stop = {"type": "text", "text": f"stopped at max_turns={max_turns}"}\n'
    '    messages.append({"role": "assistant", "content": [stop], "stop_reason": "stop"})\n'
)), source="students")  # fmt: skip
def stops_with_an_ordinary_answer() -> None:
    """The stop at the limit is an ordinary answer in words."""


@bug("LIMIT-02", (
    "loop.run_agent", ADD,
    f'    if messages[-1]["role"] == "user":\n        raise RuntimeError("no turns left")\n{ADD}',
), source="students")  # fmt: skip
def raises_at_a_limit_of_nothing() -> None:
    """max_turns=0 raises instead of ending with a failed reply."""


@bug("LIMIT-02", ("loop.run_agent", ADD, (
    '    told = [m.get("error_message") for m in messages if m["role"] == "assistant" and not m["content"]]\n'
    '    stop = f"stopped at the limit of max_turns={max_turns} requests"\n'
    "    if stop in told:\n        return error_message(stop)\n"
    "    messages.append(error_message(stop))\n"
)), source="students")  # fmt: skip
def records_one_stop_of_a_kind() -> None:
    """A stop at the same limit as before is returned, but not recorded a second time."""


@bug("LIMIT-02", (
    "loop.run_agent", STOP,
    STOP.replace('")', '" if max_turns != 1 else "stopped at the limit of one request")'),
), source="students")  # fmt: skip
def writes_a_limit_of_one_as_a_word() -> None:
    """The stop at max_turns=1 does not say the number."""


@bug("LIMIT-03", (
    "loop.run_agent", "if has_failed(reply) or",
    'if has_failed(reply) and len(reply["content"]) < 3 or',
), source="students")  # fmt: skip
def acts_on_failed_replies_with_words_and_calls() -> None:
    """A failed reply that holds text and two calls is acted on as if it had not failed."""


@bug("LIMIT-03", (
    "loop.run_agent", "if has_failed(reply) or",
    'if has_failed(reply) and reply.get("error_message") != "" or',
), source="students")  # fmt: skip
def acts_on_failures_with_an_empty_message() -> None:
    """A failed reply whose error_message is empty is acted on."""


@bug("LIMIT-03", ("loop.run_agent", "            return reply\n", (
    '            if has_failed(reply) and reply["content"] and turns:\n'
    '                return error_message(reply.get("error_message") or "failed")\n            return reply\n'
)), source="students")  # fmt: skip
def returns_a_failure_without_its_words() -> None:
    """A reply with text that failed after a round of calls is returned without the text."""


@bug("LIMIT-03", ("loop.run_agent", ENDS, (
    '        if has_failed(reply) and not reply["content"] and "429" in str(reply.get("error_message")):\n'
    "            turns += 1\n            continue\n"
) + ENDS), source="students")  # fmt: skip
def asks_again_after_a_rate_limit() -> None:
    """After an empty reply that failed with 429 the model is asked again."""


@bug("LIMIT-03", ("loop.run_agent", "        messages.append(reply)\n", (
    '        if not has_failed(reply) or reply["content"] or reply.get("error_message"):\n'
    "            messages.append(reply)\n"
)), source="students")  # fmt: skip
def does_not_record_a_failure_that_says_nothing() -> None:
    """A failed reply that holds nothing and gives no reason is not recorded."""


@bug("LIMIT-04", ("view._as_sent", WHOLE, (
    '        words = "".join(b.get("text", "") for b in first["content"])\n'
    "        if has_failed(first) and not words.strip():\n            return results\n"
) + WHOLE), source="students")  # fmt: skip
def leaves_out_failures_of_blank_text() -> None:
    """A failed reply whose text is blank is not sent."""


@bug("LIMIT-04", (
    "view._as_sent", WHOLE,
    (
    '        if has_failed(first) and "429" in str(first.get("error_message")):\n            return [first]\n'
) + WHOLE,
), source="huggingface/tau PR 395")  # fmt: skip
def sends_empty_rate_limits() -> None:
    """An empty reply that failed with 429 is sent with the next prompt."""


@bug("LIMIT-04", (
    "view._as_sent", WHOLE,
    (
    '        if has_failed(first) and "limit of" in first.get("error_message", ""):\n'
    "            return [first]\n"
) + WHOLE,
), source="students")  # fmt: skip
def sends_its_own_stops() -> None:
    """The stop at a limit, which holds nothing, is sent with the next prompt."""


@bug("LIMIT-05", ("loop.run_agent", BEGIN, (
    '    while messages and (messages[-1]["role"] != "assistant" or not has_failed(messages[-1]) and'
    ' tool_calls(messages[-1])):\n        messages.pop()\n'
) + BEGIN), source="students")  # fmt: skip
def takes_out_what_a_dead_run_left() -> None:
    """The prompt, calls and results that a run left when it died are taken out when the next one begins."""


@bug("LOOP-20", ("loop.run_agent", ASK, (
    f"        try:\n    {ASK}        except Exception:\n"
    '            if messages[-1]["role"] == "user":\n                messages.pop()\n            raise\n'
)), source="google-gemini/gemini-cli PR 10608")  # fmt: skip
def takes_the_prompt_back_in_a_crash() -> None:
    """An exception out of the provider takes the prompt out of the record."""


@bug("LIMIT-06", (
    "loop.run_agent", "            return reply\n",
    '            return {k: v for k, v in reply.items() if k != "error_message" or not has_failed(reply)}\n',
), (
    "loop.run_agent", "    return messages[-1]",
    '    return {**messages[-1], "error_message": None}',
), source="students")  # fmt: skip
def returns_failures_without_their_reason() -> None:
    """What is returned of a failure, or of a stop at the limit, does not say why."""


@bug("LIMIT-06", ("loop.run_agent", ASK, (
    f"        try:\n    {ASK}        except KeyboardInterrupt:\n"
    '            reply = {"role": "assistant", "content": [{"type": "text", "text": "Cancelled."}]}\n'
)), source="students")  # fmt: skip
def answers_a_cancel() -> None:
    """Ctrl-C while the model is asked ends the run like an answer."""


@bug("LIMIT-06", ("loop.run_agent", "            return reply\n", (
    '            return {**reply, "stop_reason": "stop"} if reply.get("stop_reason") == "length" else reply\n'
)), source="zhayujie/CowAgent PR 3074")  # fmt: skip
def returns_a_cut_answer_as_a_finished_one() -> None:
    """An answer cut by length is returned with the label stop."""


@bug("LIMIT-07", ("__init__", "", RAW.replace(UNPARSED, (
    "    except (ValueError, RecursionError):\n"
    "        if not text.endswith('\"}'):\n            return _parsed(text + '\"}')\n"
    "        return {}, True\n"
))), source="strands-agents/harness-sdk#4135")  # fmt: skip
def closes_a_text_that_was_cut() -> None:
    """A call that was cut off inside a text is run with the part of the text that came."""


@bug("LIMIT-08", ("__init__", "", RETRY.replace(AGAIN, (
    "            except ConnectionError:\n                self._messages.append(dict(self._messages[-1]))\n"
    "                continue\n"
)).replace("self, model):\n", "self, model, messages):\n        self._messages = messages\n").replace(
    "_Patient(model)", "_Patient(model, messages)"
)), source="HKUDS/nanobot#4079")  # fmt: skip
def stores_the_last_message_again_in_a_retry() -> None:
    """After a lost connection the last message of the record is stored a second time."""


@bug("LIMIT-08", ("__init__", "", RETRY.replace(AGAIN, (
    "            except ConnectionError:\n                self._again()\n                continue\n"
)).replace("def __init__(self, model):\n", (
    "def _again(self):\n"
    "        asked = [m for m in self._messages if m['role'] == 'assistant']\n"
    "        for call in tool_calls(asked[-1]) if self._messages[-1]['role'] == 'toolResult' else []:\n"
    "            run_tool(self._tools, call)\n\n"
    "    def __init__(self, model, messages, tools):\n        self._messages, self._tools = messages, tools\n"
)).replace("_Patient(model)", "_Patient(model, messages, tools)")), source="students")  # fmt: skip
def runs_the_last_batch_again_in_a_retry() -> None:
    """After a lost connection the calls of the last reply are run a second time."""
