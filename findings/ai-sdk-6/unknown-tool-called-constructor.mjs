// The model calls a tool that does not exist. For most names the SDK answers with an error result; for a name that
// every JavaScript object has, such as "constructor", the call stays open and the conversation cannot go on.
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const tools = { look: tool({ inputSchema: jsonSchema({ type: "object" }), execute: async () => "seen" }) };

async function run(toolName) {
  const replies = [
    { content: [{ type: "tool-call", toolCallId: "c1", toolName, input: "{}" }], finishReason: { unified: "tool-calls" } },
    { content: [{ type: "text", text: "Sorry." }], finishReason: { unified: "stop" } },
    { content: [{ type: "text", text: "Fine." }], finishReason: { unified: "stop" } },
  ];
  const model = new MockLanguageModelV3({ doGenerate: async () => ({ ...replies.shift(), usage, warnings: [] }) });
  const messages = [{ role: "user", content: "Go." }];
  const first = await generateText({ model, tools, messages, stopWhen: stepCountIs(5) });
  messages.push(...first.response.messages, { role: "user", content: "And now?" });
  return generateText({ model, tools, messages, stopWhen: stepCountIs(5) }).then((done) => done.text, (error) => error.name);
}

console.log("after a call of nope:       ", await run("nope"));
const after = await run("constructor");
console.log("after a call of constructor:", after);
process.exitCode = after === "AI_MissingToolResultsError" ? 1 : 0;
