// A reply calls a tool that does not exist and then one that does. The results come in the wrong order.
import { Agent, Runner, Usage, tool } from "@openai/agents";

const call = (callId, name) => ({ type: "function_call", callId, name, arguments: "{}", status: "completed" });
const replies = [
  [call("c1", "nope"), call("c2", "look")],
  [{ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Done." }] }],
];
let sent;
const model = {
  async getResponse({ input }) {
    sent = input;
    return { output: replies.shift(), usage: new Usage() };
  },
};
const parameters = { type: "object", properties: {}, required: [], additionalProperties: true };
const look = tool({ name: "look", description: "", strict: false, parameters, execute: async () => "seen" });
const agent = new Agent({ name: "a", instructions: "", model, tools: [look] });
await new Runner({ tracingDisabled: true, toolNotFoundBehavior: "return_error_to_model" }).run(agent, "Go.");
const ids = (type) => sent.filter((item) => item.type === type).map((item) => item.callId);
console.log("calls:  ", ids("function_call").join(", "));
console.log("results:", ids("function_call_result").join(", "));
process.exitCode = ids("function_call").join() === ids("function_call_result").join() ? 0 : 1;
