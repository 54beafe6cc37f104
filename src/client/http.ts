// Calls of operations from Node: over a unix socket, or TCP. Knows no daemon in particular.
import http from "node:http";
import https from "node:https";
import type { Surface } from "../core/base/advice.ts";
import { API_PROTOCOL } from "../protocol/plain/version.ts";
import { rootOf } from "./address.ts";
import { CallError, type Transport } from "./client.ts";

/** A kept connection that nobody uses for so long is closed, long before the daemon closes it: a request never meets that. */
const IDLE_MS_MAX = 1_000;

export interface Identity {
  readonly token: string;
  readonly as: string | undefined;
  /** The CLI's own words in hints instead of those of tools. */
  readonly surface?: Surface | undefined;
  /** Tells clients of the same name apart. */
  readonly connection?: string | undefined;
  /** Of a person's other machine: for whom it asks. */
  readonly behalf?: string;
  readonly masked?: true | undefined;
}

/** One call after another over the same connection: a new one costs the daemon more than most calls. */
export class KeptConnection extends http.Agent {
  #usedAt = Date.now();

  constructor() {
    super({ keepAlive: true, timeout: IDLE_MS_MAX });
  }

  /** A client that was stopped or busy has missed its timer, and the daemon has closed the connection. */
  use(): void {
    const now = Date.now();
    const isOld = now - this.#usedAt > IDLE_MS_MAX;
    this.#usedAt = now;
    if (isOld) for (const socket of Object.values(this.freeSockets).flat()) socket?.destroy();
  }
}

/** Where operations are called: the path of a unix socket, or an address. */
type Place = { readonly socketPath: string } | URL;

/** Certificates that count besides those that Node knows. */
export interface Trust {
  readonly ca?: (string | Buffer)[];
}

/** Half of the longest text that Node can hold. Another machine may send without end. */
const ANSWER_BYTES_MAX = 256 << 20;

export function httpTransport(
  place: Place,
  identity: () => Identity,
  kept?: KeptConnection,
  trust: Trust = {},
  bytesMax = ANSWER_BYTES_MAX,
): Transport {
  return (op, body, { signal, approvalWaitMs } = {}) =>
    new Promise((resolve, reject) => {
      kept?.use();
      const headers: Record<string, string | number> = {
        ...credentials(identity()),
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "x-duetty-protocol": API_PROTOCOL,
      };
      if (approvalWaitMs !== undefined) headers["x-duetty-approval-wait"] = approvalWaitMs;
      const options = { method: "POST", headers, agent: kept ?? false, ...trust, ...(signal && { signal }) };
      const answered = (response: http.IncomingMessage) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on("data", (part: Buffer) => {
          bytes += part.length;
          if (bytes <= bytesMax) parts.push(part);
          else response.destroy(new Error(`an answer may have ${bytesMax} bytes`));
        });
        response.on("error", (error) => reject(lostOr(error)));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
      };
      const request =
        place instanceof URL
          ? (place.protocol === "https:" ? https : http).request(`${rootOf(place)}/v1/${op}`, options, answered)
          : http.request({ ...options, socketPath: place.socketPath, path: `/v1/${op}` }, answered);
      request.on("error", (error) => reject(lostOr(error)));
      request.end(body);
    });
}

/** The headers that say who calls. */
export function credentials({ token, as, surface, connection, behalf, masked }: Identity): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    ...(as !== undefined && { "x-duetty-as": as }),
    ...(behalf !== undefined && { "x-duetty-for": behalf }),
    ...(masked && { "x-duetty-masked": "1" }),
    ...(surface !== undefined && { "x-duetty-surface": surface }),
    ...(connection !== undefined && { "x-duetty-connection": connection }),
  };
}

/** A daemon that died in the middle of a call may have done what was asked. Only the session knows. */
function lostOr(error: Error): Error {
  if (!("code" in error) || (error.code !== "ECONNRESET" && error.code !== "EPIPE")) return error;
  return new CallError({
    code: "daemon.lost",
    message: "the daemon ended before it answered",
    hint: "What you asked for may have been done. Look at the session before you repeat it. A question that waited for a person is gone.",
  });
}
