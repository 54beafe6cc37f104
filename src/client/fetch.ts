// Calls of operations where there is `fetch`: in browsers.
import { CallError, type Transport } from "./client.ts";

/** `headers`: what says who calls; without it the browser's cookie does. */
export function fetchTransport(base: string, headers: () => Record<string, string>, ask = fetch): Transport {
  return async (op, body, { signal = null, approvalWaitMs } = {}) => {
    const all: Record<string, string> = { ...headers(), "content-type": "application/json" };
    if (approvalWaitMs !== undefined) all["x-duetty-approval-wait"] = `${approvalWaitMs}`;
    try {
      const response = await ask(base + op, { method: "POST", headers: all, body, signal });
      return { status: response.status, body: await response.text() };
    } catch {
      // Whether it was done nobody can tell: a browser does not say how a request failed.
      throw new CallError({
        code: "daemon.lost",
        message: "The daemon does not answer.",
        hint: "It may have done what you asked for. Look before you repeat it.",
      });
    }
  };
}
