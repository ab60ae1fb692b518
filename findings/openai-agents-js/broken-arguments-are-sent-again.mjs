// A call comes with arguments that are no JSON. The model is told so, and the call goes back to the provider as it came:
// with the next request, and, out of the session, with those of every later prompt.
import { createServer } from "node:http";
import { once } from "node:events";
import { Agent, MemorySession, OpenAIProvider, Runner, tool } from "@openai/agents";

const called = { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: '{"at": "he' } }] };
const bodies = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  bodies.push(JSON.parse(body));
  const message = bodies.length === 1 ? called : { role: "assistant", content: "Fine." };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: "r", object: "chat.completion", created: 0, model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] }));
}).listen(0, "127.0.0.1");
await once(server, "listening");

const look = tool({ name: "look", description: "", strict: false, parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
  execute: async () => "seen" });
const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL: `http://127.0.0.1:${server.address().port}/v1`, useResponses: false });
const runner = new Runner({ modelProvider, tracingDisabled: true });
const session = new MemorySession();
const agent = new Agent({ name: "a", instructions: "Help.", model: "m", tools: [look] });
for (const prompt of ["Go.", "And now?"]) await runner.run(agent, prompt, { session });
server.close();
const sent = bodies.slice(1).map(({ messages }) => messages.find((message) => message.tool_calls)?.tool_calls[0].function.arguments);
console.log("the model was told:", bodies[1].messages.find(({ role }) => role === "tool").content);
console.log("arguments of the call in the requests after it:", sent.join("  and  "));
const whole = (text) => { try { return typeof JSON.parse(text) === "object"; } catch { return false; } };
process.exitCode = sent.some((text) => !whole(text)) ? 1 : 0;
