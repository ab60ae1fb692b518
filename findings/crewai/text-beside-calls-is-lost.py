"""A model says something and calls a tool in the same reply: does the next request hold what it said?"""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_DISABLE_VERSION_CHECK"] = "true"
from crewai import LLM, Agent
from crewai.tools import tool

asked = []
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
REPLIES = [{"role": "assistant", "content": "The key is in drawer 7.", "tool_calls": [CALL]},
           {"role": "assistant", "content": "Done."}]


class Provider(BaseHTTPRequestHandler):  # a chat completions server on the loopback
    def do_POST(self):
        asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"])
        choice = {"index": 0, "message": REPLIES[len(asked) - 1], "finish_reason": "stop"}
        body = json.dumps({"id": "r", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


@tool("look")
def look() -> str:
    """Look round."""
    return "nothing here"


server = HTTPServer(("127.0.0.1", 0), Provider)
threading.Thread(target=server.serve_forever, daemon=True).start()
model = LLM(model="openai/gpt-4o", base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none")
agent = Agent(role="Finder", goal="Find.", backstory="None.", llm=model, tools=[look])
agent.kickoff("Where is the key?")
replies = [m for m in asked[1] if m["role"] == "assistant"]
print("the model said", REPLIES[0]["content"], "- the next request holds", replies)
raise SystemExit("drawer 7" not in json.dumps(asked[1]))
