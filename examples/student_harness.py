"""A student's harness after lesson 6. It reads well, it answers well, and it has one bug."""

SYSTEM = "You help with the files of a small project."

LINES, BYTES = 2000, 50_000


# messages


def user_message(text):
    return {"role": "user", "content": text}


def _of_type(message, wanted):
    return [block for block in message["content"] if block["type"] == wanted]


def text_of(message):
    return "".join(block["text"] for block in _of_type(message, "text"))


def tool_calls(message):
    return _of_type(message, "toolCall")


def error_message(text):
    return {"role": "assistant", "content": [], "stop_reason": "error", "error_message": text}


# arguments


def str_arg(arguments, name):
    value = arguments.get(name)
    if not isinstance(value, str):
        raise ValueError(f"I need a text for {name}")
    return value


def int_arg(arguments, name, default):
    value = arguments.get(name, None)
    if value is None:
        return default
    if not isinstance(value, int):
        raise ValueError(f"I need a whole number for {name}")
    return value


# running tools


def tool_specs(tools):
    return [{key: tool[key] for key in ("name", "description", "parameters")} for tool in tools]


def run_tool(tools, call):
    result = {"role": "toolResult", "tool_call_id": call["id"], "tool_name": call["name"]}
    for tool in tools:
        if tool["name"] == call["name"]:
            try:
                return {**result, "content": tool["execute"](call["arguments"]), "is_error": False}
            except Exception as problem:
                return {**result, "content": str(problem), "is_error": True}
    return {**result, "content": f"I have no tool called {call['name']}", "is_error": True}


# fitting a text into the budget


def _how_many_fit(lines, max_lines, max_bytes):
    size = 0
    for number, line in enumerate(lines):
        size += len(line)
        if number == max_lines or size > max_bytes:
            return number
    return len(lines)


def truncate_head(text, max_lines=LINES, max_bytes=BYTES):
    lines = text.splitlines(keepends=True)
    fit = _how_many_fit(lines, max_lines, max_bytes)
    return "".join(lines[:fit]), fit


def truncate_tail(text, max_lines=LINES, max_bytes=BYTES):
    lines = text.splitlines(keepends=True)
    fit = _how_many_fit(lines[::-1], max_lines, max_bytes)
    return "".join(lines[len(lines) - fit :]), fit


# the tools


def _schema(required, **types):
    return {"type": "object", "properties": {k: {"type": t} for k, t in types.items()}, "required": required}


def make_read_tool(ws, max_lines=LINES, max_bytes=BYTES):
    def execute(arguments):
        path = str_arg(arguments, "path")
        start, limit = int_arg(arguments, "offset", 1), int_arg(arguments, "limit", None)
        if start < 1 or (limit is not None and limit < 1):
            raise ValueError("offset and limit begin at 1")
        if not ws.exists(path):
            raise FileNotFoundError(f"There is no {path}; there are {', '.join(ws.listdir('.'))}")
        lines = ws.read_text(path).splitlines(keepends=True)
        if start > max(len(lines), 1):
            raise ValueError(f"{path} has only {len(lines)} lines, so there is no line {start}")
        wanted = lines[start - 1 :] if limit is None else lines[start - 1 : start - 1 + limit]
        page, shown = truncate_head("".join(wanted), max_lines, max_bytes)
        if wanted and not shown:
            size = len(wanted[0].encode())
            onward = f" Go on with offset={start + 1}." if start < len(lines) else ""
            return f"[Line {start} has {size} bytes, more than the {max_bytes} of one read.{onward}]"
        end = start + shown - 1
        if end < len(lines):
            page += f"[Showing lines {start}-{end} of {len(lines)}. Use offset={end + 1} to continue.]"
        return page

    about = f"Read a file, at most {max_lines} lines or {max_bytes} bytes at once. offset goes on from there."
    parameters = _schema(["path"], path="string", offset="integer", limit="integer")
    return {"name": "read", "description": about, "parameters": parameters, "execute": execute}


def make_write_tool(ws):
    def execute(arguments):
        path, content = str_arg(arguments, "path"), str_arg(arguments, "content")
        ws.write_text(path, content)
        return f"Wrote {path}."

    parameters = _schema(["path", "content"], path="string", content="string")
    return {"name": "write", "description": "Write a whole file.", "parameters": parameters, "execute": execute}


def make_bash_tool(shell, max_lines=LINES, max_bytes=BYTES):
    def execute(arguments):
        output, code = shell.run(str_arg(arguments, "command"))
        total = len(output.splitlines())
        kept, shown = truncate_tail(output, max_lines, max_bytes)
        if shown < total:
            kept += f"\n[The last {shown} of {total} lines.]"
        if code:
            kept += f"\n(exit code {code})"
        return kept

    about = f"Run a command; the last {max_lines} lines or {max_bytes} bytes of its output come back."
    parameters = _schema(["command"], command="string")
    return {"name": "bash", "description": about, "parameters": parameters, "execute": execute}


# the loop


def context_for_model(messages):
    def sendable(message):
        failed = message["role"] == "assistant" and message.get("stop_reason") == "error"
        return not failed or message["content"]

    return [message for message in messages if sendable(message)]


def run_agent(model, system, messages, tools, prompt, *, max_turns=None):
    messages.append(user_message(prompt))
    turns = 0
    while max_turns is None or turns < max_turns:
        turns += 1
        reply = model.complete(system, context_for_model(messages), tool_specs(tools))
        messages.append(reply)
        if reply["stop_reason"] == "error" or not tool_calls(reply):
            return reply
        for call in tool_calls(reply):
            messages.append(run_tool(tools, call))
    messages.append(error_message(f"Stopped: max_turns={max_turns} is used up"))
    return messages[-1]
