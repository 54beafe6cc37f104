// Everything over HTTP that is not an operation: the page, signing in, MCP, metrics, descriptions. Translates, never decides.

import type { IncomingMessage, RequestListener } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono, type Context as Req } from "hono";
import * as z from "zod";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { metrics } from "../../protocol/ops/system.ts";
import { API_PROTOCOL, VERSION } from "../../protocol/plain/version.ts";
import { PersonName } from "../../protocol/words/policy.ts";
import { wrongInput } from "../../protocol/words/wrong-input.ts";
import type { Caller } from "../auth.ts";
import type { Perform } from "../perform.ts";
import { whole } from "./body.ts";
import { type Door, identify, isSecure, opensLink, pairs, passCookie, refused, signsIn } from "./door.ts";
import { openapi } from "./openapi.ts";
import { page } from "./page.ts";
import { failed, goneOf, refusal } from "./posted.ts";

export interface AppParts extends Door {
  readonly perform: Perform;
  readonly webRoot: string;
  /** Made at the first use, because most daemons never see such a client. */
  mcp(): Promise<{ answer(request: Request, caller: Caller): Promise<Response> }>;
}

/** A browser stays signed in for a year. */
const SIGNED_IN_S = 31_536_000;

type Env = { Bindings: HttpBindings };

export function appListener(parts: AppParts): RequestListener {
  return getRequestListener(httpApp(parts).fetch);
}

function httpApp(parts: AppParts): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    await next();
    c.header("x-content-type-options", "nosniff");
    c.header("cache-control", c.res.headers.get("cache-control") ?? "no-store");
  });
  app.get("/healthz", (c) => c.json({ ok: true, version: VERSION, protocol: API_PROTOCOL }));
  app.get("/login", (c) => signIn(c, parts));
  app.post("/s/:id", (c) => openLink(c, parts));
  app.post("/pair", (c) => pairDevice(c, parts));
  app.use("/v1/*", async (c, next) => {
    const caller = known(parts, c.env.incoming);
    return isFault(caller) ? refuse(c, caller) : next();
  });
  app.all("/mcp", async (c) => {
    const caller = known(parts, c.env.incoming);
    if (isFault(caller)) return refuse(c, caller);
    // A browser has the page. Nothing of it may stay open here when it is signed out.
    if (caller.visit !== undefined) return refuse(c, refused(parts, c.env.incoming, NOT_FOR_BROWSERS));
    return (await parts.mcp()).answer(c.req.raw, caller);
  });
  app.get("/metrics", (c) => scraped(c, parts));
  app.get("/v1/openapi.json", (c) => c.json(openapi()));
  app.all("/v1/*", (c) => refuse(c, fault("not_found", `no operation ${c.req.path}`, "See GET /v1/openapi.json.")));
  app.get("*", page(parts.webRoot));
  app.onError((error, c) => refuse(c, failed(error, parts.log)));
  return app;
}

/** Everybody but guests: they have their session's operations and its socket. */
function known(parts: AppParts, incoming: IncomingMessage): Caller | Fault {
  const caller = identify(parts, incoming);
  if (isFault(caller) || !caller.guest) return caller;
  const wrong = fault("auth.forbidden", "this is not part of what was shared", "Ask the person who shared it.");
  return refused(parts, incoming, wrong);
}

/** The operation of that name, in the form that scrapers ask for. */
async function scraped(c: Req<Env>, parts: AppParts): Promise<Response> {
  const caller = identify(parts, c.env.incoming);
  if (isFault(caller)) return refuse(c, caller);
  const result = await parts.perform(metrics, {}, { ...caller, cancelled: goneOf(c.env.outgoing) });
  if (isFault(result)) return refuse(c, result);
  return c.text(metrics.output.parse(result).text, 200, { "content-type": "text/plain; version=0.0.4" });
}

function signIn(c: Req<Env>, parts: AppParts): Response {
  const { auth, peers, cookieName } = parts;
  const { incoming } = c.env;
  // Its cookie would not count. The code stays good for another browser.
  const { is } = peers.of(incoming.socket);
  const wrong =
    is === "outside" ? signsIn(parts, incoming, c.req.query("code") ?? "") : refused(parts, incoming, NOT_HERE[is]);
  if (wrong) return c.text(`${wrong.message} ${wrong.hint}\n`, refusal(wrong).status);
  c.header("set-cookie", cookieFor(parts, incoming, cookieName(), auth.cookie, SIGNED_IN_S));
  c.header("referrer-policy", "no-referrer");
  // Not a redirect, because browsers do not send a strict cookie on one that began at another site.
  const session = /^s_\w{8}$/.exec(c.req.query("session") ?? "")?.[0];
  const target = session ? `/#/${session}` : "/";
  return c.html(`<!doctype html><meta http-equiv="refresh" content="0;url=${target}"><title>duetty</title>`);
}

const Opening = z.object({ secret: z.string().max(200) });

/** The page behind a link shows its secret once, and gets a cookie of its own. */
async function openLink(c: Req<Env>, parts: AppParts): Promise<Response> {
  const { peers, cookieName } = parts;
  const { incoming } = c.env;
  const { is } = peers.of(incoming.socket);
  if (is !== "outside") return refuse(c, refused(parts, incoming, NOT_HERE[is]));
  const asked = Opening.safeParse(await (await whole(c.req.raw))?.json().catch(() => undefined));
  const id = c.req.param("id") ?? "";
  const opened = opensLink(parts, incoming, id, asked.data?.secret ?? "");
  if (isFault(opened)) return refuse(c, opened);
  const seconds = Math.ceil((opened.until - Date.now()) / 1_000);
  c.header("set-cookie", cookieFor(parts, incoming, passCookie(cookieName(), id), opened.key, seconds));
  return c.json({});
}

const Pairing = z.object({ code: z.string().max(100), name: PersonName });

/** A device gets a key of its own, and is the person from then on. */
async function pairDevice(c: Req<Env>, parts: AppParts): Promise<Response> {
  const { peers, cookieName } = parts;
  const { incoming } = c.env;
  const { is } = peers.of(incoming.socket);
  if (is !== "outside") return refuse(c, refused(parts, incoming, NOT_HERE[is]));
  const asked = Pairing.safeParse(await (await whole(c.req.raw))?.json().catch(() => undefined));
  // The code stays good.
  if (!asked.success) return refuse(c, fault("input.invalid", wrongInput(asked.error), "Give a code and a name."));
  const paired = pairs(parts, incoming, asked.data.code, asked.data.name);
  if (isFault(paired)) return refuse(c, paired);
  c.header("set-cookie", cookieFor(parts, incoming, cookieName(), paired.key, SIGNED_IN_S));
  return c.json({ name: paired.pass.name });
}

function cookieFor(
  parts: AppParts,
  { headers }: IncomingMessage,
  name: string,
  value: string,
  seconds: number,
): string {
  const secure = isSecure(parts, headers) ? "; Secure" : "";
  return `${name}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`;
}

const NOT_FOR_BROWSERS = fault("auth.forbidden", "MCP is not for browsers", "Give the client a token.");

const NOT_HERE = {
  inside: fault("role.inside", "This browser was started from inside duetty.", "Open the link in one that was not."),
  unseen: fault("role.inside", "Nobody can tell where this browser runs:", "see unseen_peers in docs/gate.md."),
};

function refuse(c: Req<Env>, wrong: Fault): Response {
  const { status, body } = refusal(wrong);
  return c.json(body, status);
}
