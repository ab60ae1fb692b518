// The model calls a tool that does not exist. For most names Mastra answers with an error result; for a name that every
// JavaScript object has, such as "constructor", the run ends at once, and the call never gets a result.
import { Agent } from "@mastra/core/agent";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

async function run(toolName) {
  let asked = 0;
  const replies = [
    { content: [{ type: "tool-call", toolCallId: "c1", toolName, input: "{}" }], finishReason: { unified: "tool-calls" } },
    { content: [{ type: "text", text: "Sorry." }], finishReason: { unified: "stop" } },
  ];
  const model = {
    specificationVersion: "v3", provider: "p", modelId: "m", supportedUrls: {},
    doGenerate: async () => ({ ...replies[asked++], usage, warnings: [] }),
  };
  const done = await new Agent({ id: "a", name: "a", instructions: "Help.", model, tools: {} }).generate("Go.");
  const messages = done.response.messages.map(({ role }) => role).join(", ");
  console.log(`${toolName}: the model was asked ${asked} time(s), the run gives back the text "${done.text}" and the messages ${messages}`);
  return asked;
}

await run("nope");
process.exitCode = (await run("constructor")) === 1 ? 1 : 0;
