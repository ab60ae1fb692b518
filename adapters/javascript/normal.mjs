/**
 * Messages in the normal form: the plain objects of the process protocol (docs/protocol.md) that the adapters
 * put together and take apart.
 */

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
