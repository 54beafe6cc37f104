// The typed client: one method per operation of the table. Knows no transport; types only, so it loads nothing.
import type { Call, OpName, Output } from "../protocol/ops.ts";

export type Client = { readonly [N in OpName]: Method<N> };

/** What needs no input may be called without. */
type Method<N extends OpName> =
  Record<never, never> extends Call<N>
    ? (input?: Call<N>, options?: CallOptions) => Promise<Output<N>>
    : (input: Call<N>, options?: CallOptions) => Promise<Output<N>>;

/** How one call is made. */
export interface CallOptions {
  /** Cancels the call, on the other side too. */
  readonly signal?: AbortSignal | undefined;
  /** How long it waits for a person's yes. Default: as long as the call lasts. */
  readonly approvalWaitMs?: number | undefined;
}

/** Sends one operation and brings back status and body. */
export type Transport = (
  op: string,
  body: string,
  options?: CallOptions,
) => Promise<{ readonly status: number; readonly body: string }>;

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly approval_id?: string;
}

/** The other side refused: an expected failure with a hint. */
export class CallError extends Error {
  readonly code: string;
  readonly hint: string;
  /** The question that a person has to answer first. */
  readonly approval_id: string | undefined;

  constructor(error: Refusal) {
    super(error.message);
    this.code = error.code;
    this.hint = error.hint;
    this.approval_id = error.approval_id;
  }
}

export async function call(transport: Transport, op: string, input: unknown, options?: CallOptions): Promise<unknown> {
  const { status, body } = await transport(op, JSON.stringify(input), options);
  const answer: unknown = JSON.parse(body);
  if (status === 200) return answer;
  throw new CallError(errorOf(answer) ?? { code: "internal", message: `HTTP ${status}`, hint: body.slice(0, 200) });
}

export function clientOver(transport: Transport): Client {
  return clientOf((op, input, options) => call(transport, op, input, options));
}

/** Names that a language asks for by itself: awaiting a client or writing it as JSON asks for no operation. */
const NO_OPERATIONS = new Set(["then", "toJSON"]);

/** A client over anything that performs an operation and throws a CallError when refused. What is given with it has its own names. */
export function clientOf<More extends object>(
  ask: (op: string, input: unknown, options?: CallOptions) => Promise<unknown>,
  more?: More,
): Client & More {
  const methods = new Proxy(more ?? {}, {
    get(own, name) {
      if (typeof name === "symbol" || name in own || NO_OPERATIONS.has(name)) return Reflect.get(own, name);
      return (input: unknown = {}, options?: CallOptions) => ask(name, input, options);
    },
  });
  return methods as Client & More;
}

function errorOf(answer: unknown): Refusal | undefined {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
  return answer.error as Refusal;
}
