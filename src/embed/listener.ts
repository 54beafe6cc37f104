// Ways in for a server of one's own: Node's listeners for operations and terminals' sockets. Whoever has the server says who a
// request is from; a process inside a session is an agent all the same. Refuses: requests of pages of other sites.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { checkOptions } from "../client/options.ts";
import { type Fault, fault, isFault } from "../core/base/fault.ts";
import { ShareRole } from "../protocol/ops/share.ts";
import { claimedNameIn, isAgentName, isReserved } from "../protocol/plain/agent-name.ts";
import { PERSON_NAME } from "../protocol/plain/person-name.ts";
import { agentCalled, type Caller, guestOf, PERSON } from "../serve/auth.ts";
import { answerPosted, postedOp, refuse } from "../serve/http/posted.ts";
import { isTerminal, targetIn, upgrading } from "../serve/http/terminal-socket.ts";
import type { RunningMachine } from "../serve/machine.ts";
import type { Origin } from "../serve/peers.ts";

export type Role = "person" | `agent:${string}`;

/** Somebody with whom one session is shared, and nothing else, as by a link. */
export interface SharedWith {
  /** Its id, a unique beginning of it, or its name. */
  readonly session: string;
  /** watch; type: watch and type; approve: also answer its questions. */
  readonly may: "watch" | "type" | "approve";
  /** How everybody sees them. Default: guest. */
  readonly name?: string;
  /** Show secrets, too. Default: no. */
  readonly unmasked?: boolean;
}

type Known = Role | SharedWith | null;

export interface ListenerOptions {
  /**
   * Who a request is from: "person", "agent:NAME", somebody with whom one session is shared, or null for nobody. Look at your own
   * cookie or token here.
   */
  authorize(request: IncomingMessage): Known | Promise<Known>;
  /** Begins the paths that are ours, for example "/terminals". Default: none, so that paths begin with /v1/. */
  readonly path?: string;
  /** Origins of pages besides the server's own on this machine: another site, or the name that a proxy has. */
  readonly origins?: readonly string[];
}

export interface Listener {
  /** For `http.createServer`, Express or any framework over Node's own. `next`: it is not ours. */
  request(request: IncomingMessage, response: ServerResponse, next?: () => void): void;
  /** For the server's "upgrade" event. False: it is not ours, and left to others who listen. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

const OPTIONS: Readonly<Record<keyof ListenerOptions, true>> = { authorize: true, path: true, origins: true };
/** Somebody else's rule looks into a store of sessions, or asks another server. One that hangs keeps nobody's socket for ever. */
const AUTHORIZE_MS_MAX = 30_000;
/** Whoever else listens answers an upgrade at once. Without one its socket would stay open for ever. */
const UNANSWERED_MS = 10_000;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;
const OWN_NAME = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/;
const NAME_IT = "Name its origin in origins.";
const READ = fault(
  "input.invalid",
  "the body of this request was read before it came here",
  "Let this listener come before express.json() and others that read bodies.",
);
const NOBODY = fault("auth.required", "nobody is signed in", "Sign in where this terminal is embedded.");

export function listenerOf(machine: RunningMachine, options: ListenerOptions): Listener & { close(): void } {
  checkOptions("listener", options, OPTIONS);
  const { authorize, path = "", origins = [] } = options;
  if (typeof authorize !== "function") throw new TypeError("listener needs authorize: who may come in is yours to say");
  async function identify(request: IncomingMessage): Promise<Caller | Fault> {
    const wrong = foreign(request, origins);
    if (wrong) return wrong;
    // Its process may end while somebody thinks.
    machine.peers.met(request.socket);
    try {
      return callerFor(await inTime(authorize(request)), machine, request);
    } catch (error) {
      // What it says may be for nobody else.
      machine.log.error(error);
      return fault("internal", "nobody can tell who this is", "Whoever has this server finds more in its log.");
    }
  }
  // Express takes the beginning away that a listener is mounted at.
  const ours = ({ url = "", originalUrl = "" }: IncomingMessage & { readonly originalUrl?: string }) =>
    [url, originalUrl].find((one) => one.startsWith(`${path}/`))?.slice(path.length) ?? "";
  const posted = { ...machine, identify };
  const sockets = upgrading(async (request) => {
    const caller = await identify(request);
    return isFault(caller) ? caller : targetIn(ours(request), caller, machine);
  }, machine);
  return {
    request(request, response, next) {
      const op = postedOp({ method: request.method, url: ours(request) });
      if (op && request.readableEnded) return refuse(response, READ);
      if (op) return void answerPosted(op, request, response, posted);
      if (next) return next();
      refuse(response, fault("not_found", `no operation ${request.url}`, "POST one to /v1/NAME; see docs/api.md."));
    },
    upgrade(request, socket, head) {
      const isOurs = isTerminal(ours(request));
      if (isOurs) void sockets.upgrade(request, socket, head);
      else endUnanswered(socket);
      return isOurs;
    },
    close: () => sockets.close(),
  };
}

async function inTime(role: ReturnType<ListenerOptions["authorize"]>): Promise<Known> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`authorize has not answered within ${AUTHORIZE_MS_MAX} ms`);
    timer = setTimeout(() => reject(error), AUTHORIZE_MS_MAX).unref();
  });
  return Promise.race([role, late]).finally(() => clearTimeout(timer));
}

function endUnanswered(stream: Duplex): void {
  setTimeout(() => {
    if (stream instanceof Socket && stream.bytesWritten === 0) stream.destroy();
  }, UNANSWERED_MS).unref();
}

/** Nobody inside a session becomes a person by what it shows, nor does one of whom nobody can tell where it is. */
function callerFor(role: Known, { peers, sessions }: RunningMachine, { socket }: IncomingMessage): Caller | Fault {
  if (!role) return NOBODY;
  const from = peers.of(socket);
  if (typeof role !== "string") return guestFor(role, sessions, from);
  if (from.is === "inside") return { ...agentCalled(from.agent ?? ""), inside: from.is, lowered: true };
  if (role !== "person") return agentFor(role);
  return from.is === "unseen" ? { ...agentCalled(), inside: from.is, lowered: true } : PERSON;
}

/** They came by no link of ours, so no link ends their visit: whoever has the server lets them in anew with each request. */
function guestFor(shared: SharedWith, sessions: RunningMachine["sessions"], from: Origin): Caller | Fault {
  const { may: role, name = "guest", unmasked = false } = shared;
  const isName = PERSON_NAME.test(name) && !isReserved(name);
  if (!isName || !ShareRole.safeParse(role).success)
    return fault("input.invalid", "authorize named no role, or a reserved name", "See SharedWith in docs/api.md.");
  const session = sessions.find(shared.session);
  if (isFault(session)) return session;
  const guest = { id: "", session_id: session.id, role, masked: !unmasked };
  const { visit: _, ...caller } = guestOf({ role: "guest", name, guest }, from);
  return caller;
}

export function agentFor(role: string): Caller | Fault {
  const name = claimedNameIn(role);
  if (name !== undefined && isAgentName(name)) return agentCalled(name);
  const hint = 'Use "agent:" and a name of letters, digits, dots and dashes that is not reserved.';
  return fault("input.invalid", `${JSON.stringify(role)} names no agent`, hint);
}

/** A page of another site, or one whose name was led to this machine (DNS rebinding). Behind a proxy its own origin is named. */
function foreign({ headers, socket }: IncomingMessage, origins: readonly string[]): Fault | undefined {
  const { origin, host = "" } = headers;
  const named = origins.map(hostOf);
  if (LOOPBACK.test(socket.localAddress ?? "") && !OWN_NAME.test(host) && !named.includes(host))
    return fault("auth.forbidden", `${host || "a request without Host"} is no name of this machine`, NAME_IT);
  if (origin === undefined || origins.includes(origin) || hostOf(origin) === host) return undefined;
  return fault("auth.forbidden", `a page of ${origin} may not call this server`, NAME_IT);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
