"""An adapter for a harness in Python: it speaks the process protocol of harness-props, version 1.

    harness-props smoke 'process:python3 adapter.py' --validate

It brings a small loop of its own, so that it runs as it stands. Put your harness in the place of `Agent`: give it
`call_model` where it calls its model, and `call_tool` where it runs a tool. Change nothing else on the way:
the adapter translates and never repairs. Standard library only; Python 3.9 or later.
"""

import json
import os
import sys

NAME, VERSION, HOMEPAGE = "my-agent", "0.1", ""
CAPABILITIES = ["loop", "record", "max-turns", "error-reply"]
POLICIES = {}
PLAYS = ["cancel", "changes", "odd-values"]


# -- the harness: put yours here -----------------------------------------------------------------


class Agent:
    """A loop that keeps a record: calls the model, runs the tools that it asks for, until it answers."""

    def __init__(self, system, tools, history, call_model, call_tool):
        self.system, self.tools, self.record = system, tools, list(history)
        self.call_model, self.call_tool = call_model, call_tool

    def run(self, prompt, max_turns=None):
        self.close_open_calls()
        self.record.append({"role": "user", "content": prompt})
        turns = 0
        while True:
            if max_turns is not None and turns >= max_turns:
                stop = {"role": "assistant", "content": [], "stop_reason": "error",
                        "error_message": f"stopped after max_turns={max_turns}"}
                self.record.append(stop)
                return stop
            turns += 1
            reply = self.call_model(self.system, self.request(), self.tools)
            self.record.append(reply)
            calls = [block for block in reply["content"] if block["type"] == "toolCall"]
            if reply.get("stop_reason") == "error" or not calls:
                return reply
            for call in calls:
                self.record.append(self.result_of(call))

    def request(self):
        """What is sent: the record, failed replies without their calls, and no reply that is empty."""
        sent = []
        for message in self.record:
            if failed(message):
                words = [block for block in message["content"] if block["type"] != "toolCall"]
                message = {**message, "content": words}
            if message["content"] != []:
                sent.append(message)
        return sent

    def result_of(self, call):
        result = {"role": "toolResult", "tool_call_id": call["id"], "tool_name": call["name"],
                  "content": "", "is_error": False}
        arguments = json.loads(json.dumps(call.get("arguments")))  # a copy: the tool may edit it
        try:
            if not any(tool["name"] == call["name"] for tool in self.tools):
                raise LookupError(f"there is no tool called {call['name']!r}")
            content = self.call_tool(call, arguments)
            if not isinstance(content, str):
                raise TypeError(f"the tool returned {type(content).__name__}, not text")
            result["content"] = content.encode("utf-8", "backslashreplace").decode()
        except Exception as error:
            result["content"], result["is_error"] = said(error), True
        return result

    def close_open_calls(self):
        """An interrupt may have left calls without a result; no provider takes such a record."""
        answered = {m["tool_call_id"] for m in self.record if m["role"] == "toolResult"}
        for message in [m for m in self.record if m["role"] == "assistant" and not failed(m)][-1:]:
            for call in message["content"]:
                if call["type"] == "toolCall" and call["id"] not in answered:
                    self.record.append({"role": "toolResult", "tool_call_id": call["id"], "is_error": True,
                                        "tool_name": call["name"], "content": "interrupted"})


def failed(message):
    return message.get("stop_reason") == "error"


def said(error):
    """What an exception says; its type if it says nothing."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return text if text.strip() else getattr(error, "kind", type(error).__name__)


# -- the adapter ---------------------------------------------------------------------------------


class Failure(Exception):
    """An exception that the suite handed in; `kind` is its type there, `key` tells which it is."""

    def __init__(self, error):
        super().__init__(error["text"])
        self.kind, self.key, self.unreadable = error["type"], error.get("key"), error.get("unreadable")

    def __str__(self):
        if self.unreadable:
            raise RuntimeError("this exception has no readable text")
        return super().__str__()


class Stop(BaseException):
    """The suite ends the run. Not an Exception, so that no guard catches it."""


class Unplayable(Exception):
    """Raise this when the harness's own types cannot say what a script holds: the script is passed over."""

    last = None  # whatever the harness makes of it

    def __init__(self, why):
        super().__init__(why)
        Unplayable.last = self


class Lines:
    """One JSON object a line. What the harness prints on standard output does not get in the way."""

    def __init__(self):
        self.source = os.fdopen(int(os.environ.get("HARNESS_PROPS_IN", 0)), "rb")
        self.sink = os.fdopen(int(os.environ.get("HARNESS_PROPS_OUT", 1)), "wb")
        self.number = 0

    def send(self, message):
        self.sink.write(json.dumps(message).encode() + b"\n")
        self.sink.flush()

    def receive(self):
        line = self.source.readline()
        if not line:  # the suite is gone
            os._exit(0)
        return json.loads(line)

    def ask(self, kind, **fields):
        """One callback: send it, wait for its answer, and raise what the answer asks to be raised."""
        self.number += 1
        self.send({"type": kind, "id": self.number, **fields})
        while True:
            answer = self.receive()
            if answer["type"] == "cancel":
                self.send({"type": "done", "id": answer["id"]})
                raise Stop
            if answer.get("id") == self.number:
                break
        if answer["type"] == "stop":
            raise Stop
        if answer["type"] == "failure":
            raise Failure(answer["error"])
        return answer


class Adapter:
    """Answers the suite's commands."""

    def __init__(self):
        self.lines = Lines()
        self.agent = None

    def serve(self):
        while True:
            command = self.lines.receive()
            perform = getattr(self, "do_" + command["type"], None)
            if perform is None:
                answer = {"type": "error", "unknown": True, "message": f"no command {command['type']!r}"}
            else:
                try:
                    answer = {"type": "done", **perform(command)}
                except Unplayable as why:
                    answer = {"type": "error", "unplayable": True, "message": str(why)}
                except Exception as error:
                    answer = {"type": "error", "message": f"{type(error).__name__}: {error}"}
            self.lines.send({**answer, "id": command["id"]})
            if command["type"] == "goodbye":
                return

    def do_hello(self, _):
        return {"protocol": 1, "name": NAME, "version": VERSION, "homepage": HOMEPAGE,
                "capabilities": CAPABILITIES, "policies": POLICIES, "plays": PLAYS}

    def do_start(self, command):
        self.agent = Agent(command["system"], command["tools"], command["history"], self.model, self.tool)
        return {}

    def do_prompt(self, command):
        Unplayable.last = None
        try:
            returned = self.agent.run(command["text"], command.get("max_turns"))
            end = {"ending": "returned", "returned": returned}
        except Stop:
            end = {"ending": "stopped"}
        except Failure as error:
            end = {"ending": "raised", "error": {"type": error.kind, "text": "", "key": error.key}}
        except Exception as error:
            end = {"ending": "raised", "error": {"type": type(error).__name__, "text": str(error)}}
        if Unplayable.last is not None:
            raise Unplayable.last
        return {**end, "record": self.agent.record}

    def do_record(self, _):
        return {"messages": self.agent.record}

    def do_cancel(self, _):
        return {}

    def do_goodbye(self, _):
        return {}

    def model(self, system, messages, tools):
        """What the harness calls in place of its model."""
        answer = self.lines.ask("model", system=system, messages=messages, tools=tools,
                                record=self.agent.record)
        return answer["message"]

    def tool(self, call, arguments):
        """What the harness calls in place of its tools."""
        answer = self.lines.ask("execute", call_id=call["id"], name=call["name"], arguments=arguments,
                                record=self.agent.record)
        if answer.get("changes"):
            change(arguments)
        return odd_value(answer["odd"]) if "odd" in answer else answer["content"]


def change(value):
    """What a tool does that edits its arguments in place."""
    if isinstance(value, dict):
        for inner in value.values():
            change(inner)
        value["changed"] = True
    elif isinstance(value, list):
        for inner in value:
            change(inner)
        value.append("changed")


def odd_value(kind):
    """What a tool gives back that no JSON holds."""
    cycle = []
    cycle.append(cycle)
    return {"bytes": b"\xff", "set": {1}, "cycle": cycle, "object": object()}[kind]


if __name__ == "__main__":
    sys.exit(Adapter().serve())
