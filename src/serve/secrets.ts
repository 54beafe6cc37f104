// What agents do not get to see of any answer: secrets in its texts, and our own tokens. Owns: this daemon's redactor.
// Refuses: to decide who is an agent.
import { labels } from "../core/redact/labels.ts";
import { Redactor } from "../core/redact/redactor.ts";
import type { Rules } from "../core/redact/rules.ts";
import type { Auth } from "./auth.ts";

const ESCAPE = "\x1b";

export class Secrets {
  #redactor: Redactor;
  #auth: Auth;

  constructor(auth: Auth, rules: Rules, env: NodeJS.ProcessEnv) {
    this.#auth = auth;
    this.#redactor = new Redactor({ label: labels(auth.labelKey), rules });
    this.#redactor.knowVariables(env);
  }

  /** The variables that a session has beside ours. */
  knowVariables(env: Readonly<Record<string, string | null>>): void {
    this.#redactor.knowVariables(
      Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? undefined])),
    );
  }

  /** A copy of an answer with every text in it changed, by us and then by the caller. What is undefined is left out, as in JSON. */
  without(value: unknown, then: (text: string) => string): unknown {
    if (typeof value === "string") return then(this.#text(value));
    if (Array.isArray(value)) return value.map((one) => this.without(one, then));
    if (typeof value !== "object" || value === null) return value;
    const known = Object.entries(isScreen(value) ? { ...value, ...this.#rows(value) } : value);
    return Object.fromEntries(
      known.flatMap(([key, one]) => (one === undefined ? [] : [[key, this.without(one, then)]])),
    );
  }

  #text(text: string): string {
    const hidden = text.includes(ESCAPE) ? this.#redactor.output(text) : this.#redactor.text(text);
    return this.#auth.withoutTokens(hidden);
  }

  /** A secret may go on in the next row, also from above the screen. The content has the same rows in another form. */
  #rows({ rows, scrollback = [], cols, content }: ScreenRows): Omit<ScreenRows, "cols"> {
    const all = [...scrollback, ...rows].map((text) => ({ text, wraps: false }));
    const hidden = this.#redactor.rows(all, cols);
    const changed = all.flatMap(({ text }, i) => (text === hidden[i] ? [] : [[text, hidden[i] ?? ""] as const]));
    return {
      scrollback: hidden.slice(0, scrollback.length),
      rows: hidden.slice(scrollback.length),
      content: content && changed.reduce((made, [text, without]) => made.replaceAll(text, () => without), content),
    };
  }
}

interface ScreenRows {
  readonly rows: readonly string[];
  readonly scrollback?: readonly string[];
  readonly cols: number;
  readonly content?: string | undefined;
}

function isScreen(value: object): value is ScreenRows {
  const { rows, cols } = value as Partial<ScreenRows>;
  return typeof cols === "number" && Array.isArray(rows) && rows.every((row) => typeof row === "string");
}
