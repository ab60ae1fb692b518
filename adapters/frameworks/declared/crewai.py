"""What CrewAI's Agent can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "crewai", "crewai", "crewai", "https://docs.crewai.com/",
    LOOP | {"raw-arguments"},
    {
        "labels": Says("none", "Either a text response from the LLM (str) or", "crewai/llms/base_llm.py, BaseLLM.call"),
        "marks": Says("no", '"tool_call_id": call_id, "name": func_name, "content": result,', "crewai/agents/agent_executor.py, AgentExecutor"),
        "specs": Says("completed", "json_schema = force_additional_properties_false(json_schema)", "crewai/utilities/pydantic_schema_utils.py, generate_model_description"),
        "answer": Says("text", "LiteAgentOutput with raw output, formatted result, and metrics.", "crewai/agent/core.py, Agent.kickoff"),
        "keeps": Says("turns", "Group all tool calls into a single assistant message", "crewai/agents/agent_executor.py, AgentExecutor"),
    },
    lacks={
        "max-turns": "at max_iter it \"Performs one more LLM call to get the final answer\"",
        "error-reply": "what BaseLLM.call gives back has no mark that says it failed",
        "usage": "usage_metrics are of one kickoff",
    },
    settings={
        "role, goal": "fixed; the backstory is the system text, and what the templates put round it and round a prompt is taken off",
        "max_iter=1000000000": "no limit; the default is 25. What a script's own limit would end is not played",
        "use_better_compaction=False": "else a very long result is put into a file: \"Replace an oversized successful result with a deferred-file reference.\"",
        "respect_context_window=False": "else a long conversation is summarized",
        "messages=[*messages, prompt]": "how a conversation goes on: an Agent remembers nothing itself, so after a run that raised nothing more is played",
        "max_usage_count": "a billion: tools that have one run one after the other, others in threads",
        "text beside calls": "is left out of what BaseLLM.call gives back, as CrewAI's own models leave it out",
        "trailing whitespace": "is not played: \"Create an LLM message with trailing whitespace removed.\"",
        "empty texts": "are not played: \"ValueError: If the response is None or empty.\"",
        "odd names": "are not played: \"Sanitized tool name (lowercase, a-z0-9_ only, max 64 chars).\"",
        "five identical calls": "are not played: \"Stop a run that keeps repeating an identical tool call.\"",
    },
)  # fmt: skip
