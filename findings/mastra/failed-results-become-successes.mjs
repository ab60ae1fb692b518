// A tool fails in the first run. Its messages are handed to the next run, and there the model is told that it succeeded.
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const replies = [
  { content: [{ type: "tool-call", toolCallId: "c1", toolName: "pay", input: "{}" }], finishReason: { unified: "tool-calls" } },
  { content: [{ type: "text", text: "It failed." }], finishReason: { unified: "stop" } },
  { content: [{ type: "text", text: "So be it." }], finishReason: { unified: "stop" } },
];
const sent = [];
const model = {
  specificationVersion: "v3", provider: "p", modelId: "m", supportedUrls: {},
  doGenerate: async ({ prompt }) => {
    sent.push(prompt);
    return { ...replies.shift(), usage, warnings: [] };
  },
};
const pay = createTool({
  id: "pay", description: "pays", inputSchema: { type: "object", properties: {} },
  execute: async () => {
    throw new Error("card declined");
  },
});
const agent = new Agent({ id: "a", name: "a", instructions: "Help.", model, tools: { pay } });
const messages = [{ role: "user", content: "Pay the bill." }];
const first = await agent.generate(messages);
messages.push(...first.response.messages, { role: "user", content: "Is it paid?" });
await agent.generate(messages);
const result = (prompt) => JSON.stringify(prompt.find(({ role }) => role === "tool").content[0].output);
console.log("in the first run the model is told:", result(sent[1]));
console.log("in the second run:                 ", result(sent[2]));
process.exitCode = result(sent[2]).includes("error") ? 0 : 1;
