// Values that this session is known to keep secret: of its variables, and what was typed while nothing was echoed. Owns: the list.
// They are found as they are, in base64 (also as a part of it), in a URL and in JSON. Pure.

import { promiseOf } from "./context/names.ts";
import { isPlaceholder } from "./context/values.ts";
import type { Span } from "./finding.ts";

/** Shorter values stand in text by chance. */
export const KNOWN_MIN = 8;
/** What is typed without echo is short at times, and deserves more. */
export const TYPED_MIN = 6;
/** Longer values are files, not secrets. */
const KNOWN_MAX = 4096;
/** A session with more secrets forgets the oldest. */
const KNOWN_COUNT_MAX = 64;
/** A part of a value in base64 that is shorter stands in other base64 by chance. */
const BASE64_MIN = 8;

export class KnownSecrets {
  /** Each value with its kind; the newest last. */
  #values = new Map<string, string>();
  /** Each form with the value that it stands for. */
  #forms = new Map<string, string>();
  #pattern: RegExp | undefined;

  /** From now on this value is a secret. Returns whether it can be found: not when it is too short or a common word. */
  add(kind: string, value: string, shortest = KNOWN_MIN): boolean {
    if (value.length < shortest || value.length > KNOWN_MAX || isPlaceholder(value) || /^\s*$/.test(value))
      return false;
    this.#values.delete(value);
    this.#values.set(value, kind);
    const [oldest] = this.#values.keys();
    if (this.#values.size > KNOWN_COUNT_MAX && oldest !== undefined) this.#values.delete(oldest);
    this.#forms = new Map([...this.#values.keys()].flatMap((one) => formsOf(one).map((form) => [form, one] as const)));
    const longestFirst = [...this.#forms.keys()].sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(longestFirst.map(literally).join("|"), "g");
    return true;
  }

  spans(text: string): Span[] {
    if (!this.#pattern) return [];
    return Array.from(text.matchAll(this.#pattern), (match) => {
      const kind = this.#values.get(this.#forms.get(match[0]) ?? "") ?? "known";
      return { kind, from: match.index, to: match.index + match[0].length };
    });
  }

  /** The value behind a form, so that all forms of one secret have one label. */
  valueOf(form: string): string {
    return this.#forms.get(form) ?? form;
  }

  /** Where the last characters may be the beginning of a value. */
  openFrom(text: string): number {
    let open = text.length;
    for (const form of this.#forms.keys()) {
      const most = Math.min(form.length - 1, open === text.length ? form.length - 1 : text.length);
      for (let length = most; length > text.length - open; length--) {
        if (text.endsWith(form.slice(0, length))) {
          open = Math.min(open, text.length - length);
          break;
        }
      }
    }
    return open;
  }
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

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
