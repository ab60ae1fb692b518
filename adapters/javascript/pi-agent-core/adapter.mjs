/** pi-agent-core 0.x, under its old name. */

import { Agent } from "@mariozechner/pi-agent-core";
import { createAssistantMessageEventStream, validateToolArguments } from "@mariozechner/pi-ai";
import { opens } from "../pi.mjs";
import { serve } from "../protocol.mjs";

// what every provider of pi-ai does to the messages that it sends; this package does not export it
const inside = new URL("node_modules/@mariozechner/pi-ai/dist/", import.meta.url);
const { transformMessages } = await import(new URL("providers/transform-messages.js", inside));
const { sanitizeSurrogates } = await import(new URL("utils/sanitize-unicode.js", inside));

serve(import.meta.url, opens({
  Agent, createAssistantMessageEventStream, validateToolArguments, transformMessages, sanitizeSurrogates,
  parts: ({ systemPrompt, tools, messages }) => ({ system: systemPrompt, tools, messages }),
}));
