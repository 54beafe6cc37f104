// One table `[…]` put into, or taken out of, a TOML file as text; everything else stays as it is. Pure.
// The law: taking out what was put in gives the old text back. Refuses: shapes that cannot be extended in place.
import { SyntaxFault } from "./jsonc.ts";
import { readToml, type Statement, type TomlValue } from "./toml.ts";

/** What our entries consist of. */
type Field = string | readonly string[];
export type Fields = Readonly<Record<string, Field>>;

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What stands at `path`, by key; undefined when nothing does. */
export function tomlEntry(text: string, path: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  const mine = readToml(text).filter((statement) => isUnder(statement.path, path));
  if (mine.length === 0) return undefined;
  const fields: Record<string, unknown> = {};
  for (const { path: at, value } of mine) {
    if (!value) continue;
    const key = at[path.length];
    if (key !== undefined) fields[key] = at.length === path.length + 1 ? plainToml(value.is) : {};
    else if (isTable(value.is)) for (const one of value.is.table) fields[one.path[0] ?? ""] = plainToml(one.value);
  }
  return fields;
}

export function setToml(text: string, path: readonly string[], fields: Fields): string {
  const statements = readToml(text);
  const mine = statements.filter((statement) => isUnder(statement.path, path));
  const eol = eolOf(text);
  if (mine.length === 0) return append(text, statements, path, fields, eol);
  const header = mine.find(({ kind, path: at }) => kind === "table" && at.length === path.length);
  if (!header) throw new SyntaxFault(`${path.join(".")} is not written as a table of its own`, mine[0]?.start ?? 0);
  const pairs = mine.filter(({ kind, path: at }) => kind === "pair" && at.length === path.length + 1);
  const edits: Edit[] = [];
  for (const [key, field] of Object.entries(fields)) {
    const pair = pairs.find(({ path: at }) => at.at(-1) === key);
    if (!pair?.value) edits.push({ start: header.end, end: header.end, text: `${eol}${key} = ${render(field)}` });
    else if (JSON.stringify(plainToml(pair.value.is)) !== JSON.stringify(field))
      edits.push({ start: pair.value.start, end: pair.value.end, text: render(field) });
  }
  return apply(text, edits);
}

export function removeToml(text: string, path: readonly string[]): string {
  const statements = readToml(text);
  const mine = (statement: Statement) => isUnder(statement.path, path);
  const cuts: Edit[] = [];
  for (let i = 0; i < statements.length; i += 1) {
    const first = statements[i];
    if (!first || !mine(first)) continue;
    while (i + 1 < statements.length && mine(statements[i + 1] as Statement)) i += 1;
    cuts.push({ ...rangeOf(text, first.start, (statements[i] as Statement).end), text: "" });
  }
  return apply(text, cuts);
}

function renderToml(path: readonly string[], fields: Fields, eol: string): string {
  const lines = Object.entries(fields).map(([key, field]) => `${key} = ${render(field)}`);
  return [`[${path.join(".")}]`, ...lines].join(eol);
}

/** A file without a final line end gets none from us either, so that removing is exact. */
function append(text: string, statements: Statement[], path: readonly string[], fields: Fields, eol: string): string {
  const closed = statements.find(
    ({ kind, path: at }) => kind !== "table" && at.length < path.length && isUnder(path, at),
  );
  if (closed) throw new SyntaxFault(`${closed.path.join(".")} cannot be extended by a table`, closed.start);
  const block = renderToml(path, fields, eol);
  if (text === "") return block + eol;
  return /\n$/.test(text) ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

/** The lines, with the empty line before them that we put there. */
function rangeOf(text: string, start: number, end: number): { start: number; end: number } {
  const empty = /(?:^|\n)(\r?\n)$/.exec(text.slice(0, start))?.[1] ?? "";
  const from = start - empty.length;
  if (end < text.length) return { start: from, end: end + (text.startsWith("\r\n", end) ? 2 : 1) };
  const lineEnd = empty === "" ? "" : (/\r?\n$/.exec(text.slice(0, from))?.[0] ?? "");
  return { start: from - lineEnd.length, end };
}

/** The line, or lines, with their end. */
export function lineRange(text: string, start: number, end: number): { start: number; end: number } {
  return { start, end: end + (/^\r?\n/.exec(text.slice(end))?.[0].length ?? 0) };
}

export function apply(text: string, edits: readonly Edit[]): string {
  let edited = text;
  // We edit from the end, so that earlier positions stay right. Of two edits at one place the later one goes in first.
  for (const edit of edits.toReversed().sort((a, b) => b.start - a.start))
    edited = edited.slice(0, edit.start) + edit.text + edited.slice(edit.end);
  return edited;
}

export function isUnder(path: readonly string[], above: readonly string[]): boolean {
  return path.length >= above.length && above.every((part, i) => path[i] === part);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Every JSON string is a basic string of TOML, but for DEL. */
export function renderText(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}

function render(field: Field): string {
  return typeof field === "string" ? renderText(field) : `[${field.map(renderText).join(", ")}]`;
}

function isTable(value: TomlValue): value is Extract<TomlValue, { table: unknown }> {
  return typeof value === "object" && "table" in value;
}

function plainToml(value: TomlValue): unknown {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(plainToml);
  return value;
}
