// A reply that only says something is labelled "tool-calls", as some providers do. Mastra asks the model again, although
// nothing has happened since, and again, until maxSteps.
import { Agent } from "@mastra/core/agent";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

let asked = 0;
const model = {
  specificationVersion: "v3", provider: "p", modelId: "m", supportedUrls: {},
  doGenerate: async () => {
    asked += 1;
    return { content: [{ type: "text", text: "Done." }], finishReason: { unified: "tool-calls" }, usage, warnings: [] };
  },
};
const done = await new Agent({ id: "a", name: "a", instructions: "Help.", model }).generate("Go.", { maxSteps: 20 });
console.log(`the model was asked ${asked} times; the text is "${done.text.slice(0, 25)}..."`);
process.exitCode = asked > 1 ? 1 : 0;
