"""A complete agent harness, small enough to read at one sitting.

It is one more implementation of the contract, the one that keeps every property, and the one
whose code is mutated to measure the suite. It uses the standard library only, knows nothing of
the suite, and imports its own modules relatively, so that a changed copy of it can be loaded
under another name beside it.

==============  ==========================================================================
shapes          the shapes of messages, tools and replies; what a model, workspace, shell is
text            sizes in bytes, text that can be sent, what an exception says
messages        the messages of a record, and what stands in a reply
arguments       the schema of a tool, and reading what the model wrote as arguments
truncation      whole lines within a budget, from either end
read write bash the three tools
tools           telling the model about tools, and running one call
view            what of a record is sent
loop            the run itself
==============  ==========================================================================
"""

from .arguments import int_arg, str_arg
from .bash import make_bash_tool
from .loop import run_agent
from .messages import SYSTEM, error_message, text_of, tool_calls, user_message
from .read import make_read_tool
from .tools import run_tool, tool_specs
from .truncation import truncate_head, truncate_tail
from .view import context_for_model
from .write import make_write_tool

__all__ = [
    "SYSTEM",
    "context_for_model",
    "error_message",
    "int_arg",
    "make_bash_tool",
    "make_read_tool",
    "make_write_tool",
    "run_agent",
    "run_tool",
    "str_arg",
    "text_of",
    "tool_calls",
    "tool_specs",
    "truncate_head",
    "truncate_tail",
    "user_message",
]
