// One message to one push service. A browser told us its address, so it is not believed: it must be https to a public host, is
// looked up once, and the connection goes to the very address that was judged. No redirect is followed.
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type Reach, reachOf, readAddress } from "../../core/box/address.ts";

const TIMEOUT_MS = 10_000;

/** done; gone: nobody listens there any more; later: try again; refused: never mind. */
export type Delivered = "done" | "gone" | "later" | "refused";

export interface DeliveryParts {
  lookup(host: string): Promise<readonly string[]>;
  /** Whether push services on this machine count, also without TLS: for tests alone. */
  readonly loopback: boolean;
}

/** Why nothing is sent there, as far as the address itself tells. */
export function wrongEndpoint(endpoint: URL, { loopback }: Pick<DeliveryParts, "loopback">): string | undefined {
  const reach = reachIn(bare(endpoint));
  if (loopback && reach === "loopback") return undefined;
  if (endpoint.protocol !== "https:") return "a push service has https";
  if (endpoint.username !== "" || endpoint.password !== "") return "a push service has no user in its address";
  return reach === undefined || reach === "public" ? undefined : "a push service has a public address";
}

export async function deliver(
  endpoint: URL,
  headers: http.OutgoingHttpHeaders,
  body: Uint8Array,
  parts: DeliveryParts,
): Promise<Delivered> {
  if (wrongEndpoint(endpoint, parts) !== undefined) return "refused";
  const host = bare(endpoint);
  const found = isIP(host) === 0 ? await parts.lookup(host) : [host];
  // Nobody knows the name now.
  if (found.length === 0) return "later";
  const wanted = endpoint.protocol === "https:" ? ["public"] : [];
  const allowed = parts.loopback ? [...wanted, "loopback"] : wanted;
  const [address] = found.filter((one) => allowed.includes(reachIn(one) ?? ""));
  return address === undefined ? "refused" : post(endpoint, address, headers, body);
}

function post(endpoint: URL, address: string, headers: http.OutgoingHttpHeaders, body: Uint8Array): Promise<Delivered> {
  const lookup: LookupFunction = (_, { all }, done) => {
    const family = isIP(address);
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  const { request } = endpoint.protocol === "https:" ? https : http;
  const options = { method: "POST", headers: { ...headers, "content-length": body.length }, lookup, agent: false };
  return new Promise((resolve) => {
    const asked = request(endpoint, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
      resolve(outcomeOf(response.statusCode ?? 0));
      // What it says besides is nothing to us.
      response.destroy();
    });
    asked.on("error", () => resolve("later"));
    asked.end(body);
  });
}

function outcomeOf(status: number): Delivered {
  if (status >= 200 && status < 300) return "done";
  if (status === 404 || status === 410) return "gone";
  return status === 429 || status >= 500 ? "later" : "refused";
}

function bare({ hostname }: URL): string {
  return hostname === "localhost" ? "127.0.0.1" : hostname.replace(/^\[|\]$/g, "");
}

function reachIn(host: string): Reach | undefined {
  const address = readAddress(host);
  return address && reachOf(address);
}
