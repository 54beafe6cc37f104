// Markdown of agents as a tree of a few kinds of node. Anything else stays text. We use the lexer of `marked` and make no HTML;
// the view makes page elements of the tree. Pure. Owns: how much, and how deep, is formatted.
// Refuses: HTML, pictures, and addresses other than http, https and mailto.
import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { marked } from "../../src/core/base/invisible.ts";
import { safeAddress } from "../text/links.ts";

/** Text beyond this is shown unformatted: nobody reads that much, and every piece costs page elements. */
export const MARKDOWN_CHARS_MAX = 30_000;
/** How deep quotes and lists may nest. Deeper ones are shown unformatted, because the lexer calls itself for each level. */
const DEPTH_MAX = 12;
/** Marks in one paragraph or cell. The lexer searches all of it for the other end of each mark. */
const MARKS_MAX = 200;
/** Cells of one table. The lexer fills each row up to the header's width, so a small text could make millions. */
const TABLE_CELLS_MAX = 2_000;

export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "em" | "del"; readonly parts: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly parts: readonly Inline[] };

export interface Item {
  readonly source: string;
  readonly task: "done" | "open" | undefined;
  readonly pieces: readonly Piece[];
}

/** Pieces with the same `source` are equal. */
export type Piece = { readonly source: string } & (
  | { readonly kind: "paragraph"; readonly parts: readonly Inline[] }
  | { readonly kind: "heading"; readonly depth: number; readonly parts: readonly Inline[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  /** `start` is the first number. A list with bullets has none. */
  | { readonly kind: "list"; readonly start: number | undefined; readonly items: readonly Item[] }
  | { readonly kind: "quote"; readonly pieces: readonly Piece[] }
  | { readonly kind: "rule" }
  | {
      readonly kind: "table";
      readonly align: readonly ("left" | "center" | "right" | null)[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
);

export function markdownOf(text: string): Piece[] {
  const whole = marked(text.replace(/\r\n?/g, "\n"), { controls: "text" });
  const [head, rest] = [whole.slice(0, MARKDOWN_CHARS_MAX), whole.slice(MARKDOWN_CHARS_MAX)];
  const pieces = isDeep(head) || hasHugeTable(head) ? [plain(head)] : formatted(head);
  return rest === "" ? pieces : [...pieces, plain(rest)];
}

/** Pieces and items that did not change stay the same objects, so that the page does not draw them again. */
export function keptFrom(before: readonly Piece[], now: readonly Piece[]): readonly Piece[] {
  const known = new Map(before.map((piece) => [piece.source, piece]));
  return now.map((piece, i) => {
    const [same, was] = [known.get(piece.source), before[i]];
    if (same?.kind === piece.kind) return same;
    if (piece.kind !== "list" || was?.kind !== "list") return piece;
    const items = new Map(was.items.map((item) => [item.source, item]));
    return { ...piece, items: piece.items.map((item) => items.get(item.source) ?? item) };
  });
}

function formatted(text: string): Piece[] {
  try {
    return piecesOf(lexed(text), 1);
  } catch {
    // The lexer throws instead of looping for ever. One message must not break the page, so we show it unformatted.
    return [plain(text)];
  }
}

function plain(text: string): Piece {
  return { kind: "code", source: text, language: "", text };
}

/** Whether a line begins with more marks of quotes and lists than we nest. */
function isDeep(text: string): boolean {
  const begins = text.matchAll(/^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm);
  for (const [begin] of begins) if ((begin.match(/>|[-*+]|\d+/g) ?? []).length > DEPTH_MAX) return true;
  return false;
}

/** Checked before the lexer makes the cells: columns of a delimiter row times the lines up to the next blank one. */
function hasHugeTable(text: string): boolean {
  const lines = text.split("\n");
  let columns = 0;
  let rows = 0;
  for (const line of lines) {
    if (line.trim() === "") columns = 0;
    else if (/^[\s>|:-]+$/.test(line) && line.includes("-")) {
      columns = Math.max(columns, line.split("|").length);
      rows = 0;
    } else rows += 1;
    if (columns * rows > TABLE_CELLS_MAX) return true;
  }
  return false;
}

function lexed(text: string): Token[] {
  const lexer = new Lexer({ gfm: true });
  lexer.blockTokens(text, lexer.tokens);
  // The text inside blocks, as Lexer.lex does it, but within our limit.
  for (const { src, tokens } of lexer.inlineQueue)
    if ((src.match(/[*_~`[!<]/g) ?? []).length <= MARKS_MAX) lexer.inlineTokens(src, tokens);
    else tokens.push({ type: "text", raw: src, text: src });
  return lexer.tokens;
}

function piecesOf(tokens: readonly Token[], depth: number): Piece[] {
  // An item's `task` says whether its box is checked, so the box itself is left out.
  const shown = tokens.filter(({ type }) => type !== "space" && type !== "checkbox");
  return shown.map((token) => pieceOf(token as MarkedToken, depth));
}

function pieceOf(token: MarkedToken, depth: number): Piece {
  const source = token.raw;
  switch (token.type) {
    case "heading":
      return { kind: "heading", source, depth: token.depth, parts: inlineOf(token.tokens) };
    case "code":
      return { kind: "code", source, language: token.lang ?? "", text: token.text };
    case "hr":
      return { kind: "rule", source };
    case "paragraph":
    case "text":
      return { kind: "paragraph", source, parts: inlineOf(token.tokens ?? [token]) };
    case "table":
      return tableOf(token as Tokens.Table);
    case "blockquote":
      if (depth < DEPTH_MAX) return { kind: "quote", source, pieces: piecesOf(token.tokens, depth + 1) };
      break;
    case "list":
      if (depth < DEPTH_MAX) return listOf(token as Tokens.List, depth);
      break;
    default:
  }
  // HTML, definitions, and quotes and lists that are too deep.
  return { kind: "paragraph", source, parts: [{ kind: "text", text: source.trim() }] };
}

function listOf({ raw: source, ordered, start, items }: Tokens.List, depth: number): Piece {
  return {
    kind: "list",
    source,
    start: ordered ? Number(start) : undefined,
    items: items.map((item) => ({
      source: item.raw,
      task: item.task ? (item.checked ? "done" : "open") : undefined,
      pieces: piecesOf(item.tokens, depth + 1),
    })),
  };
}

function tableOf({ raw: source, align, header, rows }: Tokens.Table): Piece {
  const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => inlineOf(tokens));
  return { kind: "table", source, align, head: cells(header), rows: rows.map(cells) };
}

function inlineOf(tokens: readonly Token[]): Inline[] {
  const parts: Inline[] = [];
  for (const token of tokens) {
    const [part, last] = [partOf(token as MarkedToken), parts.at(-1)];
    if (part.kind === "text" && part.text === "") continue;
    if (part.kind === "text" && last?.kind === "text") parts[parts.length - 1] = text(last.text + part.text);
    else parts.push(part);
  }
  return parts;
}

function partOf(token: MarkedToken): Inline {
  switch (token.type) {
    case "text":
    case "escape":
      return text(token.text);
    case "codespan":
      return { kind: "code", text: token.text };
    case "strong":
    case "em":
    case "del":
      return { kind: token.type, parts: inlineOf(token.tokens) };
    case "link":
    case "image": {
      const href = safeAddress(token.href);
      // A link that we refuse is shown as it was written. A picture becomes a link, so that an agent cannot make the page load it.
      if (href === undefined || !URL.canParse(href)) return text(token.raw);
      const parts = inlineOf(token.tokens);
      return { kind: "link", href, parts: parts.length > 0 ? parts : [text(href)] };
    }
    case "br":
      return text("\n");
    case "checkbox":
      // The item's `task` says whether it is checked.
      return text("");
    default:
      return text(token.raw);
  }
}

function text(words: string): Inline {
  return { kind: "text", text: words };
}
