// Addresses and places of files in a line that a program printed. Pure, and as long as the line: what stands before a number is
// read once. Text comes marked (src/core/base/invisible.ts), so no character in it is unseen.

/** Columns of UTF-16 units; `to` is not included. */
interface Found {
  readonly from: number;
  readonly to: number;
}
interface AddressLink extends Found {
  readonly kind: "address";
  readonly href: string;
}
/** A line of a file. Whether there is such a file is the daemon's to say. */
interface PlaceLink extends Found {
  readonly kind: "place";
  readonly path: string;
  readonly line: number;
  readonly column?: number;
}
export type TextLink = AddressLink | PlaceLink;

/** Longer lines are data, not messages. What comes later in them is no link. */
const LINE_CHARS_MAX = 10_000;
const LINKS_MAX = 50;
const ADDRESS_CHARS_MAX = 2_048;
const PATH_CHARS_MAX = 512;

/** Ends at what no address has unencoded: blanks, quotes, marks of invisible characters, frames of tables, brackets of texts. */
const ADDRESS =
  /(?<![\p{L}\p{N}_])(?:https?:\/\/(?!\/)|mailto:)[^\s<>"'`|\\^⟦⟧\p{Cc}\u2018-\u201f\u2500-\u259f\u3000-\u3011\uff08\uff09\uff0c\uff1a\uff1b]+/giu;
const PYTHON = /File "([^"<>]{1,512})", line (\d{1,7})(?!\d)/g;
/** Behind a path: ":12", ":12:3", "(12,3)". */
const NUMBERS = /:(\d{1,7})(?::(\d{1,5}))?(?![\p{L}\p{N}_])|\((\d{1,7}),(\d{1,5})\)/gu;
const PATH_CHAR = /[\p{L}\p{M}\p{N}_@+.~/%-]/u;
/** Files that have no ending. */
const BARE_NAME = /^[A-Z][a-z]+file$/;

export function linksIn(line: string): TextLink[] {
  // Every link has one of these. Most lines have none.
  if (!/:|\(\d/.test(line) && !line.includes('", line ')) return [];
  const text = line.length > LINE_CHARS_MAX ? line.slice(0, LINE_CHARS_MAX) : line;
  const found: TextLink[] = [];
  const add = (link: TextLink | undefined) => {
    const isFree = link && found.every(({ from, to }) => link.to <= from || link.from >= to);
    if (isFree && found.length < LINKS_MAX) found.push(link);
  };
  for (const { 0: all, index } of text.matchAll(ADDRESS)) add(addressAt(all, index));
  for (const { 0: all, 1: path = "", 2: row = "", index } of text.matchAll(PYTHON))
    add(placeOf(path, { from: index + 6, to: index + all.length }, row));
  for (const match of text.matchAll(NUMBERS)) {
    const [all, line1, column1, line2, column2] = match;
    add(placeBefore(text, match.index, match.index + all.length, line1 ?? line2 ?? "", column1 ?? column2));
  }
  return found.sort((a, b) => a.from - b.from);
}

function addressAt(all: string, from: number): AddressLink | undefined {
  const text = withoutEnd(all);
  const href = safeAddress(text);
  return href === undefined ? undefined : { kind: "address", from, to: from + text.length, href };
}

/** What ends a sentence is not part of an address; nor is a bracket that began before it. */
function withoutEnd(text: string): string {
  const open: Record<string, number> = { ")": 0, "]": 0, "}": 0 };
  const closing: Record<string, string> = { "(": ")", "[": "]", "{": "}" };
  for (const char of text) {
    const close = closing[char];
    if (close !== undefined) open[close] = (open[close] ?? 0) + 1;
    else if (char in open) open[char] = (open[char] ?? 0) - 1;
  }
  let end = text.length;
  for (; end > 0; end -= 1) {
    const last = text[end - 1] ?? "";
    const isSurplus = last in open && (open[last] ?? 0) < 0;
    if (isSurplus) open[last] = (open[last] ?? 0) + 1;
    else if (!/[.,;:!?*…。]/u.test(last)) break;
  }
  return text.slice(0, end);
}

/** As the browser would go there, or undefined where it must not: only the web and mail. */
export function safeAddress(text: string): string | undefined {
  if (text.length > ADDRESS_CHARS_MAX || !/^(?:https?:\/\/[^/]|mailto:)/i.test(text)) return undefined;
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return undefined;
  const { href, protocol, hostname, pathname } = new URL(text);
  return (protocol === "mailto:" ? /.@./.test(pathname) : hostname !== "") ? href : undefined;
}

/** Whether who reads the text knows where it leads: it is the address, the host is no other's in disguise, and no name before @. */
export function isPlain(text: string, href: string): boolean {
  const { protocol, hostname, username, password } = new URL(href);
  if (safeAddress(text.trim()) !== href) return false;
  return protocol === "mailto:" || (username === "" && password === "" && !/(?:^|\.)xn--/.test(hostname));
}

/** The path that ends at `at`, read backwards. */
function placeBefore(text: string, at: number, to: number, line: string, column?: string): PlaceLink | undefined {
  let from = startOf(text, at, "brackets");
  // A bracket that closes without one that opens is none of the path's.
  if (from === undefined) from = startOf(text, at, "none");
  if (from === undefined) return undefined;
  const path = text.slice(from, at);
  const isSchemed = path.startsWith("//") && text[from - 1] === ":";
  if (isSchemed && !/(?:^|[^\p{L}\p{N}])file:$/iu.test(text.slice(Math.max(0, from - 6), from))) return undefined;
  if (isSchemed) return placeOf(decoded(path.slice(2)), { from: from - 5, to }, line, column);
  return isPath(path) ? placeOf(path, { from, to }, line, column) : undefined;
}

/** Undefined when its brackets do not match. */
function startOf(text: string, at: number, which: "brackets" | "none"): number | undefined {
  let from = at;
  let depth = 0;
  for (; from > 0 && at - from < PATH_CHARS_MAX; from -= 1) {
    const char = text[from - 1] ?? "";
    const isClose = which === "brackets" && /[)\]]/.test(char) && from < at;
    const isOpen = depth > 0 && /[([]/.test(char);
    if (isClose) depth += 1;
    else if (isOpen) depth -= 1;
    else if (!PATH_CHAR.test(char) && !/[\ud800-\udfff]/.test(char)) break;
  }
  return depth > 0 ? undefined : from;
}

function isPath(path: string): boolean {
  if (!/\p{L}/u.test(path) || path.startsWith("//") || path.endsWith("/")) return false;
  return path.includes("/") || /[^.]\.[\p{L}\p{N}]{1,12}$/u.test(path) || BARE_NAME.test(path);
}

function placeOf(path: string, { from, to }: Found, row: string, col?: string): PlaceLink | undefined {
  const [line, column] = [Number(row), Number(col)];
  if (path === "" || path.includes("⟦") || /\p{Cc}/u.test(path) || line < 1) return undefined;
  return { kind: "place", from, to, path, line, ...(column >= 1 && { column }) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
