// The checks that every request and every upgrade passes before anything else happens: form, Host, Origin, credentials.
// A page of another site that reaches our port (DNS rebinding, CSRF) stops here. Whoever is let in or refused is written down.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { actorName, fromOf } from "../../core/gate/actor.ts";
import { originOf } from "../../protocol/plain/public-origins.ts";
import { type Audit, pathIn } from "../audit.ts";
import type { Auth, Caller } from "../auth.ts";
import type { Log } from "../log.ts";
import type { Peers } from "../peers.ts";
import { isOpenToPages, offeredToken } from "./embedding.ts";
import type { Tries } from "./tries.ts";

/**
 * The listener of a request. The unix socket is in a private folder, and no browser reaches it. TCP is loopback only; what other
 * machines reach has TLS, and its certificate says which names are ours.
 */
export type Way =
  | { readonly kind: "unix" }
  | { readonly kind: "tcp"; readonly port: number }
  | { readonly kind: "tls"; readonly port: number; isOurs(hostname: string): boolean };

/** Where a link to a session leads, and the address that a person opens on a new device. */
const SHARED_PATH = /^\/(?:s\/k_[0-9a-z]{8}|pair)$/;

/** Who is let in, and by what. */
export interface Door {
  readonly auth: Auth;
  readonly peers: Peers;
  readonly way: Way;
  readonly audit: Audit;
  readonly tries: Tries;
  readonly log: Log;
  /** What tunnels call us (public-origins.ts). */
  readonly origins: readonly string[];
  /** Pages of other sites that may call us with a token (embedding.ts). */
  readonly embeds: readonly string[];
  cookieName(): string;
}

/** Whether a request is meant for us and comes from us. Nothing of its body is read before. */
export function checkPlace(door: Door, request: IncomingMessage): Fault | undefined {
  const wrong = malformed(door.way, request) ?? foreignPlace(door, request) ?? crossSite(door, request);
  return wrong && refused(door, request, wrong);
}

/** Where something could change, a cookie counts only with our own Origin, because browsers send it by themselves. */
export function identify(door: Door, request: IncomingMessage): Caller | Fault {
  const { auth, peers, cookieName } = door;
  const { headers, socket } = request;
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? offeredToken(headers);
  const pass = passIn(request);
  const name = pass === undefined ? cookieName() : passCookie(cookieName(), pass);
  const cookie = pageOf(door, request) === "ours" ? cookieOf(headers.cookie ?? "", name) : undefined;
  const as = headers["x-duetty-as"];
  const behalf = headers["x-duetty-for"];
  const address = socket.remoteAddress ?? null;
  const said = { as: typeof as === "string" ? as : undefined, behalf: behalf === undefined ? undefined : `${behalf}` };
  const shown = { bearer, cookie, pass, address, ...said };
  const caller = auth.caller(shown, peers.of(socket));
  if (caller) {
    const by = bearer === undefined ? "cookie" : "token";
    door.audit.entry(socket, passageOf(door.way, request), fromOf(caller.actor) ?? actorName(caller.actor), by);
    return isHere(door, request) ? caller : { away: "elsewhere", ...caller };
  }
  const hasTried = bearer !== undefined || cookie !== undefined;
  return refused(door, request, hasTried ? failedTry(door, request, NO_TOKEN) : NO_TOKEN);
}

const NO_TOKEN = fault(
  "auth.required",
  "no valid token",
  "Send Authorization: Bearer with person.token or agent.token.",
);

/** Whether this one-time code signs a browser in. */
export function signsIn(door: Door, request: IncomingMessage, code: string): Fault | undefined {
  if (door.auth.useCode(code, Date.now())) {
    door.audit.entry(request.socket, passageOf(door.way, request), "person", "code");
    return undefined;
  }
  const old = "This link was used already or is too old.";
  const wrong = fault("auth.forbidden", old, "Run duetty again for a new one.");
  return refused(door, request, failedTry(door, request, wrong));
}

/** The key of somebody who opened a link to a session. */
export function opensLink(door: Door, request: IncomingMessage, id: string, secret: string) {
  const opened = door.auth.useLink(id, secret);
  const ask = "Ask the person who shared it for a new one.";
  if (opened === "used up")
    return refused(door, request, fault("link.used_up", "This link was opened as often as it may be.", ask));
  if (opened) {
    door.audit.entry(request.socket, passageOf(door.way, request), opened.name, "link");
    return opened;
  }
  const over = "This link is not valid, or not any more.";
  const wrong = fault("auth.forbidden", over, ask);
  return refused(door, request, failedTry(door, request, wrong));
}

/** The key of a device on which the person typed the code. */
export function pairs(door: Door, request: IncomingMessage, code: string, name: string) {
  const paired = door.auth.pairs(code, name, request.socket.remoteAddress ?? null, Date.now());
  if (paired && isFault(paired)) return paired;
  if (paired) {
    door.audit.entry(request.socket, passageOf(door.way, request), `device:${paired.pass.name}`, "pairing");
    return paired;
  }
  const wrong = fault(
    "auth.forbidden",
    "This code is wrong, was used, or is too old.",
    "Show a new one on the machine.",
  );
  return refused(door, request, failedTry(door, request, wrong));
}

/** Whether a request comes to an address that only this machine has, and from no page of another site. */
function isHere(door: Door, request: IncomingMessage): boolean {
  const { host = "" } = request.headers;
  if (door.way.kind !== "tcp") return door.way.kind === "unix";
  return originOf(host, door.origins) === undefined && pageOf(door, request) !== "embed";
}

/** Whether browsers keep a cookie for TLS alone: behind a tunnel the TLS is not ours. */
export function isSecure({ way, origins }: Door, { host = "" }: IncomingHttpHeaders): boolean {
  return way.kind === "tls" || originOf(host, origins)?.startsWith("https:") === true;
}

/** One browser may have come by several links. Each page says which is its own, so that no two get in each other's way. */
function passIn({ headers, url = "" }: IncomingMessage): string | undefined {
  const named = headers["x-duetty-pass"] ?? new URLSearchParams(url.split("?", 2)[1] ?? "").get("pass") ?? undefined;
  return typeof named === "string" ? named : undefined;
}

export function passCookie(cookieName: string, pass_id: string): string {
  return `${cookieName}_${pass_id}`;
}

/** Writes a refusal down. */
export function refused<F extends Fault>({ audit, way }: Door, request: IncomingMessage, wrong: F): F {
  audit.refusal(passageOf(way, request), wrong.code, wrong.message);
  return wrong;
}

function failedTry({ tries }: Door, { socket }: IncomingMessage, wrong: Fault): Fault {
  if (!tries.failed(socket.remoteAddress ?? "unix", Date.now())) return wrong;
  return fault("auth.too_many", "too many wrong tokens or codes", "Wait a minute. A right one is still let in.");
}

function passageOf({ kind: way }: Way, { socket, method, url }: IncomingMessage) {
  return { way, from: socket.remoteAddress ?? null, what: `${method} ${pathIn(url)}` };
}

/** Two Hosts, or a target of another server: whoever stands between may have read the other one. */
function malformed(way: Way, { rawHeaders, headers, url = "" }: IncomingMessage): Fault | undefined {
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const twice = ["host", "origin", "authorization", "sec-fetch-site"].find(
    (name) => names.indexOf(name) !== names.lastIndexOf(name),
  );
  if (twice !== undefined) return fault("request.invalid", `${twice} was sent twice`, "Send it once.");
  if (way.kind !== "unix" && headers.host === undefined)
    return fault("request.invalid", "no Host was sent", "Send it.");
  const own = way.kind === "unix" ? undefined : `${schemeOf(way)}://${headers.host}/`;
  if (url.startsWith("/") || (own !== undefined && url.startsWith(own))) return undefined;
  return fault("request.invalid", `the target "${url.slice(0, 100)}" is no path here`, "Send a path.");
}

function foreignPlace(door: Door, request: IncomingMessage): Fault | undefined {
  const { host = "", origin = "" } = request.headers;
  const isMeant = door.way.kind === "unix" || originOf(host, door.origins) !== undefined || isOurs(door.way, host);
  if (!isMeant) return foreign("Host", host);
  return pageOf(door, request) === "foreign" ? foreign("Origin", origin) : undefined;
}

/** Whose page sends a request to us, as far as its browser says. */
export function pageOf(door: Door, request: IncomingMessage): "none" | "ours" | "embed" | "foreign" {
  const { origin } = request.headers;
  if (origin === undefined) return "none";
  if (ownOrigins(door, request.headers).includes(origin)) return "ours";
  const isNamed = door.way.kind !== "unix" && door.embeds.includes(origin);
  return isNamed && isOpenToPages(request) ? "embed" : "foreign";
}

function ownOrigins({ way, origins }: Door, { host = "" }: IncomingHttpHeaders): readonly string[] {
  if (way.kind === "unix") return [];
  const known = originOf(host, origins);
  if (known !== undefined) return [known];
  return way.kind === "tcp" ? namesOf(way).map((name) => `http://${name}`) : [`https://${host}`];
}

/** Browsers say where a request began. Another port of this machine may be opened from a link there, and nothing more. */
function crossSite(door: Door, request: IncomingMessage): Fault | undefined {
  const { headers, method, url } = request;
  const { "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  // A link that somebody sent is opened from anywhere. The page behind it is the same for everybody.
  if (mode === "navigate" && method === "GET" && SHARED_PATH.test(pathIn(url))) return undefined;
  if (pageOf(door, request) === "embed") return undefined;
  const isForeign = site === "cross-site" || (site === "same-site" && mode !== "navigate");
  const hint = "Open the address yourself: a page of another site may not.";
  return isForeign ? fault("auth.forbidden", "the request comes from another site", hint) : undefined;
}

function isOurs(way: Exclude<Way, { kind: "unix" }>, host: string): boolean {
  if (way.kind === "tcp") return namesOf(way).includes(host);
  const [, name, port = "443"] = /^(\[[\da-f:]+\]|[\w.-]+)(?::(\d+))?$/i.exec(host) ?? [];
  return name !== undefined && Number(port) === way.port && way.isOurs(name.replace(/^\[|\]$/g, ""));
}

function namesOf({ port }: { readonly port: number }): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

function schemeOf({ kind }: Way): "http" | "https" {
  return kind === "tls" ? "https" : "http";
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

function foreign(what: string, value: string): Fault {
  const hint = "Use the address that duetty printed.";
  const others = "For a page of your own, see docs/embedding-in-pages.md.";
  return fault("auth.forbidden", `${what} "${value}" is not ours`, what === "Origin" ? `${hint} ${others}` : hint);
}
