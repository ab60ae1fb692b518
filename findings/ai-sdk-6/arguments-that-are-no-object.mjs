// The model calls a tool with arguments that are no object. The tool is run with them, and they are sent back as they
// are, which providers refuse: the input of a tool call has to be an object.
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const replies = [
  { content: [{ type: "tool-call", toolCallId: "c1", toolName: "list", input: "null" }], finishReason: { unified: "tool-calls" } },
  { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop" } },
];
let sent;
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    sent = prompt;
    return { ...replies.shift(), usage, warnings: [] };
  },
});
const given = [];
const list = tool({
  inputSchema: jsonSchema({ type: "object", properties: {} }),
  execute: async (input) => {
    given.push(input);
    return "ok";
  },
});
await generateText({ model, tools: { list }, prompt: "Go.", stopWhen: stepCountIs(5) });
const { input } = sent[1].content[0];
console.log("the tool was run with", JSON.stringify(given), "and the call is sent back with the input", JSON.stringify(input));
process.exitCode = given.length > 0 && input === null ? 1 : 0;
