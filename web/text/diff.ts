// Reads git's unified text: files, their hunks, lines with their numbers on both sides. Pure. Lines of files stand behind a sign,
// so that none passes for a head.

export interface DiffLine {
  readonly kind: "same" | "more" | "less";
  readonly text: string;
  /** From 1; absent on the side that does not have the line. */
  readonly old?: number;
  readonly now?: number;
  /** The file ends here without a line end. */
  readonly isOpen?: true;
}

export interface Hunk {
  /** What git says of the place, such as the function. */
  readonly at: string;
  readonly old: number;
  readonly now: number;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

const FILE = /^diff --git (.*)$/;
const HUNK = /^@@ -(\d{1,15})(?:,(\d{1,15}))? \+(\d{1,15})(?:,(\d{1,15}))? @@ ?(.*)$/;
const KINDS: Readonly<Record<string, DiffLine["kind"]>> = { "+": "more", "-": "less", " ": "same" };

/** The text may be cut anywhere: what is whole is told. */
export function readDiff(text: string): DiffFile[] {
  const rows = text.split("\n");
  if (rows.at(-1) === "") rows.pop();
  const files: { path: string; hunks: Hunk[] }[] = [];
  let at = 0;
  while (at < rows.length) {
    const row = rows[at] ?? "";
    const file = files.at(-1);
    const [, names] = FILE.exec(row) ?? [];
    if (names !== undefined) files.push({ path: bothNames(names), hunks: [] });
    // Without git, a file begins with its two names.
    else if (/^--- \S/.test(row) && /^\+\+\+ \S/.test(rows[at + 1] ?? "") && (!file || file.hunks.length > 0))
      files.push({ path: named(row) ?? "", hunks: [] });
    else if (file && HUNK.test(row)) {
      const { hunk, next } = readHunk(rows, at);
      file.hunks.push(hunk);
      at = next;
      continue;
    } else if (file) file.path = named(row) ?? file.path;
    at += 1;
  }
  return files;
}

function readHunk(rows: readonly string[], from: number): { hunk: Hunk; next: number } {
  const [, old = "0", olds = "1", now = "0", nows = "1", at = ""] = HUNK.exec(rows[from] ?? "") ?? [];
  const here = { old: Number(old), now: Number(now) };
  const end = { old: here.old + Number(olds), now: here.now + Number(nows) };
  const lines: DiffLine[] = [];
  let next = from + 1;
  for (; next < rows.length; next++) {
    const row = rows[next] ?? "";
    const last = lines.at(-1);
    if (row.startsWith("\\") && last) lines[lines.length - 1] = { ...last, isOpen: true };
    if (row.startsWith("\\")) continue;
    // Some programs drop the space of an empty line.
    const kind = row === "" ? "same" : KINDS[row[0] ?? ""];
    if (kind === undefined || (here.old >= end.old && here.now >= end.now)) break;
    const text = row.slice(1);
    if (kind === "same") lines.push({ kind, text, old: here.old, now: here.now });
    else lines.push(kind === "more" ? { kind, text, now: here.now } : { kind, text, old: here.old });
    if (kind !== "more") here.old += 1;
    if (kind !== "less") here.now += 1;
  }
  return { hunk: { at, old: Number(old), now: Number(now), lines }, next };
}

/** The name in a line of a file's head, if it has one. The new name stands after the old one. */
function named(row: string): string | undefined {
  const [, name] = /^(?:\+\+\+|---|rename to|copy to) (.*)$/.exec(row) ?? [];
  if (name === undefined) return undefined;
  const plain = unquoted(name.replace(/\t.*$/, ""));
  if (/^(?:rename|copy)/.test(row)) return plain;
  return plain === "/dev/null" ? undefined : plain.replace(/^[^/]\//, "");
}

/** "a/NAME b/NAME", where nothing else tells the name: both halves are equal. */
function bothNames(names: string): string {
  const half = names.slice(0, (names.length - 1) / 2);
  return unquoted(half).replace(/^[^/]\//, "");
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, '"': 34, "\\": 92 };

/** git writes odd names as a string of C, in bytes. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  for (const [part, code] of name.slice(1, -1).matchAll(/\\([0-7]{3}|.)|[^\\]+/gs)) {
    if (code === undefined) bytes.push(...new TextEncoder().encode(part));
    else bytes.push(ESCAPES[code] ?? Number.parseInt(code, 8) & 255);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
