// A stream of bytes with stars in place of secrets, for a person who shows their screen to others. As many bytes come out as went in,
// and sequences stay: cursors, rows and columns are what they were. Pure.
import { bytesOf, textOf } from "./byte-stream.ts";
import type { Hidden, StreamRedactor } from "./stream.ts";

const STAR = "*";
/** Sequences among a secret's characters stay, and so do line ends and blanks. */
const PARTS = /\x1b\[[\x20-\x3f]*[\x40-\x7e]|\x1b[^[]|[^\x00-\x20\x1b\x7f]/g;
/** The number of an OSC, its text and its end. */
const PAYLOAD = /^(\d*;)([\s\S]*?)(\x07|\x1b\\|[\x18\x1a]|)$/;

export class StarredBytes {
  #stream: StreamRedactor;
  /** What came and was not given yet. */
  #held = "";
  #given = 0;

  constructor(stream: StreamRedactor) {
    this.#stream = stream;
  }

  push(bytes: Uint8Array): Uint8Array {
    const text = textOf(bytes);
    this.#held += text;
    this.#stream.push(text);
    return this.#give();
  }

  flush(): Uint8Array {
    this.#stream.flush();
    return this.#give();
  }

  end(): Uint8Array {
    this.#stream.end();
    return this.#give();
  }

  #give(): Uint8Array {
    const length = this.#stream.done - this.#given;
    const out = bytesOf(this.#held.slice(0, length));
    for (const hidden of this.#stream.takeHidden()) {
      const [from, to] = [hidden.from - this.#given, hidden.to - this.#given];
      out.set(bytesOf(starred(textOf(out.subarray(from, to)), hidden)), from);
    }
    this.#held = this.#held.slice(length);
    this.#given += length;
    return out;
  }
}

function starred(text: string, { kind }: Hidden): string {
  const [, number, payload, end] = (kind === "payload" ? PAYLOAD.exec(text) : null) ?? [];
  if (payload !== undefined) return `${number}${STAR.repeat(payload.length)}${end}`;
  return text.replace(PARTS, (part) => (part.startsWith("\x1b") ? part : STAR));
}
