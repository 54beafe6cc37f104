// Port: a language model, asked once. Adapter: src/host/models (AI SDK). Never throws; failures are Troubles.
import type { Tokens } from "../../protocol/ops/agent.ts";
import type { Cancelled } from "../base/cancellation.ts";
import type { Trouble } from "./agent.ts";
import type { Entry, ToolCall } from "./history.ts";

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly schema: object;
}

export interface ModelAsk {
  readonly system: string;
  readonly history: readonly Entry[];
  readonly tools: readonly ToolSpec[];
}

export interface ModelReply {
  readonly text: string;
  /** Arguments that are not JSON stay text. The tool refuses them, and the model learns why. */
  readonly calls: readonly ToolCall[];
  readonly tokens: Tokens | null;
}

export interface Model {
  readonly name: string;
  complete(
    ask: ModelAsk,
    cancelled: Cancelled,
    partial: (text: string) => void,
  ): Promise<ModelReply | { readonly error: Trouble }>;
}
