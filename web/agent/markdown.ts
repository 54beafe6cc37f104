// The little Markdown that agents write, as a tree of a few kinds: whatever it does not know stays text. Pure; the view makes
// nodes of it, so nothing an agent says is ever read as HTML. Refuses: addresses other than http and https.

/** More is shown as it is: nobody reads that much formatted, and every piece costs nodes. */
export const MARKDOWN_CHARS_MAX = 50_000;

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "bold"; readonly parts: readonly Inline[] }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

/** `source`: the same source is the same block. */
export type Piece =
  | Words<"paragraph">
  | Words<"heading">
  | { readonly kind: "code"; readonly source: string; readonly text: string }
  | List<"bullets">
  | List<"numbers">;

interface Words<K> {
  readonly kind: K;
  readonly source: string;
  readonly parts: readonly Inline[];
}

interface List<K> {
  readonly kind: K;
  readonly source: string;
  readonly items: readonly (readonly Inline[])[];
}

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}#{1,6} +(.*)$/;
const BULLET = /^\s{0,8}[-*+] +(.*)$/;
const NUMBER = /^\s{0,8}\d{1,4}[.)] +(.*)$/;
/** Each part ends at a character it may not contain, or at a limit: no text makes it slow. */
const INLINE =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^[\]\n]{1,300})\]\((https?:\/\/[^\s()<>"]{1,2000})\)|https?:\/\/[^\s()<>"'`*[\]]{1,2000}/gi;

export function markdownOf(text: string): Piece[] {
  const lines = text.slice(0, MARKDOWN_CHARS_MAX).replaceAll("\r\n", "\n").split("\n");
  const pieces: Piece[] = [];
  for (let at = 0; at < lines.length; ) {
    const [piece, next] = readPiece(lines, at);
    if (piece) pieces.push(piece);
    at = next;
  }
  const rest = text.slice(MARKDOWN_CHARS_MAX);
  if (rest !== "") pieces.push({ kind: "code", source: rest, text: rest });
  return pieces;
}

function readPiece(lines: readonly string[], at: number): [Piece | undefined, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [undefined, at + 1];
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return readCode(lines, at, fence);
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return [{ kind: "heading", source: line, parts: inline(heading) }, at + 1];
  for (const [kind, mark] of [["bullets", BULLET] as const, ["numbers", NUMBER] as const])
    if (mark.test(line)) return readList(lines, at, kind, mark);
  let end = at + 1;
  while (end < lines.length && !beginsAnew(lines[end] ?? "")) end += 1;
  const source = lines.slice(at, end).join("\n");
  return [{ kind: "paragraph", source, parts: inline(source) }, end];
}

/** Without its end, as while it is being said, it reaches to the end of the text. */
function readCode(lines: readonly string[], at: number, fence: string): [Piece, number] {
  let end = at + 1;
  while (end < lines.length && !lines[end]?.trimStart().startsWith(fence)) end += 1;
  const source = lines.slice(at, end + 1).join("\n");
  return [{ kind: "code", source, text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function readList(lines: readonly string[], at: number, kind: "bullets" | "numbers", mark: RegExp): [Piece, number] {
  const items: string[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const item = mark.exec(line)?.[1];
    if (item !== undefined) items.push(item);
    // An indented line goes on with the item above it.
    else if (/^\s+\S/.test(line) && !beginsAnew(line)) items.push(`${items.pop() ?? ""}\n${line.trim()}`);
    else break;
  }
  return [{ kind, source: lines.slice(at, end).join("\n"), items: items.map(inline) }, end];
}

function beginsAnew(line: string): boolean {
  return line.trim() === "" || [FENCE, HEADING, BULLET, NUMBER].some((mark) => mark.test(line));
}

export function inline(text: string): Inline[] {
  const parts: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold, label, href] = match;
    if (match.index > at) parts.push({ kind: "text", text: text.slice(at, match.index) });
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (bold !== undefined) parts.push({ kind: "bold", parts: inline(bold) });
    else if (label !== undefined && href !== undefined) parts.push(link(label, href));
    else parts.push(...bare(whole));
    at = match.index + whole.length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

/** The full stop behind an address belongs to the sentence. */
function bare(address: string): Inline[] {
  const href = address.replace(/[.,;:!?]{1,20}$/, "");
  const rest = address.slice(href.length);
  return rest === "" ? [link(href, href)] : [link(href, href), { kind: "text", text: rest }];
}

function link(text: string, href: string): Inline {
  return URL.canParse(href)
    ? { kind: "link", text, href }
    : { kind: "text", text: text === href ? href : `${text} (${href})` };
}
