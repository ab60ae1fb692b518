// Two runs on one session, and a provider that names the first call of every reply "call_0". The second request that
// follows a call holds it without its result, and a result without its call.
import { Agent, MemorySession, Runner, Usage, tool } from "@openai/agents";

const call = (path) => [{ type: "function_call", callId: "call_0", name: "read", arguments: JSON.stringify({ path }), status: "completed" }];
const say = (text) => [{ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] }];
const replies = [call("a.txt"), say("It is A."), call("b.txt"), say("It is B.")];
let sent;
const model = {
  async getResponse({ input }) {
    sent = input;
    return { output: replies.shift(), usage: new Usage() };
  },
};
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: true };
const read = tool({ name: "read", description: "", strict: false, parameters, execute: async ({ path }) => `what is in ${path}` });
const agent = new Agent({ name: "a", instructions: "", model, tools: [read] });
const runner = new Runner({ tracingDisabled: true });
const session = new MemorySession();
await runner.run(agent, "What is in a.txt?", { session });
await runner.run(agent, "And in b.txt?", { session });
const shown = sent.map((item) => item.role ?? `${item.type} ${item.arguments ?? item.output.text}`);
console.log(`the last request:\n  ${shown.join("\n  ")}`);
const answered = sent.every((item, place) => item.type !== "function_call" || sent[place + 1]?.type === "function_call_result");
process.exitCode = answered ? 0 : 1;
