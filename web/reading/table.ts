// Tables in an output: values between commas or tabs, between bars, or in columns by blanks. Pure. Refuses: to guess where no
// column holds for most lines, and to read more than a person looks at.

export interface Table {
  readonly form: "csv" | "tsv" | "bars" | "columns";
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** All rows, also those that are left out. */
  readonly total: number;
}

const ROWS_MAX = 2_000;
const COLUMNS_MAX = 60;
/** A table of one line is none, nor one of one column. */
const LEAST = 2;

export function readTable(text: string): Table | undefined {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const used = lines.filter((line) => line.trim() !== "");
  if (used.length < LEAST) return undefined;
  return (
    barred(used) ??
    separated(text, "\t", "tsv") ??
    separated(text, ",", "csv") ??
    separated(text, ";", "csv") ??
    columns(used)
  );
}

function made(form: Table["form"], all: readonly (readonly string[])[]): Table | undefined {
  const [head, ...rows] = all;
  if (!head || rows.length === 0 || head.length < LEAST) return undefined;
  const width = Math.min(COLUMNS_MAX, Math.max(...all.slice(0, ROWS_MAX + 1).map((row) => row.length)));
  const whole = (row: readonly string[]) => Array.from({ length: width }, (_, i) => row[i] ?? "");
  return { form, head: whole(head), rows: rows.slice(0, ROWS_MAX).map(whole), total: rows.length };
}

/** As RFC 4180 has it: a value in quotes may have separators, line ends, and doubled quotes. Nearly all rows are as wide as the first. */
function separated(text: string, by: string, form: "csv" | "tsv"): Table | undefined {
  if (!text.slice(0, text.indexOf("\n")).includes(by)) return undefined;
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { value, next } = valueAt(text, at, by);
    row.push(value);
    at = next + 1;
    if (text[next] === by && at < text.length) continue;
    if (text[next] === by) row.push("");
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  const width = rows[0]?.length ?? 0;
  const alike = rows.filter(({ length }) => length === width).length;
  return alike >= LEAST && alike >= rows.length * 0.9 ? made(form, rows) : undefined;
}

function valueAt(text: string, from: number, by: string): { value: string; next: number } {
  if (text[from] !== '"') {
    let next = from;
    while (next < text.length && text[next] !== by && text[next] !== "\n") next += 1;
    return { value: text.slice(from, next).replace(/\r$/, ""), next };
  }
  let [value, at] = ["", from + 1];
  while (at < text.length) {
    const end = text.indexOf('"', at);
    if (end < 0) return { value: value + text.slice(at), next: text.length };
    value += text.slice(at, end);
    at = end + 1;
    if (text[at] !== '"') break;
    value += '"';
    at += 1;
  }
  while (at < text.length && text[at] !== by && text[at] !== "\n") at += 1;
  return { value, next: at };
}

/** As databases draw them: | a | b |, with rules of + and -. */
function barred(lines: readonly string[]): Table | undefined {
  const drawn = lines.filter((line) => !/^[\s|│+┼├┤┌┐└┘┬┴─=:-]+$/.test(line));
  const rows = drawn.filter((line) => /[|│]/.test(line));
  if (rows.length < LEAST || rows.length < drawn.length * 0.5) return undefined;
  const cells = rows.map((line) =>
    line
      .trim()
      .replace(/^[|│]|[|│]$/g, "")
      .split(/[|│]/)
      .map((cell) => cell.trim()),
  );
  const width = cells[0]?.length ?? 0;
  const alike = cells.filter(({ length }) => length === width).length;
  return alike >= cells.length * 0.9 ? made("bars", cells) : undefined;
}

/** ps, docker ps, kubectl get: a column begins where the head has a word after blanks and every line has a blank before it. */
function columns(lines: readonly string[]): Table | undefined {
  const [head = "", ...rest] = lines;
  const sample = rest.slice(0, 200);
  const starts = [...head.matchAll(/(?<=^|\s)\S/g)].map(({ index }) => index);
  const isGap = (at: number) =>
    at > 0 && sample.every((line) => line.length < at || line[at - 1] === " ") && /\s/.test(head[at - 1] ?? " ");
  const cuts = [0, ...starts.filter((at) => at > 0 && isGap(at))];
  if (cuts.length < LEAST || cuts.length > COLUMNS_MAX) return undefined;
  const cell = (line: string, i: number) => line.slice(cuts[i], cuts[i + 1]).trim();
  return made(
    "columns",
    lines.map((line) => cuts.map((_, i) => cell(line, i))),
  );
}

/** By number where both cells have one; what has none comes last. */
export function sortedBy(rows: Table["rows"], column: number, down: boolean): Table["rows"] {
  const keys = new Map(rows.map((row) => [row, numberOf(row[column] ?? "")]));
  const turn = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    if (x !== undefined && y !== undefined) return (x - y) * turn;
    if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1;
    const [left, right] = [a[column] ?? "", b[column] ?? ""];
    return left === right ? 0 : (left < right ? -1 : 1) * turn;
  });
}

const SIZES = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 } as const;

/** 12, 1,234.5, 40%, 3.1G. */
function numberOf(text: string): number | undefined {
  const [, digits = "", size] = /^(-?\d[\d,]*(?:\.\d+)?)\s?(?:([KMGT])i?B?|%)?$/.exec(text) ?? [];
  if (digits === "") return undefined;
  return Number(digits.replaceAll(",", "")) * (size ? SIZES[size as keyof typeof SIZES] : 1);
}
