// The arguments of a call are no JSON. Mastra logs that, runs the tool with {}, and tells the model that it called it so.
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const replies = [
  { content: [{ type: "tool-call", toolCallId: "c1", toolName: "remove", input: '{"folder": "/tmp/ol' }], finishReason: { unified: "length" } },
  { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop" } },
];
const model = {
  specificationVersion: "v3", provider: "p", modelId: "m", supportedUrls: {},
  doGenerate: async () => ({ ...replies.shift(), usage, warnings: [] }),
};
const ran = [];
const remove = createTool({
  id: "remove", description: "Removes a folder, by default the one that it is in.",
  inputSchema: { type: "object", properties: { folder: { type: "string" } } },
  execute: async (given) => { ran.push(given); return "removed"; },
});

await new Agent({ id: "a", name: "a", instructions: "Help.", model, tools: { remove } }).generate("Go.");
console.log(`the tool was run ${ran.length} time(s), with ${JSON.stringify(ran)}`);
process.exitCode = ran.length;
