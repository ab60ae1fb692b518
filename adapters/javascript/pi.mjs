/** pi's agent core under both of its names: an Agent on a stream function of the suite's, and its messages. */

import { STOPPED, assistant, call, filled, isObject, result, spec, text, thinking, user } from "./protocol.mjs";

const NONE = { cacheRead: 0, cacheWrite: 0, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
const MODEL = { id: "scripted", name: "scripted", api: "scripted", provider: "scripted", baseUrl: "", reasoning: false,
  input: ["text"], cost: NONE.cost, contextWindow: 1_000_000, maxTokens: 32_000 };

/**
 * Sessions of an Agent. `pi` holds what the two packages export: Agent, createAssistantMessageEventStream,
 * validateToolArguments, transformMessages, sanitizeSurrogates; and `parts`, which takes a context apart.
 */
export const opens = (pi) => (talk) => {
  talk.fails = true;
  talk.pi = pi;
  talk.natives = talk.tools.map((given) => native(given, talk));
  const messages = talk.history.map((message) => talk.own(() => written(message, talk)));
  const agent = new pi.Agent({
    initialState: { systemPrompt: talk.system, model: MODEL, tools: talk.natives, messages },
    streamFn: (_, context, options) => streamed(context, options, talk),
  });
  return {
    async prompt(said, limit) {
      talk.left = limit ?? Infinity; // model calls until a limit is reached, which an Agent does not have
      const stop = () => agent.abort();
      talk.stop.signal.addEventListener("abort", stop);
      await agent.prompt(said);
      const back = agent.state.messages.at(-1);
      return back.stopReason === "aborted" ? STOPPED : shown(back);
    },
    record: () => agent.state.messages.filter(({ role }) => role !== "system").map(shown),
  };
};

/** A stream as a provider's: failures are told in it, for a StreamFn "must not throw". */
function streamed(context, options, talk) {
  if (talk.left-- <= 0) throw talk.unplayable("an Agent has no limit on its turns");
  const stream = talk.pi.createAssistantMessageEventStream();
  const request = () => {
    const { system, tools, messages } = talk.pi.parts(context);
    return {
      system, messages: sent(messages, talk.pi),
      tools: tools.map(({ name, description, parameters }) => spec(name, description, parameters)),
    };
  };
  talk.ask(request, (reply) => written(reply, talk), context.messages)
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
      if (typeof said === "string" && talk.pi.sanitizeSurrogates(said) !== said) {
        throw talk.unplayable("pi-ai's providers remove unpaired surrogates from what they send");
      }
      return typeof said === "string" ? { content: [{ type: "text", text: said }], details: {} } : said;
    },
  };
}

// ---- messages -------------------------------------------------------------------------------------------

/** What pi-ai's providers send of the messages: no failed turns, no empty ones, no broken text. */
function sent(messages, { transformMessages, sanitizeSurrogates }) {
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
function written(message, talk) {
  const timestamp = Date.now();
  if (message.role === "user") return { role: "user", content: [{ type: "text", text: message.content }], timestamp };
  if (message.role === "toolResult") {
    return { role: "toolResult", toolCallId: message.tool_call_id, toolName: message.tool_name, isError: message.is_error,
      content: [{ type: "text", text: message.content }], details: {}, timestamp };
  }
  const content = message.content.map((each) => part(each, talk));
  const called = content.some((each) => each.type === "toolCall");
  const usual = called ? "toolUse" : "stop";
  const { input = 0, output = 0 } = message.usage ?? {};
  return {
    role: "assistant", content, api: MODEL.api, provider: MODEL.provider, model: MODEL.id, timestamp,
    usage: { ...NONE, input, output, totalTokens: input + output },
    stopReason: REASONS.includes(message.stop_reason) ? message.stop_reason : usual,
    ...(message.error_message === undefined ? {} : { errorMessage: message.error_message }),
  };
}

/** A block of a reply as pi's. */
function part(each, talk) {
  if (each.type === "text") return { type: "text", text: each.text };
  if (each.type === "thinking") {
    if (!each.thinking.trim()) throw talk.unplayable("pi-ai's providers skip empty thinking blocks");
    return { type: "thinking", thinking: each.thinking };
  }
  if (each.type !== "toolCall") throw talk.unplayable(`pi knows no content block of the type ${each.type}`);
  if (!isObject(each.arguments)) throw talk.unplayable("a ToolCall of pi's holds an object as its arguments");
  const made = { type: "toolCall", id: each.id, name: each.name, arguments: each.arguments };
  const tool = talk.natives.find(({ name }) => name === each.name);
  if (tool && JSON.stringify(valid(tool, made, talk.pi) ?? each.arguments) !== JSON.stringify(each.arguments)) {
    throw talk.unplayable("pi gives a tool \"the validated (and potentially coerced) arguments\"");
  }
  return made;
}

function valid(tool, made, { validateToolArguments }) {
  try {
    return validateToolArguments(tool, made);
  } catch {
    return null; // pi turns the call down, and that is played
  }
}

/** What a provider of pi-ai makes of a request that failed. */
function failure(reason, said) {
  return { ...written(assistant([])), stopReason: reason, errorMessage: said };
}
