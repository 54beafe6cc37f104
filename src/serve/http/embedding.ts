// Pages of other sites that a person named in embed_origins: what they may reach, and how they show a token. Pure.
// Refuses: cookies. Browsers send them by themselves, also from a page on another port of this machine.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pathIn } from "../audit.ts";

/** What a socket answers to. Browsers let a page choose no other header of an upgrade, so the token stands beside it. */
export const SOCKET_PROTOCOL = "duetty";
const BEARER = "bearer.";
const OPERATION = /^\/v1\/\w+$/;
const TERMINAL = /^\/v1\/sessions\/[^/]+\/terminal$/;
/** How long a browser remembers the answer to "may this page call you?". */
const REMEMBERED_S = "600";
const HEADERS = [
  "authorization",
  "content-type",
  "x-duetty-approval-wait",
  "x-duetty-as",
  "x-duetty-masked",
  "x-duetty-protocol",
  "x-duetty-surface",
].join(", ");

/** Operations and terminals. The page, signing in, links and MCP are not for others' pages. */
export function isOpenToPages({ method, url }: IncomingMessage): boolean {
  const path = pathIn(url);
  return method === "GET" ? TERMINAL.test(path) : isCall(method) && OPERATION.test(path);
}

function isCall(method: string | undefined): boolean {
  return method === "POST" || method === "OPTIONS";
}

/** The token among a socket's protocols. Two of them are none: nobody could tell which one counts. */
export function offeredToken({ upgrade, "sec-websocket-protocol": offered = "" }: IncomingHttpHeaders) {
  if (upgrade === undefined) return undefined;
  const protocols = offered.split(",").map((protocol) => protocol.trim());
  const [token, ...more] = protocols.filter((protocol) => protocol.startsWith(BEARER));
  if (token === undefined || more.length > 0 || !protocols.includes(SOCKET_PROTOCOL)) return undefined;
  return token.slice(BEARER.length);
}

/** For a browser whose page is one of those. */
export function pageMayRead(origin: string): Readonly<Record<string, string>> {
  return { "access-control-allow-origin": origin, vary: "origin" };
}

/** The answer to a browser that asks before it calls. It never says that cookies count. */
export const MAY_CALL: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": HEADERS,
  "access-control-max-age": REMEMBERED_S,
};
