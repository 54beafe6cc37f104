// Whether what stands behind a promising name is a secret, or a placeholder, code, a type, a path or prose. Pure.
// Entropy counts only here, behind a name, and never alone.
import type { Promised } from "./names.ts";

/** How a value is written. Between quotes, or right behind `NAME=`, everything is the value; in `name: value` it may be prose. */
export type Manner = "quoted" | "tight" | "prose";

const PASSWORD_MIN = 4;
export const TOKEN_MIN = 8;
/** Longer texts of words are messages, not passwords. */
const PHRASE_WORDS_MAX = 3;

const PLACEHOLDERS: readonly RegExp[] = [
  // a mark of ours, whole or cut to its cells
  /^‹(?:redacted:[\w-]*:?[\da-f]{0,4}|r?e?d?a?c?t?e?d?)›/,
  // ********, xxxxxxxx, ........
  /^(.)\1*$/,
  /^[*•●xX#._?-]+$/,
  // masked or shortened by somebody else
  /\*{3}|•{3}|\.{3}|…|redacted:/,
  // ${VAR}, $(cmd), {{ x }}, %(x)s, #{x}, <%= x %>, <token>, [hidden]
  /^["'`]?(?:\$\{|\$\(|\{\{|%\(|%\{|#\{|<%|\$\[)/,
  /^<[^<>]*>?[\]}).,;]*$/,
  /^\[[^\]]*\]?$/,
  /^\{[^}]*\}?$/,
  /^\$[A-Za-z_]\w*[,;)]*$/,
  /^\$(?:env|Env|ENV):/,
  /^%[A-Za-z_]\w*%$/,
  /^%[dvq@]$|%s/,
  /^:[a-z]+:/,
  /^@?[A-Za-z]+\([^)]*\)?[;,]?$/,
  /^(?:ENC[[(]|vault:v\d|arn:|op:\/\/|!\w)/,
  /^(?:your|insert|enter|replace|change|fill|put|todo|fixme)(?:[-_ ]|me|it|$)/i,
  /(?:[-_ ]|^)(?:here|placeholder|goes-here)$/i,
];

const WORDS = new Set(
  (
    "none null nil undefined true false yes no on off string str text bool boolean number int integer bytes byte char object any void " +
    "never unknown required optional missing invalid incorrect wrong expired empty unset notset default password passwd secret " +
    "secrets token tokens key value user username example sample dummy placeholder redacted removed hidden masked filtered await new " +
    "function this self typeof return async lambda type String Token Secret Password basic bearer oauth stdin prompt file env " +
    "changeme changeit pass pwd apikey api_key name test public private"
  )
    .split(" ")
    .map((word) => word.toLowerCase()),
);

export function isSecret(value: string, promise: Promised, manner: Manner): boolean {
  if (value.length < (promise === "password" ? PASSWORD_MIN : TOKEN_MIN) || isPlaceholder(value)) return false;
  if (/^[a-z]+(?:Password|Passwd|Pass|Token|Secret|Key)[;,)]*$/.test(value)) return false;
  if (manner !== "quoted" && isCode(value)) return false;
  // A quote that ended another text, and what follows it.
  if (isPlace(value) || /^[\s,;)\]]/.test(value) || value.split(" ").length > PHRASE_WORDS_MAX) return false;
  return promise === "password" ? isPassword(value, manner) : isToken(value, manner);
}

export function isPlaceholder(value: string): boolean {
  const bare = value.replace(/[!?,;.:)\]}>]+$/, "");
  return WORDS.has(bare.toLowerCase()) || PLACEHOLDERS.some((form) => form.test(value));
}

function isPassword(value: string, manner: Manner): boolean {
  const bare = value.replace(/[!?,;.:)\]}>]+$/, "");
  // A number of a program: 0x0B96.
  if (/^0x[0-9a-f]{1,16}$/i.test(bare)) return false;
  if (/^\d+$/.test(bare)) return bare.length >= 6 || manner === "quoted";
  // `password: incorrect`, `password: at least`; but PASSWORD=hunter
  if (/^[A-Za-z]+(?:[ '/-][A-Za-z]+)*$/.test(bare)) return manner !== "prose" || isScrambled(bare);
  // user_password, newPassword: another variable
  if (manner !== "quoted" && /^[a-z]+(?:_[a-z]+)+$/.test(bare)) return false;
  return true;
}

function isToken(value: string, manner: Manner): boolean {
  if (!/\d/.test(value)) return isScrambled(value) && value.length >= 16;
  if (manner !== "quoted" && /[{}]|\(\)|\)\)|^-\d+(?:\W|$)/.test(value)) return false;
  if (/^[\d.,:/-]+$/.test(value)) return /^\d{20,}$/.test(value);
  if (looksRandom(value)) return true;
  if (manner === "prose" || isName(value)) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) >= 2.5;
}

/** my-tls, db-credentials-2, registry.v2: words that people put together. */
function isName(value: string): boolean {
  return value.split(/[-_./: ]/).every((part) => /^(?:[A-Za-z]*|\d{1,4}|v\d+|[A-Z]?[a-z]{2,15}\d)$/.test(part));
}

/** Letters and digits change places more often than in words. */
export function looksRandom(value: string): boolean {
  const bare = value.replace(/[^A-Za-z0-9]/g, "");
  if (bare.length < 12 || entropy(bare) < 2.5 || isName(value)) return bare.length >= 16 && isScrambled(value);
  if (/^(?=.*\d)(?=.*[a-f])[0-9a-f]{32,}$/i.test(bare)) return true;
  let changes = 0;
  for (let i = 1; i < bare.length; i++) if (isChange(classOf(bare, i - 1), classOf(bare, i))) changes += 1;
  return changes * 6 >= bare.length;
}

/** From letters to digits, back, or to a large letter. A small one behind a large one is how words go on. */
function isChange(before: number, now: number): boolean {
  return before !== now && !(before === UPPER && now === LOWER);
}

/** Letters only, but large and small ones without a word's order: not newPassword, not JSONParser. */
function isScrambled(value: string): boolean {
  if (!/^[A-Za-z]{8,}$/.test(value)) return false;
  const parts = value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return value.length < parts.length * 3.5;
}

const DIGIT = 0;
const UPPER = 1;
const LOWER = 2;

function classOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 58 ? DIGIT : code < 91 ? UPPER : LOWER;
}

function entropy(text: string): number {
  const counts = new Uint16Array(128);
  for (let i = 0; i < text.length; i++) counts[text.charCodeAt(i) & 127] = (counts[text.charCodeAt(i) & 127] ?? 0) + 1;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** A call, an index, a member, a type, a structure. */
function isCode(value: string): boolean {
  if (/^[A-Za-z_$@&*][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*(?:\?\.)?[([{]/.test(value)) return true;
  if (/^[([{|>=&*]/.test(value) && !/\d/.test(value)) return true;
  // A structure, a negation, a regular expression.
  if (/^(?:[[{(]|!+[A-Za-z_]|\/[\^[(\\])/.test(value)) return true;
  if (/^[A-Za-z]+<.*>?/.test(value) && !/\d/.test(value)) return true;
  const member = /^&?[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+[:;,()\]}]*$/;
  if (member.test(value) && !looksRandom(value)) return true;
  return false;
}

/** A path or an address. */
function isPlace(value: string): boolean {
  return (
    /^(?:~|\.{1,2})?(?:\/[a-z0-9._-]+)+\/?$/.test(value) ||
    /^(?:~|\.{1,2})\//.test(value) ||
    /^\/(?:home|Users|etc|usr|var|run|opt|tmp|mnt|root|dev|proc|srv)\//.test(value) ||
    /^[A-Za-z]:[\\/]/.test(value) ||
    /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ||
    /^[\w.-]+\.(?:pem|key|crt|txt|json|ya?ml|toml|env|p12|jks|conf|cfg|ini|ts|js|py|go|rs|rb|java)$/.test(value)
  );
}
