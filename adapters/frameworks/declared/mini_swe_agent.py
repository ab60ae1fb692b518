"""What mini-swe-agent's DefaultAgent can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "mini-swe-agent", "mini-swe-agent", "minisweagent", "https://mini-swe-agent.com/latest/",
    LOOP | {"max-turns", "raw-arguments"},
    {
        "labels": Says("none", "def query(self, messages: list[dict[str, str]], **kwargs) -> dict: ...", "minisweagent/__init__.py, Model"),
        "calls": Says("sequential", 'outputs = [self.env.execute(action) for action in message.get("extra", {}).get("actions", [])]', "minisweagent/agents/default.py, DefaultAgent.execute_actions"),
        "turn-limit": Says("other", '"extra": {"exit_status": "LimitsExceeded", "submission": ""},', "minisweagent/agents/default.py, DefaultAgent.query"),
        "answer": Says("text", "Run step() until agent is finished. Returns dictionary with exit_status, submission keys.", "minisweagent/agents/default.py, DefaultAgent.run"),
        "keeps": Says("turns", "Execute actions in message, add observation messages, return them.", "minisweagent/agents/default.py, DefaultAgent.execute_actions"),
    },
    lacks={
        "error-reply": "a message has no mark that says it failed",
        "usage": "it adds up costs, not tokens",
    },
    settings={
        "bash": "is its one tool: each scripted tool is a command of the environment, which prints what the tool gives back",
        "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT": "a reply without calls is given by a command that prints this and the text, as its prompts ask for",
        "replies of several calls, one of them malformed": "are not played: \"Raises FormatError if unknown tool or invalid args.\"",
        "a fresh agent for each prompt": "run() sets its messages to none, so what was said before is put behind the system message",
        "step_limit=N": "the turn limit; \"Maximum number of steps the agent can take\"",
        "cost_limit=0, max_consecutive_format_errors=0": "stand for none",
    },
)  # fmt: skip
