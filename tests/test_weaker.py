"""Draws that leave something out let planted bugs through, and the gate says which."""

from __future__ import annotations

import pytest

from strategies.script import Call, Conversation, Cut, Prompt, Reply
from tests.planted.catalogue import all_planted
from tests.planted.weaker import WAYS, one_ending, one_prompt, uncaught, unique_ids

LOST = {
    "endings": ("counts_no_rare_separators", "completes_a_lone_cr"),
    "labels drawn independently": ("trusts_the_label", "takes_every_label_like_error_for_it"),
    "ids repeated": ("keys_calls_by_id", "takes_an_empty_id_for_none"),
    "budget edges": ("never_uses_up_the_bytes", "leaves_endings_out_of_the_size"),
    "several prompts": ("shortens_results_of_earlier_prompts", "moves_a_mark_to_the_last_prompt"),
}


@pytest.mark.parametrize("way", WAYS)
def test_weaker_draws_let_bugs_through(way: str) -> None:
    """Draws as they are catch these bugs, and weaker ones miss every one."""
    bugs = [bug for bug in all_planted() if bug.name in LOST[way]]
    assert len(bugs) == len(LOST[way])
    assert uncaught(bugs) == []
    assert set(uncaught(bugs, WAYS[way])) == set(LOST[way])


def test_what_is_taken_out() -> None:
    """Only that one thing changes."""
    cut = Cut("1\r\n2\x85\r3", 2, 9)
    assert one_ending(cut) == Cut("1\n2\n\n3\n", 2, 9)
    calls = Reply((Call("a"), Call("a")), "stop")
    script = Conversation((Prompt("x", (calls,)), Prompt("y")))
    assert [c.id for c in unique_ids(script).prompts[0].replies[0].calls] == ["u1", "u2"]
    assert one_prompt(script).prompts == script.prompts[:1]
