// The part of the AI SDK that we call, by its shape: the packages are optional and want a newer Node than we do, so our
// own build does not have them. Models and schemas are handles that only the SDK looks into: here they are unknown.
// test/peers/sdk.ts compares these types with the real ones.

type ProviderOptions = Record<string, Record<string, string | boolean | Record<string, string>>>;

interface TextPart {
  type: "text";
  text: string;
}

interface CallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: object;
}

export interface ResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text" | "error-text"; value: string };
}

export type AssistantParts = (TextPart | CallPart)[];

export type Message = (
  | { role: "user"; content: string }
  | { role: "assistant"; content: AssistantParts }
  | { role: "tool"; content: ResultPart[] }
) & { providerOptions?: ProviderOptions };

export interface Call<Model = unknown, Schema = unknown> {
  readonly model: Model;
  readonly tools: Record<string, { description: string; inputSchema: Schema }>;
  readonly abortSignal: AbortSignal;
  readonly maxRetries: number;
  readonly instructions: { role: "system"; content: string; providerOptions?: ProviderOptions }[];
  readonly messages: Message[];
  readonly maxOutputTokens?: number;
  readonly providerOptions?: ProviderOptions;
}

export type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "interrupted" | "other";

export interface Usage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

export interface CalledTool {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** The parts of a stream that we read. */
export type StreamPart =
  | { readonly type: "text-delta"; readonly text: string }
  | ({ readonly type: "tool-call" } & CalledTool)
  | { readonly type: "error"; readonly error: unknown }
  | {
      readonly type: "finish";
      readonly finishReason: FinishReason;
      readonly rawFinishReason: string | undefined;
      readonly totalUsage: Usage;
    };

interface WholeAnswer {
  readonly text: string;
  readonly toolCalls: readonly CalledTool[];
  readonly finishReason: FinishReason;
  readonly rawFinishReason: string | undefined;
  readonly usage: Usage;
}

/** `Other`: parts of a stream that pass by. */
export interface Ai<Model = unknown, Schema = unknown, Other = { readonly type: "other" }> {
  readonly jsonSchema: (schema: object) => Schema;
  readonly streamText: (call: Call<Model, Schema> & { onError: () => undefined }) => {
    readonly stream: AsyncIterable<StreamPart | Other>;
  };
  readonly generateText: (call: Call<Model, Schema>) => PromiseLike<WholeAnswer>;
}

interface ProviderSettings {
  readonly baseURL: string;
  readonly fetch: typeof globalThis.fetch;
}
type Keyed = ProviderSettings & { readonly apiKey: string };

/** What makes models, one package per provider. */
export interface Providers<Model = unknown> {
  readonly anthropic: {
    readonly createAnthropic: (settings: Keyed | (ProviderSettings & { readonly authToken: string })) => Named<Model>;
  };
  readonly openai: { readonly createOpenAI: (settings: Keyed) => { readonly responses: Named<Model> } };
  readonly compatible: {
    readonly createOpenAICompatible: (settings: Keyed & { name: string; includeUsage: boolean }) => Named<Model>;
  };
}
type Named<Model> = (model: string) => Model;
