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
  declare readonly code: string;
  declare readonly hint: string;
  /** The question that a person has to answer first. */
  declare readonly approval_id: string | undefined;

  constructor({ message, ...rest }: Refusal) {
    super(message);
    Object.assign(this, rest);
  }
}

export async function call(transport: Transport, op: string, input: unknown, options?: CallOptions): Promise<unknown> {
  const { status, body } = await transport(op, JSON.stringify(input), options);
  const answer = parsed(body);
  if (status === 200 && answer) return answer;
  throw new CallError(answer?.error ?? { code: "internal", message: `HTTP ${status}`, hint: body.slice(0, 200) });
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

/** Whether a failure means that no daemon was there to be asked. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ECONNREFUSED");
}

/** Undefined: what stands between has answered, in words of its own. */
function parsed(body: string): { readonly error?: Refusal } | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
