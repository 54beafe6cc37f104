// Calls of operations over HTTP. Types come from the protocol; its schemas (and zod) stay on the server.
// Expected failures are values with a hint; the cookie is the browser's business.
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
  const headers = {
    "content-type": "application/json",
    "x-duetty-surface": "page",
    ...maskedHeader(),
    ...passHeader(),
  };
  const request = { method: "POST", headers, body: JSON.stringify(input), ...(signal && { signal }) };
  try {
    const response = await fetch(path, request);
    const body: unknown = await response.json();
    // The answer has this page's version, because the daemon serves both.
    return response.ok ? (body as T) : faultOf(body, response.status);
  } catch {
    const hint = "It may have done what you asked for. Look before you repeat it.";
    return { fault: true, code: "offline", message: "The daemon does not answer.", hint };
  }
}

/** What this browser's settings say of secrets (settings/settings.ts). */
export function isMasked(): boolean {
  return document.documentElement.dataset.secrets === "masked";
}

function maskedHeader(): Record<string, string> {
  return isMasked() ? { "x-duetty-masked": "1" } : {};
}

/** The link that this page came by: its own address says it. The owner's page came by none. */
export function passId(): string | undefined {
  return /^\/s\/(k_[0-9a-z]{8})$/.exec(location.pathname)?.[1];
}

function passHeader(): Record<string, string> {
  const id = passId();
  return id === undefined ? {} : { "x-duetty-pass": id };
}

function faultOf(body: unknown, status: number): Fault {
  const { code, message, hint } = (body as { error?: Partial<Fault> }).error ?? {};
  return { fault: true, code: code ?? "internal", message: message ?? `HTTP ${status}`, hint: hint ?? "" };
}
