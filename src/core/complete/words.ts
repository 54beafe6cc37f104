// Words of a line that is being written, as its shell reads them, and how what a shell offers is put into it. Pure.
import type { ShellName } from "../../protocol/words/program.ts";

/** Where the last word of a line begins, and what it says without quotes. */
interface Word {
  readonly from: number;
  readonly word: string;
}

/** After these a new word begins, in all three shells. */
const SEPARATORS = " \t\n;|&<>(=";

/**
 * Completion expands parts of a line, and so would run these: `$(…)`, `…`, <(…), ${x[…]}. In fish and in zsh, whose patterns may
 * hold commands, any parenthesis.
 */
export function wouldRun(line: string, shell: ShellName): boolean {
  return shell === "bash" ? /[$<>]\(|`|\$\{[^}]*\[|\$\[/.test(line) : /[(`]|\$\{[^}]*\[|\$\[/.test(line);
}

/** `breaks`: what ends a word for this shell. Quotes and backslashes keep it together. */
export function lastWord(line: string, breaks: string = SEPARATORS): Word {
  let [from, word, quote] = [0, "", ""];
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? "";
    if (quote !== "" && char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) quote = char;
    else if (char === "\\" && quote !== "'") word += line[++at] ?? "";
    else if (quote === "" && breaks.includes(char)) [from, word] = [at + 1, ""];
    else word += char;
  }
  return { from, word };
}

/**
 * Where readline begins to replace. Inside of an open quote it is the quote. It keeps `@` with the name of a host, and `$` is no
 * break.
 */
export function readlineStart(before: string, breaks: string): number {
  let [from, quote, opened] = [0, "", 0];
  for (let at = 0; at < before.length; at += 1) {
    const char = before[at] ?? "";
    if (quote !== "" && char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) [quote, opened] = [char, at];
    else if (char === "\\" && quote !== "'") at += 1;
    else if (quote === "" && breaks.includes(char)) from = char === "@" ? at : at + 1;
  }
  return quote === "" ? from : opened;
}

/** Words with blanks between them, each as it is quoted. */
export function quotedWords(text: string): string[] {
  const words: string[] = [];
  let [word, quote] = ["", ""];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (quote === "" && char === " ") {
      if (word !== "") words.push(word);
      word = "";
      continue;
    }
    word += char;
    if (quote !== "" && char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) quote = char;
    else if (char === "\\" && quote !== "'") word += text[++at] ?? "";
  }
  return word === "" ? words : [...words, word];
}

/** This name as one word that is the same in all three shells. Those with control characters have none (isText). */
export function asWord(name: string): string {
  return name.replace(/[^\w@%+:,./\u0080-\u{10ffff}-]/gu, (char) => `\\${char}`);
}

/** A file's name as an operand: one that begins with a dash would be read as an option. */
export function asOperand(text: string): string {
  return isDashed(text) ? `./${text}` : text;
}

export function isDashed(text: string): boolean {
  return /^["']?\\?-/.test(text);
}

/** The text as one name, also where a shell leaves `=` as it is. */
export function asName(text: string): string {
  return /^["']/.test(text) ? text : text.replace(/(?<!\\)=/g, "\\=");
}

/** A control character in a line would be a key for whoever gets it. */
export function isText(text: string): boolean {
  return !/[\x00-\x1f\x7f]/.test(text);
}

/** Their common beginning, without half of a character or of an escape at its end. */
export function commonStart(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  const start = first.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  const isCut = length < first.length && (/\\*$/.exec(start)?.[0].length ?? 0) % 2 === 1;
  return isCut ? start.slice(0, -1) : start;
}

/** How many characters there are in it: shells count no UTF-16 units. */
export function charactersIn(text: string): number {
  return [...text].length;
}

/** The index after so many characters. */
export function indexOf(text: string, characters: number): number {
  return [...text].slice(0, Math.max(0, characters)).join("").length;
}

/** Programs whose scripts stand in package.json. */
const RUNNERS = /(?:^|[;&|]\s*)\s*(?:npm\s+(?:run|run-script)|pnpm\s+run|yarn\s+run|bun\s+run)\s+([\w:.@/-]*)$/;

/** The begun name of a script of package.json that stands at the end of this line. */
export function scriptWord(before: string): Word | undefined {
  const word = RUNNERS.exec(before)?.[1];
  return word === undefined ? undefined : { from: before.length - word.length, word };
}

/** Whether the word that begins here is the name of a program: nothing but assignments stands before it. */
export function isCommandWord(before: string): boolean {
  const part = before.split(/[;&|(]|\b(?:then|do|else|sudo|env|exec|time|command)\s/).at(-1) ?? "";
  return /^\s*(?:[A-Za-z_]\w*=\S*\s+)*$/.test(part);
}
