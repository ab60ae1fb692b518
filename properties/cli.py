"""CLI, what a program is beyond its loop: the network it asks for, and what it says at its end."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import properties.loop_ends  # noqa: F401 - LOOP-17 stands there
from adapters.normal import blocks_of
from adapters.trace import Ending, Request, Trace
from properties.bill import weight
from properties.checks import check, fail, shown
from properties.messages import listed
from properties.registry import FIELD, also, law
from properties.story import step
from strategies import lines
from strategies.script import Call, Conversation, Crash, Reply, Returns, Say
from strategies.streams import calling, endings, printing, with_replies

UNREAD = 1 << 18  # bytes of one output that no program has a use for
FRAME, ASIDE = 1000, 4000  # bytes round one result, and of a program's own words in one request
_WORD = "Jabberwocky."  # an answer that nothing else a program prints will hold


@law(
    "CLI-01", tier=FIELD, needs=("offline", "loop"), after=("LOOP-01",), draws=calling(),
    source="public reports of programs that call home although told not to",
    hint="Ask for no host but the model's when told to be offline: no telemetry, update check or model list.",
)  # fmt: skip
def an_offline_program_looks_up_no_host(script: Conversation, harness: Any) -> None:
    """A program that is told to be offline looks up no host.

    Catches telemetry, update checks and lists of models that are fetched all the same.
    """
    trace: Trace = harness.converse(script)
    names = sorted(set(trace.lookups))
    check(not names, f"it looked up {', '.join(map(shown, names[:5]))}", "the whole run")


@also("LOOP-17", tier=FIELD, needs=("exit-status",), draws=endings())
def the_exit_status_tells(script: Conversation, harness: Any) -> None:
    """The exit status of a program tells failure from success, and an empty reply is not passed over.

    Catches status 0 where there was no answer, another one where there was, and runs that end in silence.
    """
    trace: Trace = harness.converse(script)
    for ending in trace.endings:
        rounds = trace.rounds(ending.prompt)
        if ending.status is None or not rounds:
            continue
        last, at = rounds[-1].request, step(ending)
        if last.crashed is not None:
            check(ending.status != 0, f"the provider failed ({_fault(script)}), and the exit status is 0", at)
        elif _answered(last):
            check(ending.status == 0, f"there was an answer, and the exit status is {ending.status}", at)
        elif _nothing(last) and ending.status == 0:
            check(_says_so(script, ending, harness),
                  "the model's last reply was empty; the run ended with status 0 and did not say so", at)


def _fault(script: Conversation) -> str:
    replies = script.prompts[-1].replies
    crashes = [r for r in replies if isinstance(r, Crash)] if isinstance(replies, tuple) else []
    return f"{crashes[-1].status} {crashes[-1].text}" if crashes else "without a word"


def _answered(request: Request) -> bool:
    """Whether this request got what ends a run well: a text, no call, and the label that says so."""
    said = request.played
    texts = [b for b in said.blocks if isinstance(b, Say) and b.text.strip()] if said else []
    return said is not None and bool(texts) and not said.calls and said.label == "stop" and not request.cut


def _nothing(request: Request) -> bool:
    """Whether the reply held nothing that a user could be shown."""
    return request.played is not None and not any(
        b.get("type") == "toolCall" or str(b.get("text", "")).strip() for b in blocks_of(request.reply)
    )


def _says_so(script: Conversation, ending: Ending, harness: Any) -> bool:
    """Whether the user sees anything of the empty reply: more than what stands round an answer."""
    printed = _gist(ending.printed or "")
    if not printed:
        return False
    answered = harness.converse(with_replies(script, lambda r: Reply((Say(_WORD),)) if _is_empty(r) else r))
    usual = _gist(answered.endings[ending.prompt].printed or "")
    return _WORD not in usual or printed != usual.replace(_WORD, "")


def _is_empty(reply: Reply | Crash) -> bool:
    if not isinstance(reply, Reply):
        return False
    return not any(not isinstance(block, Say) or block.text.strip() for block in reply.blocks)


@also("BILL-01", tier=FIELD, needs=("exit-status",), draws=printing())
def requests_grow_by_what_was_said(script: Conversation, harness: Any) -> None:
    """From one request of a program to the next nothing is added but the reply and what its calls printed.

    Catches prompts and results that are sent again, and output that is sent on however long it is.
    """
    trace: Trace = harness.converse(script)
    for request, following in pairwise(trace.requests):
        if following.prompt != request.prompt or request.reply is None:
            continue
        calls = request.played.calls if request.played else ()
        printed = sum(min(_bytes(call), UNREAD) + FRAME for call in calls)
        most = weight(request.reply) + printed + ASIDE
        grown = _size(following) - _size(request)
        if grown > most:
            named = ", ".join(f"{_bytes(call):,}" for call in calls) or "nothing"
            fail(f"the request grew by {grown:,} bytes, though the calls printed {named} "
                 f"(at most {most:,} are accounted for)", step(following))  # fmt: skip


def _size(request: Request) -> int:
    return sum(map(weight, listed(request.messages)))


def _bytes(call: Call) -> int:
    return lines.size(call.does.text) if isinstance(call.does, Returns) else 0


def _gist(text: str) -> str:
    return "".join(text.split())
