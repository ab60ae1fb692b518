// Two replies call a tool, and both calls have the id c1. Both are run; the second result stands with the first call.
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const call = (what) => ({
  content: [{ type: "tool-call", toolCallId: "c1", toolName: "pay", input: JSON.stringify({ what }) }], finishReason: { unified: "tool-calls" },
});
const replies = [call("rent"), call("bill"), { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop" } }];
let sent = "";
const model = {
  specificationVersion: "v3", provider: "p", modelId: "m", supportedUrls: {},
  doGenerate: async ({ prompt }) => {
    sent = JSON.stringify(prompt);
    return { ...replies.shift(), usage, warnings: [] };
  },
};
const ran = [];
const pay = createTool({
  id: "pay", description: "Pays.", inputSchema: { type: "object", properties: { what: { type: "string" } } },
  execute: async ({ what }) => { ran.push(what); return `paid: ${what}`; },
});

await new Agent({ id: "a", name: "a", instructions: "Help.", model, tools: { pay } }).generate("Go.");
const told = ran.filter((what) => sent.includes(`"what":"${what}"`) && sent.includes(`"paid: ${what}"`));
console.log(`paid were ${ran.join(" and ")}; the model is sent ${sent.slice(sent.indexOf('{"role":"assistant"'))}`);
process.exitCode = told.length === ran.length ? 0 : 1;
