"""Miniatures of the LIMIT chapter."""

from tests.miniatures.planting import plant

STOP = 'messages.append(error_message(f"stopped at the limit of max_turns={max_turns} requests"))\n    return messages[-1]'


@plant("LIMIT-01", ("loop.run_agent", "turns < max_turns:", "turns < max(max_turns, 1):"))
def cannot_count_to_zero() -> None:
    """max_turns=0 still makes one request."""


@plant("LIMIT-01", ("loop.run_agent", "turns += 1", "turns += len(calls)"))
def counts_calls_as_turns() -> None:
    """A reply with three calls uses up three turns."""


@plant("LIMIT-02", ("loop.run_agent", STOP, 'return error_message(f"stopped at max_turns={max_turns}")'))
def does_not_record_the_stop() -> None:
    """The stop at the limit is returned, but stands in no record."""


@plant("LIMIT-02", ("loop.run_agent", "stopped at the limit of max_turns={max_turns} requests", "stopped at the limit"))
def does_not_say_which_limit() -> None:
    """The stop at the limit does not say the limit's number."""


@plant("LIMIT-03", ("loop.run_agent", "if has_failed(reply) or not calls:", "if not calls:"))
def acts_on_failed_replies() -> None:
    """The calls of a failed reply are run, and the run goes on."""


@plant("LIMIT-04", ("view._as_sent", 'if first["content"] else results', 'if first["content"] or has_failed(first) else results'))
def sends_empty_failures() -> None:
    """A reply that failed and is empty is sent to the model again."""


@plant("LIMIT-05", ("view._as_sent", "\"content\": kept}, *results] if kept else []\n", "}, *results]\n"))
def sends_the_calls_of_failed_replies() -> None:
    """The calls of a failed reply, which nobody answered, are sent with it."""


@plant("LIMIT-06", ("loop.run_agent", 'error_message(f"stopped at the limit of max_turns={max_turns} requests")', 'error_message("overloaded")'))
def words_the_stop_like_a_failure() -> None:
    """The stop at the limit reads like a failure of the provider."""
