"""What smolagents' ToolCallingAgent can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "smolagents", "smolagents", "smolagents", "https://huggingface.co/docs/smolagents",
    LOOP | {"raw-arguments", "usage"},
    {
        "labels": Says("none", "content: str | list[dict[str, Any]] | None = None tool_calls: list[ChatMessageToolCall] | None = None", "smolagents/models.py, ChatMessage"),
        "calls": Says("parallel", "Process tool calls in parallel", "smolagents/agents.py, ToolCallingAgent.process_tool_calls"),
        "validates": Says("yes", "Validate tool arguments against tool's input schema.", "smolagents/tools.py, validate_tool_arguments"),
        "provider-errors": Says("wrap", "Agent generation errors are not caused by a Model error but an implementation error: so we should raise them and exit.", "smolagents/agents.py, MultiStepAgent._run_stream"),
        "specs": Says("completed", "It has one `type`key and a `description`key.", "smolagents/tools.py, Tool"),
        "answer": Says("text", "executes all steps internally and returns only the final answer after completion", "smolagents/agents.py, MultiStepAgent.run"),
        "keeps": Says("turns", "List of steps taken by the agent, which can include tasks, actions, and planning steps.", "smolagents/memory.py, AgentMemory"),
    },
    lacks={
        "error-reply": "a ChatMessage has no mark that says it failed",
        "max-turns": "when max_steps is reached, the model is asked once more, for a final answer (MultiStepAgent.provide_final_answer)",
    },
    settings={
        "final_answer": "a reply without calls is given by this tool, and its observation is not shown: an agent goes on until it is called",
        "empty replies": "are not played: \"Other AgentError types are caused by the Model, so we should log them and iterate.\"",
        "max_steps=1000000000": "stands for none; the default is 20",
        "max_tool_threads=1": "one call of a reply after the other, so that the same script gives the same trace",
        "prompt_templates['system_prompt']='{{custom_instructions}}'": "the system prompt is the script's alone",
        "run(stream=True, reset=False)": "goes on with what was said before, and shows what each tool gave back",
        "errors": "reach the model as a user's message that names no call, as get_clean_message_list sends them (tool_role_conversions)",
    },
)  # fmt: skip
