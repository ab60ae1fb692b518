/**
 * The JavaScript end of the process protocol, version 1 (docs/protocol.md), which the adapters share.
 *
 * An adapter calls `serve` with its folder and a function that opens a conversation. It translates and never
 * repairs: what the library keeps is what is told. Node alone, no package.
 */

import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";

export const PLAYS = ["cancel", "changes", "meddling", "odd-values", "watch"];
/** What a session's prompt gives back where the library says itself that the run was aborted. */
export const STOPPED = Symbol("stopped");
const REFUSAL = "400 invalid_request"; // how the scripted provider begins a refusal
const HERE = new URL(".", import.meta.url).href;
const LOOKED_AT = 40; // requests that are compared with what became of them

/** The library's own types cannot say what this script holds. */
class Unplayable extends Error {}

/** What aborts a run: a model call that is one too many, or somebody who presses Ctrl-C. */
class Abort extends Error {
  name = "AbortError";
}

/** The provider refused a request, told as a provider's client tells it. */
class Refused extends Error {
  name = "Refused";
}

/** What comes of asking an exception for its text that has none to give. */
class Unreadable extends Error {}

const keys = new WeakMap(); // what was thrown for the suite -> the key by which the suite knows it again

/** What a scripted tool or the provider throws. */
function thrown({ type, text, key, unreadable }) {
  const made = Object.assign(new Error(text), { name: type });
  if (unreadable) Object.defineProperty(made, "message", { get: () => { throw new Unreadable("no readable text"); } });
  keys.set(made, key);
  return made;
}

/** A value that no JSON holds, where a tool gives back something that is not text. */
function oddValue(kind) {
  const cycle = [];
  cycle.push(cycle);
  return { bytes: Uint8Array.of(255, 97, 98), set: new Set([1]), cycle, object: 10n ** 20n }[kind];
}

/** Edit a live argument value in place, nested ones first. */
function change(value, depth = 0) {
  if (depth > 3 || value === null || typeof value !== "object") return;
  for (const inner of Object.values(value)) change(inner, depth + 1);
  if (Array.isArray(value)) value.push("changed");
  else value.changed = true;
}

// ---- lines ----------------------------------------------------------------------------------------------

const open = new Map(); // id of a callback -> how to go on with its answer, or without one
let last = 0;
let write;

function send(message) {
  write(`${JSON.stringify(message)}\n`);
}

// ---- one conversation -----------------------------------------------------------------------------------

/** What an adapter knows of the conversation under way, and its way to the model and the tools. */
class Talk {
  constructor({ system, tools, history, watch }) {
    Object.assign(this, { system, tools, history, watch });
    this.fails = false; // whether replies have a label for failures; where not, a refusal is an exception
    this.record = () => [];
    this.sent = {}; // name of a list -> its messages, as they were sent last
    this.looks = []; // requests so far: how to read them again, and how they read then
    this.requests = 0;
  }

  begin() {
    this.fault = null;
    this.stopped = false;
    this.stop = new AbortController();
  }

  /** The error to throw where a script cannot be said in the library's types; the run ends with it. */
  unplayable(why) {
    this.fault ??= new Unplayable(why);
    return this.fault;
  }

  /** The adapter's own work: what breaks in its files, and not in what those call, is the adapter's fault. */
  own(work) {
    try {
      return work();
    } catch (error) {
      if (error instanceof Unplayable || roseHere(error)) this.fault ??= error;
      throw error;
    }
  }

  /** A list as what is new of it since it was sent last. */
  list(name, messages) {
    const now = messages.map((message) => JSON.stringify(message));
    const then = this.sent[name] ?? [];
    let keep = 0;
    while (keep < then.length && keep < now.length && then[keep] === now[keep]) keep += 1;
    this.sent[name] = now;
    return keep > 0 ? { keep, add: messages.slice(keep) } : messages;
  }

  /** Put a callback to the suite, unless the run was aborted; resolves with its answer. */
  async callback(message) {
    if (this.fault) throw this.fault;
    if (this.stop.signal.aborted) throw this.stop.signal.reason;
    last += 1;
    const lists = message.messages ? { messages: this.list("messages", message.messages) } : {};
    send({ ...message, ...lists, id: last, record: this.own(() => this.list("record", this.record())) });
    return new Promise((resolve, reject) => open.set(last, { resolve, reject }));
  }

  abort(reason) {
    this.stopped = true;
    this.stop.abort(reason);
    for (const { reject } of open.values()) reject(reason);
    open.clear();
  }

  /**
   * One model call: `request` reads what is sent in normal form, `native` makes the reply the library's own.
   * `given` is the very list that the library handed over.
   */
  async ask(request, native, given = []) {
    const { system, messages, tools } = this.own(request);
    const number = this.requests++;
    if (this.watch && this.looks.length < LOOKED_AT) {
      this.looks.push({ number, again: request, then: messages.map((message) => JSON.stringify(message)) });
    }
    const answer = await this.callback({ type: "model", system, messages, tools });
    if (answer.type === "failure") throw thrown(answer.error);
    if (answer.type === "stop") {
      this.abort(new Abort("the script is over"));
      throw this.stop.signal.reason;
    }
    if (answer.meddling) this.looks.pop();
    if (answer.meddling === "empty") given.length = 0;
    if (answer.meddling === "extend") given.push(given[0]);
    const said = answer.message.error_message;
    if (!this.fails && typeof said === "string" && said.startsWith(REFUSAL)) throw new Refused(said);
    return this.own(() => native(answer.message));
  }

  /** One run of a scripted tool: what it gives back, or whatever it throws. */
  async use(name, given, id) {
    const answer = await this.callback({ type: "execute", call_id: id, name, arguments: given });
    if (answer.type === "failure") throw thrown(answer.error);
    if (answer.type === "stop") this.abort(new Abort("the run was ended"));
    if (answer.changes) change(given);
    return "odd" in answer ? oddValue(answer.odd) : answer.content;
  }

  /** Messages of earlier requests that are not as they were sent any more. */
  changed() {
    return this.looks.flatMap(({ number, again, then }) => {
      const now = this.own(again).messages.map((message) => JSON.stringify(message));
      return then.flatMap((said, place) => (place < now.length && now[place] !== said ? [[number, place]] : []));
    });
  }
}

/** Whether an error rose in an adapter's own file and not in what that called. */
function roseHere(error) {
  if (keys.has(error) || [Abort, Refused, Unplayable, Unreadable].some((kind) => error instanceof kind)) return false;
  const first = String(error?.stack).split("\n").find((line) => /^\s+at /.test(line)) ?? "";
  return first.includes(HERE) && !first.includes("node_modules");
}

// ---- commands -------------------------------------------------------------------------------------------

/** How a prompt ended, and what stands in the record then. */
async function prompted(state, { text: said, max_turns: limit }) {
  const { talk } = state;
  talk.begin();
  let ending;
  try {
    if (!state.session) {
      state.session = await state.opens(talk);
      talk.record = () => state.session.record();
    }
    const returned = await state.session.prompt(said, limit ?? null);
    ending = returned === STOPPED ? { ending: "stopped" } : { ending: "returned", returned };
  } catch (error) {
    if (roseHere(error)) talk.fault ??= error;
    ending = talk.stopped ? { ending: "stopped" } : { ending: "raised", error: told(error) };
  }
  if (talk.fault) throw talk.fault;
  const changed = talk.watch ? { changed: talk.changed() } : {};
  return { ...ending, ...changed, record: talk.list("record", talk.record()) };
}

function told(error) {
  const key = error !== null && typeof error === "object" ? keys.get(error) : undefined;
  let text = "(no readable text)";
  try {
    text = String(error.message);
  } catch {
    // what was thrown for the suite may be unreadable, and need be no error
  }
  return { type: error instanceof Error ? error.name : typeof error, text, ...(key ? { key } : {}) };
}

function commands(about, opens) {
  const state = { opens };
  return {
    hello: () => ({ protocol: 1, plays: PLAYS, ...about }),
    start: (given) => {
      Object.assign(state, { talk: new Talk(given), session: null });
      state.talk.begin();
      return {};
    },
    prompt: (given) => prompted(state, given),
    cancel: ({ key }) => {
      const reason = new Abort("the run was cancelled");
      if (key) keys.set(reason, key);
      state.talk?.abort(reason);
      return {};
    },
    record: () => ({ messages: state.talk?.list("record", state.talk.record()) ?? [] }),
    usage: () => ({ usage: state.session?.usage?.() ?? null }),
    goodbye: () => ({}),
  };
}

async function obey(known, { type, id, ...given }) {
  if (!Object.hasOwn(known, type)) {
    return send({ type: "error", id, unknown: true, message: `no command is called ${type}` });
  }
  try {
    send({ type: "done", id, ...(await known[type](given)) });
  } catch (error) {
    const unplayable = error instanceof Unplayable;
    send({ type: "error", id, ...(unplayable ? { unplayable } : {}), message: unplayable ? error.message : String(error?.stack ?? error) });
  }
  if (type === "goodbye") process.exit(0);
}

/**
 * Answer the suite until its lines end. `opens(talk)` gives a session: prompt(text, max_turns), record() and,
 * if it can, usage(). What it is stands in declared.json beside the adapter, and in the package itself.
 */
export function serve(url, opens, variant = "") {
  const declared = JSON.parse(readFileSync(new URL(`declared${variant}.json`, url), "utf8"));
  const installed = new URL(`node_modules/${declared.distribution}/package.json`, url);
  const about = {
    name: declared.distribution, version: JSON.parse(readFileSync(installed, "utf8")).version,
    homepage: declared.homepage, capabilities: declared.capabilities, lacks: declared.lacks, pace: declared.pace,
    policies: Object.fromEntries(Object.entries(declared.policies).map(([name, says]) => [name, says.value])),
  };
  const { HARNESS_PROPS_IN: from, HARNESS_PROPS_OUT: to } = process.env;
  const input = from ? new Socket({ fd: Number(from), readable: true, writable: false }) : process.stdin;
  const output = to ? new Socket({ fd: Number(to), readable: false, writable: true }) : process.stdout;
  write = (line) => output.write(line);
  process.on("unhandledRejection", () => {}); // a promise that a library drops ends no run
  const known = commands(about, opens);
  createInterface({ input, crlfDelay: Infinity }).on("line", (line) => {
    const message = JSON.parse(line);
    if (!["reply", "result", "failure", "stop"].includes(message.type)) obey(known, message);
    else {
      open.get(message.id)?.resolve(message);
      open.delete(message.id);
    }
  }).on("close", () => process.exit(0));
}

// ---- the normal form ------------------------------------------------------------------------------------

export const user = (content) => ({ role: "user", content });
export const text = (said) => ({ type: "text", text: said });
export const thinking = (said) => ({ type: "thinking", thinking: said });
export const call = (id, name, given) => ({ type: "toolCall", id, name, arguments: given });
/** A reply; `more` is what else the library knows of it (stop_reason, error_message, usage). */
export const assistant = (content, more = {}) => ({ role: "assistant", content, ...more });
/** A result; `mark` is is_error, where the library has such a mark. */
export const result = (id, name, content, mark = {}) => (
  { role: "toolResult", tool_call_id: id, tool_name: name, content, ...mark }
);
/** A tool as a request carries it. */
export const spec = (name, description, parameters) => ({ name, description, parameters });
export const calls = (message) => message.content.filter((block) => block.type === "toolCall");
export const words = (message) => message.content.filter((b) => b.type === "text").map((b) => b.text).join("");
/** Without replies that hold nothing and did not fail, where a library leaves those out. */
export const filled = (messages) => (
  messages.filter((m) => m.role !== "assistant" || m.content.length > 0 || m.stop_reason === "error")
);
/** Whether this is a JSON object, as the arguments of a call have to be. */
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** Arguments that came as text: what they say in JSON, or the text if they say nothing. */
export function parsed(given) {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
