// What is decided before a line is parsed: its size, its depth, characters that deceive the eye, and what an interactive
// shell replaces before it parses (history). Everything here ends in "unknown", never in "safe".
import { deceives } from "../../base/invisible.ts";
import { type PartRisk, type Shell, unknown } from "./risk.ts";

/** Enough for any line a person would read before approving it; the parser is linear up to here. */
const LINE_CHARS_MAX = 20_480;
/** Nothing written by hand nests deeper, and the walk is recursive. */
const NESTING_MAX = 32;

/** C0 without tab and newline, DEL, C1. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
/** Half a character, or what stands for one that could not be read. */
const BROKEN = /[\p{Cs}\ufffd]/u;

/** Null when the line may be parsed. */
export function refusedBeforeParsing(line: string, shell: Shell): PartRisk | null {
  if (line.length > LINE_CHARS_MAX) return unknown("limit.length", "too long to read");
  if (line.trim() === "") return unknown("parse.empty", "there is no command");
  if (CONTROL.test(line)) return unknown("text.control", "contains a control character");
  if (BROKEN.test(line)) return unknown("text.broken", "contains half a character");
  if (deceives(line)) return unknown("text.invisible", "contains a character that cannot be seen");
  if (tooDeep(line)) return unknown("limit.depth", "nested too deeply");
  if (/^\s*[!^]/.test(line) || /\n\s*\^/.test(line))
    return unknown("history.leading", "begins with a history expansion");
  if (expandsHistory(line, shell)) return unknown("history.expansion", "the shell replaces ! by an earlier command");
  // `{x[…]}<file` keeps the number of the file in a variable. The parser takes its name for a word.
  if (/\{\w+\[.*\]\}(?:&?>|<)/s.test(line)) return unknown("redirect.variable", "evaluates a subscript");
  if (endsOpen(line)) return unknown("parse.incomplete", "ends in a backslash: the next line belongs to it");
  return null;
}

/** Openers without their closers, whatever quotes say: more than enough to bound the parser and the walk. */
function tooDeep(line: string): boolean {
  let depth = 0;
  let ticks = 0;
  for (const char of line) {
    if (char === "(" || char === "{" || char === "[") depth += 1;
    else if ((char === ")" || char === "}" || char === "]") && depth > 0) depth -= 1;
    else if (char === "`") ticks += 1;
    if (depth > NESTING_MAX) return true;
  }
  return ticks > 4 * NESTING_MAX;
}

function endsOpen(line: string): boolean {
  const backslashes = /\\*$/.exec(line.replace(/\n+$/, ""))?.[0].length ?? 0;
  return backslashes % 2 === 1;
}

/**
 * Interactive bash replaces `!x` wherever it is not in single quotes or escaped. Its own idea of quotes differs from the
 * parser's in here-documents, comments and $'…', so in their company every such `!` counts.
 */
function expandsHistory(line: string, shell: Shell): boolean {
  if (!/![^\s=]/.test(line)) return false;
  const fooled = /<<|\$'|`|(?:^|[\s;&|()])#/.test(line);
  let quote = "";
  for (let i = 0; i < line.length; i += 1) {
    const char = line[i] ?? "";
    if (char === "!" && (fooled || quote !== "'")) {
      const next = line[i + 1] ?? "";
      const closes = next === '"' && quote === '"' && shell === "bash";
      const ends = next === "" || /[\s=]/.test(next);
      if (!ends && !closes) return true;
      continue;
    }
    if (quote === "'") {
      if (char === "'") quote = "";
    } else if (char === "\\") i += 1;
    else if (char === '"') quote = quote === '"' ? "" : '"';
    else if (char === "'" && quote === "") quote = "'";
  }
  return false;
}
