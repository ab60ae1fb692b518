/** pi-agent-core under its old name: its Agent on a stream function of the suite's, and its messages. */

import { Agent } from "@mariozechner/pi-agent-core";
import { createAssistantMessageEventStream, validateToolArguments } from "@mariozechner/pi-ai";
import { STOPPED, assistant, call, filled, isObject, result, serve, spec, text, thinking, user } from "../protocol.mjs";

// what every provider of pi-ai does to the messages that it sends; the package does not export these two
const inside = new URL("node_modules/@mariozechner/pi-ai/dist/", import.meta.url);
const { transformMessages } = await import(new URL("providers/transform-messages.js", inside));
const { sanitizeSurrogates } = await import(new URL("utils/sanitize-unicode.js", inside));

const NONE = { cacheRead: 0, cacheWrite: 0, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
const MODEL = { id: "scripted", name: "scripted", api: "scripted", provider: "scripted", baseUrl: "", reasoning: false,
  input: ["text"], cost: NONE.cost, contextWindow: 1_000_000, maxTokens: 32_000 };

serve(import.meta.url, (talk) => {
  talk.fails = true;
  const tools = talk.tools.map((given) => native(given, talk));
  const messages = talk.history.map((message) => talk.own(() => written(message, talk, tools)));
  const agent = new Agent({
    initialState: { systemPrompt: talk.system, model: MODEL, tools, messages },
    streamFn: (_, context, options) => streamed(context, options, talk, tools),
  });
  return {
    async prompt(said, limit) {
      if (limit !== null) throw talk.unplayable("an Agent has no limit on its turns");
      const stop = () => agent.abort();
      talk.stop.signal.addEventListener("abort", stop);
      await agent.prompt(said);
      const back = agent.state.messages.at(-1);
      return back.stopReason === "aborted" ? STOPPED : shown(back);
    },
    record: () => agent.state.messages.map(shown),
  };
});

/** A stream as a provider's: failures are told in it, for a StreamFn "must not throw". */
function streamed(context, options, talk, tools) {
  const stream = createAssistantMessageEventStream();
  const request = () => ({
    system: context.systemPrompt, messages: sent(context.messages),
    tools: context.tools.map((tool) => spec(tool.name, tool.description, tool.parameters)),
  });
  talk.ask(request, (reply) => reply, context.messages).then((reply) => talk.own(() => written(reply, talk, tools)))
    .catch((error) => failure(options.signal?.aborted ? "aborted" : "error", String(error.message)))
    .then((message) => {
      const failed = message.stopReason === "error" || message.stopReason === "aborted";
      const { stopReason: reason } = message;
      stream.push(failed ? { type: "error", reason, error: message } : { type: "done", reason, message });
    });
  return stream;
}

/** A scripted tool as pi's. */
function native({ name, description, parameters }, talk) {
  return {
    name, label: name, description, parameters,
    async execute(id, given) {
      const said = await talk.use(name, given, id);
      return typeof said === "string" ? { content: [{ type: "text", text: said }], details: {} } : said;
    },
  };
}

// ---- messages -------------------------------------------------------------------------------------------

/** What pi-ai's providers send of the messages: no failed turns, no empty ones, no broken text. */
function sent(messages) {
  return filled(transformMessages(messages, MODEL).map(shown)).map((message) => (
    typeof message.content === "string" ? { ...message, content: sanitizeSurrogates(message.content) } : message
  ));
}

/** One of pi's messages in normal form. */
function shown(message) {
  if (message.role === "user") return user(joined(message.content));
  if (message.role === "toolResult") {
    return result(message.toolCallId, message.toolName, joined(message.content), { is_error: message.isError });
  }
  const { input, output } = message.usage;
  const more = message.errorMessage === undefined ? {} : { error_message: message.errorMessage };
  return assistant(message.content.map(block), { stop_reason: message.stopReason, usage: { input, output }, ...more });
}

function joined(content) {
  return Array.isArray(content) ? content.map((part) => part?.text ?? part).join("") : content ?? null;
}

function block(part) {
  if (part.type === "toolCall") return call(part.id, part.name, part.arguments);
  return part.type === "thinking" ? thinking(part.thinking) : text(part.text);
}

const REASONS = ["stop", "length", "toolUse", "error"];

/** A message in normal form as pi's. Labels that pi has no word for become the one its providers give. */
function written(message, talk, tools) {
  const timestamp = Date.now();
  if (message.role === "user") return { role: "user", content: [{ type: "text", text: message.content }], timestamp };
  if (message.role === "toolResult") {
    return { role: "toolResult", toolCallId: message.tool_call_id, toolName: message.tool_name, isError: message.is_error,
      content: [{ type: "text", text: message.content }], details: {}, timestamp };
  }
  const content = message.content.map((each) => part(each, talk, tools));
  const usual = content.some((each) => each.type === "toolCall") ? "toolUse" : "stop";
  const { input = 0, output = 0 } = message.usage ?? {};
  return {
    role: "assistant", content, api: MODEL.api, provider: MODEL.provider, model: MODEL.id, timestamp,
    usage: { ...NONE, input, output, totalTokens: input + output },
    stopReason: REASONS.includes(message.stop_reason) ? message.stop_reason : usual,
    ...(message.error_message === undefined ? {} : { errorMessage: message.error_message }),
  };
}

/** A block of a reply as pi's. */
function part(each, talk, tools) {
  if (each.type === "text") return { type: "text", text: each.text };
  if (each.type === "thinking") {
    if (!each.thinking.trim()) throw talk.unplayable("pi-ai's providers skip empty thinking blocks");
    return { type: "thinking", thinking: each.thinking };
  }
  if (each.type !== "toolCall") throw talk.unplayable(`pi knows no content block of the type ${each.type}`);
  if (!isObject(each.arguments)) throw talk.unplayable("a ToolCall of pi's holds an object as its arguments");
  const made = { type: "toolCall", id: each.id, name: each.name, arguments: each.arguments };
  const tool = tools.find(({ name }) => name === each.name);
  if (tool && JSON.stringify(valid(tool, made) ?? each.arguments) !== JSON.stringify(each.arguments)) {
    throw talk.unplayable("pi gives a tool \"the validated (and potentially coerced) arguments\"");
  }
  return made;
}

function valid(tool, made) {
  try {
    return validateToolArguments(tool, made);
  } catch {
    return null; // pi turns the call down, and that is played
  }
}

/** What a provider of pi-ai makes of a request that failed. */
function failure(reason, said) {
  return { ...written(assistant([]), null, []), stopReason: reason, errorMessage: said };
}
