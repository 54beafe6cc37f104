// What agents do not get to see: secrets, and our own tokens. Owns: this daemon's redactor, which is the eyes of agents. Rows are
// hidden where they are read (core/screen/hidden-screen.ts); here every text of every answer is looked at once more.
import { labels } from "../core/redact/labels.ts";
import { Redactor } from "../core/redact/redactor.ts";
import type { Rules } from "../core/redact/rules.ts";
import { type Auth, type Caller, isMasked } from "./auth.ts";

const ESCAPE = "\x1b";

export class Secrets {
  /** What logs and agents look through. */
  readonly eyes: Redactor;
  #auth: Auth;

  constructor(auth: Auth, rules: Rules, env: NodeJS.ProcessEnv) {
    this.#auth = auth;
    this.eyes = new Redactor({ label: labels(auth.labelKey), rules });
    this.eyes.knowVariables({ ...env, ...auth.variables });
  }

  /** The variables that a session has beside ours, and who gave them. */
  knowVariables(env: Readonly<Record<string, string | null>>, from: "person" | "agent"): void {
    const given = Object.entries(env).map(([name, value]) => [name, value ?? undefined]);
    this.eyes.knowVariables(Object.fromEntries(given), from);
  }

  /** What this caller looks through. People see what is there. */
  eyesOf(caller: Pick<Caller, "role" | "guest">): Redactor | undefined {
    return isMasked(caller) ? this.eyes : undefined;
  }

  /** A copy of an answer with every text in it changed, by us and then by the caller. What is undefined is left out, as in JSON. */
  without(value: unknown, then: (text: string) => string): unknown {
    if (typeof value === "string") return then(this.#text(value));
    if (Array.isArray(value)) return value.map((one) => this.without(one, then));
    if (typeof value !== "object" || value === null) return value;
    const known = Object.entries(value).filter(([, one]) => one !== undefined);
    return Object.fromEntries(known.map(([key, one]) => [key, this.without(one, then)]));
  }

  #text(text: string): string {
    const hidden = text.includes(ESCAPE) ? this.eyes.output(text) : this.eyes.text(text);
    return this.#auth.withoutTokens(hidden);
  }
}
