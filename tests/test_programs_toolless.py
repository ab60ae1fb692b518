"""A program whose models call nothing: its scripts have no calls, and what is about calls says nothing of it."""

from __future__ import annotations

from dataclasses import replace

from adapters.programs.described import Own, Program
from adapters.programs.fitting import fitted
from adapters.programs.messages import Messages
from adapters.programs.reading import known
from adapters.programs.translation import translated
from properties.registry import WITHOUT_TOOLS, load, toolless
from strategies.script import Call, Conversation, Crash, Prompt, Reply, Say, Sent

NONE = {"tools": "none"}
WORD = Reply((Say("Fine."),))


def plain() -> Program:
    """The program of the list that has no tools."""
    return known()["aider"]


def test_calls_are_left_out_and_the_first_whole_reply_is_the_last() -> None:
    """A reply keeps its words, and nothing is left over that nobody would ask for."""
    asks = Reply((Say("I look."), Call()), "toolUse")
    script = Conversation((Prompt("Go.", (Crash(status=429), asks, WORD)),))
    made = fitted(script, plain()).prompts[0].replies
    assert made == (Crash(status=429), Reply((Say("I look."),), "toolUse"))


def test_a_reply_of_calls_alone_gets_words() -> None:
    """It would be an empty reply otherwise, which is another story."""
    script = Conversation((Prompt("Go.", (Reply((Call(),), "toolUse", times=3), WORD)),))
    assert fitted(script, plain()).prompts[0].replies == (Reply((Say("Done."),), "toolUse"),)


def test_what_follows_a_stream_that_was_cut_stays() -> None:
    """The request may be made again."""
    cut = Reply((Say("I look."),), sent=Sent((3,), cut=2))
    assert fitted(Conversation((Prompt("Go.", (cut, WORD)),)), plain()).prompts[0].replies == (cut, WORD)


def test_what_is_about_calls_says_nothing_of_it() -> None:
    """The reason is told; where there are tools there is none."""
    assert set(load()) >= WITHOUT_TOOLS
    assert toolless("TOOL-01", NONE) == "it has no tools for a model to call"
    assert not toolless("LOOP-01", NONE)
    assert not toolless("TOOL-01", {})


def test_a_preface_goes_with_its_answer() -> None:
    """A message of the program's own and what it has the model say to it are none of the conversation's."""
    program = replace(plain(), own=Own(messages=["Preface"], answers=[r"Ok\."]))
    back = Messages(translated(Conversation((Prompt("Go.", (WORD,)),)), program), [])
    ok = {"role": "assistant", "content": [{"type": "text", "text": "Ok."}]}
    said = [{"role": "user", "content": "Preface"}, ok, {"role": "user", "content": "Go."}, ok]
    assert back.normal(said, 0, 0) == [{"role": "user", "content": "Go."}, ok]
