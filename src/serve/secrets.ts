// What agents do not get to see: secrets, and our own tokens. Owns: this daemon's redactor, which is the eyes of agents. Rows are
// hidden where they are read (core/screen/hidden-screen.ts); here every text of every answer is looked at once more.
import { labels } from "../core/redact/labels.ts";
import { Redactor } from "../core/redact/redactor.ts";
import type { Rules } from "../core/redact/rules.ts";
import { withTexts } from "../core/redact/texts.ts";
import { type Auth, type Caller, isMasked } from "./auth.ts";

const ESCAPE = "\x1b";

/** Whether secrets in a text are still to be found, or have marks already. */
type Has = "secrets" | "marks";

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
  eyesOf(caller: Pick<Caller, "role" | "guest" | "masked">): Redactor | undefined {
    return isMasked(caller) ? this.eyes : undefined;
  }

  /** A copy of an answer with every text in it changed, by us and then by the caller. */
  without(value: unknown, then: (text: string) => string, has: Has = "secrets"): unknown {
    return withTexts(value, (text) => then(this.#auth.withoutTokens(has === "marks" ? text : this.#text(text))));
  }

  /** A copy of an answer for a person who masks secrets. Terminal output keeps its form; elsewhere dots say what they stand for. */
  dotted(value: unknown, has: Has = "secrets"): unknown {
    if (has === "marks") return withTexts(value, dots);
    return withTexts(value, (text) => (text.includes(ESCAPE) ? this.#starred(text) : dots(this.eyes.text(text))));
  }

  #starred(text: string): string {
    const none = new Uint8Array();
    return Buffer.from(this.eyes.starredPart(none, Buffer.from(text), none)).toString();
  }

  #text(text: string): string {
    return text.includes(ESCAPE) ? this.eyes.output(text) : this.eyes.text(text);
  }
}

/** What stands on a person's page for a secret that they mask there. Nobody means it as input. */
export const DOTS = "••••";

function dots(text: string): string {
  return text.replace(/‹redacted:([\w-]+):[\da-f]{4}›/g, `${DOTS}$1${DOTS}`);
}
