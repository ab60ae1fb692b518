"""Scripts as a program can play them: what it can never be given is left out before anything is judged.

A program begins with an empty record and a system prompt of its own, and its wire has no failed replies.
What is drawn for harnesses in general is made into the nearest script that a program can play, and that is
the one that is played, judged and shown.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from adapters.programs.described import Program
from adapters.programs.sizes import sized
from strategies.script import (
    OMITTED,
    Block,
    Call,
    Changes,
    Conversation,
    Crash,
    Desk,
    Own,
    Pager,
    Paging,
    Pair,
    Prompt,
    Relabelled,
    Reply,
    Returns,
    Say,
)  # fmt: skip

LONGEST = 4000  # characters of an output
CUT = ("length", "max_tokens", "max_output_tokens", "content_filter")  # labels of replies that are not whole
KNOWN = ("stop", "toolUse", "length", "tool_calls")  # what goes out in the API's own words
SYSTEM = Conversation().system
ANSWER = "Done."
DONE = Reply((Say(ANSWER),))
PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")  # ids that every API takes


def fitted(script: Any, program: Program) -> Any:
    """The script without what this program cannot be given; other than conversations stay as they are."""
    if isinstance(script, Pair):
        return Pair(fitted(script.first, program), fitted(script.second, program))
    if isinstance(script, Relabelled):
        allowed = (_allowed(_label(label), program) for label in script.labels)
        own = _says("cut-replies", program) in ("end", "again")
        labels = tuple(dict.fromkeys("stop" if own and label in CUT else label for label in allowed))
        return Relabelled(_countless(fitted(script.conversation, program)), labels)
    if isinstance(script, (Paging, Desk)):
        return sized(script, program)
    if not isinstance(script, Conversation):
        return script
    several = program.several
    prompts = script.prompts if several else script.prompts[:1]
    left = program.limits.turns
    made = []
    for prompt in prompts:
        one, left = _prompt(prompt, program, left)
        made.append(one)
    return replace(script, prompts=tuple(made), history=(), system=SYSTEM, meddling="", glance=False)


def _countless(script: Conversation) -> Conversation:
    """Without usage figures: with labels of several kinds one kind would contradict them."""
    prompts = (
        replace(p, replies=tuple(replace(r, usage=None) if isinstance(r, Reply) else r for r in p.replies))
        if isinstance(p.replies, tuple) else p
        for p in script.prompts
    )  # fmt: skip
    return replace(script, prompts=tuple(prompts))


def _prompt(prompt: Prompt, program: Program, left: int) -> tuple[Prompt, int]:
    """The prompt with what is left of the turns that a script may have, and what is then left of them."""
    text = prompt.text
    if any(re.search(pattern, text) for pattern in program.prompts.taken):
        text = "Go."
    if isinstance(prompt.replies, Pager):
        return replace(prompt, text=text, max_turns=OMITTED), left
    replies: list[Reply | Crash] = []
    for reply in prompt.replies:
        if isinstance(reply, Crash):
            replies.append(reply)
            continue
        if replies and toolless(program) and _whole(replies[-1]):
            break  # nothing is called, and so the first reply that is whole is the answer
        if reply.failed:  # no wire has a reply that failed: it is an answer instead
            continue
        times = max(1, min(reply.times, left))
        left -= times
        times = 1 if toolless(program) else times
        replies.append(portable(replace(_reply(reply, program), times=times), program))
    last = replies[-1] if replies else None
    if last is None or (isinstance(last, Reply) and last.calls):
        replies.append(DONE)
    return Prompt(text, tuple(replies), OMITTED), left


def _reply(reply: Reply, program: Program) -> Reply:
    """The reply as a wire carries it: its texts in one, then its calls."""
    said = [b.text for b in reply.blocks if isinstance(b, Say)]
    if not "".join(said).strip() and any(said):  # white space alone goes as a screen lets it go
        said = [] if reply.calls else [ANSWER]
    blocks: tuple[Block, ...] = (Say("".join(said)),) if "".join(said) else ()
    calls = tuple(replace(c, does=_does(c.does)) for c in reply.calls)
    if calls and toolless(program):
        blocks, calls = blocks or DONE.blocks, ()
    if not calls and not "".join(said).strip() and _says("empty-replies", program) == "again":
        blocks = DONE.blocks
    elif not blocks and not calls and said:
        blocks = (Say(""),)
    label = _allowed(_label(reply.label), program)
    whole = calls and all(isinstance(call.arguments, dict) for call in calls)
    if label in CUT and whole and _says("cut-replies", program) in ("end", "again"):
        label = "toolUse"
    if label in CUT and not calls and _says("cut-replies", program) == "again":
        label = "stop"
    usage = None if label in CUT else reply.usage  # a reply that met its limit has written that much
    sent = reply.sent
    if sent is not None and _says("unclosed-streams", program) == "whole":
        sent = replace(sent, unclosed=False)
    return replace(reply, blocks=(*blocks, *calls), label=label, usage=usage, error=None, sent=sent)


def toolless(program: Program) -> bool:
    """Whether the program has no tools for a model to call, as it declares."""
    return _says("tools", program) == "none"


def _whole(reply: Reply | Crash) -> bool:
    """Whether this reply comes to its end."""
    sent = reply.sent if isinstance(reply, Reply) else None
    return isinstance(reply, Reply) and (sent is None or (sent.cut is None and not sent.unclosed))


def _allowed(label: str, program: Program) -> str:
    """The label, if the program ends or goes on there as others do; else one at which it does."""
    if label == "content_filter" and _says("filtered-replies", program) == "again":
        return "stop"
    strange = label not in KNOWN and _says("strange-labels", program) in ("end", "again")
    return "stop" if strange else label


def _says(policy: str, program: Program) -> str:
    """What the program says of a policy, "" if nothing."""
    return program.policies[policy].value if policy in program.policies else ""


def _label(label: Any) -> str:
    """The label, where it is one: on a wire a reply without a label has not ended."""
    return label if isinstance(label, str) and label.strip() and label != "error" else "stop"


def portable(reply: Reply | Crash, program: Program) -> Reply | Crash:
    """The reply with ids that every API takes, where the wire or the program wants such."""
    wanted = program.wires[0] != "chat" or _says("call-ids", program) == "portable"
    if not wanted or isinstance(reply, Crash):
        return reply
    blocks = (replace(b, id=_id(b.id)) if isinstance(b, Call) else b for b in reply.blocks)
    return replace(reply, blocks=tuple(blocks))


def _id(id_: Any) -> Any:
    if not isinstance(id_, str) or not id_ or PLAIN_ID.fullmatch(id_):
        return id_
    return re.sub(r"[^A-Za-z0-9_-]", "_", id_)[-64:]


def _does(does: Any) -> Any:
    """What the tool does; how much of a very long output is shown is judged of the program's own tools."""
    if isinstance(does, (Changes, Returns)):
        return Returns(does.text[:LONGEST])
    return does


def owned(script: Conversation) -> bool:
    """Whether the harness's own file tools take part in this script."""
    return any(isinstance(tool, Own) for tool in script.tools)


def called(script: Conversation) -> list[Call]:
    """All calls of all replies."""
    return [
        call for prompt in script.prompts if isinstance(prompt.replies, tuple)
        for reply in prompt.replies if isinstance(reply, Reply) for call in reply.calls
    ]  # fmt: skip
