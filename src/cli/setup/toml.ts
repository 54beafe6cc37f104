// TOML, read as a list of statements with their places, so that one table can be edited as text. Pure.
// Knows the syntax, not the rules about double keys: what Codex reads, Codex judges. Refuses: to write.
import { SyntaxFault } from "./jsonc.ts";

/** Numbers, dates and similar values are kept as text. */
export type TomlValue = string | { readonly raw: string } | readonly TomlValue[] | TomlTable;
export interface TomlTable {
  readonly table: readonly { readonly path: readonly string[]; readonly value: TomlValue }[];
}

export interface Statement {
  readonly kind: "table" | "array" | "pair";
  /** Absolute, the table above it included. */
  readonly path: readonly string[];
  /** From the first character of its line to the end of its last line, line end excluded. */
  readonly start: number;
  readonly end: number;
  /** The place of a pair's value. */
  readonly value: { readonly start: number; readonly end: number; readonly is: TomlValue } | undefined;
}

/** No configuration nests deeper, and the reader is recursive. */
const DEPTH_MAX = 100;
const BARE = /[A-Za-z0-9_-]+/y;
const BASIC =
  /"(?:[^"\\\u0000-\u0008\u000a-\u001f\u007f]|\\(?:[\\"bfnrte]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}))*"/y;
const LITERAL = /'[^'\u0000-\u0008\u000a-\u001f\u007f]*'/y;
const LONG_BASIC = /"""(?:[^"\\]|\\[\s\S]|"(?!"")|"(?="""))*"{3,5}/y;
const LONG_LITERAL = /'''(?:[^']|'(?!'')|'(?='''))*'{3,5}/y;
const TIME = String.raw`\d\d:\d\d(?::\d\d(?:\.\d+)?)?`;
const DATE = String.raw`\d{4}-\d\d-\d\d(?:[Tt ]${TIME}(?:[Zz]|[+-]\d\d:\d\d)?)?`;
const NUMBER = String.raw`0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+|[+-]?(?:inf|nan|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)`;
const OTHER = new RegExp(`(?:true|false|${DATE}|${TIME}|${NUMBER})(?![\\w.:+-])`, "y");
const BLANK = /[ \t]*/y;
const BETWEEN = /(?:[ \t\r\n]|#[^\r\n]*)*/y;
const LINE_END = /[ \t]*(?:#[^\r\n]*)?(?=\r?\n|$)/y;

export function readToml(text: string): Statement[] {
  return new Reader(text).statements();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  statements(): Statement[] {
    const found: Statement[] = [];
    let table: readonly string[] = [];
    if (this.#text.startsWith("\uFEFF")) this.#at = 1;
    for (;;) {
      this.#match(BETWEEN);
      if (this.#at >= this.#text.length) return found;
      const start = this.#text.lastIndexOf("\n", this.#at - 1) + 1;
      const statement = this.#text.charAt(this.#at) === "[" ? this.#header(start) : this.#pair(start, table);
      if (statement.kind !== "pair") table = statement.path;
      found.push(statement);
    }
  }

  #header(start: number): Statement {
    const kind = this.#text.startsWith("[[", this.#at) ? "array" : "table";
    this.#at += kind === "array" ? 2 : 1;
    const path = this.#key();
    this.#expect(kind === "array" ? "]]" : "]");
    return { kind, path, start, end: this.#lineEnd(), value: undefined };
  }

  #pair(start: number, table: readonly string[]): Statement {
    const path = [...table, ...this.#key()];
    this.#expect("=");
    this.#match(BLANK);
    const from = this.#at;
    const is = this.#value(0);
    const value = { start: from, end: this.#at, is };
    return { kind: "pair", path, start, end: this.#lineEnd(), value };
  }

  #key(): string[] {
    const path: string[] = [];
    for (;;) {
      this.#match(BLANK);
      const char = this.#text.charAt(this.#at);
      const part =
        char === '"'
          ? this.#match(BASIC) && decode(this.#last)
          : char === "'"
            ? this.#match(LITERAL)?.slice(1, -1)
            : this.#match(BARE);
      if (part === undefined) throw this.#fault("expected a key");
      path.push(part);
      this.#match(BLANK);
      if (this.#text.charAt(this.#at) !== ".") return path;
      this.#at += 1;
    }
  }

  #value(depth: number): TomlValue {
    if (depth > DEPTH_MAX) throw this.#fault("nested too deeply");
    const { char, triple } = { char: this.#text.charAt(this.#at), triple: this.#text.slice(this.#at, this.#at + 3) };
    if (char === "[") return this.#array(depth);
    if (char === "{") return this.#inline(depth);
    if (triple === '"""') return decode(this.#must(LONG_BASIC).slice(2, -2));
    if (triple === "'''")
      return this.#must(LONG_LITERAL)
        .slice(3, -3)
        .replace(/^\r?\n/, "");
    if (char === '"') return decode(this.#must(BASIC));
    if (char === "'") return this.#must(LITERAL).slice(1, -1);
    return { raw: this.#must(OTHER) };
  }

  #array(depth: number): TomlValue {
    const values: TomlValue[] = [];
    this.#at += 1;
    for (;;) {
      this.#match(BETWEEN);
      if (this.#skip("]")) return values;
      values.push(this.#value(depth + 1));
      this.#match(BETWEEN);
      if (this.#skip("]")) return values;
      this.#expect(",");
    }
  }

  #inline(depth: number): TomlValue {
    const table: { path: string[]; value: TomlValue }[] = [];
    this.#at += 1;
    for (;;) {
      this.#match(BETWEEN);
      if (this.#skip("}")) return { table };
      const path = this.#key();
      this.#expect("=");
      this.#match(BLANK);
      table.push({ path, value: this.#value(depth + 1) });
      this.#match(BETWEEN);
      if (this.#skip("}")) return { table };
      this.#expect(",");
    }
  }

  #last = "";

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    this.#last = found;
    return found;
  }

  #must(pattern: RegExp): string {
    const found = this.#match(pattern);
    if (found === undefined) throw this.#fault("expected a value");
    return found;
  }

  #skip(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string): void {
    this.#match(BLANK);
    if (!this.#skip(text)) throw this.#fault(`expected ${text}`);
  }

  #lineEnd(): number {
    if (this.#match(LINE_END) === undefined) throw this.#fault("expected the end of the line");
    return this.#at;
  }

  #fault(message: string): SyntaxFault {
    return new SyntaxFault(message, this.#at);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b" };

/** A basic string, one- or many-lined (then with one quote left at each end), as what it means. */
function decode(quoted: string): string {
  const inner = quoted.slice(1, -1).replace(/^\r?\n/, "");
  return inner.replace(/\\(?:[ \t]*\r?\n\s*|[uUx][0-9a-fA-F]+|.)/gs, (found) => {
    const kind = found.charAt(1);
    if (/\s/.test(kind)) return "";
    const digits = { u: 4, U: 8, x: 2 }[kind];
    if (digits !== undefined) {
      const code = Number.parseInt(found.slice(2, 2 + digits), 16);
      return String.fromCodePoint(Math.min(code, 0x10ffff)) + found.slice(2 + digits);
    }
    return ESCAPES[kind] ?? kind;
  });
}
