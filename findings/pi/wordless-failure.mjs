// A tool fails with an error that has no message. The model is told an empty text and nothing of what it was.
import { Agent } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const model = { id: "m", name: "m", api: "scripted", provider: "scripted", baseUrl: "", reasoning: false, input: ["text"], cost,
  contextWindow: 1000, maxTokens: 100 };
const reply = (content, stopReason) => ({
  role: "assistant", content, stopReason, timestamp: 0, api: model.api, provider: model.provider, model: model.id,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
});
const replies = [
  reply([{ type: "toolCall", id: "c1", name: "look", arguments: {} }], "toolUse"),
  reply([{ type: "text", text: "Hm." }], "stop"),
];
function streamFn() {
  const stream = createAssistantMessageEventStream();
  const message = replies.shift();
  stream.push({ type: "done", reason: message.stopReason, message });
  return stream;
}
const look = {
  name: "look", label: "look", description: "", parameters: { type: "object", properties: {} },
  execute: async () => {
    throw new RangeError();
  },
};
const agent = new Agent({ initialState: { model, tools: [look] }, streamFn });
await agent.prompt("Go.");
const { content, isError } = agent.state.messages.find(({ role }) => role === "toolResult");
console.log("the result:", JSON.stringify(content), "isError:", isError);
process.exitCode = content.some(({ text }) => text?.trim()) ? 0 : 1;
