"""A reply with a malformed call, in a DefaultAgent: does the model see what it wrote?"""

import os
from types import SimpleNamespace

os.environ["MSWEA_SILENT_STARTUP"] = "1"

from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.test_models import DeterministicToolcallModel
from minisweagent.models.utils.actions_toolcall import parse_toolcall_actions

REPLIES = [("Let me look.", '{"comand": "ls"}'), (None, '{"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}')]


class Script(DeterministicToolcallModel):
    """Parses the calls of a reply where every model of mini-swe-agent does: in query()."""

    sent = []

    def query(self, messages, **_):
        self.sent.append([{k: v for k, v in m.items() if k != "extra"} for m in messages])
        text, arguments = REPLIES[len(self.sent) - 1]
        function = SimpleNamespace(name="bash", arguments=arguments)
        actions = parse_toolcall_actions([SimpleNamespace(id="c1", function=function)], format_error_template="{{ error }}")
        call = {"id": "c1", "type": "function", "function": vars(function)}
        return {"role": "assistant", "content": text, "tool_calls": [call], "extra": {"actions": actions, "cost": 0.0}}


model = Script(outputs=[])
DefaultAgent(model, LocalEnvironment(), system_template="Be careful.", instance_template="{{task}}").run("Go.")
print("the model is sent:")
for message in model.sent[1]:
    print("   ", message)
raise SystemExit(int(not any(m["role"] == "assistant" for m in model.sent[1])))
