// The types of src/host/models/sdk.ts are true: the real packages fit them. Only the compiler reads this.
import type * as anthropic from "@ai-sdk/anthropic";
import type * as openai from "@ai-sdk/openai";
import type * as compatible from "@ai-sdk/openai-compatible";
import type * as ai from "ai";
import type { Ai, Providers, StreamPart } from "../../src/host/models/sdk.ts";

type Fits<Ours, Real extends Ours> = Real;
type OtherPart = Exclude<ai.TextStreamPart<ai.ToolSet>, { type: StreamPart["type"] }>;

export type Sdk = Fits<Ai<ai.LanguageModel, ai.Schema, OtherPart>, typeof ai>;
export type Makers = Fits<
  Providers<ai.LanguageModel>,
  { anthropic: typeof anthropic; openai: typeof openai; compatible: typeof compatible }
>;
