/**
 * The JavaScript end of the process protocol, version 1 (docs/protocol.md), which the adapters share.
 *
 * An adapter calls `serve` with its folder and a function that opens a conversation. It translates and never
 * repairs: what the library keeps is what is told. A conversation stands in talk.mjs, the normal form of messages
 * in normal.mjs. Node alone, no package.
 */

import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";

import { Abort, Talk, Unplayable, keys, open, roseHere, send, writesTo } from "./talk.mjs";

export * from "./normal.mjs";

export const PLAYS = ["cancel", "changes", "meddling", "odd-values", "watch"];
/** What a session's prompt gives back where the library says itself that the run was aborted. */
export const STOPPED = Symbol("stopped");

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
  writesTo((line) => output.write(line));
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
