// A CONNECT tunnel: bytes both ways, as they are. Each side waits for the other, so nothing piles up.
import { connect, isIP, type LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import type { Target } from "../../../core/box/network.ts";
import { responseBytes, unreachable } from "./refusal.ts";

/** One lost packet and its repetitions after one and three seconds. */
export const CONNECT_MS_MAX = 10_000;
/** A long poll is quiet for a few minutes. */
export const IDLE_MS_MAX = 10 * 60_000;
/** How long each of several addresses is tried. Node's 250 ms are too short for a slow link. */
const ATTEMPT_MS = 2_000;

/** Where to, and the addresses that were judged. */
export interface Way {
  readonly target: Target;
  readonly addresses: readonly string[];
}

export function tunnel(client: Duplex, head: Buffer, way: Way): void {
  const upstream = connect({ ...addressOptions(way), allowHalfOpen: true, noDelay: true, timeout: CONNECT_MS_MAX });
  let isOpen = false;
  client.once("close", () => upstream.destroy());
  upstream.once("timeout", () => upstream.destroy(new Error("no answer in time")));
  upstream.once("error", ({ message }) => {
    if (isOpen) client.destroy();
    else client.end(responseBytes(unreachable(way.target, message)));
  });
  upstream.once("connect", () => {
    isOpen = true;
    upstream.setTimeout(IDLE_MS_MAX);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    client.pipe(upstream);
    upstream.pipe(client);
  });
}

/** Connects to the judged addresses and asks nobody what the name stands for. */
export function addressOptions({ target, addresses }: Way) {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_, { all }, done) => {
    const [first] = known;
    if (all || !first) done(null, known);
    else done(null, first.address, first.family);
  };
  const { host, port } = target;
  return { host, port, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ATTEMPT_MS };
}
