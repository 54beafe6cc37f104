// Values that the masks of a session's screen have hidden. Line editors and full-screen programs draw parts of a row again, and in
// such a part nothing tells any more what it is. Owns: the values, in memory only. They and their runs of characters are found. Pure.
import type { Span } from "./finding.ts";
import { RANDOM, type RowMask, type ScreenRow } from "./rows.ts";

/** Fewer characters of a secret tell nothing, and stand in text by chance. */
const RUN = 8;
/** A run of letters alone is a word: "password" stands in many a password. */
const WORD_RUN = 12;
/** A part of what has blanks, such as a line of a private key, counts when it is as long. */
const PART_MIN = 16;
/** Longer values are files, not secrets. */
const VALUE_MAX = 4096;
/** Some private keys on a screen. Of more values the oldest is forgotten. */
const VALUES_MAX = 256;
/** Output that ends in as many characters of a value waits for the next: with fewer, every other word would. */
const OPEN_RUN = 4;
/** How tokens begin is known to everybody. It would be of help to somebody who guesses the rest in small parts. */
const BEGINNING = /^(?:AKIA|ASIA|AIza|eyJ[\w-]*\.|[A-Za-z]{2,12}[-_](?:[a-z]{2,8}\d{0,2}[-_])*)(?=.{16})/;

export class ShownSecrets {
  /** Each with its kind; the newest last. */
  #values = new Map<string, string>();
  /** Made at the next look. */
  #runs: Runs | undefined;

  /** `writing`: the row whose text ends at the cursor. What ends there, too, is not complete. */
  hidden(rows: readonly ScreenRow[], masks: readonly RowMask[], writing: number | undefined): void {
    const end = writing === undefined ? undefined : rows[writing]?.text.length;
    const unfinished = masks.find(({ row, to }) => row === writing && to === end)?.secret;
    for (const { secret, kind } of masks)
      if (secret !== undefined && secret !== unfinished)
        for (const value of partsOf(secret)) this.#add(value, kind ?? "known");
  }

  spans(text: string): Span[] {
    return this.#values.size === 0 ? [] : this.#all().spans(text);
  }

  /** The value that a run is a part of, so that all its parts have one label. */
  valueOf(run: string): string {
    for (const value of this.#values.keys()) if (value.includes(run)) return value;
    return run;
  }

  /** Where the last characters may be the beginning of a run. */
  openFrom(text: string): number {
    return this.#values.size === 0 ? text.length : this.#all().openFrom(text);
  }

  #add(value: string, kind: string): void {
    if (this.#values.has(value)) return;
    const all = [...this.#values.keys()];
    if (all.some((one) => one.includes(value))) return;
    // It has grown.
    for (const one of all) if (value.includes(one)) this.#values.delete(one);
    if (this.#values.size >= VALUES_MAX) this.#values.delete(all[0] ?? "");
    this.#values.set(value, kind);
    this.#runs = undefined;
  }

  #all(): Runs {
    this.#runs ??= new Runs(this.#values);
    return this.#runs;
  }
}

function partsOf(secret: string): string[] {
  const parts = secret.split(/\s+/);
  const isWhole = parts.length === 1;
  return parts.filter(
    (part) => part.length <= VALUE_MAX && part.length >= (isWhole ? RUN : PART_MIN) && isStrong(part),
  );
}

function isStrong(text: string): boolean {
  return text.length >= (RANDOM.test(text) && !/^\d+$/.test(text) ? RUN : WORD_RUN);
}

/** All runs of all values. Most places of a text are done with by one look into a table. */
class Runs {
  #kinds = new Map<string, string>();
  #opens = new Set<string>();
  #starts = new Uint8Array(1 << 16);

  constructor(values: ReadonlyMap<string, string>) {
    for (const [value, kind] of values) {
      const body = value.replace(BEGINNING, "");
      for (let at = 0; at + RUN <= body.length; at++) {
        const run = body.slice(at, at + RUN);
        this.#kinds.set(run, kind);
        this.#starts[hashOf(run, 0)] = 1;
        for (let length = OPEN_RUN; length < RUN; length++) this.#opens.add(run.slice(0, length));
      }
    }
  }

  spans(text: string): Span[] {
    const spans: Span[] = [];
    for (let from = 0; from + RUN <= text.length; from++) {
      const kind = this.#kindAt(text, from);
      if (kind === undefined) continue;
      let to = from + RUN;
      while (to < text.length && this.#kindAt(text, to - RUN + 1) !== undefined) to += 1;
      if (isStrong(text.slice(from, to))) spans.push({ kind, from, to });
      from = to - RUN;
    }
    return spans;
  }

  openFrom(text: string): number {
    for (let length = RUN - 1; length >= OPEN_RUN; length--)
      if (this.#opens.has(text.slice(-length))) return text.length - length;
    return text.length;
  }

  #kindAt(text: string, at: number): string | undefined {
    return this.#starts[hashOf(text, at)] === 0 ? undefined : this.#kinds.get(text.slice(at, at + RUN));
  }
}

function hashOf(text: string, at: number): number {
  const first = text.charCodeAt(at) * 29_791 + text.charCodeAt(at + 1) * 961;
  return (first + text.charCodeAt(at + 2) * 31 + text.charCodeAt(at + 3)) & 0xffff;
}
