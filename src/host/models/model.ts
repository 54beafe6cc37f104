// The Model port on the AI SDK: Anthropic, OpenAI, and every server of OpenAI's chat protocol. Tools have no code here: the
// driver runs them. Keeps nothing between two calls. Refuses: to retry, to log, to throw.
import type { Model, ModelAsk, ToolSpec } from "../../core/agent/model.ts";
import type { Clock } from "../../core/base/clock.ts";
import { type Fault, isFault } from "../../core/base/fault.ts";
import { nodeClock } from "../clock.ts";
import { messagesOf } from "./messages.ts";
import { installed, type Loaded, loaded, type Packages } from "./packages.ts";
import { patientFetch } from "./patience.ts";
import { type ModelAnswer, replyOf } from "./reply.ts";
import type { Ai, Call, Message } from "./sdk.ts";
import type { ModelSettings } from "./settings.ts";
import { STOPPED, troubleOf } from "./troubles.ts";

export interface ModelParts {
  readonly packages: Packages;
  readonly clock: Clock;
}

export async function openModel(settings: ModelSettings, parts: Partial<ModelParts> = {}): Promise<Model | Fault> {
  const { packages = installed, clock = nodeClock } = parts;
  const sdk = await loaded(settings, packages, patientFetch(clock));
  if (isFault(sdk)) return sdk;
  // The SDK prints its warnings to the console, which is the daemon's log.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return {
    name: `${settings.provider}/${settings.model}`,
    async complete(ask, cancelled, partial) {
      const stop = new AbortController();
      cancelled.onCancel(() => stop.abort());
      if (stop.signal.aborted) return { error: STOPPED };
      try {
        const call = callOf(sdk, ask, settings, stop.signal);
        const answer = settings.streaming ? await streamed(sdk.ai, call, partial) : await whole(sdk.ai, call);
        return stop.signal.aborted ? { error: STOPPED } : replyOf(answer, ask.history, settings);
      } catch (error) {
        return { error: stop.signal.aborted ? STOPPED : troubleOf(error, settings, clock.now()) };
      }
    },
  };
}

function callOf({ ai, model }: Loaded, ask: ModelAsk, { provider }: ModelSettings, abortSignal: AbortSignal): Call {
  const messages = messagesOf(ask.history);
  const tools = toolsOf(ask.tools, ai);
  const base = { model, tools, abortSignal, maxRetries: 0 };
  switch (provider) {
    case "anthropic":
      return {
        ...base,
        instructions: instructionsOf(ask, CACHED),
        messages: cached(messages),
        maxOutputTokens: ANTHROPIC_OUTPUT_TOKENS_MAX,
      };
    case "openai":
      // The provider must not store what was on the terminal.
      return { ...base, instructions: instructionsOf(ask), messages, providerOptions: { openai: { store: false } } };
    case "openai-compatible":
      return { ...base, instructions: instructionsOf(ask), messages };
  }
}

/** Anthropic wants a number. The SDK's default for unknown models, 4,096, would cut files written in one call. */
const ANTHROPIC_OUTPUT_TOKENS_MAX = 16_000;

/** Anthropic reads only what follows such a mark again, so in a long turn it reads nearly everything once. */
const CACHED = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };

function cached(messages: readonly Message[]): Message[] {
  return messages.map((message, i) => (i === messages.length - 1 ? { ...message, ...CACHED } : message));
}

function instructionsOf({ system }: ModelAsk, options: Partial<typeof CACHED> = {}) {
  return system.trim() === "" ? [] : [{ role: "system" as const, content: system, ...options }];
}

/** There is no validator, because the tool itself refuses arguments that do not fit. */
function toolsOf(specs: readonly ToolSpec[], ai: Ai): Call["tools"] {
  return Object.fromEntries(
    specs.map(({ name, description, schema }) => [name, { description, inputSchema: ai.jsonSchema(schema) }]),
  );
}

async function streamed(ai: Ai, call: Call, partial: (text: string) => void): Promise<ModelAnswer> {
  // Errors come as parts of the stream. Without this the SDK prints them with everything they hold.
  const { stream } = ai.streamText({ ...call, onError: () => undefined });
  let text = "";
  const calls: ModelAnswer["calls"][number][] = [];
  for await (const part of stream) {
    if (part.type === "text-delta") {
      text += part.text;
      partial(part.text);
    } else if (part.type === "tool-call") calls.push(part);
    else if (part.type === "error") throw part.error;
    else if (part.type === "finish") {
      return { text, calls, finish: part.finishReason, word: part.rawFinishReason, usage: part.totalUsage };
    }
  }
  return {
    text,
    calls,
    finish: "interrupted",
    word: undefined,
    usage: { inputTokens: undefined, outputTokens: undefined },
  };
}

async function whole(ai: Ai, call: Call): Promise<ModelAnswer> {
  const { text, toolCalls, finishReason, rawFinishReason, usage } = await ai.generateText(call);
  return { text, calls: toolCalls, finish: finishReason, word: rawFinishReason, usage };
}
