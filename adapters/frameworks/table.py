"""The one table of frameworks: where each comes from, what it can, what it does and who says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

INSIDE = Path(__file__).with_name("inside")


@dataclass(frozen=True)
class Says:
    """A policy that a framework declares: the value, its own words for it, and where they stand."""

    value: str
    words: str
    where: str


@dataclass(frozen=True)
class Framework:
    """One framework. `module` is what has to be importable, `distribution` what a registry calls it.

    `lacks` says of capabilities why they are not there, `settings` what the adapter sets and why; `pace` is how many times slower than a plain loop
    its runs may be before they count as hung.
    """

    name: str
    distribution: str
    module: str
    homepage: str
    capabilities: frozenset[str]
    policies: Mapping[str, Says]
    lacks: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    python: tuple[int, int] = (3, 11)
    pace: float = 20.0

    @property
    def env(self) -> str:
        """The tox environment that installs it and runs it."""
        return f"fuzz-{self.name}"

    @property
    def requirements(self) -> str:
        """The file that pins it, in the checkout."""
        return f"requirements/{self.env}.txt"

    @property
    def file(self) -> Path:
        """What stands in for a harness file in the child."""
        return INSIDE / f"on_{self.name.replace('-', '_')}.py"


LOOP = frozenset({"loop", "record"})

_ALL = (
    Framework(
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
    ),
    Framework(
        "openai-agents", "openai-agents", "agents", "https://openai.github.io/openai-agents-python/",
        LOOP | {"max-turns", "raw-arguments", "usage"},
        {
            "labels": Says(
                "none", "class ModelResponse: output: list[TResponseOutputItem]", "agents/items.py, ModelResponse"
            ),
            "marks": Says(
                "no", "return a string error message (which will be sent back to the LLM)",
                "agents/tool.py, FunctionTool",
            ),
            "error-words": Says(
                "fixed", "Return a fixed error response without exposing the exception to the model.",
                "agents/tool.py, default_tool_error_function",
            ),
            "calls": Says(
                "parallel", "the default behavior, which starts all function tool calls emitted in a turn",
                "agents/run_config.py, ToolExecutionConfig",
            ),
            "turn-limit": Says(
                "raise", "If the max_turns is exceeded, a MaxTurnsExceeded exception is raised unless handled.",
                "agents/run.py, Runner.run",
            ),
            "answer": Says(
                "text", "The agent will run in a loop until a final output is generated.", "agents/run.py, Runner.run"
            ),
            "keeps": Says(
                "turns", "A session for automatic conversation history management.", "agents/run.py, Runner.run"
            ),
        },
        lacks={"error-reply": "a ModelResponse has no label that says it failed"},
        settings={
            "max_turns=None": "\"Pass None to disable the turn limit\"; the default is DEFAULT_MAX_TURNS, 10",
            "tool_not_found_behavior='return_error_to_model'": "the default, 'raise_error', ends the run",
            "session=Memory(...)": "a Session in memory, so that the record is the SDK's own",
            "strict_mode=False": "the schemas of the scripted tools are sent as they are",
        },
    ),
    Framework(
        "pydantic-ai", "pydantic-ai-slim", "pydantic_ai", "https://ai.pydantic.dev/",
        LOOP | {"max-turns", "raw-arguments"},
        {
            "labels": Says(
                "closed", "FinishReason: TypeAlias = Literal[ 'stop', 'length', 'content_filter', 'tool_call', 'error', ]",
                "pydantic_ai/messages.py",
            ),
            "calls": Says(
                "parallel", "sequential: Whether this tool acts as a barrier that runs alone, not overlapping with other tool calls.",
                "pydantic_ai/tools.py, Tool.from_schema",
            ),
            "turn-limit": Says(
                "raise", "Error raised when a Model's usage exceeds the specified limits.",
                "pydantic_ai/exceptions.py",
            ),
            "answer": Says("text", "The output data from the agent run.", "pydantic_ai/run.py"),
            "keeps": Says(
                "turns", "Return all messages for the run so far.", "pydantic_ai/run.py"
            ),
        },
        lacks={
            "error-reply": "Whether the agent should automatically continue is determined by "
            "ModelResponse.state, not by this field (finish_reason; pydantic_ai/messages.py)",
            "usage": "a FunctionModel makes up the usage of a reply that says none",
        },
        settings={
            "output_type=str | None": "\"If the output type allows None, a response with no text output is a valid result\"; with str alone the model is asked again",
            "request_limit=None": "\"Each of the limits can be set to None to disable that limit\"; the default is 50",
            "retries={'tools': 1000}": "unknown tools count as retries, of which 1 is the default",
            "empty responses": "are not sent, as in pydantic_ai/models: \"if len(assistant_content_params) > 0\"",
            "ToolFailed(text)": "how a scripted tool says that it failed; other exceptions end a run",
        },
    ),
    Framework(
        "langchain", "langchain", "langchain", "https://docs.langchain.com/oss/python/langchain/agents",
        LOOP | {"max-turns", "raw-arguments"},
        {
            "labels": Says(
                "closed", "Examples: response headers, logprobs, token counts, model name.",
                "langchain_core/messages/base.py",
            ),
            "calls": Says(
                "parallel", "Parallel execution of multiple tool calls for efficiency",
                "langgraph/prebuilt/tool_node.py, ToolNode",
            ),
            "turn-limit": Says(
                "raise", "Raise a `ModelCallLimitExceededError`",
                "langchain/agents/middleware/model_call_limit.py, ModelCallLimitMiddleware",
            ),
            "keeps": Says(
                "turns", "Used for persisting the state of the graph (e.g., as chat memory) for a single thread",
                "langchain/agents/factory.py, create_agent",
            ),
        },
        lacks={
            "error-reply": "an AIMessage has no mark that says it failed",
            "usage": "create_agent adds up no usage",
        },
        settings={
            "checkpointer=InMemorySaver(), durability='sync'": "the record, stored before the next step starts",
            "ModelCallLimitMiddleware(run_limit=N, exit_behavior='error')": "the turn limit; create_agent has none of its own",
            "recursion_limit=1000000": "the number of graph steps is no limit on turns here",
            "ToolException, handle_tool_error=True": "how a scripted tool says that it failed; other exceptions end a run",
        },
    ),
    Framework(
        "strands", "strands-agents", "strands", "https://strandsagents.com/",
        LOOP | {"max-turns", "raw-arguments"},
        {
            "labels": Says("none", "stop_reason: The reason why the agent's processing stopped.", "strands/agent/agent_result.py, AgentResult"),
            "calls": Says("parallel", "Concurrent tool executor.", "strands/tools/executors/concurrent.py, ConcurrentToolExecutor"),
            "provider-errors": Says("wrap", "original_exception: The original exception that was raised.", "strands/types/exceptions.py, EventLoopException"),
            "specs": Says("completed", "Normalize a JSON schema to match expectations.", "strands/tools/tools.py, normalize_schema"),
            "turn-limit": Says("other", '"limit_turns": Agent loop stopped because the ``limits["turns"]`` cap was reached', "strands/types/event_loop.py, StopReason"),
            "keeps": Says("turns", "List of initial messages to pre-load into the conversation.", "strands/agent/agent.py, Agent"),
        },
        lacks={"error-reply": "a message has no mark that says it failed", "usage": "its metrics are of one invocation"},
        settings={
            "blank text, odd names": "are not played: \"Remove or replace blank text in message content\", \"Ensure the tool-uses always have valid names before sending\"",
            "conversation_manager=NullConversationManager()": "the default drops messages beyond a window",
            "retry_strategy=None": "a provider's error is told at once",
            "limits={'turns': N}": "the turn limit; \"Omit any field for no limit on that dimension\"",
            "max_turns < 1": "is not played: \"Each cap, when set, must be a positive int\"",
        },
    ),
    Framework(
        "haystack", "haystack-ai", "haystack", "https://docs.haystack.deepset.ai/docs/agent",
        LOOP | {"max-turns"},
        {
            "labels": Says("closed", "(the model returned an incomplete reply, which may contain partial text)", "haystack/components/agents/agent.py, Agent.run"),
            "calls": Says("parallel", "Set to 1 to disable parallel tool execution.", "haystack/components/agents/agent.py, Agent"),
            "turn-limit": Says("other", "If the agent reaches this number of steps it stops and returns the current state.", "haystack/components/agents/agent.py, Agent"),
            "keeps": Says("turns", "List of all messages exchanged during the agent's run.", "haystack/components/agents/agent.py, Agent.run"),
        },
        lacks={
            "error-reply": "a ChatMessage has no mark that says it failed",
            "raw-arguments": "a ToolCall's arguments are a dict",
            "usage": "token_usage is of one run",
        },
        settings={
            "empty replies": "are not played: \"An empty response without a recognized terminal reason does not trigger an exit\"",
            "max_agent_steps": "the turn limit; the default is 100, and a billion stands for none",
            "messages=[*messages, prompt]": "how a conversation goes on: an Agent remembers nothing itself, so after a run that raised nothing more is played",
            "hooks={'before_run': ...}": "shows the state of a run, so that its messages can be seen however it ends",
        },
    ),
)  # fmt: skip

FRAMEWORKS: Mapping[str, Framework] = {framework.name: framework for framework in _ALL}
