// Passwords among the arguments of commands, by program and by the flag's name. Pure. A command is read once, up to a limit.
import { type Findings, report } from "../finding.ts";
import { promiseOf } from "./names.ts";
import { type ArgumentForm, PROGRAMS } from "./programs.ts";
import { isPlaceholder } from "./values.ts";

/** Longer commands are read no further. */
const COMMAND_MAX = 1000;
const SHORTEST = 3;
/** A command ends at a line's end, a pipe or a semicolon. */
const COMMAND_END = /[\n|;]|&&/;
const ARGUMENT = /(?:"[^"]*"|'[^']*'|\\.|[^\s"'])+/g;
const LONG_FLAG =
  /-{1,2}([A-Za-z][\w-]{1,40})[ \t]{1,8}(?:(["'])([^"'\n]{1,256})\2|(pass:)?([^\s"'<>|;-][^\s"']{2,255}))/y;

interface Argument {
  readonly text: string;
  readonly from: number;
}

/** At the name of a program. Returns up to where its command was read. */
export function commandAt(text: string, at: number, program: string, found: Findings): number {
  const known = PROGRAMS.get(program);
  const look = text.slice(at, at + COMMAND_MAX);
  const end = COMMAND_END.exec(look)?.index ?? look.length;
  if (!known) return at;
  const words = argumentsIn(look.slice(0, end), at);
  if (known.verb !== undefined && !words.some((word) => word.text === known.verb)) return at;
  for (const [i, word] of words.entries()) {
    for (const [flag, form] of Object.entries(known.flags)) {
      const value = given(word, words[i + 1], flag, form);
      const secret = value && secretIn(value, form);
      if (secret) put(text, secret, found);
    }
  }
  return at + end;
}

/** At a dash: `--password VALUE`, `-storepass VALUE`, `-passin pass:VALUE`. */
export function flagAt(text: string, at: number, found: Findings): void {
  LONG_FLAG.lastIndex = at;
  const flag = LONG_FLAG.exec(text);
  if (!flag) return;
  const [, name = "", quote, quoted, pass, plain] = flag;
  const promised = pass ? { promise: "password" } : promiseOf(name);
  const value = quoted ?? plain ?? "";
  const to = LONG_FLAG.lastIndex - (quote ? 1 : 0);
  if (!promised && !/^(?:user|auth|cookie)$/.test(name)) return;
  if (to >= text.length) found.open(to - value.length);
  if (promised) {
    // In a manual a word follows: --token string, --password PASSWORD.
    if (quote || pass || !/^[A-Za-z_-]+[.,;:)\]]*$/.test(value))
      put(text, { text: value, from: to - value.length }, found, promised.promise);
  } else if (name === "user" && /^[^:/]+:[^/]/.test(value)) {
    const secret = secretIn({ text: value, from: to - value.length }, "pair");
    if (secret) put(text, secret, found);
  }
}

function argumentsIn(command: string, at: number): Argument[] {
  return Array.from(command.matchAll(ARGUMENT), (match) => ({ text: match[0], from: at + match.index }));
}

/** What a flag is given, in the same word or the next. */
function given(word: Argument, next: Argument | undefined, flag: string, form: ArgumentForm): Argument | undefined {
  if (word.text === flag) return form === "attached" || next?.text.startsWith("-") ? undefined : next;
  // curl -sSLu user:PW
  if (form === "pair" && flag.length === 2 && /^-[A-Za-z]{2,8}$/.test(word.text) && word.text.endsWith(flag.slice(1)))
    return next;
  if (!word.text.startsWith(flag)) return undefined;
  const rest = { text: word.text.slice(flag.length), from: word.from + flag.length };
  if (rest.text.startsWith("=")) return { text: rest.text.slice(1), from: rest.from + 1 };
  return flag.startsWith("--") || form === "next" ? undefined : rest;
}

const SPLITS: Partial<Record<ArgumentForm, string>> = { pair: ":", percent: "%", comma: ",", literal: "=" };

function secretIn(value: Argument, form: ArgumentForm): Argument | undefined {
  const bare = unquoted(value);
  const split = SPLITS[form];
  if (split === undefined) return bare;
  const at = bare.text.indexOf(split);
  return at < 0 ? undefined : unquoted({ text: bare.text.slice(at + 1), from: bare.from + at + 1 });
}

function unquoted({ text, from }: Argument): Argument {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return { text: text.replace(/["']$/, ""), from };
  return { text: text.slice(1, text.endsWith(quote) && text.length > 1 ? -1 : undefined), from: from + 1 };
}

function put(text: string, secret: Argument, found: Findings, kind = "password"): void {
  const to = secret.from + secret.text.length;
  if (to >= text.length) found.open(secret.from);
  if (secret.text.length < SHORTEST || isPlaceholder(secret.text)) return;
  report(text, found, { kind, from: secret.from, to });
}
