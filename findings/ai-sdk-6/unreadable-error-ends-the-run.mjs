// A tool throws an error whose message cannot be read, as a proxy or a getter with a fault in it makes one. The run raises
// what the getter raised, the step that has taken place is in no message, and the tool has run.
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";

class Broken extends Error {
  get message() {
    throw new Error("no readable text");
  }
}
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const replies = [
  { content: [{ type: "tool-call", toolCallId: "c1", toolName: "look", input: "{}" }], finishReason: { unified: "tool-calls" } },
  { content: [{ type: "text", text: "Fine." }], finishReason: { unified: "stop" } },
];
const model = new MockLanguageModelV3({ doGenerate: async () => ({ ...replies.shift(), usage, warnings: [] }) });
const look = tool({
  inputSchema: jsonSchema({ type: "object", properties: {} }),
  execute: async () => {
    const error = new Broken();
    delete error.message; // what remains is the getter
    throw error;
  },
});
let steps = 0;
try {
  const done = await generateText({ model, tools: { look }, prompt: "Go.", stopWhen: stepCountIs(5), onStepFinish: () => { steps += 1; } });
  console.log("the run answers", done.text);
} catch (error) {
  console.log(`the run raises "${error.message}"; steps told: ${steps}`);
  process.exitCode = error.message === "no readable text" && steps === 0 ? 1 : 2;
}
