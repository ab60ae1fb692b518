/** The Vercel AI SDK 6: `node adapter.mjs` generates, `node adapter.mjs stream` streams. */

import * as ai from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { opens } from "../ai_sdk.mjs";
import { serve } from "../protocol.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false; // it would print them beside the protocol's lines
const how = process.argv[2] ?? "generate";
const names = { system: "system", step: "onStepFinish" };
serve(import.meta.url, opens({ ai, Model: MockLanguageModelV3, how, ...names }), how === "stream" ? "-stream" : "");
