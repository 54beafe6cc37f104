// One entry put into, or taken out of, a JSON file as text: comments, order, indentation and line ends stay as they are.
// Pure. The law: taking out what was put in gives the old text back, unless there was an empty object before.
import {
  type Jsonc,
  type Node,
  type Property,
  plain,
  propertyOf,
  readJsonc,
  SyntaxFault,
  type Token,
} from "./jsonc.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type ObjectNode = Extract<Node, { kind: "object" }>;

export function jsonEntry(text: string, path: readonly string[]): unknown {
  let node: Node | undefined = isBlank(text) ? undefined : readJsonc(text).root;
  for (const key of path) node = node && propertyOf(node, key)?.value;
  return node && plain(node);
}

/** The text with `value` at `path`; objects on the way are made when they are missing. */
export function setJson(text: string, path: readonly string[], value: Json): string {
  if (isBlank(text)) return `${render(wrap(path, value), "", styleOf("{\n}"))}\n`;
  const json = readJsonc(text);
  const style = styleOf(text);
  let parent = objectAt(json.root, "the file");
  for (const [depth, key] of path.entries()) {
    const found = propertyOf(parent, key);
    if (!found) return insert(json, parent, key, wrap(path.slice(depth + 1), value), style);
    if (depth === path.length - 1) return replace(json, found, value, style);
    parent = objectAt(found.value, `"${key}"`);
  }
  return text;
}

/** The text without what is at `path`, and without objects that are empty then and that setJson would have made. */
export function removeJson(text: string, path: readonly string[]): string {
  if (isBlank(text) || path.length === 0) return text;
  const json = readJsonc(text);
  let parent: Node | undefined = json.root;
  for (const key of path.slice(0, -1)) parent = parent && propertyOf(parent, key)?.value;
  const found = parent && propertyOf(parent, path.at(-1) ?? "");
  if (parent?.kind !== "object" || !found) return text;
  const without = cut(json, parent, found);
  // A duplicate key becomes effective again.
  const left = jsonEntry(without, path) === undefined ? without : removeJson(without, path);
  const above = path.slice(0, -1);
  return above.length > 0 && isLastAndEmpty(left, above) ? removeJson(left, above) : left;
}

function isBlank(text: string): boolean {
  return /^[\s\uFEFF]*$/.test(text);
}

function objectAt(node: Node, what: string): ObjectNode {
  if (node.kind !== "object") throw new SyntaxFault(`${what} is not an object`, node.start);
  return node;
}

function wrap(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

interface Style {
  readonly unit: string;
  readonly eol: string;
}

/** One step of indentation, as the file does it: its first line that is indented. */
function styleOf(text: string): Style {
  return { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function insert(json: Jsonc, parent: ObjectNode, key: string, value: Json, style: Style): string {
  const { text } = json;
  const last = parent.properties.at(-1);
  const body = text.slice(parent.start, parent.end);
  const isBare = last === undefined && body.slice(1, -1).trim() === "";
  const isOneLine = isBare ? parent !== json.root && !text.trim().includes("\n") : !body.includes("\n");
  const indent =
    last && startsLine(text, last.start) ? indentAt(text, last.start) : lineIndent(text, parent.start) + style.unit;
  const at = before(json, parent.end - 1).end;
  const rendered = isOneLine ? render(value, "", undefined) : render(value, indent, style);
  // A list that ends in a comma keeps doing so.
  const comma = last?.comma === undefined ? "" : ",";
  const entry = `${isOneLine ? " " : style.eol + indent}${JSON.stringify(key)}: ${rendered}${comma}`;
  const closing =
    !isOneLine && !/\n/.test(text.slice(at, parent.end)) && !last ? style.eol + lineIndent(text, parent.start) : "";
  const tail = closing === "" ? text.slice(at) : closing + text.slice(parent.end - 1);
  if (!last || last.comma !== undefined) return text.slice(0, at) + entry + tail;
  return `${text.slice(0, last.value.end)},${text.slice(last.value.end, at)}${entry}${tail}`;
}

function replace({ text }: Jsonc, { start, value: old }: Property, value: Json, style: Style): string {
  const isOneLine = !text.slice(old.start, old.end).includes("\n") && !startsLine(text, start);
  const rendered = isOneLine ? render(value, "", undefined) : render(value, indentAt(text, start), style);
  return text.slice(0, old.start) + rendered + text.slice(old.end);
}

function cut(json: Jsonc, parent: ObjectNode, found: Property): string {
  const { text } = json;
  const index = parent.properties.indexOf(found);
  const previous = parent.properties[index - 1];
  const earlier = before(json, found.start);
  const end = found.comma === undefined ? found.value.end : found.comma + 1;
  const between = text.slice(found.value.end, end).replace(/,$/, "");
  // A line comment must not swallow what follows.
  const needsBreak = text.startsWith("//", earlier.start) && !/^[ \t]*\r?\n/.test(text.slice(end));
  const rest = between + (needsBreak ? "\n" : "") + text.slice(end);
  const isEmptied = parent.properties.length === 1 && earlier.start === parent.start && /^\s*\}/.test(rest);
  if (isEmptied) return `${text.slice(0, earlier.end)}${rest.trimStart()}`;
  const isLast = found.comma === undefined && previous?.comma !== undefined;
  const kept = isLast
    ? text.slice(0, previous.comma) + text.slice((previous.comma ?? 0) + 1, earlier.end)
    : text.slice(0, earlier.end);
  return kept + rest;
}

function isLastAndEmpty(text: string, path: readonly string[]): boolean {
  let node: Node | undefined = readJsonc(text).root;
  let isLast = true;
  for (const key of path) {
    if (node?.kind !== "object") return false;
    isLast = node.properties.at(-1)?.key === key;
    node = propertyOf(node, key)?.value;
  }
  return isLast && node?.kind === "object" && /^\{\s*\}$/.test(text.slice(node.start, node.end));
}

/** The token, comments included, that ends before this place. */
function before({ tokens }: Jsonc, at: number): Token {
  const token = tokens.findLast(({ end }) => end <= at);
  if (!token) throw new SyntaxFault("nothing before it", at);
  return token;
}

function startsLine(text: string, at: number): boolean {
  return /^[ \t]*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at));
}

function indentAt(text: string, at: number): string {
  return startsLine(text, at) ? text.slice(text.lastIndexOf("\n", at - 1) + 1, at) : lineIndent(text, at);
}

function lineIndent(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";
}

/** As people write it: objects over lines, lists in one. Without a style all in one line. */
function render(value: Json, indent: string, style: Style | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item) => render(item, indent, undefined)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  const inner = indent + (style?.unit ?? "");
  const lines = entries.map(([key, item]) => `${JSON.stringify(key)}: ${render(item, inner, style)}`);
  if (!style) return `{ ${lines.join(", ")} }`;
  return `{${style.eol}${lines.map((line) => inner + line).join(`,${style.eol}`)}${style.eol}${indent}}`;
}
