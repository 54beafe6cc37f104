// Calls of operations by the client. Types come from the protocol; its schemas (and zod) stay on the server.
// Expected failures are values with a hint; the cookie is the browser's business.
import { call as ask, type CallError } from "../../src/client/client.ts";
import { fetchTransport } from "../../src/client/fetch.ts";
import type { Call, OpName, Output } from "../../src/protocol/ops.ts";

export interface Fault {
  readonly fault: true;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export function isFault(value: object): value is Fault {
  return "fault" in value && value.fault === true;
}

export function call<N extends OpName>(op: N, input: Call<N>, signal?: AbortSignal): Promise<Output<N> | Fault> {
  return post(`/v1/${op}`, input, signal);
}

export async function post<T extends object>(path: string, input: object, signal?: AbortSignal): Promise<T | Fault> {
  try {
    // The answer has this page's version, because the daemon serves both.
    return (await ask(transport, path, input, { signal })) as T;
  } catch (error) {
    const { code, message, hint } = error as CallError;
    return { fault: true, code, message, hint };
  }
}

const transport = fetchTransport("", () => {
  const { masked, pass } = visitor();
  return {
    "x-duetty-surface": "page",
    ...(masked && { "x-duetty-masked": masked }),
    ...(pass && { "x-duetty-pass": pass }),
  };
});

/** What this page says of itself: whether this browser hides secrets (settings/settings.ts), and the link that it came by. */
export function visitor(): { readonly masked?: string; readonly pass?: string } {
  const isMasked = document.documentElement.dataset.secrets === "masked";
  const pass = passId();
  return { ...(isMasked && { masked: "1" }), ...(pass && { pass }) };
}

/** The link's id, which the page's own address says. The owner's page came by none. */
export function passId(): string | undefined {
  return /^\/s\/(k_[0-9a-z]{8})$/.exec(location.pathname)?.[1];
}
