/** pi-agent-core, under its new name; its transcript holds the system prompt and the tools as messages. */

import { Agent } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream, validateToolArguments } from "@earendil-works/pi-ai";
import { transformMessages } from "@earendil-works/pi-ai/api/transform-messages";
import { sanitizeSurrogates } from "@earendil-works/pi-ai/utils/sanitize-unicode";
import { getCurrentSystemPrompt, getCurrentTools } from "@earendil-works/pi-ai/utils/transcript";
import { opens } from "../pi.mjs";
import { serve } from "../protocol.mjs";

serve(import.meta.url, opens({
  Agent, createAssistantMessageEventStream, validateToolArguments, transformMessages, sanitizeSurrogates,
  // as collapseSystemMessages does for a provider that takes one system prompt
  parts: ({ messages }) => ({
    system: getCurrentSystemPrompt(messages), tools: getCurrentTools(messages), messages: messages.filter(({ role }) => role !== "system"),
  }),
}));
