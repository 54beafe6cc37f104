// What an output can be drawn as, by a look at its beginning. Pure and quick: cards ask it when they are drawn. What is drawn is
// read with care (json.ts, table.ts), and may turn out to be nothing of the kind.

export type DrawnKind = "json" | "table" | "diff";
export const DRAWN_KINDS = { json: "JSON", table: "table", diff: "diff" } as const;

/** The first lines tell. */
const LINES = 6;

/** `cmd`: as the shell told it. */
export function looksLike(lines: readonly string[], cmd: string | null): DrawnKind | undefined {
  const first = lines.slice(0, LINES).filter((line) => line.trim() !== "");
  const [top = "", next = ""] = first;
  if (/^diff --git /.test(top) || (/^--- \S/.test(top) && /^\+\+\+ \S/.test(next))) return "diff";
  if (/^\s*(?:\{\s*$|\[\s*$|\{\s*"|\[\s*[{["\d])/.test(top)) return "json";
  if (/\.(?:csv|tsv)\b/.test(cmd ?? "") && first.length > 1) return "table";
  // Heads as ps, docker and kubectl write them. A terminal has made blanks of tabs.
  if (first.length > 1 && /^\s*[A-Z%][A-Z\d%#()/_: -]*$/.test(top) && /\S {2,}\S/.test(top)) return "table";
  return /^[+┌][-─┬+]{3,}/.test(top) && /^[|│]/.test(next) ? "table" : undefined;
}
