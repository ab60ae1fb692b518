// A small agent as one finds them: a loop on messages in the manner of a chat completions API.

export async function chat({ complete, runTool, instructions, tools, messages, input }) {
  messages.push({ role: "user", content: input });
  for (;;) {
    const { message, finish_reason } = await complete({ instructions, messages, tools });
    messages.push(message);
    if (finish_reason === "stop") return message.content;
    for (const call of message.tool_calls ?? []) {
      let content;
      try {
        content = await runTool(call.function.name, JSON.parse(call.function.arguments));
      } catch (error) {
        content = `Error: ${error.message}`;
      }
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
}
