// Redacts terminal output that comes in pieces. Owns: the piece that is held back. The caller owns the clock: `push` gives what is
// surely harmless, `flush` (after STREAM_HOLD_MS without output) also the unfinished line, `end` everything.
// Bounded: a line is held up to HOLD_MAX; what may still become a secret stays back at a flush, and a private key until its end.
// Cutting the output elsewhere changes nothing of what is hidden.
import { firstIndex } from "../base/first-index.ts";
import { type Stripped, stripped } from "./escapes.ts";
import type { Look, Span } from "./finding.ts";
import { redactedPayload } from "./payloads.ts";
import { keyLine, PRIVATE_KEY } from "./pem.ts";

/** When nothing came for so long, an unfinished line is shown: a prompt, for example. */
export const STREAM_HOLD_MS = 50;
/** A line that is longer is shown in pieces. */
const HOLD_MAX = 4096;
/** The end of such a piece is kept back: a token whose mark is not there yet. */
const KEPT = 512;
/** What was shown of a line and still tells what comes: `password: ` and then the value. */
const BEFORE_MAX = 1024;
/** The largest private keys. */
const KEY_MAX = 32 * 1024;
/** A title or a clipboard that is larger is dropped. */
const PAYLOAD_MAX = 256 * 1024;
/** Images and other data, too: nobody reads them as text, and secrets may be printed after one that was cut off. */
const DATA_MAX = HOLD_MAX;
/** Where a string ends, as in terminals: at any escape, which belongs to it only with its backslash. */
const ENDS = {
  data: /\u001b(?:\\|(?=[\s\S]))|[\u0018\u001a]/,
  payload: /\u001b(?:\\|(?=[\s\S]))|[\u0007\u0018\u001a]/,
};

const SEQUENCES = /\u001b\[[\x20-\x3f]*[\x40-\x7e]/g;

interface StreamParts {
  look(text: string): Look;
  text(text: string): string;
  mark(text: string, span: Span): string;
}

/** A secret that was hidden, by its place in all output so far. A title or clipboard that held one has the kind "payload". */
export interface Hidden extends Span {
  readonly mark: string;
  /** Sequences that stood among its characters. */
  readonly escapes?: string;
}

export class StreamRedactor {
  #parts: StreamParts;
  #held = "";
  /** The line so far, as far as it was shown. */
  #before = "";
  /** What was shown last is a mark, and its secret may go on. */
  #endsInMark = false;
  /** What of the output is dropped: the rest of a secret, of a key, of a long string. */
  #skips: "nothing" | "value" | "key" | "data" | "payload" = "nothing";
  #offset = 0;
  #hidden: Hidden[] = [];
  /** Secrets in what is held, some characters of which are struck over later. */
  #struck: readonly Span[] = [];

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  push(output: string): string {
    this.#held += output;
    if (this.#held.length <= HOLD_MAX && !output.includes("\n")) return "";
    return this.#give("lines");
  }

  flush(): string {
    return this.#held === "" ? "" : this.#give("flush");
  }

  end(): string {
    return this.#held === "" ? "" : this.#give("end");
  }

  /** How much of the output was given, or dropped. */
  get done(): number {
    return this.#offset;
  }

  /** What was hidden since the last call. */
  takeHidden(): Hidden[] {
    return this.#hidden.splice(0);
  }

  #give(when: "lines" | "flush" | "end"): string {
    const skipped = this.#skip();
    if ((this.#skips === "data" || this.#skips === "payload") && when !== "end") return skipped;
    const plain = stripped(this.#held);
    if (plain.unfinished === "data" && this.#held.length > DATA_MAX && when !== "end")
      return skipped + this.#dropData(plain);
    this.#struck = this.#held.includes("\b") ? this.#struckSecrets() : [];
    const text = this.#before + plain.text;
    const lines = text.lastIndexOf("\n") + 1;
    const isLong = this.#held.length > HOLD_MAX && text.length - lines > HOLD_MAX / 2;
    const looked = when === "lines" && !isLong ? text.slice(0, lines) : text;
    if (looked.length <= this.#before.length && plain.text !== "" && when !== "end") return skipped;
    const { spans, openFrom } = this.#parts.look(looked);
    const to =
      when === "end"
        ? looked.length
        : this.#until(looked, spans, when === "flush" ? "flush" : isLong ? "long" : "lines", openFrom);
    const out = skipped + this.#emit(plain, text, to, { spans, isLast: when === "end" });
    if (plain.unfinished === "osc" && this.#held.length > PAYLOAD_MAX) {
      this.#skips = "payload";
      this.#drop(this.#held.length);
      this.#offset += this.#held.length;
      this.#held = "";
    }
    return out;
  }

  /** Up to where a text may be shown. */
  #until(text: string, spans: readonly Span[], when: "lines" | "long" | "flush", open: number): number {
    const shown = this.#before.length;
    const openFrom = Math.max(shown, Math.min(open, when === "flush" ? tailFrom(text) : text.length));
    const last = spans.at(-1);
    const isKey = last?.kind === PRIVATE_KEY;
    const isTooOld = text.length - openFrom > (isKey ? KEY_MAX : HOLD_MAX);
    if (isTooOld && last && last.to >= text.length) {
      this.#skips = isKey ? "key" : "value";
      return text.length;
    }
    const to = isTooOld ? text.length - KEPT : when === "long" ? Math.min(openFrom, text.length - KEPT) : openFrom;
    const cut = spans.find((span) => span.from < to && span.to > to);
    // A long secret is over when its end is there, or goes on behind its mark.
    return Math.max(shown, cut ? (to - cut.from <= HOLD_MAX ? cut.from : cut.to) : to);
  }

  #emit(
    plain: Stripped,
    text: string,
    to: number,
    { spans, isLast }: { spans: readonly Span[]; isLast: boolean },
  ): string {
    const shown = this.#before.length;
    const end = to >= text.length ? plain.rest : plain.at(to - shown);
    let [out, at] = ["", 0];
    for (const span of spans) {
      if (span.to <= shown || span.from >= to) continue;
      const from = plain.at(Math.max(0, span.from - shown));
      const behind = plain.at(Math.min(span.to, to) - shown - 1) + 1;
      const mark = this.#parts.mark(text, span);
      // What goes on behind its mark needs no second one.
      const isRest = span.from < shown && this.#endsInMark;
      const before = this.#raw(plain, at, from);
      const escapes = this.#escapesIn(plain, from, behind, span.from - shown);
      out += before + (isRest ? "" : mark) + escapes;
      this.#hidden.push({ kind: span.kind, mark, escapes, from: this.#offset + from, to: this.#offset + behind });
      at = behind;
    }
    out += this.#raw(plain, at, end);
    this.#endsInMark = spans.some((span) => span.from < to && span.to >= to) && to > 0;
    if (isLast) out += this.#rest(end);
    const line = text.slice(0, to);
    this.#before = line.slice(Math.max(line.lastIndexOf("\n") + 1, to - BEFORE_MAX));
    this.#offset += isLast ? this.#held.length : end;
    this.#held = isLast ? "" : this.#held.slice(end);
    return out;
  }

  /** An unfinished sequence at the end of everything. */
  #rest(from: number): string {
    const rest = this.#held.slice(from);
    const mark = this.#parts.text(rest);
    if (mark !== rest) this.#drop(rest.length, mark, this.#offset + from);
    return mark;
  }

  #drop(length: number, mark = "", from = this.#offset): void {
    this.#hidden.push({ kind: "rest", mark, from, to: from + length });
  }

  /** A line editor goes back over what it has written. Without what is struck over, half of a secret would be all of it. */
  #struckSecrets(): Span[] {
    const plain = stripped(this.#held, "part");
    const shown = this.#before.length;
    return this.#parts
      .look(this.#before + plain.text)
      .spans.flatMap(({ kind, from, to }) =>
        to <= shown ? [] : [{ kind, from: plain.at(Math.max(0, from - shown)), to: plain.at(to - shown - 1) + 1 }],
      );
  }

  /** A piece of the output as it is, but for what was struck over in it and what its titles and clipboards hold. */
  #raw(plain: Stripped, from: number, to: number): string {
    let [out, at] = ["", from];
    for (let i = firstIndex(this.#struck, (span) => span.to > from); i < this.#struck.length; i++) {
      const span = this.#struck[i];
      if (!span || span.from >= to) break;
      const { kind } = span;
      const secret = { from: Math.max(at, span.from), to: Math.min(to, span.to) };
      // What begins before has its mark there.
      const mark = span.from < at ? "" : this.#parts.mark(this.#held, span);
      const escapes = this.#held.slice(secret.from, secret.to).match(SEQUENCES)?.join("") ?? "";
      out += this.#payloads(plain, at, secret.from) + mark + escapes;
      this.#hidden.push({ kind, mark, escapes, from: this.#offset + secret.from, to: this.#offset + secret.to });
      at = secret.to;
    }
    return out + this.#payloads(plain, at, to);
  }

  #payloads(plain: Stripped, from: number, to: number): string {
    let [out, at] = ["", from];
    for (const payload of plain.payloads) {
      if (payload.from < from || payload.to > to) continue;
      const told = this.#held.slice(payload.from, payload.to);
      const mark = redactedPayload(told, this.#parts.text);
      if (mark !== told)
        this.#hidden.push({ kind: "payload", mark, from: this.#offset + payload.from, to: this.#offset + payload.to });
      out += this.#held.slice(at, payload.from) + mark;
      at = payload.to;
    }
    return out + this.#held.slice(at, to);
  }

  /** The escapes among a secret's characters stay, or the terminal would look otherwise behind it. */
  #escapesIn(plain: Stripped, from: number, to: number, firstIndex: number): string {
    if (plain.text.length === this.#held.length) return "";
    let [out, at] = ["", from];
    for (let index = Math.max(0, firstIndex); at < to; index++) {
      const place = Math.min(plain.at(index), to);
      if (place > at) out += this.#raw(plain, at, place);
      at = place + 1;
    }
    return out.replace(/[^\u001b]*(?=\u001b|$)/, "");
  }

  /** Gives the text before it. */
  #dropData(plain: Stripped): string {
    const text = this.#before + plain.text;
    const { spans } = this.#parts.look(text);
    const out = this.#emit(plain, text, text.length, { spans, isLast: false });
    this.#skips = "data";
    return out + this.#skip();
  }

  /** Goes on with what is dropped. */
  #skip(): string {
    const held = this.#held;
    const cut = (to: number) => {
      this.#offset += to;
      this.#held = held.slice(to);
      return "";
    };
    switch (this.#skips) {
      case "nothing":
        return "";
      case "data":
      case "payload": {
        const end = ENDS[this.#skips].exec(held);
        const length = end?.[0] === "\u001b" ? 0 : (end?.[0].length ?? 0);
        const to = end ? end.index + length : held.length - (held.endsWith("\u001b") ? 1 : 0);
        this.#drop(to);
        if (end) this.#skips = "nothing";
        return cut(to);
      }
      case "value": {
        const end = /[\s"'`]/.exec(held);
        if (end) this.#skips = "nothing";
        this.#drop(end ? end.index : held.length);
        return cut(end ? end.index : held.length);
      }
      case "key": {
        const to = this.#keyEnd(held);
        this.#drop(to);
        return cut(to);
      }
    }
  }

  #keyEnd(held: string): number {
    for (let at = 0; ; ) {
      const end = held.indexOf("\n", at);
      if (end < 0) return at;
      const line = keyLine(held.slice(at, end));
      if (line.end === undefined && line.inside) {
        at = end + 1;
        continue;
      }
      this.#skips = "nothing";
      return at + (line.end ?? 0);
    }
  }
}

/** The last word of a text, when it may be the beginning of a token or a password: it has digits, or large letters inside. */
function tailFrom(text: string): number {
  const look = text.slice(-KEPT);
  const word = /\S{6,}$/.exec(look)?.[0] ?? "";
  return /\d|[a-z][A-Z]|[A-Z]{2}[a-z]/.test(word) ? text.length - word.length : text.length;
}
