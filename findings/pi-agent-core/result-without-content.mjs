// A tool written in JavaScript gives back a plain text. The Agent records a result without content, and from then on every
// request fails before it is sent, on the built-in providers, whatever the user says.
import { Agent } from "@mariozechner/pi-agent-core";
import { createAssistantMessageEventStream, streamSimple } from "@mariozechner/pi-ai";

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const model = { id: "m", name: "m", api: "openai-completions", provider: "local", baseUrl: "http://127.0.0.1:9/v1",
  reasoning: false, input: ["text"], cost, contextWindow: 1000, maxTokens: 100 };
const call = {
  role: "assistant", content: [{ type: "toolCall", id: "c1", name: "log", arguments: {} }], stopReason: "toolUse", timestamp: 0,
  api: model.api, provider: model.provider, model: model.id, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
};
let first = true;
function streamFn(...given) {
  if (!first) return streamSimple(given[0], given[1], { ...given[2], apiKey: "none", maxRetries: 0 });
  first = false;
  const stream = createAssistantMessageEventStream();
  stream.push({ type: "done", reason: "toolUse", message: call });
  return stream;
}
const log = { name: "log", label: "log", description: "", parameters: { type: "object" },
  execute: async () => "logged" };
const agent = new Agent({ initialState: { model, tools: [log] }, streamFn });
const said = [];
for (const prompt of ["Log it.", "And now?", "Hello?"]) {
  await agent.prompt(prompt);
  said.push(agent.state.messages.at(-1).errorMessage);
  console.log(`${prompt} -> ${said.at(-1)}`);
}
process.exitCode = said.every((words) => /iterable|undefined/.test(words)) ? 1 : 0; // else it got as far as the network
