// Who is calling. Owns: the tokens and the one-time codes. Nobody can raise their role, and who
// comes from inside a session is an agent, whatever it shows.
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Surface } from "../core/base/advice.ts";
import type { Cancelled } from "../core/base/cancellation.ts";
import { type Fault, fault, isFault } from "../core/base/fault.ts";
import type { Actor } from "../core/gate/actor.ts";
import { LABEL_KEY_BYTES } from "../core/redact/labels.ts";
import type { Redactor } from "../core/redact/redactor.ts";
import { claimedNameIn, isAgentName } from "../protocol/plain/agent-name.ts";
import type { Home } from "../protocol/plain/home.ts";
import { ClientTokens } from "./client-tokens.ts";
import { Cookies } from "./pass/cookies.ts";
import type { Away } from "./pass/device-rules.ts";
import type { Guest } from "./pass/guest-rules.ts";
import { Pairing } from "./pass/pairing.ts";
import type { Passes } from "./pass/passes.ts";
import { tokenIn } from "./pass/token-file.ts";
import type { Origin } from "./peers.ts";

/** A link that is copied from a terminal is used within this time or never. */
const CODE_LIFE_MS = 60_000;
/** Unused codes that we keep. The oldest goes first. */
const CODES_MAX = 20;
export interface Caller {
  /** guest: a person whom one session was shared with, and nobody else. */
  readonly role: "person" | "agent" | "guest";
  readonly actor: Actor;
  /** What was shared with it. */
  readonly guest?: Guest;
  /** What it came by that can be taken back: the id of a pass, or that of all browsers. Tokens have none. */
  readonly visit?: string;
  /** A person who is not at the machine. */
  readonly away?: Away;
  /** Its token carries this name, so it has no other. */
  readonly named?: true;
  /** It runs inside a session, a run or a hosted agent; or nobody can tell where a process with a person's token runs. */
  readonly inside?: "inside" | "unseen";
  readonly session?: string;
  /** Tells clients of the same name apart. It gives no rights. */
  readonly connection?: string;
  /** A person who wants no secrets on their own page now. */
  readonly masked?: true;
  /** It showed a person's or a guest's token or cookie, which does not count there. */
  readonly lowered?: true;
}

export const PERSON: Caller = { role: "person", actor: { kind: "person" } };

interface Credentials {
  readonly bearer: string | undefined;
  readonly cookie: string | undefined;
  /** Where it comes from; null on the unix socket. */
  readonly address?: string | null;
  /** The pass that a request names: it comes by that one, whatever else its browser has. */
  readonly pass?: string | undefined;
  /** `agent:NAME`: the name of an agent, or of a person who lowers their role. */
  readonly as: string | undefined;
  /** person@HOST or agent:NAME@HOST: for whom another machine of the person asks, which shows the person's token. */
  readonly behalf?: string | undefined;
}

/** What a token or cookie says. */
type Shown =
  | { readonly role: "person" | "agent"; readonly name?: string; readonly visit?: string; readonly device?: string }
  | { readonly role: "guest"; readonly name: string; readonly guest: Guest };

export class Auth {
  #person: string;
  #agent: string;
  #codes = new Map<string, number>();
  #clients: ClientTokens;
  #isHosted: (name: string) => boolean;
  #passes: Passes;
  #cookies: Cookies;
  /** For the digits that stand for a secret. */
  readonly labelKey: Uint8Array;
  readonly pairing = new Pairing();

  /** `isHosted`: whether a hosted agent has this name. */
  constructor(
    files: Pick<Home, "personToken" | "agentToken" | "cookieSecret" | "clients">,
    isHosted: (name: string) => boolean,
    passes: Passes,
  ) {
    this.#person = tokenIn(files.personToken);
    this.#agent = tokenIn(files.agentToken);
    this.#clients = new ClientTokens(files.clients);
    this.#isHosted = isHosted;
    this.#passes = passes;
    this.#cookies = new Cookies(files.cookieSecret);
    this.labelKey = this.#cookies.made("duetty labels of secrets").subarray(0, LABEL_KEY_BYTES);
  }

  get cookie(): string {
    return this.#cookies.owner;
  }

  /** What the owner's browsers come by now. */
  get browsers(): string {
    return this.#cookies.visit;
  }

  /** Whether what somebody came by was not taken back since. */
  isGood(visit: string): boolean {
    return visit === this.browsers || this.#passes.find(visit) !== undefined;
  }

  /** No cookie and no code that was given counts from here on. */
  renewCookies(): void {
    this.pairing.end();
    this.#codes.clear();
    this.#cookies.renew();
  }

  caller(given: Credentials, from: Origin): Caller | undefined {
    const shown = this.#shown(given);
    if (!shown) return undefined;
    if (shown.role === "guest") return guestOf(shown, from);
    const wanted = claimedNameIn(given.as ?? "");
    const by = visitOf(shown);
    if (given.behalf !== undefined) return behalfOf(shown, given.behalf, from);
    if (shown.role === "person" && from.is === "outside")
      return given.as ? { ...by, ...agentCalled(wanted) } : { ...PERSON, ...by };
    const name = shown.name ?? this.#free(wanted, from) ?? (from.is === "inside" ? from.agent : null);
    return { ...by, ...agentCalled(name ?? ""), ...whereOf(shown, from) };
  }

  /** Whether a person set up a client of this name. */
  isSetUp(name: string): boolean {
    return this.#clients.has(name);
  }

  /** The same caller under the name that its client tells. A name that somebody owns becomes no name. */
  called(caller: Caller, name: string): Caller {
    if (caller.named) return caller;
    const own = caller.actor.kind === "agent" ? caller.actor.name : "";
    const { role: _, actor: __, ...where } = caller;
    return { ...agentCalled(name === own ? name : this.#free(name, { is: "outside" })), ...where };
  }

  /** Removes the person's token from a text for an agent, which could otherwise become a person. */
  withoutTokens(text: string): string {
    return text.replaceAll(this.#person, "[redacted]");
  }

  /** What would make somebody a person, as a program might have it in its environment. */
  get variables(): Readonly<Record<string, string>> {
    return { DUETTY_TOKEN: this.#person, DUETTY_COOKIE: this.cookie };
  }

  newCode(now: number): { code: string; expires_at: number } {
    const oldest = this.#codes.keys().next();
    if (this.#codes.size >= CODES_MAX && !oldest.done) this.#codes.delete(oldest.value);
    const code = randomBytes(24).toString("base64url");
    const expires_at = now + CODE_LIFE_MS;
    this.#codes.set(code, expires_at);
    return { code, expires_at };
  }

  /** True once per code, and only in time. */
  useCode(code: string, now: number): boolean {
    const expires = this.#codes.get(code);
    this.#codes.delete(code);
    return expires !== undefined && now <= expires;
  }

  /** The key of somebody who opened a link. It is good as long as the pass. Undefined: the link is not good, or not any more. */
  useLink(
    id: string,
    secret: string,
  ): { readonly key: string; readonly name: string; readonly until: number } | "used up" | undefined {
    const pass = this.#passes.open(id, secret);
    if (pass === undefined || pass === "used up") return pass;
    return { key: this.keyOf(id), name: `person:${pass.name}`, until: pass.expires_at };
  }

  /** What everybody shows who came by this link. */
  keyOf(pass_id: string): string {
    return this.#cookies.ofPass(pass_id);
  }

  /** The key of a device whose person typed the code. Undefined: the code is not good, or not any more. */
  pairs(code: string, name: string, from: string | null, now: number) {
    if (!this.pairing.use(code, now)) return undefined;
    const made = this.#passes.device(name, from);
    return isFault(made) ? made : { key: `${made.pass.id}.${made.secret}`, pass: made.pass };
  }

  #shown({ bearer, cookie, pass, address = null }: Credentials): Shown | undefined {
    if (bearer === undefined && pass !== undefined) return this.#guest(cookie, pass);
    if (bearer === undefined) return cookie === undefined ? undefined : this.#browser(cookie, address);
    if (same(bearer, this.#person)) return { role: "person" };
    if (same(bearer, this.#agent)) return { role: "agent" };
    const name = this.#clients.nameOf(bearer);
    return name === undefined ? this.#guest(bearer) : { role: "agent", name };
  }

  /** One that the owner signed in, or that of a paired device. */
  #browser(cookie: string, address: string | null): Shown | undefined {
    if (same(cookie, this.cookie)) return { role: "person", visit: this.#cookies.visit };
    const [id = "", secret = ""] = cookie.split(".", 2);
    const pass = this.#passes.deviceWith(id, secret);
    if (!pass) return undefined;
    this.#passes.used(pass, address);
    return { role: "person", visit: id, device: pass.name };
  }

  #guest(key = "", id = key.split(".", 1)[0] ?? ""): Shown | undefined {
    const pass = this.#passes.find(id);
    if (pass?.kind !== "share" || !same(key, this.#cookies.ofPass(id))) return undefined;
    this.#passes.used(pass, null);
    return { role: "guest", name: pass.name, guest: pass };
  }

  /** A name that nobody owns, or that belongs to the agent in whose processes the caller runs. */
  #free(name: string | undefined, from: Origin): string | undefined {
    if (name === undefined || (from.is === "inside" && from.agent === name)) return name;
    return this.#clients.has(name) || this.#isHosted(name) ? undefined : name;
  }
}

/** A guest inside would be an agent that answers its own questions: there it may do nothing. */
export function guestOf(shown: Extract<Shown, { role: "guest" }>, { is }: Origin): Caller {
  const { role, guest, name } = shown;
  const who = { role, guest, visit: guest.id, actor: { kind: "person", name } } as const;
  return { ...who, ...(is === "outside" ? {} : { inside: is, lowered: true }) };
}

const BEHALF = /^(?:person|agent:([\w.-]{1,40}))@([a-zA-Z0-9][\w.-]{0,39})$/;

/** Whoever has the person's token, and no cookie, may say for whom else they ask. Nobody can raise their role by it. */
function behalfOf(shown: Shown, behalf: string, from: Origin): Caller | undefined {
  const [whole, name, device] = BEHALF.exec(behalf) ?? [];
  const isOwner = shown.role === "person" && shown.visit === undefined;
  if (!isOwner || from.is !== "outside" || whole === undefined || device === undefined) return undefined;
  return calledFrom(device, name);
}

/** Somebody at another machine of the person: its person, or an agent there. */
export function calledFrom(device: string, agent: string | undefined): Caller {
  const away = "device";
  if (agent === undefined) return { role: "person", away, actor: { kind: "person", device } };
  return { role: "agent", away, actor: { kind: "agent", name: `${isAgentName(agent) ? agent : "unnamed"}@${device}` } };
}

/** What a person's cookie says besides. */
function visitOf(shown: Shown): Pick<Caller, "visit" | "away"> & Partial<Pick<Caller, "actor">> {
  const { visit, device } = shown.role === "guest" ? {} : shown;
  if (visit === undefined) return {};
  if (device === undefined) return { visit };
  return { visit, away: "device", actor: { kind: "person", from: `device:${device}` } };
}

function whereOf(shown: Shown, from: Origin): Pick<Caller, "named" | "inside" | "session" | "lowered"> {
  const isPersons = shown.role === "person";
  return {
    ...(shown.name === undefined ? {} : { named: true }),
    ...(from.is === "inside" || (from.is === "unseen" && isPersons) ? { inside: from.is } : {}),
    ...(from.is === "inside" && from.session !== undefined ? { session: from.session } : {}),
    ...(isPersons && from.is !== "outside" ? { lowered: true } : {}),
  };
}

/** The refusal of what only people may do. Undefined for a person. */
export function peopleOnly({ role, inside }: Pick<Caller, "role" | "inside">, message: string): Fault | undefined {
  if (role === "person") return undefined;
  if (inside === undefined) return fault("auth.forbidden", message, "Ask the person at the keyboard.");
  if (inside === "unseen") {
    const hint = "Use the duetty command here, or see unseen_peers in docs/gate.md.";
    return fault("role.inside", `${message}, and nobody can tell which process this is`, hint);
  }
  const hint = "A person does this on the page, or in a terminal that was not started from inside duetty.";
  return fault("role.inside", `${message}, and this process runs inside duetty, where everybody is an agent`, hint);
}

/** Whether secrets are hidden from this caller. */
export function isMasked({ role, guest, masked }: Pick<Caller, "role" | "guest" | "masked">): boolean {
  return masked === true || (guest ? guest.masked : role !== "person");
}

/** The caller for an agent's name. A missing or reserved name becomes no name. */
export function agentCalled(name = ""): Caller {
  return { role: "agent", actor: { kind: "agent", name: isAgentName(name) ? name : "unnamed" } };
}

function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

export interface Call extends Caller {
  readonly cancelled: Cancelled;
  /** How long this call waits for a person's yes, instead of as long as it lasts. */
  readonly approvalWaitMs?: number | undefined;
  /** Whose words hints are in. Default: those of tools. */
  readonly surface?: Surface | undefined;
  /** What an agent looks through: it hides secrets. People have none. */
  readonly eyes?: Redactor | undefined;
}
