// Takes secrets out of whatever an agent or a log may read. One per session: it knows the session's own secrets.
// Owns: those values. Surfaces call one method: `text` for text, `rows` for a screen, `stream` for terminal output.
// Refuses: to keep what it was shown, and to decide who may see what.
import { ByteStream, bytesOf, textOf } from "./byte-stream.ts";
import { type Findings, type Look, merged, type Span, tailOf } from "./finding.ts";
import { type KnownFrom, KnownSecrets, secretVariables, TYPED_MIN } from "./known.ts";
import { keyLetters, PRIVATE_KEY } from "./pem.ts";
import { type RowMask, rowMasks, type ScreenRow, withMasks } from "./rows.ts";
import { NO_RULES, type Rules } from "./rules.ts";
import { scan } from "./scan.ts";
import { StarredBytes } from "./starred.ts";
import { type Hidden, StreamRedactor } from "./stream.ts";

interface RedactorParts {
  /** Four hexadecimal digits that are the same for the same secret in this session, and tell nothing about it. */
  label(secret: string): string;
  readonly rules?: Rules;
}

/** What stands before and after a part and tells what is secret in it: a private key of 32 KB has its beginning there. */
export const CONTEXT_BYTES = 40 << 10;

export class Redactor {
  #parts: RedactorParts;
  #rules: Rules;
  #known = new KnownSecrets();
  #learnt = 0;

  constructor(parts: RedactorParts) {
    this.#parts = parts;
    this.#rules = parts.rules ?? NO_RULES;
  }

  /** Another number when it has learnt a secret since: what was hidden before may show it. */
  get learnt(): number {
    return this.#learnt;
  }

  /** The session's environment: values of variables whose names promise a secret. */
  knowVariables(env: Readonly<Record<string, string | undefined>>, from: KnownFrom = "daemon"): void {
    this.#learnt += 1;
    for (const value of secretVariables(env)) this.#known.add(value, { kind: "variable", from });
  }

  /** What somebody typed while nothing was echoed, without the Enter. False: it is too short to be found in text. */
  knowTyped(value: string): boolean {
    this.#learnt += 1;
    return this.#known.add(value, { kind: "typed", from: "keyboard" }, TYPED_MIN);
  }

  /** Where secrets stand, in order and without overlap. */
  spans(text: string): Span[] {
    return [...this.look(text).spans];
  }

  /** The text with a mark for each secret. The same string when there is none. */
  text(text: string): string {
    return this.#replaced(text, this.spans(text));
  }

  /** Terminal output that is there as a whole, with its escapes. */
  output(output: string): string {
    const stream = this.stream();
    return stream.push(output) + stream.end();
  }

  /** A part of a text, judged with what stands before and after it, so that a cut does not show half of a secret. */
  part(before: string, text: string, after: string): string {
    const whole = before + text + after;
    const hidden = this.spans(whole).map((span) => ({ ...span, mark: this.mark(whole, span) }));
    return cutOut(whole, before.length, before.length + text.length, hidden);
  }

  /** The same for terminal output. A few kilobytes before and after are enough. */
  outputPart(before: string, output: string, after: string): string {
    const whole = before + output + after;
    const stream = this.stream();
    stream.push(whole);
    stream.end();
    return cutOut(whole, before.length, before.length + output.length, stream.takeHidden());
  }

  /** The same for bytes. */
  bytesPart(before: Uint8Array, bytes: Uint8Array, after: Uint8Array): Uint8Array {
    return bytesOf(this.outputPart(textOf(before), textOf(bytes), textOf(after)));
  }

  /** Rows of a screen, from top to bottom. As many come back, and their cells stay where they are. */
  rows(rows: readonly ScreenRow[], cols: number): string[] {
    return withMasks(rows, this.rowMasks(rows, cols));
  }

  /** The same as places in rows, for rows that have styles. */
  rowMasks(rows: readonly ScreenRow[], cols: number): RowMask[] {
    return rowMasks(rows, cols, { spans: (text) => this.spans(text), mark: (text, span) => this.mark(text, span) });
  }

  /** Terminal output in pieces. */
  stream(): StreamRedactor {
    return new StreamRedactor({
      look: (text) => this.look(text),
      text: (text) => this.text(text),
      mark: (text, span) => this.mark(text, span),
    });
  }

  /** The same for bytes, of which those that are no text stay as they are. */
  bytes(): ByteStream {
    return new ByteStream(this.stream());
  }

  /** Bytes with a star for each character of a secret. */
  starred(): StarredBytes {
    return new StarredBytes(this.stream());
  }

  /** A part of such bytes, judged with those before and after it. */
  starredPart(before: Uint8Array, bytes: Uint8Array, after: Uint8Array): Uint8Array {
    const stream = this.starred();
    const parts = [stream.push(before), stream.push(bytes), stream.push(after), stream.end()];
    const whole = Uint8Array.from(parts.flatMap((part) => [...part]));
    return whole.subarray(before.length, before.length + bytes.length);
  }

  /** What stands for a secret. */
  mark(text: string, { kind, from, to }: Span): string {
    const secret = text.slice(from, to);
    const told = kind === PRIVATE_KEY ? keyLetters(secret) : this.#known.valueOf(secret);
    return `‹redacted:${kind}:${this.#parts.label(told)}›`;
  }

  look(text: string): Look {
    const spans: Span[] = [];
    let openFrom = this.#known.openFrom(text);
    const found: Findings = {
      tail: tailOf(text),
      span: (kind, from, to) => {
        if (to > from && !this.#rules.isOff(kind)) spans.push({ kind, from, to });
      },
      open: (from) => {
        openFrom = Math.min(openFrom, from);
      },
    };
    for (const { kind, from, to } of this.#known.spans(text)) found.span(kind, from, to);
    for (const { kind, from, to } of this.#rules.spans(text)) found.span(kind, from, to);
    scan(text, found);
    return { spans: merged(spans), openFrom };
  }

  #replaced(text: string, spans: readonly Span[]): string {
    let [out, at] = ["", 0];
    for (const span of spans) {
      out += text.slice(at, span.from) + this.mark(text, span);
      at = span.to;
    }
    return at === 0 ? text : out + text.slice(at);
  }
}

function cutOut(whole: string, from: number, to: number, hidden: readonly Hidden[]): string {
  let [out, at] = ["", from];
  for (const span of [...hidden].sort((a, b) => a.from - b.from)) {
    if (span.to <= at || span.from >= to) continue;
    out += whole.slice(at, Math.max(at, span.from)) + span.mark + (span.escapes ?? "");
    at = Math.min(to, span.to);
  }
  return out + whole.slice(at, to);
}
