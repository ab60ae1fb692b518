"""A harness with names of its own, and the adapter through which the suite reaches it."""

from types import SimpleNamespace

from adapters.contract import About
from adapters.local import Local
from adapters.shape import CourseShape


def chat(ask, functions, log, text):  # the harness under test; yours would be imported
    log.append({"role": "user", "content": text})
    while True:
        reply = ask([message for message in log if message["content"] or message["role"] != "assistant"])
        log.append(reply)
        calls = [block for block in reply["content"] if block["type"] == "toolCall"]
        if not calls or reply["stop_reason"] == "error":
            return reply
        for call in calls:
            log.append(answer(functions, call))


def answer(functions, call):
    result = {"role": "toolResult", "tool_call_id": call["id"], "tool_name": call["name"]}
    try:
        return {**result, "content": functions[call["name"]](call["arguments"]), "is_error": False}
    except Exception as error:
        return {**result, "content": repr(error), "is_error": True}


def run_agent(model, system, messages, tools, prompt, **_):  # the translation, and all that is needed of it
    specs = [{key: tool[key] for key in ("name", "description", "parameters")} for tool in tools]
    functions = {tool["name"]: tool["execute"] for tool in tools}
    return chat(lambda log: model.complete(system, log, specs), functions, messages, prompt)


shape = CourseShape(Local(lambda: SimpleNamespace(run_agent=run_agent)), About("toy", "1.0"))
harness = SimpleNamespace(about=shape.about, capabilities={"loop", "record"}, policies=shape.policies,
                          converse=shape.converse, restart=shape.restart, close=shape.close)  # fmt: skip
