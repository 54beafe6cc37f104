// Values behind a name that promises a secret: NAME=value, name: value, "name": "value", name => value, <name>value</name>, and in
// a URL's query. Headers and cookies, whose values have a form of their own, are in headers.ts. Pure. Every look is bounded.
import { type Findings, report } from "../finding.ts";
import { headerValue, isHeader } from "./headers.ts";
import { isSecretInQuery, mayPromise, NAME_MAX, promiseOf, type SecretName } from "./names.ts";
import { belowAt, isNaming, pairAt } from "./pairs.ts";
import { isSecret, looksRandom, type Manner, TOKEN_MIN } from "./values.ts";

/** A column of names is not wider than this. */
const BLANKS_MAX = 32;
/** Enough to tell whether a value is a secret; a longer one is taken whole. */
const LOOK_MAX = 128;
/** A value between quotes, such as a key in one line. */
const QUOTED_MAX = 4096;
/** Behind a separator: the line ends, or says that a block follows. */
const BLOCK_BEGINS = /^[ \t]{0,8}[|>][+-]?\d?[ \t]{0,4}\r?\n/;
const LINE_ENDS = /^[ \t]{0,8}\r?\n/;
const MARK_BEGINS = "‹redacted:";

interface Value {
  readonly from: number;
  readonly to: number;
  readonly manner: Manner;
}

/** Looks at the separator at `at`: one of = : > Returns up to where other separators need no look: values are not read twice. */
export function assignedAt(text: string, at: number, found: Findings): number {
  const name = nameBefore(text, at);
  if (!name) return at;
  const behind = behindSeparator(text, at, name.from);
  if (behind === undefined) return at;
  if (isHeader(name.text)) return headerValue(text, behind, name.text, found);
  if (isNaming(name.text)) pairAt(text, behind, found);
  const promised = promiseOf(name.text, name.before);
  const inQuery = /[?&;]/.test(text[name.from - 1] ?? "");
  if (!promised && !(inQuery && isSecretInQuery(name.text))) return at;
  if (promised && text[at] === ":" && endsLine(text, at, behind)) {
    belowAt(text, behind, promised, found);
    return at;
  }
  const value = valueAt(text, behind, { tight: isTight(text, at, behind), inQuery });
  if (!value || (text[at] === ">" && !text.startsWith("</", value.to))) return at;
  if (value.to >= text.length) found.open(value.from);
  const kind = kindOf(text, at, { name, value, promised });
  // A long run without blanks is not read again for every separator in it.
  if (kind === undefined) return value.manner !== "quoted" && value.to - value.from >= LOOK_MAX ? value.to : at;
  const to = value.to - value.from < LOOK_MAX || value.manner === "quoted" ? value.to : runEnd(text, value.to);
  report(text, found, { kind, from: value.from, to });
  return to;
}

/** A line that ends after `Password: ` is a question; a name between quotes is not. */
function endsLine(text: string, at: number, behind: number): boolean {
  const rest = text.slice(behind, behind + 24);
  return BLOCK_BEGINS.test(rest) || (/["']/.test(text[at - 1] ?? "") && LINE_ENDS.test(rest));
}

interface Assignment {
  readonly name: Name;
  readonly value: Value;
  readonly promised: SecretName | undefined;
}

function kindOf(text: string, at: number, { name, value, promised }: Assignment): string | undefined {
  const secret = text.slice(value.from, Math.min(value.to, value.from + LOOK_MAX));
  if (!promised) return secret.length >= TOKEN_MIN && looksRandom(secret) ? "query-parameter" : undefined;
  // A pattern, not a personal access token.
  if (/pat$/i.test(name.text) && !/^[\w-]+$/.test(secret)) return undefined;
  if (name.text === "PWD" || name.text === "OLDPWD") return undefined;
  // A part of a variable: ${PASS:0:10}
  if (text.startsWith("${", name.from - 2) && /^-?\d*(?::-?\d+)?\}/.test(secret)) return undefined;
  // PASS: test-2.sh, pass: 12, "pass": "Element is focusable."
  if (
    /(?:^|\.)pass$/i.test(name.text) &&
    (!/^[!-~]*\d[!-~]*$/.test(secret) || (text[at] === ":" && value.manner !== "quoted"))
  )
    return undefined;
  return isSecret(secret, promised.promise, promised.vague ? "prose" : value.manner) ? promised.promise : undefined;
}

interface Name {
  readonly text: string;
  readonly from: number;
  /** The word in front of it, if only a blank is between. */
  readonly before: string;
}

function nameBefore(text: string, at: number): Name | undefined {
  let to = at;
  while (to > 0 && at - to < BLANKS_MAX && isBlank(text.charCodeAt(to - 1))) to -= 1;
  // "name", 'name', ["name"], \"name\", Name [default]
  if (text[to - 1] === "]") to = beforeBracket(text, to);
  if (text[to - 1] === '"' || text[to - 1] === "'" || text[to - 1] === "`") to -= 1;
  if (text[to - 1] === "\\") to -= 1;
  if (!mayPromise(text, to)) return undefined;
  let from = to;
  while (from > 0 && to - from <= NAME_MAX && isNameLetter(text.charCodeAt(from - 1))) from -= 1;
  if (from === to || to - from > NAME_MAX) return undefined;
  const name = text.slice(from, to);
  // The kind in a mark of ours.
  if (text.startsWith(MARK_BEGINS, from - MARK_BEGINS.length)) return undefined;
  const before = /([A-Za-z]+)[ -]$/.exec(text.slice(Math.max(0, from - 16), from))?.[1] ?? "";
  return { text: name, from, before };
}

/** In `API key [None]: …` the name ends before what was the value; in `x["name"] = …` the bracket belongs to it. */
function beforeBracket(text: string, to: number): number {
  const shown = / {1,4}\[[^[\]"'\n]{0,40}\]$/.exec(text.slice(Math.max(0, to - 48), to));
  return shown ? to - shown[0].length : to - 1;
}

/** Where the value begins, or undefined when this is a comparison or no separator. */
function behindSeparator(text: string, at: number, nameFrom: number): number | undefined {
  const [char, next] = [text[at], text[at + 1]];
  if (char === ">") return text[nameFrom - 1] === "<" ? at + 1 : undefined;
  if (char === "=") {
    if (next === "=" || next === "~" || /[=!<>+*/~^|-]/.test(text[at - 1] ?? "")) return undefined;
    return next === ">" ? at + 2 : at + 1;
  }
  // name::member, scheme://
  if (next === ":" || text[at - 1] === ":" || (next === "/" && text[at + 2] === "/")) return undefined;
  return next === "=" ? at + 2 : at + 1;
}

function isTight(text: string, at: number, behind: number): boolean {
  return (
    (text[at] === "=" || text[at] === ">") && !isBlank(text.charCodeAt(at - 1)) && !isBlank(text.charCodeAt(behind))
  );
}

function valueAt(text: string, behind: number, how: { tight: boolean; inQuery: boolean }): Value | undefined {
  let from = behind;
  while (from - behind < BLANKS_MAX && isBlank(text.charCodeAt(from))) from += 1;
  if (from >= text.length) return undefined;
  // "value", \"value\", b"value", $'value'
  const quote = /(?:[brfu@$]?|\\)("""|'''|["'`])/y;
  quote.lastIndex = from;
  const opened = quote.exec(text);
  if (opened?.[1]) return quotedFrom(text, quote.lastIndex, opened[1]);
  const manner = how.tight ? "tight" : "prose";
  const to = plainEnd(text, from, how.inQuery);
  return to > from ? { from, to, manner } : undefined;
}

function quotedFrom(text: string, from: number, quote: string): Value {
  const look = text.slice(from, from + QUOTED_MAX);
  const line = look.indexOf("\n");
  const whole = line < 0 ? look : look.slice(0, line);
  let end = whole.indexOf(quote);
  // An escaped quote belongs to the value, unless the value was opened by one.
  const isEscaped = text[from - 2] === "\\";
  while (!isEscaped && end > 0 && whole[end - 1] === "\\" && whole[end - 2] !== "\\")
    end = whole.indexOf(quote, end + 1);
  if (end < 0) return { from, to: from + whole.length, manner: "quoted" };
  if (isEscaped && whole[end - 1] === "\\") end -= 1;
  return { from, to: from + end, manner: "quoted" };
}

/** The end of a value without quotes: a blank, a quote, or the next of several values. */
function plainEnd(text: string, from: number, inQuery = false): number {
  const most = Math.min(text.length, from + LOOK_MAX);
  let to = from;
  while (to < most && !endsValue(text, to)) to += 1;
  const ends = inQuery ? /[&#;]|%26/ : /[&;,|](?=$|[\w.-]+[=:])|[;,](?=[;,]*$)|\\[nrt"']|<\//;
  const cut = ends.exec(text.slice(from, to));
  if (cut && cut.index > 0) to = from + cut.index;
  while (to > from && /[)\]},;]/.test(text[to - 1] ?? "") && to < text.length) to -= 1;
  return to;
}

function runEnd(text: string, from: number): number {
  let to = from;
  while (to < text.length && !endsValue(text, to)) to += 1;
  return to;
}

function endsValue(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 32 || code === 34 || code === 39 || code === 96;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function isNameLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}
