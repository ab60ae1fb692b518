// A reply that was cut off at the token limit calls a tool. The call is neither run nor answered, and the
// messages that the SDK gives back for the next turn are refused by the SDK itself.
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const call = { type: "tool-call", toolCallId: "c1", toolName: "look", input: "{}" };
const replies = [
  { content: [call], finishReason: { unified: "length" }, usage, warnings: [] },
  { content: [{ type: "text", text: "Fine." }], finishReason: { unified: "stop" }, usage, warnings: [] },
];
const model = new MockLanguageModelV3({ doGenerate: async () => replies.shift() });
const tools = { look: tool({ inputSchema: jsonSchema({ type: "object" }), execute: async () => "seen" }) };

const messages = [{ role: "user", content: "Go." }];
const first = await generateText({ model, tools, messages, stopWhen: stepCountIs(5) });
messages.push(...first.response.messages, { role: "user", content: "And now?" });
console.log("after the first run:", messages.map((message) => message.role).join(", "));
try {
  const second = await generateText({ model, tools, messages, stopWhen: stepCountIs(5) });
  console.log("the second run answers", second.text);
} catch (error) {
  console.log(`the second run raises ${error.name}: ${error.message}`);
  process.exitCode = error.name === "AI_MissingToolResultsError" ? 1 : 2;
}
