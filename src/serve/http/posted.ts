// One operation as one POST, on Node's own request and response: this is the hot path, and web streams would double its
// cost. Translates, never decides.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Surface } from "../../core/base/advice.ts";
import type { Cancelled } from "../../core/base/cancellation.ts";
import { type Fault, fault, isFault, shortageOf } from "../../core/base/fault.ts";
import { type AnyOp, ops } from "../../protocol/ops.ts";
import { API_PROTOCOL, VERSION } from "../../protocol/plain/version.ts";
import type { Call, Caller } from "../auth.ts";
import type { Log } from "../log.ts";
import type { Perform } from "../perform.ts";
import { BODY_BYTES_MAX } from "./body.ts";

const STATUS: Readonly<Record<string, 400 | 401 | 403 | 404 | 409 | 426 | 429 | 500 | 503>> = {
  "auth.required": 401,
  "auth.forbidden": 403,
  "auth.too_many": 429,
  "role.inside": 403,
  "link.used_up": 403,
  "session.not_found": 404,
  not_found: 404,
  "session.ended": 409,
  "approval.changed": 409,
  "version.mismatch": 426,
  internal: 500,
  "holder.lost": 503,
  "host.unknown": 404,
  "host.gone": 503,
  "host.quiet": 503,
  "host.refused": 503,
  "machine.full": 503,
  "screen.failed": 503,
  "disk.full": 503,
  "disk.refused": 503,
};

const OPS: ReadonlyMap<string, AnyOp> = new Map(ops.map((op) => [`/v1/${op.name}`, op]));

/** A page that hides secrets says so with each call. */
const MASKED = { masked: true } as const;

interface PostedParts {
  readonly perform: Perform;
  readonly log: Log;
  /** Whose request it is. */
  identify(request: IncomingMessage): Caller | Fault | Promise<Caller | Fault>;
}

/** The operation that a request asks for, if it asks for one. */
export function postedOp({ method, url = "" }: Pick<IncomingMessage, "method" | "url">): AnyOp | undefined {
  if (method !== "POST") return undefined;
  const query = url.indexOf("?");
  return OPS.get(query < 0 ? url : url.slice(0, query));
}

export async function answerPosted(
  op: AnyOp,
  request: IncomingMessage,
  response: ServerResponse,
  parts: PostedParts,
): Promise<void> {
  try {
    const answer = await performed(op, request, response, parts);
    // The client left in the middle of its request.
    if (answer === undefined) return;
    // This daemon is about to end: the next call needs another one.
    if (op.name === "shutdown") response.setHeader("connection", "close");
    if (isFault(answer)) refuse(response, answer);
    else send(response, 200, answer);
  } catch (error) {
    refuse(response, failed(error, parts.log));
  }
}

/** What a caller is told of an error that nobody expected here. */
export function failed(error: unknown, log: Log): Fault {
  const shortage = shortageOf(error);
  if (shortage) return shortage;
  log.error(error);
  const message = error instanceof Error ? error.message : String(error);
  return fault("internal", message, "This is a bug; the daemon's log has more.");
}

export function refusal({ fault: _, ...error }: Fault) {
  return { status: statusOf(error.code), body: { error } };
}

export function statusOf(code: string) {
  return Object.hasOwn(STATUS, code) ? (STATUS[code] ?? 400) : 400;
}

export function refuse(response: ServerResponse, wrong: Fault): void {
  const { status, body } = refusal(wrong);
  send(response, status, body);
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  response.end(text);
}

async function performed(op: AnyOp, request: IncomingMessage, response: ServerResponse, parts: PostedParts) {
  const { headers } = request;
  const caller = await parts.identify(request);
  const wrong = isFault(caller) ? caller : checkVersion(op, headers);
  // The rest of the body is not ours to read.
  if (wrong || isFault(caller)) return wrong;
  const body = await readBody(request);
  if (body === undefined || isFault(body)) return body;
  const wait = Number(headers["x-duetty-approval-wait"] ?? Number.NaN);
  const approvalWaitMs = wait >= 0 ? wait : undefined;
  const masked = headers["x-duetty-masked"] === undefined ? {} : MASKED;
  const [cancelled, surface] = [goneOf(response), surfaceOf(headers)];
  const call: Call = { ...caller, ...masked, ...connectionOf(headers), cancelled, approvalWaitMs, surface };
  return parts.perform(op, body.json, call);
}

/** As long as a UUID is; nobody needs more to be told apart. */
const CONNECTION = /^[\w-]{1,36}$/;

function connectionOf({ "x-duetty-connection": connection }: IncomingHttpHeaders): Pick<Call, "connection"> {
  return typeof connection === "string" && CONNECTION.test(connection) ? { connection } : {};
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

/** Undefined when the client left before its end. */
async function readBody(request: IncomingMessage): Promise<{ readonly json: unknown } | Fault | undefined> {
  const bytes = await bytesOf(request);
  if (bytes === undefined) return undefined;
  if (bytes === "too long")
    return fault("input.invalid", `a body may have ${BODY_BYTES_MAX} bytes`, "Send less at once.");
  if (bytes.length === 0) return { json: {} };
  try {
    return { json: JSON.parse(bytes.toString()) };
  } catch (error) {
    return fault("input.invalid", `the body is not JSON: ${String(error)}`, "Send one JSON object.");
  }
}

/** What is too long is read on and forgotten: to close at once could take the answer away before the client reads it. */
function bytesOf(request: IncomingMessage): Promise<Buffer | "too long" | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on("data", (part: Buffer) => {
      size += part.length;
      if (size > BODY_BYTES_MAX) resolve("too long");
      else parts.push(part);
    });
    request.on("end", () => resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts)));
    request.on("error", () => resolve(undefined));
    request.on("close", () => resolve(undefined));
  });
}

export function goneOf(response: ServerResponse): Cancelled {
  return {
    onCancel(run) {
      // The client left before we listened.
      if (response.closed && !response.writableFinished) return queueMicrotask(run);
      response.once("close", () => {
        if (!response.writableFinished) run();
      });
    },
  };
}
