"""A tool gives back a text with a lone surrogate, as file names decoded with surrogateescape hold."""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_DISABLE_VERSION_CHECK"] = "true"
from crewai import LLM, Agent
from crewai.events.utils.console_formatter import set_suppress_console_output
from crewai.tools import tool

set_suppress_console_output(True)  # it would print the odd name
asked = []
CALL = {"id": "c1", "type": "function", "function": {"name": "list_files", "arguments": "{}"}}
REPLIES = [{"role": "assistant", "content": None, "tool_calls": [CALL]}, {"role": "assistant", "content": "Done."}]


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


@tool("list_files")
def list_files() -> str:
    """List the files."""
    return b"caf\xe9.txt".decode(errors="surrogateescape")  # what os.listdir gives for such a name


server = HTTPServer(("127.0.0.1", 0), Provider)
threading.Thread(target=server.serve_forever, daemon=True).start()
model = LLM(model="openai/gpt-4o", base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none")
agent = Agent(role="Finder", goal="Find.", backstory="None.", llm=model, tools=[list_files])
try:
    print("the run ends with", agent.kickoff("Which files are there?").raw)
except Exception as error:
    print("the run ends with", type(error).__name__, error)
    raise SystemExit(1)
