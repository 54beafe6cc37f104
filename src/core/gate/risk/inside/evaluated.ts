// Builtins that read some of their words as arithmetic, or as the name of a variable with a subscript. Quotes do not help there: a
// shell runs the substitutions in such a word and obeys its assignments. zsh does it in more places than bash. So such a word must be
// a plain number. What it would run is known only at run time, for a person's rules too.
import { hidden, type PartRisk, type Shell, safe, unknown } from "../risk.ts";
import type { Arg } from "../words.ts";

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** They are always numbers: the last status, how many words there are, processes. */
const COUNTED = /^"?\$(?:[?#$!]|\{[?#$!]\})"?$/;
const COMPARES = /^-(?:eq|ne|lt|le|gt|ge)$/;

const isNumber = (arg: Arg | undefined): boolean =>
  arg !== undefined && (arg.literal ? NUMBER.test(arg.text) : COUNTED.test(arg.text));

/** Quoted text that would run something where a shell evaluates it. */
export const mayRun = ({ literal, text }: Pick<Arg, "literal" | "text">): boolean => literal && /[[$`]/.test(text);

/** The shell reads these words, or some of them, in its own way. */
export function evaluated(args: readonly Arg[], id: string, why = "the shell evaluates its words"): PartRisk {
  return args.some(mayRun) ? hidden(id, why) : unknown(id, why);
}

/** bash and fish read numbers here and nothing else; other shells evaluate. */
const isPlainReader = (shell: Shell): boolean => shell === "bash" || shell === "fish";

/** Words and nothing else: zsh evaluates what a number or a width is made of. */
const WORDS_ONLY = /^(?:[^%]|%%|%-?\d*(?:\.\d+)?[sbqc])*$/;

export function printf(args: readonly Arg[], id: string, { shell }: { readonly shell: Shell }): PartRisk {
  const [format, ...rest] = args[0]?.text === "--" ? args.slice(1) : args;
  if (format?.wild) return hidden(id, "may set a variable");
  if (/^-v/.test(format?.prefix ?? "")) return evaluated(args, id, "sets a variable");
  if (isPlainReader(shell) || (format?.literal && WORDS_ONLY.test(format.text))) return safe(id);
  return rest.every(isNumber) ? safe(id) : evaluated(rest, id);
}

/** How many loops; which jobs. */
export function numbers(args: readonly Arg[], id: string): PartRisk {
  const plain = args.every((arg) => isNumber(arg) || (arg.literal && /^%[\w%+-]*$/.test(arg.text)));
  return plain ? safe(id) : evaluated(args, id);
}

/** `-v` evaluates a subscript, `-t` and comparisons evaluate numbers. An expansion can become any of them where one may stand. */
export function test(args: readonly Arg[], id: string, { shell }: { readonly shell: Shell }): PartRisk {
  const operands = args.at(-1)?.text === "]" ? args.slice(0, -1) : args;
  const odd = operands.some((arg, i) => arg.many || isEvaluated(operands, i, shell));
  const pair = operands.some((arg, i) => arg.wild && operands[i + 1]?.wild);
  const operator = operands.length === 2 && operands[0]?.wild;
  return odd || pair || operator ? evaluated(operands, id) : safe(id);
}

function isEvaluated(operands: readonly Arg[], i: number, shell: Shell): boolean {
  const [before, arg, after] = [operands[i - 1], operands[i], operands[i + 1]];
  if (/^-[vR]$/.test(arg?.prefix ?? "")) return true;
  if (before?.prefix === "-t" && !isNumber(arg)) return true;
  const operator = arg?.wild === true && before !== undefined && after !== undefined;
  if (isPlainReader(shell)) return operator && after.text.includes("[");
  const compared = COMPARES.test(before?.prefix ?? "") || COMPARES.test(after?.prefix ?? "");
  return operator || (compared && !isNumber(arg));
}
