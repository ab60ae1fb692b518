// A reply calls a tool and then says something. In the next request the words stand behind the result.
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const replies = [
  { content: [{ type: "tool-call", toolCallId: "c1", toolName: "look", input: "{}" }, { type: "text", text: "I expect an error." }], finishReason: { unified: "tool-calls" } },
  { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop" } },
];
let sent = [];
const model = {
  specificationVersion: "v3", provider: "p", modelId: "m", supportedUrls: {},
  doGenerate: async ({ prompt }) => {
    sent = prompt.filter(({ role }) => role !== "system").map(({ role, content }) => `${role} (${content.map(({ type }) => type).join(", ")})`);
    return { ...replies.shift(), usage, warnings: [] };
  },
};
const look = createTool({ id: "look", description: "Looks.", inputSchema: { type: "object", properties: {} }, execute: async () => "all is well" });

await new Agent({ id: "a", name: "a", instructions: "Help.", model, tools: { look } }).generate("Go.");
console.log(`sent was: ${sent.join(", ")}`);
process.exitCode = sent.at(-1).startsWith("assistant") ? 1 : 0;
