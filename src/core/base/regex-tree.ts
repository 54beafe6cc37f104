// A regular expression as a tree. safe-regex.ts asks each node which characters it can begin with, and
// whether it can be empty. Pure. Characters are the ASCII ones and "any other", which is exact enough to be careful.
// Refuses: back references, because we cannot tell what they cost.

/** A bit for each ASCII character, and one for all the others. */
export type CharSet = bigint;

interface Facts {
  readonly first: CharSet;
  readonly nullable: boolean;
}

export type Node = Facts &
  (
    | { readonly kind: "chars" }
    /** `^ $ \b` may fail anywhere, so nothing before them has a certain end. */
    | { readonly kind: "assert" }
    | { readonly kind: "look"; readonly body: Node }
    | { readonly kind: "sequence"; readonly parts: readonly Node[] }
    | { readonly kind: "any_of"; readonly parts: readonly Node[] }
    | { readonly kind: "repeat"; readonly body: Node; readonly min: number; readonly max: number }
  );

const OTHER = 128;
const ALL: CharSet = (1n << BigInt(OTHER + 1)) - 1n;
const NEWLINES = setOf("\n\r") | (1n << BigInt(OTHER));
const DIGITS = range(0x30, 0x39);
const WORD = DIGITS | range(0x41, 0x5a) | range(0x61, 0x7a) | setOf("_");
const SPACES = setOf(" \t\n\v\f\r") | (1n << BigInt(OTHER));
const ANYTHING_ELSE = 1n << BigInt(OTHER);
const CLASSES: Readonly<Record<string, CharSet>> = {
  d: DIGITS,
  D: ALL & ~DIGITS,
  w: WORD,
  W: ALL & ~WORD,
  s: SPACES,
  S: (ALL & ~SPACES) | ANYTHING_ELSE,
};
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", v: "\v", f: "\f", "0": "\0" };

export function overlaps(a: CharSet, b: CharSet): boolean {
  return (a & b) !== 0n;
}

/** The source must have compiled already. A string says why we cannot read it. */
export function parseRegex(source: string, flags: string): Node | string {
  const reader = new Reader(source, flags);
  try {
    return reader.anyOf();
  } catch (error) {
    if (error instanceof Unread) return error.message;
    throw error;
  }
}

class Unread extends Error {}

class Reader {
  #source: string;
  #at = 0;
  #ignoreCase: boolean;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#ignoreCase = flags.includes("i");
  }

  anyOf(): Node {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    const [only] = parts;
    if (only && parts.length === 1) return only;
    const first = parts.reduce((set, part) => set | part.first, 0n);
    return { kind: "any_of", parts, first, nullable: parts.some((part) => part.nullable) };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#peek())) parts.push(this.#repeated());
    let first = 0n;
    for (const part of parts) {
      first |= part.first;
      if (!part.nullable) break;
    }
    return { kind: "sequence", parts, first, nullable: parts.every((part) => part.nullable) };
  }

  #repeated(): Node {
    const body = this.#atom();
    const count = this.#count();
    if (!count) return body;
    if (body.kind === "look" || body.kind === "assert") throw new Unread("it repeats an assertion");
    return { kind: "repeat", body, ...count, first: body.first, nullable: body.nullable || count.min === 0 };
  }

  #count(): { min: number; max: number } | undefined {
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.#source.slice(this.#at));
    if (!found) return undefined;
    this.#at += found[0].length;
    const [, sign, from, comma, to] = found;
    if (sign) return { min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    const min = Number(from);
    return { min, max: comma ? (to ? Number(to) : Number.POSITIVE_INFINITY) : min };
  }

  #atom(): Node {
    const char = this.#next();
    switch (char) {
      case "(":
        return this.#group();
      case "[":
        return this.#chars(this.#class());
      case ".":
        return this.#chars((ALL & ~NEWLINES) | ANYTHING_ELSE);
      case "^":
      case "$":
        return { kind: "assert", first: ALL, nullable: false };
      case "\\":
        return this.#escape();
      default:
        return this.#chars(setOf(char));
    }
  }

  #group(): Node {
    const look = /^\?(?:<?[=!])/.exec(this.#source.slice(this.#at));
    const head = look ?? /^\?(?::|<[^>]*>)/.exec(this.#source.slice(this.#at));
    if (this.#peek() === "?" && !head) throw new Unread("it has a group of an unknown kind");
    this.#at += head?.[0].length ?? 0;
    const body = this.anyOf();
    this.#take(")");
    return look ? { kind: "look", body, first: ALL, nullable: false } : body;
  }

  #escape(): Node {
    const char = this.#peek();
    if (char === "b" || char === "B") {
      this.#at += 1;
      return { kind: "assert", first: ALL, nullable: false };
    }
    if (char === "k" || /[1-9]/.test(char)) throw new Unread("it refers back to a group");
    return this.#chars(this.#escaped());
  }

  /** After the backslash: a class, or one character however it is written. */
  #escaped(): CharSet {
    const rest = this.#source.slice(this.#at);
    const coded = /^(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\})/i.exec(rest);
    if (coded) {
      this.#at += coded[0].length;
      return point(Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? "", 16));
    }
    const property = /^p\{[^}]*\}/i.exec(rest);
    if (property) {
      this.#at += property[0].length;
      return ALL;
    }
    const control = /^c([a-z])/i.exec(rest);
    if (control) {
      this.#at += 2;
      return point((control[1] ?? "").charCodeAt(0) & 0x1f);
    }
    const char = this.#next();
    return CLASSES[char] ?? setOf(CONTROLS[char] ?? char);
  }

  #class(): CharSet {
    const negated = this.#take("^");
    let set = 0n;
    while (this.#at < this.#source.length && !this.#take("]")) {
      const from = this.#member();
      const isRange = this.#peek() === "-" && this.#source[this.#at + 1] !== "]";
      if (!isRange) {
        set |= from;
        continue;
      }
      this.#at += 1;
      set |= between(from, this.#member());
    }
    // Some of the other characters may be in the class and some not, so we say yes to both.
    return this.#folded(negated ? (ALL & ~set) | ANYTHING_ELSE : set);
  }

  #member(): CharSet {
    const char = this.#next();
    if (char !== "\\") return setOf(char);
    if (this.#take("b")) return point(8);
    return this.#escaped();
  }

  #chars(set: CharSet): Node {
    return { kind: "chars", first: this.#folded(set), nullable: false };
  }

  #folded(set: CharSet): CharSet {
    if (!this.#ignoreCase) return set;
    const [upper, lower] = [range(0x41, 0x5a), range(0x61, 0x7a)];
    return set | ((set & upper) << 32n) | ((set & lower) >> 32n);
  }

  #peek(): string {
    return this.#source[this.#at] ?? "";
  }

  #next(): string {
    const char = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return char;
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at += 1;
    return true;
  }
}

function point(code: number): CharSet {
  return 1n << BigInt(Math.min(code, OTHER));
}

function setOf(chars: string): CharSet {
  return [...chars].reduce((set, char) => set | point(char.codePointAt(0) ?? 0), 0n);
}

function range(from: number, to: number): CharSet {
  return ((1n << BigInt(to + 1)) - 1n) & ~((1n << BigInt(from)) - 1n);
}

/** From the lowest character of one to the highest of the other. */
function between(from: CharSet, to: CharSet): CharSet {
  const low = from & -from;
  return (((1n << BigInt(to.toString(2).length)) - 1n) & ~(low - 1n)) | from | to;
}
