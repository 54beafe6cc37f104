// Secrets whose name stands beside them without a separator of its own: name and value as two fields, columns of a table, a value in
// the next line, a keyword of Lisp. Pure. Every look is bounded. What may go on in the next line is held back from the end of its line on.
import { type Findings, report } from "../finding.ts";
import { promiseOf, type SecretName } from "./names.ts";
import { isPlaceholder, isSecret, looksRandom } from "./values.ts";

/** Fields that hold the name of something whose value stands in the next field. */
const NAMING = /^(?:name|key|parameter_?key|parameter_?name|variable|property|setting|option)$/i;
const NAMED = /[ \t]{0,4}(?:\\?["'])?([\w./:-]{2,80})(?:\\?["'])?/y;
/** Other fields may stand between, but no other name, and not the end of the object. */
const BETWEEN_MAX = 160;
const LOOK_MAX = 600;
const VALUE_FIELD =
  /^[^{}<>]{0,160}?(?:^|[\s,"';(])(?:\\?["'])?(?:value|parameter_?value|string_?value|content)(?:\\?["'])?[ \t]{0,8}[:=](?!=)[ \t]{0,8}/i;
const OTHER_NAME = /(?:^|[\s,{"'])(?:name|key)\\?["']?[ \t]{0,8}[:=]|\n[ \t]{0,40}-[ \t]/i;
const ELEMENT = /^[ \t]{0,4}>([^<>\s]{4,256})<\//;
const OPEN_ELEMENT = /^[ \t]{0,4}>[^<>\s]{0,256}<?$/;
const FIELD_VALUE = /^(?:\\?(["'])([^"'\n]{3,512}?)\\?\1|([^\s"',}{]{4,512}))/;

export function isNaming(name: string): boolean {
  return NAMING.test(name);
}

/** Behind the separator of a field that names something: `name: DB_PASSWORD`, a new line, `value: …`. */
export function pairAt(text: string, behind: number, found: Findings): void {
  NAMED.lastIndex = behind;
  const name = NAMED.exec(text)?.[1];
  const promised = name === undefined ? undefined : promiseOf(lastPart(name));
  if (!promised) return;
  const at = NAMED.lastIndex;
  const look = text.slice(at, at + BETWEEN_MAX + LOOK_MAX);
  const element = ELEMENT.exec(look);
  if (element?.[1]) return take(text, at + look.indexOf(">") + 1, element[1], promised, found);
  const field = VALUE_FIELD.exec(look);
  const gap = field?.[0] ?? "";
  const value = field && !OTHER_NAME.test(gap) ? FIELD_VALUE.exec(look.slice(gap.length)) : null;
  if (value) {
    const secret = value[2] ?? value[3] ?? "";
    take(text, at + gap.length + value[0].indexOf(secret), secret, promised, found);
  }
  // Its value may come yet, or go on.
  const isOpen = value ? /^\S{0,40}$/.test(look.slice(gap.length + value[0].length)) : mayCome(look, field !== null);
  if (isOpen && !OTHER_NAME.test(gap === "" ? look : gap)) found.open(at + Math.max(0, look.search(/\r?\n|$/)));
}

/** Whether a text that ends here may go on with the value. */
function mayCome(look: string, isField: boolean): boolean {
  if (isField) return look.length < BETWEEN_MAX + LOOK_MAX;
  return look.length < BETWEEN_MAX && (!/[{}<>]/.test(look) || OPEN_ELEMENT.test(look));
}

function take(text: string, from: number, secret: string, promised: SecretName, found: Findings): void {
  if (!isSecret(secret, promised.promise, promised.vague ? "prose" : "quoted")) return;
  // What a form or a manual shows: <string name="password">Password</string>
  if ((promised.lone && /^[A-Z]?[a-z]+$/.test(secret)) || /^[A-Za-z]+(?: [A-Za-z]+)+$/.test(secret)) return;
  report(text, found, { kind: promised.promise, from, to: from + secret.length });
}

/** /app/db/password, spring.datasource.password, ns:api_key */
function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf(":")) + 1);
}

/** A value in the next line: a block of YAML, or JSON that was broken. */
const BLOCK = /[ \t]{0,8}[|>][+-]?\d?[ \t]{0,4}\r?\n[ \t]{1,40}([^\s"'][^\n\r]{3,255})/y;
const QUOTED_BELOW = /[ \t]{0,8}\r?\n[ \t]{0,40}(["'])([^"'\n]{4,256})\1/y;
const MAY_FOLLOW = /[ \t]{0,8}(?:[|>][+-]?\d?[ \t]{0,4})?\r?\n[^\n\r]{0,300}$/y;

/** Behind a separator after which its line ends. */
export function belowAt(text: string, behind: number, promised: SecretName, found: Findings): void {
  const read = (form: RegExp) => {
    form.lastIndex = behind;
    return form.exec(text);
  };
  const block = read(BLOCK)?.[1]?.trimEnd();
  const quoted = read(QUOTED_BELOW)?.[2];
  const to = block ? BLOCK.lastIndex : QUOTED_BELOW.lastIndex;
  const secret = block ?? quoted;
  if (secret !== undefined && isSecret(secret, promised.promise, "quoted")) {
    const from = text.lastIndexOf(secret, to);
    report(text, found, { kind: promised.promise, from, to: from + secret.length });
  }
  const rest = text.indexOf("\n", behind);
  if (text.length - rest < 400 && read(MAY_FOLLOW)) found.open(text[rest - 1] === "\r" ? rest - 1 : rest);
}

/** `:password "…"`; `at` is the colon. */
const KEYWORD = /:([a-z][\w-]{1,40})[ \t]{1,4}"([^"\n]{3,256})(?:"|$)/y;

export function keywordAt(text: string, at: number, found: Findings): void {
  KEYWORD.lastIndex = at;
  const [whole = "", name = "", secret = ""] = KEYWORD.exec(text) ?? [];
  const promised = promiseOf(name);
  if (promised) take(text, at + whole.indexOf('"') + 1, secret, promised, found);
}

/** Between two columns: blanks, a tab, a line, also as bytes of UTF-8. Then a cell that ends. */
const CELL =
  /[ \t]{0,64}(?:[|│┃]|\xe2\x94[\x82\x83])?[ \t]{0,64}([!#-&(-_a-{}~]{6,256})(?=[ \t]*(?:[|│┃\xe2]|\r?\n|$)|[ \t]{2}|\t)/y;
/** A name of a variable, or of a field as people write it. */
const COLUMN_NAME = /(?:^|[\s|│┃])((?:[A-Za-z]{2,12}[ -]){0,2}[A-Za-z][\w.-]{2,63})$/;
const COLUMN_NAME_MAX = 96;

/** Where the first of two columns ends. */
export function columnAt(text: string, at: number, found: Findings): void {
  const name = COLUMN_NAME.exec(text.slice(Math.max(0, at - COLUMN_NAME_MAX), at).trimEnd())?.[1];
  if (name === undefined) return;
  const [last = "", before = ""] = name.split(" ").reverse();
  const promised = promiseOf(last, before);
  if (!promised) return;
  CELL.lastIndex = at;
  const secret = CELL.exec(text)?.[1];
  if (secret === undefined || isPlaceholder(secret)) return;
  const from = CELL.lastIndex - secret.length;
  // Words of a manual and versions stand behind such names as well.
  const isVariable = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(last) && promised.promise === "password";
  const isOne = isVariable ? /\d/.test(secret) && /[A-Za-z]/.test(secret) : looksRandom(secret);
  if (isOne && isSecret(secret, promised.promise, "prose"))
    report(text, found, { kind: promised.promise, from, to: from + secret.length });
  else if (CELL.lastIndex >= text.length) found.open(from);
}
