// Redacts terminal output that comes in pieces. Owns: the piece that is held back. The caller owns the clock: `push` gives what is
// surely harmless, `flush` (after STREAM_HOLD_MS without output) also the unfinished line, `end` everything.
// Bounded: a line is held up to HOLD_MAX; what may still become a secret stays back at a flush, and a private key until its end.
// Cutting the output elsewhere changes nothing of what is hidden.
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

interface StreamParts {
  look(text: string): Look;
  text(text: string): string;
  mark(text: string, span: Span): string;
}

/** A secret that was hidden, by its place in all output so far. */
export interface Hidden extends Span {
  readonly mark: string;
}

export class StreamRedactor {
  #parts: StreamParts;
  #held = "";
  /** The line so far, as far as it was shown. */
  #before = "";
  /** What of the output is dropped or passed unread: the rest of a secret, of a key, of a long string. */
  #skips: "nothing" | "value" | "key" | "data" | "payload" = "nothing";
  #offset = 0;
  #hidden: Hidden[] = [];

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  push(output: string): string {
    this.#held += output;
    if (this.#held.length <= HOLD_MAX && !output.includes("\n") && this.#skips !== "data") return "";
    return this.#give("lines");
  }

  flush(): string {
    return this.#held === "" ? "" : this.#give("flush");
  }

  end(): string {
    return this.#held === "" ? "" : this.#give("end");
  }

  /** What was hidden since the last call. */
  takeHidden(): Hidden[] {
    return this.#hidden.splice(0);
  }

  #give(when: "lines" | "flush" | "end"): string {
    const skipped = this.#skip();
    const plain = stripped(this.#held);
    if (plain.unfinished === "data" && when !== "end") return skipped + this.#giveData(plain);
    if (plain.unfinished === "osc" && this.#held.length - plain.rest > PAYLOAD_MAX) this.#skips = "payload";
    const text = this.#before + plain.text;
    const lines = text.lastIndexOf("\n") + 1;
    const isLong = this.#held.length > HOLD_MAX && text.length - lines > HOLD_MAX / 2;
    const until = when === "lines" && !isLong ? lines : text.length;
    if (until <= this.#before.length && plain.text !== "" && when !== "end") return skipped;
    const { spans, openFrom } = this.#parts.look(until === text.length ? text : text.slice(0, until));
    let to = when === "end" ? until : Math.min(until, Math.max(openFrom, this.#before.length));
    if (when === "lines" && isLong) to = this.#cutLong(text, spans, to);
    const inside = spans.find((span) => span.from < to && span.to > to);
    if (inside && this.#skips === "nothing") to = Math.max(this.#before.length, inside.from);
    return skipped + this.#emit(plain, text, to, { spans, isLast: when === "end" });
  }

  /** A line without an end: where it may be cut. */
  #cutLong(text: string, spans: readonly Span[], openFrom: number): number {
    const last = spans.at(-1);
    const age = text.length - openFrom;
    if (last && last.to >= text.length && age > (last.kind === PRIVATE_KEY ? KEY_MAX : HOLD_MAX)) {
      this.#skips = last.kind === PRIVATE_KEY ? "key" : "value";
      return text.length;
    }
    if (last?.kind === PRIVATE_KEY && last.to >= text.length) return openFrom;
    return age > HOLD_MAX ? Math.max(openFrom, text.length - KEPT) : Math.min(openFrom, text.length - KEPT);
  }

  #emit(
    plain: Stripped,
    text: string,
    to: number,
    { spans, isLast }: { spans: readonly Span[]; isLast: boolean },
  ): string {
    const shown = this.#before.length;
    const end = isLast ? this.#held.length : to >= text.length ? plain.rest : plain.at(to - shown);
    let [out, at] = ["", 0];
    for (const span of spans) {
      if (span.to <= shown || span.from >= to) continue;
      const from = plain.at(Math.max(0, span.from - shown));
      const behind = plain.at(Math.min(span.to, to) - shown - 1) + 1;
      const mark = this.#parts.mark(text, span);
      out += this.#raw(plain, at, from) + mark + this.#escapesIn(plain, from, behind, span.from - shown);
      this.#hidden.push({ kind: span.kind, mark, from: this.#offset + from, to: this.#offset + behind });
      at = behind;
    }
    out += this.#raw(plain, at, end);
    this.#offset += end;
    this.#held = this.#held.slice(end);
    const line = text.slice(0, to);
    this.#before = line.slice(Math.max(line.lastIndexOf("\n") + 1, to - BEFORE_MAX));
    return out;
  }

  /** A piece of the output as it is, but for what its titles and clipboards hold. */
  #raw(plain: Stripped, from: number, to: number): string {
    let [out, at] = ["", from];
    for (const payload of plain.payloads) {
      if (payload.from < from || payload.to > to) continue;
      out +=
        this.#held.slice(at, payload.from) +
        redactedPayload(this.#held.slice(payload.from, payload.to), this.#parts.text);
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

  /** Passes what is no text: an image, for example. */
  #giveData(plain: Stripped): string {
    const text = this.#before + plain.text;
    const { spans, openFrom } = this.#parts.look(text);
    if (openFrom < text.length) return "";
    const out = this.#emit(plain, text, text.length, { spans, isLast: true });
    this.#skips = "data";
    return out;
  }

  /** Goes on with what is dropped or passed. */
  #skip(): string {
    const held = this.#held;
    const cut = (to: number, out = "") => {
      this.#offset += to;
      this.#held = held.slice(to);
      return out;
    };
    switch (this.#skips) {
      case "nothing":
        return "";
      case "data":
      case "payload": {
        const end = /\u001b\\|[\u0007\u0018\u001a]/.exec(held);
        const to = end ? end.index + end[0].length : Math.max(0, held.length - 1);
        const passes = this.#skips === "data";
        if (end) this.#skips = "nothing";
        return cut(to, passes ? held.slice(0, to) : "");
      }
      case "value": {
        const end = /[\s"'`]/.exec(held);
        if (end) this.#skips = "nothing";
        return cut(end ? end.index : held.length);
      }
      case "key":
        return cut(this.#keyEnd(held));
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
