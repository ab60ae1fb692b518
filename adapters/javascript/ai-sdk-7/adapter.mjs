/** The Vercel AI SDK 7: `node adapter.mjs` generates, `node adapter.mjs stream` streams. */

import * as ai from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { opens } from "../ai_sdk.mjs";
import { serve } from "../protocol.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false; // it would print them beside the protocol's lines
const how = process.argv[2] ?? "generate";
const names = { system: "instructions", step: "onStepEnd" };
serve(import.meta.url, opens({ ai, Model: MockLanguageModelV4, how, ...names }), how === "stream" ? "-stream" : "");
