/**
 * One conversation of the process protocol: callbacks to the model and the tools, and what aborts a run.
 *
 * What was thrown for the suite keeps its key, by which the suite knows it again. Node alone, no package.
 */

const REFUSAL = "400 invalid_request"; // how the scripted provider begins a refusal
const HERE = new URL(".", import.meta.url).href;
const LOOKED_AT = 40; // requests that are compared with what became of them

/** The library's own types cannot say what this script holds. */
export class Unplayable extends Error {}

/** What aborts a run: a model call that is one too many, or somebody who presses Ctrl-C. */
export class Abort extends Error {
  name = "AbortError";
}

/** The provider refused a request, told as a provider's client tells it. */
class Refused extends Error {
  name = "Refused";
}

/** What comes of asking an exception for its text that has none to give. */
class Unreadable extends Error {}

export const keys = new WeakMap(); // what was thrown for the suite -> the key by which the suite knows it again

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

export const open = new Map(); // id of a callback -> how to go on with its answer, or without one
let last = 0;
let write;

/** Where lines go; nothing can be sent before this is said. */
export function writesTo(how) {
  write = how;
}

export function send(message) {
  write(`${JSON.stringify(message)}\n`);
}

// ---- one conversation -----------------------------------------------------------------------------------

/** What an adapter knows of the conversation under way, and its way to the model and the tools. */
export class Talk {
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
export function roseHere(error) {
  if (keys.has(error) || [Abort, Refused, Unplayable, Unreadable].some((kind) => error instanceof kind)) return false;
  const first = String(error?.stack).split("\n").find((line) => /^\s+at /.test(line)) ?? "";
  return first.includes(HERE) && !first.includes("node_modules");
}
