// A tool pays a bill, and then the provider fails. The session has nothing of that run, neither the prompt nor the call nor
// its result; the next prompt begins as if nothing had happened. Streamed, it keeps the prompt.
import { Agent, MemorySession, Runner, tool, Usage } from "@openai/agents";

const call = { type: "function_call", callId: "c1", name: "pay", arguments: "{}", status: "completed" };
const text = { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Fine." }] };
async function tried(stream) {
  let asked = 0, paid = 0, last = [];
  const respond = ({ input }) => {
    last = input;
    if (++asked === 2) throw new Error("503 overloaded");
    return { responseId: `r${asked}`, output: [asked === 1 ? call : text], usage: new Usage() };
  };
  const model = {
    getResponse: async (request) => respond(request),
    getStreamedResponse: async function* (request) {
      const { responseId, output } = respond(request);
      yield { type: "response_done", response: { id: responseId, output, usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } } };
    },
  };
  const pay = tool({ name: "pay", description: "", strict: false, parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
    execute: async () => `paid ${++paid} times` });
  const runner = new Runner({ tracingDisabled: true });
  const session = new MemorySession();
  const agent = new Agent({ name: "a", instructions: "", model, tools: [pay] });
  let ended = "";
  try {
    const run = await runner.run(agent, "Pay the bill.", { session, stream });
    if (stream) await run.completed;
  } catch (error) {
    ended = error.message;
  }
  const kept = (await session.getItems()).map(({ type, role }) => type === "message" || !type ? role : type);
  await runner.run(agent, "Well?", { session });
  console.log(`${stream ? "streamed" : "whole"}: the run ended with '${ended}', the tool was run ${paid} time; the session held [${kept}], ` +
    `and the next request ${last.length} items`);
  return paid === 1 && kept.length === 0;
}
await tried(true);
process.exitCode = await tried(false) ? 1 : 0;
