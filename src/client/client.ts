// The typed client: one method per operation of the table. Knows no transport; types only, so it loads nothing.
import type { Call, OpName, Output } from "../protocol/ops.ts";

export type Client = { readonly [N in OpName]: (input: Call<N>) => Promise<Output<N>> };

/** Sends one operation and brings back status and body. */
export type Transport = (op: string, body: string) => Promise<{ readonly status: number; readonly body: string }>;

/** The other side refused: an expected failure with a hint. */
export class CallError extends Error {
  readonly code: string;
  readonly hint: string;

  constructor(error: { code: string; message: string; hint: string }) {
    super(error.message);
    this.code = error.code;
    this.hint = error.hint;
  }
}

export async function call(transport: Transport, op: string, input: unknown): Promise<unknown> {
  const { status, body } = await transport(op, JSON.stringify(input));
  const answer: unknown = JSON.parse(body);
  if (status === 200) return answer;
  throw new CallError(errorOf(answer) ?? { code: "internal", message: `HTTP ${status}`, hint: body.slice(0, 200) });
}

export function clientOver(transport: Transport): Client {
  const methods = new Proxy({}, { get: (_, op) => (input: unknown) => call(transport, String(op), input) });
  return methods as Client;
}

function errorOf(answer: unknown): { code: string; message: string; hint: string } | undefined {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
  return answer.error as { code: string; message: string; hint: string };
}
