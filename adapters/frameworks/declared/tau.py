"""What Tau can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "tau", "tau-ai", "tau_agent", "https://pypi.org/project/tau-ai/",
    LOOP | {"max-turns", "error-reply", "usage", "truncate", "read", "write", "bash", "bytes"},
    {
        "lines": Says("lf", 'lines = content.split("\\n")', "tau_coding/tools.py, _split_lines_for_counting"),
        "read-lines": Says("pieces", 'all_lines = text.split("\\n")', "tau_coding/tools.py, create_read_tool_definition"),
        "bash-lines": Says("lf", 'lines = content.split("\\n")', "tau_coding/tools.py, _split_lines_for_counting"),
        "read-endings": Says("lf", 'text = data.decode("utf-8").replace("\\r\\n", "\\n").replace("\\r", "\\n")', "tau_coding/tools.py, create_read_tool_definition"),
        "first-offset": Says("0", "offset must be at least 0", "tau_coding/tools.py, create_read_tool_definition"),
        "line-ends": Says("between", 'line_bytes = len(line.encode()) + (1 if index > 0 else 0)', "tau_coding/tools.py, truncate_head"),
        "giants": Says("partial", "edge cases such as partial-line output", "tau_coding/tools.py, TruncationResult"),
        "budgets": Says("fixed", "Returned text is truncated to `DEFAULT_MAX_OUTPUT_LINES` lines or `DEFAULT_MAX_OUTPUT_BYTES` bytes", "tau_coding/tools.py, create_read_tool_definition"),
        "notice": Says("other", "more lines in file. ", "tau_coding/tools.py, create_read_tool_definition"),
        "missing-files": Says("named", 'raise ToolInputError(f"File not found: {path}")', "tau_coding/tools.py, _validate_local_read_path"),
        "labels": Says(
            "closed", 'StopReason = Literal["stop", "length", "toolUse", "error", "aborted"]',
            "tau_agent/messages.py",
        ),
        "calls": Says(
            "sequential", "for call in calls: async for event in _execute_tool_call( call,",
            "tau_agent/loop.py, run_agent_loop",
        ),
        "keeps": Says(
            "own-record", "def messages(self) -> tuple[AgentMessage, ...]",
            "tau_agent/harness.py, AgentHarness",
        ),
    },
    python=(3, 12),
    settings={
        "truncate_head, truncate_tail": "get the budgets of a script as their default ones, for the tools take none",
        "shell_command_prefix": "prints what the suite has for a command, and exits before the command itself",
        "empty replies": "are not sent, as in tau_ai/anthropic.py: \"Anthropic rejects empty assistant content, so omit that inert turn too\"",
        "max_turns < 1": "is not played: \"max_turns must be at least 1\"",
    },
)  # fmt: skip
