/** The OpenAI Agents SDK for JavaScript: a Runner, a Model of the suite's, a MemorySession. */

import { Agent, MemorySession, Runner, Usage, tool } from "@openai/agents";
import { assistant, call, parsed, result, serve, spec, text, thinking, user } from "../protocol.mjs";

serve(import.meta.url, (talk) => {
  const model = { getResponse: (request) => asked(request, talk) };
  const agent = new Agent({ name: "a", instructions: talk.system, model, tools: talk.tools.map((given) => native(given, talk)) });
  const runner = new Runner({ tracingDisabled: true, toolNotFoundBehavior: "return_error_to_model" });
  const session = new MemorySession({ initialItems: talk.own(() => talk.history.flatMap((message) => items(message, talk))) });
  const spent = new Usage();
  return {
    async prompt(said, limit) {
      talk.ids = new Set(); // of the calls of this run
      const done = await runner.run(agent, said, { session, maxTurns: limit, signal: talk.stop.signal });
      spent.add(done.runContext.usage);
      return assistant([text(done.finalOutput)]);
    },
    record: () => read(session.items),
    usage: () => ({ input: spent.inputTokens, output: spent.outputTokens }),
  };
});

/** One call of the model. */
function asked({ systemInstructions: system, input, tools }, talk) {
  const request = () => ({
    system: system ?? "", messages: read(typeof input === "string" ? [{ role: "user", content: input }] : input),
    tools: tools.map(({ name, description, parameters }) => spec(name, description, parameters)),
  });
  return talk.ask(request, (reply) => {
    const { input: inputTokens = 0, output: outputTokens = 0 } = reply.usage ?? {};
    return { output: output(reply, talk), usage: new Usage({ requests: 1, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }) };
  }, input);
}

/** A scripted tool, with the schema that it was given. */
function native({ name, description, parameters }, talk) {
  return tool({
    name, description, strict: false, parameters,
    execute: (given, _, details) => talk.use(name, given, details?.toolCall?.callId),
  });
}

// ---- messages -------------------------------------------------------------------------------------------

/** Items in normal form: what stands between prompts and results is one reply. */
function read(given) {
  const messages = [];
  for (const item of given) {
    if (item.type === "function_call_result") messages.push(result(item.callId, item.name, said(item.output)));
    else if (item.role === "user") messages.push(user(joined(item.content)));
    else {
      if (messages.at(-1)?.role !== "assistant") messages.push(assistant([]));
      messages.at(-1).content.push(...blocks(item));
    }
  }
  return messages;
}

const joined = (content) => (typeof content === "string" ? content : content.map((part) => part.text).join(""));

function said(output) {
  if (Array.isArray(output)) return output.length === 1 ? output[0].text ?? output : output;
  return typeof output === "string" ? output : output?.text ?? output;
}

/** The blocks of one item of a reply. */
function blocks(item) {
  if (item.type === "function_call") return [call(item.callId, item.name, parsed(item.arguments))];
  const content = typeof item.content === "string" ? [{ text: item.content }] : item.content;
  return content.map((part) => (item.type === "reasoning" ? thinking(part.text) : text(part.text)));
}

/** A reply as the items of a ModelResponse. */
function output(reply, talk) {
  if (reply.stop_reason === "error") throw talk.unplayable("a ModelResponse has no label that says it failed");
  return reply.content.map((block) => {
    if (block.type === "text") {
      return { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: block.text }] };
    }
    if (block.type === "thinking") return { type: "reasoning", content: [{ type: "input_text", text: block.thinking }] };
    if (block.type === "toolCall") return called(block, talk);
    throw talk.unplayable(`there is no item for a block of the type ${block.type}`);
  });
}

/** A call as an item; arguments are text, as they come over the wire. */
function called({ id, name, arguments: given }, talk) {
  if (given === undefined || typeof id !== "string") throw talk.unplayable("a function call has an id and arguments");
  if (!id) throw talk.unplayable("a run raises where a call \"is missing a non-empty call ID\"");
  if (talk.ids?.has(id)) throw talk.unplayable("a run raises where a call ID is \"reused for a different invocation\"");
  talk.ids?.add(id);
  const sent = typeof given === "string" ? given : JSON.stringify(given);
  return { type: "function_call", callId: id, name, status: "completed", arguments: sent };
}

/** A message that was handed in, as items. */
function items(message, talk) {
  if (message.role === "user") return [{ type: "message", role: "user", content: message.content }];
  if (message.role === "assistant") return output(message, talk);
  const said = { type: "text", text: message.content };
  return [{ type: "function_call_result", callId: message.tool_call_id, name: message.tool_name, status: "completed", output: said }];
}
