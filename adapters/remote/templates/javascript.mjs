// An adapter for a harness in JavaScript: it speaks the process protocol of harness-props, version 1.
//
//     harness-props smoke 'process:node adapter.mjs' --validate
//
// It brings a small loop of its own, so that it runs as it stands. Put your harness in the place of `Agent`:
// give it `callModel` where it calls its model, and `callTool` where it runs a tool. Change nothing else on the
// way: the adapter translates and never repairs. Node 18 or later, no packages.

import fs from "node:fs";
import readline from "node:readline";

const HELLO = {
  protocol: 1, name: "my-agent", version: "0.1", homepage: "",
  capabilities: ["loop", "record", "max-turns", "error-reply"],
  policies: {},
  plays: ["cancel", "changes", "odd-values"],
};

// -- the harness: put yours here ----------------------------------------------------------------

const failed = (message) => message.stop_reason === "error";
const callsOf = (message) => (message.role === "assistant" ? message.content : []).filter((b) => b.type === "toolCall");

/** A loop that keeps a record: calls the model, runs the tools that it asks for, until it answers. */
class Agent {
  constructor({ system, tools, history, callModel, callTool }) {
    Object.assign(this, { system, tools, record: [...history], callModel, callTool });
  }

  async run(prompt, maxTurns) {
    this.closeOpenCalls();
    this.record.push({ role: "user", content: prompt });
    for (let turns = 0; ; turns++) {
      if (maxTurns != null && turns >= maxTurns) {
        const stop = { role: "assistant", content: [], stop_reason: "error",
                       error_message: `stopped after max_turns=${maxTurns}` };
        this.record.push(stop);
        return stop;
      }
      const reply = await this.callModel(this.system, this.request(), this.tools);
      this.record.push(reply);
      if (failed(reply) || callsOf(reply).length === 0) return reply;
      for (const call of callsOf(reply)) this.record.push(await this.resultOf(call));
    }
  }

  /** What is sent: the record, failed replies without their calls, and no reply that is empty. */
  request() {
    return this.record
      .map((m) => (failed(m) ? { ...m, content: m.content.filter((b) => b.type !== "toolCall") } : m))
      .filter((m) => !(Array.isArray(m.content) && m.content.length === 0));
  }

  async resultOf(call) {
    const result = { role: "toolResult", tool_call_id: call.id, tool_name: call.name, content: "", is_error: false };
    try {
      if (!this.tools.some((tool) => tool.name === call.name)) throw new Error(`there is no tool called ${call.name}`);
      const content = await this.callTool(call, structuredClone(call.arguments)); // a copy: the tool may edit it
      if (typeof content !== "string") throw new TypeError(`the tool returned ${typeof content}, not text`);
      result.content = wellFormed(content);
    } catch (error) {
      if (error instanceof Stop) throw error;
      result.content = said(error);
      result.is_error = true;
    }
    return result;
  }

  /** An interrupt may have left calls without a result; no provider takes such a record. */
  closeOpenCalls() {
    const answered = new Set(this.record.map((m) => m.tool_call_id));
    const last = this.record.filter((m) => m.role === "assistant" && !failed(m)).at(-1);
    for (const call of last ? callsOf(last) : []) {
      if (!answered.has(call.id)) {
        this.record.push({ role: "toolResult", tool_call_id: call.id, tool_name: call.name, content: "interrupted",
                           is_error: true });
      }
    }
  }
}

/** What an exception says; its type if it says nothing. */
function said(error) {
  let text = "";
  try {
    text = String(error.message);
  } catch {
    // its text cannot be had
  }
  return text.trim() ? text : error.name;
}

/** A text without lone surrogates, which no request can carry. */
const wellFormed = (text) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));

// -- the adapter --------------------------------------------------------------------------------

/** The suite ends the run. */
class Stop extends Error {}

/** Throw this when the harness's own types cannot say what a script holds: the script is passed over. */
class Unplayable extends Error {
  constructor(why) {
    super(why);
    unplayable = this; // whatever the harness makes of it
  }
}
let unplayable = null;

/** An exception that the suite handed in; `key` tells which it is. */
class Failure extends Error {
  constructor({ type, text, key, unreadable }) {
    super(text);
    Object.assign(this, { name: type, key });
    if (unreadable) Object.defineProperty(this, "message", { get() { throw new Error("no readable text"); } });
  }
}

/** One JSON object a line. What the harness prints on standard output does not get in the way. */
const source = fs.createReadStream(null, { fd: Number(process.env.HARNESS_PROPS_IN ?? 0), autoClose: false });
const sink = Number(process.env.HARNESS_PROPS_OUT ?? 1);
const waiting = new Map(); // id of a callback -> what its answer settles
let number = 0;

function send(message) {
  let rest = Buffer.from(JSON.stringify(message) + "\n");
  while (rest.length) rest = rest.subarray(fs.writeSync(sink, rest));
}

/** One callback: send it, and settle when its answer comes. */
function ask(type, fields) {
  const id = ++number;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send({ type, id, ...fields });
  });
}

/** What the harness calls in place of its model. */
async function callModel(system, messages, tools) {
  return (await ask("model", { system, messages, tools, record: agent.record })).message;
}

/** What the harness calls in place of its tools. */
async function callTool(call, args) {
  const answer = await ask("execute", { call_id: call.id, name: call.name, arguments: args, record: agent.record });
  if (answer.changes) change(args);
  return answer.odd ? oddValue(answer.odd) : answer.content;
}

/** What a tool does that edits its arguments in place. */
function change(value) {
  if (value === null || typeof value !== "object") return;
  Object.values(value).forEach(change);
  if (Array.isArray(value)) value.push("changed");
  else value.changed = true;
}

/** What a tool gives back that no JSON holds. */
function oddValue(kind) {
  const cycle = [];
  cycle.push(cycle);
  return { bytes: new Uint8Array([255]), set: new Set([1]), cycle, object: () => {} }[kind];
}

let agent = null;
const commands = {
  hello: () => HELLO,
  start({ system, tools, history }) {
    agent = new Agent({ system, tools, history, callModel, callTool });
  },
  async prompt({ text, max_turns }) {
    let end;
    unplayable = null;
    try {
      end = { ending: "returned", returned: await agent.run(text, max_turns) };
    } catch (error) {
      if (error instanceof Stop) end = { ending: "stopped" };
      else end = { ending: "raised", error: { type: error.name, text: said(error), key: error.key } };
    }
    if (unplayable) throw unplayable;
    return { ...end, record: agent.record };
  },
  record: () => ({ messages: agent.record }),
  goodbye() {},
  cancel() {
    for (const { reject } of waiting.values()) reject(new Stop());
    waiting.clear();
  },
};

async function perform(command) {
  const { type, id } = command;
  if (!Object.hasOwn(commands, type)) {
    return send({ type: "error", id, unknown: true, message: `no command ${type}` });
  }
  try {
    send({ type: "done", id, ...(await commands[type](command)) });
  } catch (error) {
    if (error instanceof Unplayable) send({ type: "error", id, unplayable: true, message: error.message });
    else send({ type: "error", id, message: String(error?.stack ?? error) });
  }
  if (type === "goodbye") process.exit(0);
}

for await (const line of readline.createInterface({ input: source, crlfDelay: Infinity })) {
  const message = JSON.parse(line);
  const open = waiting.get(message.id);
  if (["reply", "result", "failure", "stop"].includes(message.type)) {
    waiting.delete(message.id);
    if (message.type === "stop") open?.reject(new Stop());
    else if (message.type === "failure") open?.reject(new Failure(message.error));
    else open?.resolve(message);
  } else perform(message); // not awaited: callbacks and cancel come meanwhile
}
process.exit(0);
