// One variable in the environment of a TOML table: `env = { … }`, `[….env]` or `env.NAME = …`, whichever the file has.
// Pure. Refuses: to touch other variables.

import { readToml, type Statement, type TomlTable, type TomlValue } from "./toml.ts";
import { apply, type Edit, isUnder, lineRange, renderText } from "./toml-edit.ts";

/** `path`: of the environment. */
export function tomlVariable(text: string, path: readonly string[], name: string): string | undefined {
  const statements = readToml(text);
  const inline = inlineOf(statements, path)?.value.is.table.find((one) => one.path.join(".") === name)?.value;
  const value = inline ?? pairOf(statements, path, name)?.value?.is;
  return typeof value === "string" ? value : undefined;
}

/** The table above it exists. `undefined` removes the variable. */
export function setTomlVariable(
  text: string,
  path: readonly string[],
  name: string,
  value: string | undefined,
): string {
  if (tomlVariable(text, path, name) === value) return text;
  const statements = readToml(text);
  const inline = inlineOf(statements, path);
  if (inline) return apply(text, [inlineEdit(text, inline, name, value)]);
  const pair = pairOf(statements, path, name);
  if (pair?.value) {
    if (value === undefined) return apply(text, [{ ...lineRange(text, pair.start, pair.end), text: "" }]);
    return apply(text, [{ start: pair.value.start, end: pair.value.end, text: renderText(value) }]);
  }
  return value === undefined ? text : apply(text, [added(text, statements, path, `${name} = ${renderText(value)}`)]);
}

type Inline = Statement & { readonly value: { readonly start: number; readonly end: number; readonly is: TomlTable } };

function inlineOf(statements: readonly Statement[], path: readonly string[]): Inline | undefined {
  return statements.find(
    (one): one is Inline =>
      one.kind === "pair" && isSame(one.path, path) && typeof one.value?.is === "object" && "table" in one.value.is,
  );
}

function pairOf(statements: readonly Statement[], path: readonly string[], name: string): Statement | undefined {
  return statements.find(({ kind, path: at }) => kind === "pair" && isSame(at, [...path, name]));
}

function inlineEdit(text: string, { value: old, start, end }: Inline, name: string, value: string | undefined): Edit {
  const others = old.is.table.filter((one) => one.path.join(".") !== name);
  if (value === undefined && others.length === 0) return { ...lineRange(text, start, end), text: "" };
  const table = [...others, ...(value === undefined ? [] : [{ path: [name], value }])];
  return { start: old.start, end: old.end, text: renderValue({ table }) };
}

/** Puts it into its own table, beside dotted variables, or as a new one after the table's other fields. */
function added(text: string, statements: readonly Statement[], path: readonly string[], field: string): Edit {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const own = statements.find(({ kind, path: at }) => kind === "table" && isSame(at, path));
  if (own) return { start: own.end, end: own.end, text: `${eol}${field}` };
  const above = path.slice(0, -1);
  const header = statements.findIndex(({ kind, path: at }) => kind === "table" && isSame(at, above));
  const next = statements.findIndex(({ kind }, i) => i > header && kind !== "pair");
  const last = statements[(next < 0 ? statements.length : next) - 1];
  const at = last?.end ?? text.length;
  const key = path.at(-1) ?? "";
  const isDotted = statements.some(({ kind, path: one }) => kind === "pair" && isUnder(one, path));
  return { start: at, end: at, text: `${eol}${isDotted ? `${key}.${field}` : `${key} = { ${field} }`}` };
}

function isSame(path: readonly string[], other: readonly string[]): boolean {
  return path.length === other.length && isUnder(path, other);
}

function renderValue(value: TomlValue): string {
  if (typeof value === "string") return renderText(value);
  if (isList(value)) return `[${value.map(renderValue).join(", ")}]`;
  if ("raw" in value) return value.raw;
  const fields = value.table.map(({ path, value: one }) => `${path.map(renderKey).join(".")} = ${renderValue(one)}`);
  return `{ ${fields.join(", ")} }`;
}

function renderKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : renderText(key);
}

function isList(value: TomlValue): value is readonly TomlValue[] {
  return Array.isArray(value);
}
