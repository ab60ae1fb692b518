/** Mastra: an Agent that generates, on a model of the AI SDK's kind, and ModelMessages as the AI SDK has them. */

import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { asked, read, written } from "../ai_sdk.mjs";
import { STOPPED, assistant, serve } from "../protocol.mjs";

const ENDLESS = 1_000_000_000; // steps of a run without a limit

serve(import.meta.url, (talk) => {
  const model = {
    specificationVersion: "v3", provider: "scripted", modelId: "scripted", supportedUrls: {},
    doGenerate: (options) => asked(options, talk, sound),
  };
  const tools = Object.fromEntries(talk.tools.map((given) => [given.name, native(given, talk)]));
  const agent = new Agent({ id: "a", name: "a", instructions: talk.system, model, tools });
  let messages = talk.own(() => written(talk.history, talk));
  return {
    async prompt(said, limit) {
      if (limit !== null && limit < 1) throw talk.unplayable("a run takes a step or more");
      if (!said.trim()) throw talk.unplayable("a prompt without a word is left out of what is sent");
      messages = [...messages, { role: "user", content: said }];
      const before = messages;
      const done = await agent.generate(messages, {
        maxSteps: limit ?? ENDLESS, modelSettings: { maxRetries: 0 }, abortSignal: talk.stop.signal,
        onStepFinish: ({ response }) => { messages = [...before, ...response.messages]; },
      });
      if (done.error) throw done.error;
      messages = [...before, ...done.response.messages];
      if (talk.stopped) return STOPPED; // "aborted", or "tool-calls" if it was while a tool ran
      return read(done.response.messages.slice(-1)).at(-1) ?? assistant([]);
    },
    record: () => read(messages),
  };
});

/** Refuse what Mastra keeps no message of. */
function sound({ content }, talk) {
  if (content.some(({ type, text }) => type === "text" && !text.trim())) throw talk.unplayable("blank text makes no part of a message");
}

/** A scripted tool as Mastra's, with the schema that it was given. */
function native({ name, description, parameters }, talk) {
  return createTool({
    id: name, description, inputSchema: parameters,
    execute: (given, { agent }) => talk.use(name, given, agent?.toolCallId),
  });
}
