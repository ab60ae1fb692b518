// A tool gives back a text that was cut in the middle of an emoji. Half of it goes into the request as it is; no provider
// takes that, and the session, which holds it, sends it again with every later prompt.
import { createServer } from "node:http";
import { once } from "node:events";
import { Agent, MemorySession, OpenAIProvider, Runner, tool } from "@openai/agents";

const called = { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } }] };
const bodies = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  bodies.push(body);
  const message = bodies.length === 1 ? called : { role: "assistant", content: "Fine." };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: "r", object: "chat.completion", created: 0, model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] }));
}).listen(0, "127.0.0.1");
await once(server, "listening");

const look = tool({ name: "look", description: "", strict: false, parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
  execute: async () => "Well done \u{1f44d}".slice(0, -1) });
const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL: `http://127.0.0.1:${server.address().port}/v1`, useResponses: false });
const runner = new Runner({ modelProvider, tracingDisabled: true });
const session = new MemorySession();
const agent = new Agent({ name: "a", instructions: "Help.", model: "m", tools: [look] });
for (const prompt of ["Go.", "And now?"]) await runner.run(agent, prompt, { session });
server.close();
const broken = bodies.slice(1).map((body) => JSON.parse(body).messages.find(({ role }) => role === "tool").content);
console.log("the result, in the requests after the call:", broken.map((text) => JSON.stringify(text)).join(", "));
process.exitCode = broken.every((text) => !text.isWellFormed()) ? 1 : 0;
