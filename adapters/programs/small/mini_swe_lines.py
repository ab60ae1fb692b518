"""mini-swe-agent as a process that plays many runs: its own command, called once for each line."""

import json
import os
import sys

from minisweagent.run.mini import DEFAULT_CONFIG_FILE, main


def run(prompt: str) -> dict[str, str]:
    """Play a prompt as `mini -y --exit-immediately -l 0 -t PROMPT` does; an exception is told in words."""
    given = dict.fromkeys(("model_class", "agent_class", "environment_class", "output"))
    try:
        agent = main(
            model_name=f"openai/{os.environ['MODEL']}", task=prompt, yolo=True, cost_limit=0.0,
            config_spec=[str(DEFAULT_CONFIG_FILE)], exit_immediately=True, **given,
        )  # fmt: skip
    except Exception as error:
        return {"ended": "raised", "said": f"{type(error).__name__}: {error}"}
    return {"ended": "returned", "said": str(agent.messages[-1].get("content", ""))}


def serve() -> None:
    """Answer each line with one; what the agent prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        job = json.loads(line)
        answer = run(job["prompt"]) if "prompt" in job else {"began": "yes"}
        out.write(json.dumps(answer) + "\n")
        out.flush()


serve()
