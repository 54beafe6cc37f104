// Values that this session is known to keep secret: of its variables, and what was typed while nothing was echoed. Owns: the list.
// They are found as they are, in base64 (also as a part of it), in a URL and in JSON. Pure.

import { promiseOf } from "./context/names.ts";
import { isPlaceholder } from "./context/values.ts";
import type { Span } from "./finding.ts";

/** Shorter values stand in text by chance. */
const KNOWN_MIN = 8;
/** What is typed without echo is short at times, and deserves more. */
export const TYPED_MIN = 6;
/** Longer values are files, not secrets. */
const KNOWN_MAX = 4096;
/** Of more secrets from one source the oldest is forgotten. */
const KNOWN_COUNT_MAX = 64;
/** A part of a value in base64 that is shorter stands in other base64 by chance. */
const BASE64_MIN = 8;
/** Forms are found by as many of their first characters; none is shorter. */
const START = 3;

/** Who told it. Each has room of its own, so that no agent can make us forget what a person typed. */
export type KnownFrom = "daemon" | "person" | "agent" | "keyboard";

interface Known {
  readonly kind: string;
  readonly from: KnownFrom;
}

export class KnownSecrets {
  #values = new Map<string, Known>();
  /** The values of each source; the newest last. */
  #bySource = new Map<KnownFrom, Set<string>>();
  /** Made at the next look. */
  #forms: Forms | undefined;

  /** From now on this value is a secret. Returns whether it can be found: not when it is too short or a common word. */
  add(value: string, known: Known, shortest = KNOWN_MIN): boolean {
    if (value.length < shortest || value.length > KNOWN_MAX || isPlaceholder(value) || /^\s*$/.test(value))
      return false;
    this.#of(this.#values.get(value)?.from ?? known.from).delete(value);
    const same = this.#of(known.from).add(value);
    this.#values.set(value, known);
    const [oldest = ""] = same;
    if (same.size > KNOWN_COUNT_MAX && same.delete(oldest)) this.#values.delete(oldest);
    this.#forms = undefined;
    return true;
  }

  spans(text: string): Span[] {
    if (this.#values.size === 0) return [];
    return this.#all().places(text, (value) => this.#values.get(value)?.kind ?? "known");
  }

  /** The value behind a form, so that all forms of one secret have one label. */
  valueOf(form: string): string {
    return this.#values.size === 0 ? form : this.#all().valueOf(form);
  }

  /** Where the last characters may be the beginning of a value. */
  openFrom(text: string): number {
    return this.#values.size === 0 ? text.length : this.#all().openFrom(text);
  }

  #of(from: KnownFrom): Set<string> {
    const values = this.#bySource.get(from) ?? new Set();
    this.#bySource.set(from, values);
    return values;
  }

  #all(): Forms {
    this.#forms ??= new Forms(this.#values.keys());
    return this.#forms;
  }
}

/** All forms of all values, by their first characters. Most places of a text are done with by one look into a table. */
class Forms {
  /** Each form with the value that it stands for. */
  #values = new Map<string, string>();
  #byStart = new Map<string, string[]>();
  #starts = new Uint8Array(1 << 15);
  #longest = 0;

  constructor(values: Iterable<string>) {
    for (const value of values) for (const form of formsOf(value)) this.#values.set(form, value);
    for (const form of [...this.#values.keys()].sort((a, b) => b.length - a.length)) {
      const start = form.slice(0, START);
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), form]);
      this.#starts[hashOf(form, 0)] = 1;
      this.#longest = Math.max(this.#longest, form.length);
    }
  }

  valueOf(form: string): string {
    return this.#values.get(form) ?? form;
  }

  places(text: string, kindOf: (value: string) => string): Span[] {
    const spans: Span[] = [];
    for (let at = 0; at + START <= text.length; at++) {
      if (this.#starts[hashOf(text, at)] === 0) continue;
      const form = this.#from(text, at)?.find((one) => text.startsWith(one, at));
      if (form === undefined) continue;
      spans.push({ kind: kindOf(this.valueOf(form)), from: at, to: at + form.length });
      at += form.length - 1;
    }
    return spans;
  }

  openFrom(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at++) {
      const rest = text.length - at;
      const isBegun = (form: string) => form.length > rest && text.endsWith(form.slice(0, rest));
      const forms = rest < START ? [...this.#values.keys()] : this.#from(text, at);
      if (forms?.some(isBegun)) return at;
    }
    return text.length;
  }

  #from(text: string, at: number): string[] | undefined {
    return this.#starts[hashOf(text, at)] === 0 ? undefined : this.#byStart.get(text.slice(at, at + START));
  }
}

function hashOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0x7fff;
}

/** The secrets among a program's variables, by their names. */
export function secretVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && name !== "PWD" && name !== "OLDPWD" && promiseOf(name) && !/^[/~]/.test(value)
      ? [value]
      : [],
  );
}

function formsOf(value: string): string[] {
  const url = encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\ufffd"));
  const bytes = bytesOf(url);
  const forms = [value, url, url.replaceAll("%20", "+"), url.replace(/%../g, (code) => code.toLowerCase())];
  forms.push(JSON.stringify(value).slice(1, -1), String.fromCharCode(...bytes));
  for (const shift of [0, 1, 2]) {
    const encoded = base64Part(bytes, shift);
    if (encoded.length >= BASE64_MIN) forms.push(encoded, encoded.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [...new Set(forms)];
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The letters that are the same in every base64 text in which these bytes stand `shift` bytes behind a multiple of three. */
function base64Part(bytes: readonly number[], shift: number): string {
  const all = [...Array(shift).fill(0), ...bytes];
  let letters = "";
  for (let bit = 0; bit + 6 <= all.length * 8; bit += 6) {
    const at = bit >> 3;
    const pair = ((all[at] ?? 0) << 8) | (all[at + 1] ?? 0);
    letters += BASE64[(pair >> (10 - (bit & 7))) & 63];
  }
  return letters.slice(shift === 0 ? 0 : shift + 1);
}

/** The bytes of a text that was encoded for a URL. */
function bytesOf(url: string): number[] {
  return Array.from(url.matchAll(/%(..)|(.)/g), ([, hex, char]) =>
    hex === undefined ? (char ?? "").charCodeAt(0) : Number.parseInt(hex, 16),
  );
}
