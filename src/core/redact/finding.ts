// What the rules report. Pure.

export interface Span {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** Where a rule puts what it found. */
export interface Findings {
  /** A secret. */
  span(kind: string, from: number, to: number): void;
  /** What stands from here to the end of the text may become a secret when more text comes. */
  open(from: number): void;
  /** Where the last run of letters of tokens begins: a token that begins behind it is perhaps not complete. */
  readonly tail: number;
}

/** The letters of all tokens. */
const TOKEN_LETTERS = new Uint8Array(128);
for (let code = 0; code < 128; code++) if (/[\w.+/=~:%-]/.test(String.fromCharCode(code))) TOKEN_LETTERS[code] = 1;
/** A token that is longer was found, or is none. */
const TAIL_MAX = 4096;

export function tailOf(text: string): number {
  let from = text.length;
  while (from > 0 && text.length - from < TAIL_MAX && TOKEN_LETTERS[text.charCodeAt(from - 1)] === 1) from -= 1;
  return from;
}

/** What a text holds, and from where on it may become a secret when more text comes. */
export interface Look {
  readonly spans: readonly Span[];
  readonly openFrom: number;
}

/** Reports a secret. One that reaches the end of the text may go on behind it. */
export function report(text: string, found: Findings, { kind, from, to }: Span): void {
  found.span(kind, from, to);
  if (to >= text.length) found.open(from);
}

/** Kinds that say where a secret stood, and not what it is. */
const GENERIC = new Set([
  "password",
  "token",
  "authorization",
  "cookie",
  "url-password",
  "url-token",
  "query-parameter",
  "variable",
  "typed",
]);

/** Spans in order, without overlap. Where two overlap they become one, named by the rule that knows more. */
export function merged(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = out.at(-1);
    if (!last || span.from >= last.to) out.push(span);
    else {
      const kind = GENERIC.has(last.kind) && !GENERIC.has(span.kind) ? span.kind : last.kind;
      out[out.length - 1] = { kind, from: last.from, to: Math.max(last.to, span.to) };
    }
  }
  return out;
}
