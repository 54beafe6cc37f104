// JSON with comments and trailing commas, read with all positions, so that it can be edited as text. Pure.
// Refuses: to write; what it does not understand is an error, never a guess.

/** The file is not what its format promises; `at` is where it stops making sense. */
export class SyntaxFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

export interface Token {
  readonly type: "{" | "}" | "[" | "]" | ":" | "," | "string" | "literal" | "comment";
  readonly start: number;
  readonly end: number;
}

export interface Property {
  readonly key: string;
  /** The place of the key. The property ends where its value ends. */
  readonly start: number;
  readonly value: Node;
  /** Where the comma after it is, if there is one. */
  readonly comma: number | undefined;
}

export type Node =
  | { readonly kind: "object"; readonly start: number; readonly end: number; readonly properties: readonly Property[] }
  | { readonly kind: "other"; readonly start: number; readonly end: number; readonly value: unknown };

export interface Jsonc {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly root: Node;
}

/** No configuration nests deeper, and the reader is recursive. */
const DEPTH_MAX = 200;
const SPACE = /[\s\uFEFF]/;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const COMMENT = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;

export function readJsonc(text: string): Jsonc {
  const tokens = tokenize(text);
  const reader = new Reader(text, tokens);
  const root = reader.value(0);
  reader.end();
  return { text, tokens, root };
}

export function plain(node: Node): unknown {
  if (node.kind === "other") return node.value;
  return Object.fromEntries(node.properties.map(({ key, value }) => [key, plain(value)]));
}

/** The last one counts, as for JSON.parse. */
export function propertyOf(node: Node, key: string): Property | undefined {
  return node.kind === "object" ? node.properties.findLast((property) => property.key === key) : undefined;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length;
  };
  while (at < text.length) {
    const char = text.charAt(at);
    if (SPACE.test(char)) {
      at += 1;
      continue;
    }
    const [type, length] = /[{}[\]:,]/.test(char)
      ? [char as Token["type"], 1]
      : char === '"'
        ? (["string", match(STRING)] as const)
        : char === "/"
          ? (["comment", match(COMMENT)] as const)
          : (["literal", match(LITERAL)] as const);
    if (length === undefined) throw new SyntaxFault(`unexpected ${JSON.stringify(char)}`, at);
    tokens.push({ type, start: at, end: at + length });
    at += length;
  }
  return tokens;
}

class Reader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens.filter(({ type }) => type !== "comment");
  }

  value(depth: number): Node {
    const token = this.#take("{", "[", "string", "literal");
    if (depth > DEPTH_MAX) throw new SyntaxFault("nested too deeply", token.start);
    if (token.type === "{") return this.#object(token.start, depth);
    if (token.type === "[") return this.#array(token.start, depth);
    const { start, end } = token;
    return { kind: "other", start, end, value: JSON.parse(this.#text.slice(start, end)) };
  }

  end(): void {
    const extra = this.#tokens[this.#next];
    if (extra) throw new SyntaxFault("something follows the end", extra.start);
  }

  #object(start: number, depth: number): Node {
    const properties: Property[] = [];
    for (;;) {
      const token = this.#take("string", "}");
      if (token.type === "}") return { kind: "object", start, end: token.end, properties };
      const key: string = JSON.parse(this.#text.slice(token.start, token.end));
      this.#take(":");
      const value = this.value(depth + 1);
      const after = this.#take(",", "}");
      const comma = after.type === "," ? after.start : undefined;
      properties.push({ key, start: token.start, value, comma });
      if (comma === undefined) return { kind: "object", start, end: after.end, properties };
    }
  }

  #array(start: number, depth: number): Node {
    const values: unknown[] = [];
    for (;;) {
      if (this.#tokens[this.#next]?.type !== "]") values.push(plain(this.value(depth + 1)));
      else return { kind: "other", start, end: this.#take("]").end, value: values };
      const after = this.#take(",", "]");
      if (after.type === "]") return { kind: "other", start, end: after.end, value: values };
    }
  }

  #take(...types: Token["type"][]): Token {
    const token = this.#tokens[this.#next];
    if (!token) throw new SyntaxFault("the file ends too early", this.#text.length);
    if (!types.includes(token.type)) {
      const found = this.#text.slice(token.start, token.end).slice(0, 20);
      throw new SyntaxFault(`expected ${types.join(" or ")}, found ${found}`, token.start);
    }
    this.#next += 1;
    return token;
  }
}
