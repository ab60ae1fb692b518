"""Two commands in one reply, the second of which submits, in a DefaultAgent: is the first one's output kept?"""

import os

os.environ["MSWEA_SILENT_STARTUP"] = "1"

from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.test_models import DeterministicToolcallModel, make_toolcall_output

COMMANDS = ["echo 3 tests failed", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"]
calls = [{"id": f"c{n}", "type": "function", "function": {"name": "bash", "arguments": f'{{"command": "{command}"}}'}}
         for n, command in enumerate(COMMANDS)]
actions = [{"command": command, "tool_call_id": f"c{n}"} for n, command in enumerate(COMMANDS)]
model = DeterministicToolcallModel(outputs=[make_toolcall_output("Tests, then done.", calls, actions)])
agent = DefaultAgent(model, LocalEnvironment(), system_template="Be careful.", instance_template="{{task}}")
agent.run("Go.")
for message in agent.messages:
    print(message["role"], repr(message["content"]))
raise SystemExit(int(not any("3 tests failed" in str(m["content"]) for m in agent.messages)))
