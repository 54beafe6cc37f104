// HTTP: one POST route per operation, the same app on the unix socket and on 127.0.0.1. Translates, never decides.

import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono, type Context as Req } from "hono";
import type { Surface } from "../../core/base/advice.ts";
import { type Fault, fault, isFault, shortageOf } from "../../core/base/fault.ts";
import { metrics } from "../../protocol/ops/system.ts";
import { type AnyOp, ops } from "../../protocol/ops.ts";
import { API_PROTOCOL, VERSION } from "../../protocol/plain/version.ts";
import type { Call, Caller } from "../auth.ts";
import { logError } from "../log.ts";
import type { Perform } from "../perform.ts";
import { BODY_BYTES_MAX, bytesWithin } from "./body.ts";
import { checkPlace, type Door, identify } from "./door.ts";
import { openapi } from "./openapi.ts";
import { page } from "./page.ts";

const STATUS: Readonly<Record<string, 400 | 401 | 403 | 404 | 409 | 426 | 503>> = {
  "auth.required": 401,
  "auth.forbidden": 403,
  "role.inside": 403,
  "session.not_found": 404,
  not_found: 404,
  "session.ended": 409,
  "version.mismatch": 426,
  "holder.lost": 503,
  "machine.full": 503,
  "disk.full": 503,
  "disk.refused": 503,
};

interface AppParts extends Door {
  readonly perform: Perform;
  readonly webRoot: string;
  /** Made at the first use, because most daemons never see such a client. */
  mcp(): Promise<{ answer(request: Request, caller: Caller): Promise<Response> }>;
}

type Env = { Bindings: HttpBindings };

/** The app behind the first check: a request from another site is not even parsed. */
export function requestListener(parts: AppParts): RequestListener {
  const listener = getRequestListener(httpApp(parts).fetch);
  return (request, response) => {
    const wrong = checkPlace(parts.way, request.headers);
    if (!wrong) return void listener(request, response);
    const { code, message, hint } = wrong;
    response.writeHead(403, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify({ error: { code, message, hint } }));
  };
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
  for (const op of ops) app.post(`/v1/${op.name}`, (c) => answer(c, op, parts));
  app.all("/v1/*", (c) => refuse(c, fault("not_found", `no operation ${c.req.path}`, "See GET /v1/openapi.json.")));
  app.get("*", page(parts.webRoot));
  app.onError((error, c) => {
    const shortage = shortageOf(error);
    if (shortage) return refuse(c, shortage);
    logError(error);
    return refuse(c, fault("internal", error.message, "This is a bug; the daemon's log has more."));
  });
  return app;
}

async function answer(c: Req<Env>, op: AnyOp, parts: AppParts): Promise<Response> {
  const { headers } = c.env.incoming;
  const caller = identify(parts, c.env.incoming);
  if (isFault(caller)) return refuse(c, caller);
  const wrong = checkVersion(op, headers);
  if (wrong) return refuse(c, wrong);
  const body = await readBody(c);
  if (isFault(body)) return refuse(c, body);
  const wait = Number(headers["x-duetty-approval-wait"] ?? Number.NaN);
  const approvalWaitMs = wait >= 0 ? wait : undefined;
  const call: Call = { ...caller, cancelled: goneOf(c), approvalWaitMs, surface: surfaceOf(headers) };
  const result = await parts.perform(op, body, call);
  return isFault(result) ? refuse(c, result) : c.json(result);
}

/** The operation of that name, in the form that scrapers ask for. */
async function scraped(c: Req<Env>, parts: AppParts): Promise<Response> {
  const caller = identify(parts, c.env.incoming);
  if (isFault(caller)) return refuse(c, caller);
  const result = await parts.perform(metrics, {}, { ...caller, cancelled: goneOf(c) });
  if (isFault(result)) return refuse(c, result);
  return c.text(metrics.output.parse(result).text, 200, { "content-type": "text/plain; version=0.0.4" });
}

function surfaceOf({ "x-duetty-surface": name }: IncomingHttpHeaders): Surface {
  return name === "cli" || name === "page" ? name : "tool";
}

/** Refuses an older or newer CLI before it misunderstands us. Only shutdown is accepted from any version. */
function checkVersion(op: AnyOp, headers: IncomingHttpHeaders): Fault | undefined {
  const theirs = headers["x-duetty-protocol"];
  if (theirs === undefined || theirs === String(API_PROTOCOL) || op.name === "shutdown") return undefined;
  return fault(
    "version.mismatch",
    `the daemon is ${VERSION} (protocol ${API_PROTOCOL}), you speak ${theirs}`,
    "A person replaces it by using the duetty command once.",
  );
}

async function readBody(c: Req<Env>): Promise<unknown> {
  const bytes = await bytesWithin(c.req.raw.body);
  if (bytes === undefined)
    return fault("input.invalid", `a body may have ${BODY_BYTES_MAX} bytes`, "Send less at once.");
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    return fault("input.invalid", `the body is not JSON: ${String(error)}`, "Send one JSON object.");
  }
}

function goneOf(c: Req<Env>) {
  return {
    onCancel(run: () => void) {
      const { outgoing } = c.env;
      // The client left before we listened.
      if (outgoing.closed && !outgoing.writableFinished) return queueMicrotask(run);
      outgoing.once("close", () => {
        if (!outgoing.writableFinished) run();
      });
    },
  };
}

function signIn(c: Req<Env>, { auth, peers, cookieName }: AppParts): Response {
  // Its cookie would not count. The code stays good for another browser.
  const { is } = peers.of(c.env.incoming.socket);
  if (is === "inside")
    return c.text("This browser was started from inside duetty. Open the link in one that was not.\n", 403);
  if (is === "unseen")
    return c.text("Nobody can tell where this browser runs: see unseen_peers in docs/gate.md.\n", 403);
  if (!auth.useCode(c.req.query("code") ?? "", Date.now())) {
    return c.text("This link was used already or is too old. Run duetty again for a new one.\n", 403);
  }
  c.header("set-cookie", `${cookieName()}=${auth.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000`);
  c.header("referrer-policy", "no-referrer");
  // Not a redirect, because browsers do not send a strict cookie on one that began at another site.
  const session = /^s_\w{8}$/.exec(c.req.query("session") ?? "")?.[0];
  const target = session ? `/#/${session}` : "/";
  return c.html(`<!doctype html><meta http-equiv="refresh" content="0;url=${target}"><title>duetty</title>`);
}

function refuse(c: Req<Env>, { fault: _, ...error }: Fault): Response {
  const { code } = error;
  const status = STATUS[code] ?? (code === "internal" ? 500 : 400);
  return c.json({ error }, status);
}
