// Private keys between BEGIN and END lines, whole or cut off at either end. Pure. Read line by line, and each line once, so that
// nothing makes it slow. A line ends at a newline, or at a "\n" written out, as in JSON.
import type { Findings } from "./finding.ts";

export const PRIVATE_KEY = "private-key";
const WORDS = "PRIVATE KEY";
const BEFORE_WORDS = /-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}$/;
const AFTER_WORDS = /PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const MARK_MAX = 64;
const LINE_END = /\r?\n|(?:\\{1,4}[nr])+/;
/** Lines of a key, also quoted, numbered or in a difference; headers such as `Proc-Type: 4,ENCRYPTED`. */
const BODY =
  /^["']?(?:\d{1,6}[:|\t -]\s{0,8}|[+>|│#*-]\s{0,8})?[A-Za-z0-9+/]*={0,2}["',;\\]{0,4}$|^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):.*$/;
const END_MARK = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;
/** A key's line is shorter; a key in one line is not longer. */
const LINE_MAX = 20_000;
/** Less than this is no key but talk about one. */
const BODY_MIN = 16;
/** The shortest end mark. */
const END_MIN = "-----END PRIVATE KEY-----".length;
/** How many letters of a key stand for it in its label: all of them need not be there yet. */
const LABEL_LETTERS = 64;

/** Whether a line may stand inside a key, and where the key ends in it. */
export function keyLine(line: string): { readonly inside: boolean; readonly end?: number } {
  const end = END_MARK.exec(line);
  const body = (end ? line.slice(0, end.index) : line).trim();
  // In one line, blanks stand where the lines ended.
  const inside = line.length <= LINE_MAX && (BODY.test(body) || (end !== null && /^[A-Za-z0-9+/= ]+$/.test(body)));
  return end && inside ? { inside, end: end.index + end[0].length } : { inside };
}

export function keysIn(text: string, found: Findings): void {
  let done = 0;
  for (let at = text.indexOf(WORDS); at >= 0; at = text.indexOf(WORDS, Math.max(done, at + 1))) {
    const head = BEFORE_WORDS.exec(text.slice(Math.max(done, at - MARK_MAX), at));
    AFTER_WORDS.lastIndex = at;
    if (!head || !AFTER_WORDS.test(text)) {
      // A mark that is not complete yet, at the end of what has come.
      if (head && text.length - at < MARK_MAX) found.open(at - head[0].length);
      continue;
    }
    const mark = at - head[0].length;
    if (head[1] === "BEGIN") done = fromBegin(text, mark, AFTER_WORDS.lastIndex, found);
    else done = fromEnd(text, mark, AFTER_WORDS.lastIndex, found, done);
  }
}

/** The letters that stand for a key. */
export function keyLetters(text: string): string {
  const bare = text.replace(/-{4,5} ?(?:BEGIN|END) [A-Z0-9 ]*-{4,5}/g, "").replace(/\\+[nr]/g, "");
  return bare.replace(/[^A-Za-z0-9+/=]/g, "").slice(0, LABEL_LETTERS);
}

function fromBegin(text: string, mark: number, from: number, found: Findings): number {
  // The next key ends this one, so that no line is read for two.
  const other = text.indexOf("BEGIN ", from);
  const limit = other < 0 ? text.length : other;
  let [at, letters] = [from, 0];
  while (at < limit) {
    const rest = text.slice(at, Math.min(limit, at + LINE_MAX));
    const end = LINE_END.exec(rest);
    const line = end ? rest.slice(0, end.index) : rest;
    const { inside, end: endAt } = keyLine(line);
    if (endAt !== undefined && letters + line.length >= BODY_MIN + END_MIN) {
      found.span(PRIVATE_KEY, mark, at + endAt);
      return at + endAt;
    }
    if (!inside) break;
    letters += line.trim().length;
    at += end ? end.index + end[0].length : rest.length;
  }
  if (at >= text.length) found.open(mark);
  if (letters < BODY_MIN) return from;
  found.span(PRIVATE_KEY, mark, at);
  return at;
}

/** A key whose beginning is not there: the lines above its end. */
function fromEnd(text: string, mark: number, to: number, found: Findings, notBefore: number): number {
  const area = text.slice(Math.max(notBefore, mark - LINE_MAX), mark);
  let from = area.length;
  for (const [i, line] of area.split("\n").slice(0, -1).reverse().entries()) {
    const bare = line.trim();
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(bare) || (i > 0 && bare.length < BODY_MIN)) break;
    from = Math.max(0, from - line.length - 1);
  }
  // The last line of the area is what stands before the mark, such as an indent.
  const indent = area.length - area.lastIndexOf("\n") - 1;
  if (from < area.length) found.span(PRIVATE_KEY, Math.max(0, mark - (area.length - from) - indent), to);
  return to;
}
