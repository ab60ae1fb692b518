/** The Vercel AI SDK, for all its versions: generateText and streamText on a mock model, and ModelMessages. */

import { STOPPED, assistant, call, parsed, result, spec, text, thinking, user } from "./protocol.mjs";

const REASONS = { toolUse: "tool-calls", length: "length", content_filter: "content-filter" };

/**
 * Sessions on the package `ai`, with a mock model of the class Model. `how` is "generate" or "stream"; `system` and
 * `step` are what this version calls the system prompt and the callback at the end of a step.
 */
export function opens({ ai, Model, how, system, step }) {
  return (talk) => {
    const tools = Object.fromEntries(talk.tools.map((given) => [given.name, native(ai, given, talk)]));
    const model = new Model({
      doGenerate: (options) => asked(options, talk),
      doStream: async (options) => ({ stream: ai.simulateReadableStream({ chunks: chunks(await asked(options, talk)), initialDelayInMs: null, chunkDelayInMs: null }) }),
    });
    let messages = talk.own(() => written(talk.history, talk));
    return {
      async prompt(said, limit) {
        if (limit !== null && limit < 1) throw talk.unplayable("steps are counted when they are over");
        messages = [...messages, { role: "user", content: said }];
        const before = messages;
        const options = {
          model, tools, messages, [system]: talk.system, maxRetries: 0, abortSignal: talk.stop.signal,
          stopWhen: limit === null ? () => false : ai.stepCountIs(limit),
          // a step of version 7 tells its own messages, one of version 6 those of all steps so far
          [step]: ({ response }) => { messages = [...(step === "onStepEnd" ? messages : before), ...response.messages]; },
        };
        const done = how === "stream" ? await streamed(ai.streamText({ ...options, onError() {} })) : await ai.generateText(options);
        if (done === STOPPED) return STOPPED;
        messages = [...before, ...(await done.responseMessages ?? (await done.response).messages)];
        return assistant([text(await done.text)]);
      },
      record: () => read(messages),
    };
  };
}

/** A stream read to its end; an error in it is thrown. */
async function streamed(done) {
  for await (const part of done.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") return STOPPED;
  }
  return done;
}

/** One call of the model; `sound` refuses replies that a library built on this one has no words for. */
export function asked({ prompt, tools }, talk, sound = () => {}) {
  const system = prompt.filter(({ role }) => role === "system").map(({ content }) => content).join("\n");
  const request = () => ({
    system, messages: read(prompt.filter(({ role }) => role !== "system")),
    tools: (tools ?? []).map((each) => spec(each.name, each.description, each.inputSchema)),
  });
  return talk.ask(request, (reply) => {
    sound(reply, talk);
    const content = blocks(reply, talk).map((each) => part(each, talk));
    const usual = content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
    const { input, output } = reply.usage ?? { input: 0, output: 0 };
    return {
      content, finishReason: { unified: reply.stop_reason === "stop" ? "stop" : REASONS[reply.stop_reason] ?? usual, raw: undefined },
      usage: { inputTokens: { total: input }, outputTokens: { total: output } }, warnings: [],
    };
  }, prompt);
}

/** A reply as the parts of a stream. */
export function chunks({ content, finishReason, usage }) {
  const made = content.flatMap((each, number) => {
    if (each.type === "tool-call") return [each];
    const [kind, id] = [each.type, String(number)];
    return [{ type: `${kind}-start`, id }, { type: `${kind}-delta`, id, delta: each.text }, { type: `${kind}-end`, id }];
  });
  return [{ type: "stream-start", warnings: [] }, ...made, { type: "finish", finishReason, usage }];
}

/** A scripted tool as the SDK's, with the schema that it was given. */
function native(ai, { name, description, parameters }, talk) {
  return ai.tool({
    description, inputSchema: ai.jsonSchema(parameters),
    execute: (given, { toolCallId }) => talk.use(name, given, toolCallId),
  });
}

// ---- messages -------------------------------------------------------------------------------------------

/** Messages of the SDK in normal form: a message for each prompt and each result. */
export function read(messages) {
  return messages.flatMap(({ role, content }) => {
    if (role === "user") return [user(typeof content === "string" ? content : content.map((each) => each.text).join(""))];
    if (role === "assistant") return [assistant(typeof content === "string" ? [text(content)] : content.map(block))];
    return content.map(({ toolCallId, toolName, output }) => (
      result(toolCallId, toolName, said(output), { is_error: output.type.startsWith("error-") })
    ));
  });
}

/** What a result says; its providers send a value that is no text as JSON. One that JSON cannot hold stays no text. */
function said({ type, value }) {
  if (type === "text" || type === "error-text") return value;
  try {
    return JSON.stringify(value) ?? null;
  } catch (error) {
    return { unsendable: error.message.split("\n")[0] };
  }
}

function block(each) {
  if (each.type === "tool-call") return call(each.toolCallId, each.toolName, each.input);
  return each.type === "reasoning" ? thinking(each.text) : text(each.text);
}

/** The blocks of a reply, if the SDK has words for them. */
function blocks(message, talk) {
  if (message.stop_reason === "error") throw talk.unplayable("a ModelMessage has no mark that says it failed");
  if (message.content.length === 0) throw talk.unplayable("a step without content makes no response message");
  for (const each of message.content) {
    if (each.type === "text" && each.text === "") throw talk.unplayable("empty text parts are removed");
    if (!["text", "thinking", "toolCall"].includes(each.type)) throw talk.unplayable(`no part has the type ${each.type}`);
    if (each.type === "toolCall" && !("arguments" in each && "id" in each)) throw talk.unplayable("a tool call has an id and an input");
  }
  return message.content;
}

/** A block as the model gives it. */
function part(each, talk) {
  if (each.type === "text") return { type: "text", text: each.text };
  if (each.type === "thinking") return { type: "reasoning", text: each.thinking };
  if (typeof each.arguments === "string" && !each.arguments.trim()) {
    throw talk.unplayable("many LLMs generate empty strings for tool calls with no arguments");
  }
  const input = typeof each.arguments === "string" ? each.arguments : JSON.stringify(each.arguments);
  return { type: "tool-call", toolCallId: each.id, toolName: each.name, input };
}

/** Messages that were handed in. */
export function written(messages, talk) {
  return messages.map((message) => {
    if (message.role === "user") return { role: "user", content: message.content };
    if (message.role === "assistant") {
      const content = blocks(message, talk).map((each) => part(each, talk)).map((each) => (each.type === "tool-call" ? { ...each, input: parsed(each.input) } : each));
      return { role: "assistant", content };
    }
    const output = { type: message.is_error ? "error-text" : "text", value: message.content };
    return { role: "tool", content: [{ type: "tool-result", toolCallId: message.tool_call_id, toolName: message.tool_name, output }] };
  });
}
