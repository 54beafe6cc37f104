// Takes secrets out of whatever an agent or a log may read. One per session: it knows the session's own secrets.
// Owns: those values. Surfaces call one method: `text` for text, `rows` for a screen, `stream` for terminal output.
// Refuses: to keep what it was shown, and to decide who may see what.
import { firstIndex } from "../base/first-index.ts";
import { ByteStream, bytesOf, textOf } from "./byte-stream.ts";
import { type Findings, type Look, merged, type Span, tailOf } from "./finding.ts";
import { type KnownFrom, KnownSecrets, secretVariables, TYPED_MIN } from "./known.ts";
import { keyLetters, PRIVATE_KEY } from "./pem.ts";
import { DOT, type RowMask, rowMasks, type ScreenRow, unfinishedFrom, withMasks } from "./rows.ts";
import { NO_RULES, type Rules } from "./rules.ts";
import { scan } from "./scan.ts";
import type { ShownSecrets } from "./shown-secrets.ts";
import { StarredBytes } from "./starred.ts";
import { type Hidden, StreamRedactor } from "./stream.ts";
import { withTexts } from "./texts.ts";

interface RedactorParts {
  /** Four hexadecimal digits that are the same for the same secret in this session, and tell nothing about it. */
  label(secret: string): string;
  readonly rules?: Rules;
}

/** What stands before and after a part and tells what is secret in it: a private key of 32 KB has its beginning there. */
export const CONTEXT_BYTES = 40 << 10;

/** As many as for a masked secret on a page, whatever stands behind them. */
const DOTS = 4;

export class Redactor {
  #parts: RedactorParts;
  #rules: Rules;
  #known = new KnownSecrets();
  #shown: ShownSecrets | undefined;
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

  /** The same eyes, which know also what a session's screen has hidden. */
  knowing(shown: ShownSecrets): Redactor {
    const eyes = new Redactor(this.#parts);
    eyes.#known = this.#known;
    eyes.#shown = shown;
    return eyes;
  }

  /** Where secrets stand, in order and without overlap. */
  spans(text: string): Span[] {
    return [...this.look(text).spans];
  }

  /** The text with a mark for each secret. The same string when there is none. */
  text(text: string): string {
    return this.#replaced(text, this.spans(text));
  }

  /** A line that is being written. What may become a secret has dots. */
  written(text: string): string {
    const from = unfinishedFrom(text, this.look(text));
    return this.text(text.slice(0, from)) + (from < text.length ? DOT.repeat(DOTS) : "");
  }

  /** A line of a log, which outlives its session and is passed on: each text in it has marks. */
  event(event: object): object {
    return withTexts(event, (text) => this.text(text)) as object;
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
    return cutOut(whole, before.length, before.length + output.length, this.#hiddenIn(whole));
  }

  /** Terminal output in pieces that stay apart, such as the events of a recording. A mark stands in the piece in which its secret begins. */
  outputPieces(before: string, pieces: readonly string[], after: string): string[] {
    const whole = before + pieces.join("") + after;
    const hidden = this.#hiddenIn(whole);
    let at = before.length;
    return pieces.map((piece) => {
      const from = at;
      at += piece.length;
      return cutOut(whole, from, at, hidden, "first");
    });
  }

  /** The same for bytes. */
  bytesPart(before: Uint8Array, bytes: Uint8Array, after: Uint8Array): Uint8Array {
    return bytesOf(this.outputPart(textOf(before), textOf(bytes), textOf(after)));
  }

  /** Rows of a screen, from top to bottom. As many come back, and their cells stay where they are. */
  rows(rows: readonly ScreenRow[], cols: number, writing?: number): string[] {
    return withMasks(rows, this.rowMasks(rows, cols, writing));
  }

  /** The same as places in rows, for rows that have styles. `writing`: the row whose text ends at the cursor. */
  rowMasks(rows: readonly ScreenRow[], cols: number, writing?: number): RowMask[] {
    const rules = {
      look: (text: string) => this.look(text),
      mark: (text: string, span: Span) => this.mark(text, span),
    };
    return rowMasks(rows, cols, rules, writing);
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
    const whole = new Uint8Array(before.length + bytes.length + after.length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole.subarray(before.length, before.length + bytes.length);
  }

  /** What stands for a secret. */
  mark(text: string, { kind, from, to }: Span): string {
    const secret = text.slice(from, to);
    const value = this.#shown?.valueOf(secret) ?? secret;
    const told = kind === PRIVATE_KEY ? keyLetters(secret) : this.#known.valueOf(value);
    return `‹redacted:${kind}:${this.#parts.label(told)}›`;
  }

  look(text: string): Look {
    const spans: Span[] = [];
    let openFrom = Math.min(this.#known.openFrom(text), this.#shown?.openFrom(text) ?? text.length);
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
    for (const { kind, from, to } of this.#shown?.spans(text) ?? []) found.span(kind, from, to);
    for (const { kind, from, to } of this.#rules.spans(text)) found.span(kind, from, to);
    scan(text, found);
    return { spans: merged(spans), openFrom };
  }

  /** What is secret in terminal output, in order of both ends: what lies inside of another is left out. */
  #hiddenIn(output: string): Hidden[] {
    const stream = this.stream();
    stream.push(output);
    stream.end();
    const all = stream.takeHidden().sort((a, b) => a.from - b.from || b.to - a.to);
    let end = 0;
    return all.filter(({ to }) => {
      const isOwn = to > end;
      end = Math.max(end, to);
      return isOwn;
    });
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

/** `marks`: whether a secret that began before the part has one in it. */
function cutOut(
  whole: string,
  from: number,
  to: number,
  hidden: readonly Hidden[],
  marks: "every" | "first" = "every",
): string {
  let [out, at] = ["", from];
  // A recording has many pieces and many secrets, so the search for the first one is not done by walking.
  for (let i = firstIndex(hidden, (span) => span.to > from); i < hidden.length; i++) {
    const span = hidden[i];
    if (!span || span.from >= to) break;
    if (span.to <= at) continue;
    const mark = marks === "every" || span.from >= from ? span.mark + (span.escapes ?? "") : "";
    out += whole.slice(at, Math.max(at, span.from)) + mark;
    at = Math.min(to, span.to);
  }
  return out + whole.slice(at, to);
}
