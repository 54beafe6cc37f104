// Everything over HTTP that is not an operation: the page, signing in, MCP, metrics, descriptions. Translates, never decides.

import type { RequestListener } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono, type Context as Req } from "hono";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { metrics } from "../../protocol/ops/system.ts";
import { API_PROTOCOL, VERSION } from "../../protocol/plain/version.ts";
import type { Caller } from "../auth.ts";
import type { Perform } from "../perform.ts";
import { type Door, identify, refused, signsIn } from "./door.ts";
import { openapi } from "./openapi.ts";
import { page } from "./page.ts";
import { failed, goneOf, refusal } from "./posted.ts";

export interface AppParts extends Door {
  readonly perform: Perform;
  readonly webRoot: string;
  /** Made at the first use, because most daemons never see such a client. */
  mcp(): Promise<{ answer(request: Request, caller: Caller): Promise<Response> }>;
}

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
  app.use("/v1/*", async (c, next) => {
    const caller = identify(parts, c.env.incoming);
    return isFault(caller) ? refuse(c, caller) : next();
  });
  app.all("/mcp", async (c) => {
    const caller = identify(parts, c.env.incoming);
    if (isFault(caller)) return refuse(c, caller);
    return (await parts.mcp()).answer(c.req.raw, caller);
  });
  app.get("/metrics", (c) => scraped(c, parts));
  app.get("/v1/openapi.json", (c) => c.json(openapi()));
  app.all("/v1/*", (c) => refuse(c, fault("not_found", `no operation ${c.req.path}`, "See GET /v1/openapi.json.")));
  app.get("*", page(parts.webRoot));
  app.onError((error, c) => refuse(c, failed(error)));
  return app;
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
  const { auth, peers, cookieName, way } = parts;
  const { incoming } = c.env;
  // Its cookie would not count. The code stays good for another browser.
  const { is } = peers.of(incoming.socket);
  const wrong =
    is === "outside" ? signsIn(parts, incoming, c.req.query("code") ?? "") : refused(parts, incoming, NOT_HERE[is]);
  if (wrong) return c.text(`${wrong.message} ${wrong.hint}\n`, refusal(wrong).status);
  const secure = way.kind === "tls" ? "; Secure" : "";
  c.header(
    "set-cookie",
    `${cookieName()}=${auth.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000${secure}`,
  );
  c.header("referrer-policy", "no-referrer");
  // Not a redirect, because browsers do not send a strict cookie on one that began at another site.
  const session = /^s_\w{8}$/.exec(c.req.query("session") ?? "")?.[0];
  const target = session ? `/#/${session}` : "/";
  return c.html(`<!doctype html><meta http-equiv="refresh" content="0;url=${target}"><title>duetty</title>`);
}

const NOT_HERE = {
  inside: fault("role.inside", "This browser was started from inside duetty.", "Open the link in one that was not."),
  unseen: fault("role.inside", "Nobody can tell where this browser runs:", "see unseen_peers in docs/gate.md."),
};

function refuse(c: Req<Env>, wrong: Fault): Response {
  const { status, body } = refusal(wrong);
  return c.json(body, status);
}
