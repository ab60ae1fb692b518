"""The broken agents: what is patched, what is wrong with it, and who has to see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.miniatures.planting import Patch, patched

SOUND = Path(__file__).parents[2] / "examples" / "wire_agent.py"


@dataclass(frozen=True)
class Agent:
    """One broken agent, and the id of the property that has to catch it."""

    name: str
    property: str
    sentence: str
    patches: tuple[Patch, ...]

    def source(self) -> str:
        """The program's text."""
        text = SOUND.read_text()
        for patch in self.patches:
            text = patched(text, patch, patch.place)
        return text


AGENTS: list[Agent] = []


def breaks(id_: str, *patches: tuple[str, str, str]) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register a function whose name and docstring tell the fault; each patch is (function, old, new)."""

    def register(told: Callable[[], None]) -> Callable[[], None]:
        sentence = " ".join((told.__doc__ or "").split())
        AGENTS.append(Agent(told.__name__, id_, sentence, tuple(Patch(*p) for p in patches)))
        return told

    return register


UNFINISHED = 'raise Passing("the stream ended before the reply did")'
REPAIRED = (
    "understood", "        arguments = None\n",
    "        arguments = None\n"
    "        for end in ('}', '\"}', 'x\"}'):\n"
    "            try:\n"
    "                arguments = json.loads(call['arguments'] + end)\n"
    "                break\n"
    "            except ValueError:\n"
    "                continue\n",
)  # fmt: skip


@breaks("STREAM-01", ("assembled", 'piece["index"]', "piece['index'] if piece.get('id') or not calls else [*calls][-1]"))
def adds_parts_to_the_last_call() -> None:
    """A part that brings no id goes to the call that came last, whatever its index."""


@breaks("STREAM-01", ("assembled", 'piece.get("id") or call["id"]', '(call["id"] + (piece.get("id") or ""))'), (
    "assembled", 'function.get("name") or call["name"]', 'call["name"] + (function.get("name") or "")'))
def adds_names_up() -> None:
    """Ids and names are added up like arguments, so that those that come again are doubled."""


@breaks("STREAM-01", ("assembled", '                call = calls', '                if not piece.get("id") and piece["index"] not in calls:\n                    continue\n                call = calls'))
def wants_the_id_first() -> None:
    """Parts of a call that come before its id are thrown away."""


@breaks("STREAM-01", ("assembled", '                call["arguments"] +=', '                call["arguments"] ='))
def keeps_the_last_part() -> None:
    """Each part of the arguments takes the place of the one before it."""


@breaks("STREAM-02", ("assembled", UNFINISHED, 'finish = "stop"'))
def takes_the_end_for_the_end() -> None:
    """When the connection ends, what has come is the reply."""


@breaks("STREAM-02", ("assembled", UNFINISHED, 'finish = "stop"'), (
    "answer", "    if not reply", "    if reply['finish'] == 'stop':\n        raise Final('cut')\n    if not reply"), REPAIRED)
def runs_half_a_call() -> None:
    """Arguments that a lost connection cut short are completed and run."""


CHUNKS = (
    "events", "        for line in response:  # whole lines of bytes, so no character is ever cut\n",
    "        import itertools\n"
    "        text = ''\n"
    "        for chunk in iter(lambda: response.read1(4096), b''):\n"
    "            text += chunk.decode('utf-8', 'replace')\n"
    "        for line in text.encode().split(b'\\n'):\n",
)  # fmt: skip


@breaks("STREAM-03", CHUNKS)
def decodes_each_chunk_alone() -> None:
    """Each chunk of bytes becomes text by itself, so that a character across two of them is lost."""


@breaks("LIMIT-07", ("run", 'cut = reply["finish"] == "length" and any', 'cut = any(()) and any'), REPAIRED)
def repairs_what_was_cut_off() -> None:
    """Arguments that the length limit cut short are completed and run."""


@breaks("LIMIT-08", ("ask", "            reason =", "            messages.append(messages[1])\n            reason ="))
def stores_the_prompt_for_each_try() -> None:
    """The prompt is put into the history again before a request is made again."""


@breaks("LIMIT-08", ("ask", "range(TRIES)", "range(1)"), (
    "run", "        reply = ask(messages)\n",
    "        try:\n"
    "            reply = ask(messages)\n"
    "        except Final:\n"
    "            for call in given if len(messages) > 2 else ():\n"
    "                done(call)\n"
    "            reply = ask(messages)\n",
))  # fmt: skip
def runs_the_tools_again() -> None:
    """When a request fails the whole step begins again, with its tools."""


@breaks("LOOP-16", ("run", "        unique(given)\n", "        given = list({call['id']: call for call in given}.values())\n"))
def collapses_equal_ids() -> None:
    """Of calls that share an id only the last one is run."""


@breaks("LOOP-16", (
    "run", "            result = ", "            known = {c['id'].partition('.')[0]: c for c in given}\n"
    "            call = {**known[call['id'].partition('.')[0]], 'id': call['id']}\n            result = ",
))  # fmt: skip
def finds_calls_by_their_first_id() -> None:
    """Ids are made unique, but which call is run is found by the id as it came."""


@breaks("LOOP-17", ("answer", 'raise Final(f"the model\'s last reply was empty ({reply[\'finish\']})")', "return ''"))
def passes_over_an_empty_reply() -> None:
    """A reply with nothing in it ends the run in silence, and as a success."""


@breaks("LOOP-17", ("main", "        return 1\n", "        return 0\n"))
def ends_well_whatever_happens() -> None:
    """The exit status is 0 where there was no answer."""


@breaks("BILL-01", (
    "run", "            result = ",
    "            messages[1] = {**messages[1], 'content': messages[1]['content'] + ' Go on.' * 10_000}\n"
    "            result = ",
))  # fmt: skip
def grows_by_itself() -> None:
    """The prompt gets longer with each call."""


@breaks("BILL-01", ("bash", "    kept = fitting(output.splitlines(keepends=True)[::-1])[::-1]\n", "    kept = [output]\n"))
def shows_all_output() -> None:
    """The output of a command is shown whole, however long it is."""


@breaks("CLI-01", ("main", "    try:\n        print", "    import socket\n    try:\n        socket.getaddrinfo('telemetry.example.org', 443)\n    except OSError:\n        pass\n    try:\n        print"))
def calls_home() -> None:
    """Before it begins, the agent asks for the address of a host that counts its users."""
