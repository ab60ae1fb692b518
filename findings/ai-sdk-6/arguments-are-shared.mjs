// A tool that edits its own input edits what the SDK recorded as the model's call.
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const replies = [
  { content: [{ type: "tool-call", toolCallId: "c1", toolName: "send", input: '{"to":["ann"]}' }], finishReason: { unified: "tool-calls" } },
  { content: [{ type: "text", text: "Sent." }], finishReason: { unified: "stop" } },
];
let sent;
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    sent = prompt;
    return { ...replies.shift(), usage, warnings: [] };
  },
});
const send = tool({
  inputSchema: jsonSchema({ type: "object", properties: { to: { type: "array", items: { type: "string" } } } }),
  execute: async (input) => {
    input.to.push("bob"); // adds a default receiver for itself
    return "ok";
  },
});
await generateText({ model, tools: { send }, prompt: "Write to Ann.", stopWhen: stepCountIs(5) });
const { input } = sent[1].content[0];
console.log('the model called send with {"to":["ann"]}; in the next request it reads', JSON.stringify(input));
process.exitCode = input.to.length === 1 ? 0 : 1;
