// A tool fails with an error that has no message. The model is told an empty text and nothing of what it was.
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const replies = [
  { content: [{ type: "tool-call", toolCallId: "c1", toolName: "look", input: "{}" }], finishReason: { unified: "tool-calls" } },
  { content: [{ type: "text", text: "Hm." }], finishReason: { unified: "stop" } },
];
let sent;
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    sent = prompt;
    return { ...replies.shift(), usage, warnings: [] };
  },
});
const look = tool({
  inputSchema: jsonSchema({ type: "object" }),
  execute: async () => {
    throw new RangeError();
  },
});
await generateText({ model, tools: { look }, prompt: "Go.", stopWhen: stepCountIs(5) });
const { output } = sent.at(-1).content[0];
console.log("the model is told:", JSON.stringify(output));
process.exitCode = output.value.trim() ? 0 : 1;
