// Who is calling. Owns: the two tokens, the one-time codes and the browser's cookie. Nobody can raise their role.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import fs from "node:fs";
import type { Cancelled } from "../core/base/cancellation.ts";
import type { Actor } from "../core/gate/actor.ts";
import { writeWhole } from "../host/disk/files.ts";
import { agentNameIn } from "../protocol/plain/agent-name.ts";

/** A link that is copied from a terminal is used within this time or never. */
const CODE_LIFE_MS = 60_000;
/** Unused codes that we keep. The oldest goes first. */
const CODES_MAX = 20;
const TOKEN_CHARS = 64;
/** The built-in agent's. Nobody else may use it, because holds, levels and answers go by names. */
export const BUILT_IN_NAME = "duetty";

export interface Caller {
  readonly role: "person" | "agent";
  readonly actor: Actor;
}

export const PERSON: Caller = { role: "person", actor: { kind: "person" } };

interface Credentials {
  readonly bearer: string | undefined;
  readonly cookie: string | undefined;
  /** `agent:NAME`: the name of an agent, or of a person who lowers their role. */
  readonly as: string | undefined;
}

export class Auth {
  #person: string;
  #agent: string;
  #codes = new Map<string, number>();
  readonly cookie: string;

  constructor(files: { personToken: string; agentToken: string }) {
    this.#person = tokenIn(files.personToken);
    this.#agent = tokenIn(files.agentToken);
    // Derived, so that a browser stays signed in when the daemon is replaced.
    this.cookie = createHmac("sha256", this.#person).update("duetty browser cookie 1").digest("hex");
  }

  caller(given: Credentials): Caller | undefined {
    const role = this.#role(given);
    if (!role) return undefined;
    if (role === "person" && !given.as) return PERSON;
    return agentCalled(agentNameIn(given.as ?? ""));
  }

  /** Removes the person's token from a text for an agent, which could otherwise become a person. */
  withoutTokens(text: string): string {
    return text.replaceAll(this.#person, "[redacted]");
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

  #role({ bearer, cookie }: Credentials): Caller["role"] | undefined {
    if (bearer !== undefined) {
      if (same(bearer, this.#person)) return "person";
      return same(bearer, this.#agent) ? "agent" : undefined;
    }
    return cookie !== undefined && same(cookie, this.cookie) ? "person" : undefined;
  }
}

export function isAgentName(name: string): boolean {
  return name !== BUILT_IN_NAME && agentNameIn(`agent:${name}`) !== undefined;
}

/** The caller for an agent's name. A missing or reserved name becomes no name. */
export function agentCalled(name = ""): Caller {
  return { role: "agent", actor: { kind: "agent", name: isAgentName(name) ? name : "unnamed" } };
}

function tokenIn(path: string): string {
  // A power loss can leave an empty file, which would be a token that everybody knows.
  if ((fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) < TOKEN_CHARS)
    writeWhole(path, `${randomBytes(32).toString("hex")}\n`);
  return fs.readFileSync(path, "utf8").trim();
}

function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

export interface Call extends Caller {
  readonly cancelled: Cancelled;
  /** How long this call waits for a person's yes, instead of as long as it lasts. */
  readonly approvalWaitMs?: number | undefined;
}
