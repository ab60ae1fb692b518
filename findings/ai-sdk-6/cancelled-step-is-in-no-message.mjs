// The user stops a stream while a tool runs. Another tool of the same step has already done its work; what `onAbort` is
// given to be kept holds neither of them, so the model will ask for it again.
import { jsonSchema, simulateReadableStream, stepCountIs, streamText, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const call = (toolCallId, toolName) => ({ type: "tool-call", toolCallId, toolName, input: "{}" });
const chunks = [call("c1", "pay"), call("c2", "wait"), { type: "finish", finishReason: { unified: "tool-calls" }, usage }];
const model = new MockLanguageModelV3({ doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) });
const stop = new AbortController();
const inputSchema = jsonSchema({ type: "object", properties: {} });
let paid = 0;
const tools = {
  pay: tool({ inputSchema, execute: async () => `paid ${paid += 1} time` }),
  wait: tool({ inputSchema, execute: async () => {
    await new Promise(setImmediate);
    stop.abort(); // the user presses Stop
    throw stop.signal.reason;
  } }),
};
const kept = [];
const done = streamText({
  model, tools, prompt: "Pay, then wait.", stopWhen: stepCountIs(5), abortSignal: stop.signal, onError() {},
  onStepFinish: ({ response }) => kept.push(...response.messages),
  onAbort: ({ steps }) => kept.push(...steps.flatMap(({ response }) => response.messages)),
});
const parts = [];
for await (const { type } of done.fullStream) parts.push(type);
console.log(`paid ${paid} time(s); the stream told ${parts.join(", ")}; messages to keep: ${kept.length}`);
process.exitCode = paid === 1 && parts.includes("abort") && kept.length === 0 ? 1 : 0;
