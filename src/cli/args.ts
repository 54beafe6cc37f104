// Parses words into the input of an operation, by the verb's entry in the table. Pure.
import { parseArgs } from "node:util";
import { ALL_FLAG, CONDITION_FLAGS } from "../protocol/plain/conditions.ts";
import type { Flag, Verb } from "./verb-table.ts";

export class UsageError extends Error {}

export interface CommonFlags {
  readonly json: boolean;
  readonly help: boolean;
  readonly see: boolean;
  /** Many from standard input instead of one from the command line. */
  readonly stdin: boolean;
  readonly as: string | undefined;
  /** The file to write to, for answers that are one. */
  readonly out?: string | undefined;
}

interface Parsed {
  readonly common: CommonFlags;
  readonly input: Record<string, unknown>;
}

interface Option {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  readonly short?: string;
}

const COMMON: Readonly<Record<string, Option>> = {
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  as: { type: "string" },
};

export function parseVerb(verb: Verb, words: readonly string[]): Parsed {
  const options: Record<string, Option> = { ...COMMON };
  for (const name of Object.keys(verb.also ?? {})) options[name] = { type: "boolean" };
  for (const [name, flag] of Object.entries(verb.flags)) options[name] = optionFor(flag);
  const bare = Object.keys(verb.flags).filter((name) => verb.flags[name]?.bare);
  for (const name of bare) options[`no-${name}`] = { type: "boolean" };
  const prefix = verb.conditions?.prefix ?? "";
  if (verb.conditions) {
    for (const { flag, type } of CONDITION_FLAGS) {
      options[prefix + flag] = { type: type === "boolean" ? "boolean" : "string", multiple: type === "string" };
    }
    options[prefix + ALL_FLAG] = { type: "boolean" };
    options.see = { type: "boolean" };
  }
  if (verb.answer === "file") options.out = { type: "string", short: "o" };
  if (verb.lines) options.stdin = { type: "boolean" };
  const { values, positionals } = parse(withBare(words, bare), options, verb);
  const input: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(verb.flags)) {
    if (flag.within !== undefined) addPart(name, flag, flag.within, values, input);
    else if (values[name] !== undefined) input[flag.field] = flag.value ?? fieldValue(name, flag, values[name]);
  }
  for (const [name, fields] of Object.entries(verb.also ?? {})) if (values[name] === true) Object.assign(input, fields);
  if (verb.conditions) addConditions(verb.conditions, values, input);
  addPositionals(verb, positionals, words, input);
  const asked = (name: string) => values[name] === true;
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const common = {
    json: asked("json"),
    help: asked("help"),
    see: asked("see"),
    stdin: verb.lines !== undefined && asked("stdin"),
    as: text("as"),
    out: text("out"),
  };
  if (!common.help) checkRequired(verb, input);
  return { common, input };
}

/** A flag that may stand alone takes the next word only if that can be a name. */
function withBare(words: readonly string[], bare: readonly string[]): string[] {
  return words.map((word, at) => {
    const next = words[at + 1];
    const isAlone = next === undefined || /^-|\s/.test(next);
    return isAlone && bare.some((name) => word === `--${name}`) ? `${word}=` : word;
  });
}

function addPart(name: string, flag: Flag, within: string, values: Values, input: Record<string, unknown>): void {
  // Node gives --no-NAME back under either name.
  const value = values[`no-${name}`] === true ? false : values[name];
  if (value === false) input[within] = false;
  if (value === undefined || value === false) return;
  const before = input[within];
  const parts = typeof before === "object" ? before : {};
  input[within] = value === "" ? (before ?? true) : { ...parts, [flag.field]: fieldValue(name, flag, value) };
}

function optionFor(flag: Flag): Option {
  if (flag.type === "boolean") return { type: "boolean" };
  return { type: "string", multiple: flag.type === "strings" || flag.type === "pairs" };
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

function parse(
  words: readonly string[],
  options: Record<string, Option>,
  verb: Verb,
): { values: Values; positionals: string[] } {
  const end = words.indexOf("--");
  const args = end < 0 ? [...words] : words.slice(0, end);
  try {
    return parseArgs({ args: withNegatives(args, options), options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw usageError(error, verb.verb);
  }
}

/** What the parser of Node says, in few words. */
export function usageError(error: unknown, verb: string): UsageError {
  const text = error instanceof Error ? error.message : String(error);
  const [, flag = ""] = /'(?:-\w, )?(--?[\w-]+)/.exec(text) ?? [];
  const said = text.startsWith("Unknown option")
    ? `${verb} has no flag ${flag}`
    : text.includes("is ambiguous")
      ? `${flag} needs a value; one that begins with a dash is written ${flag}=-VALUE`
      : text.endsWith("argument missing")
        ? `${flag} needs a value`
        : text.endsWith("does not take an argument")
          ? `${flag} takes no value`
          : text;
  return new UsageError(`${said} (duetty ${verb} --help)`);
}

/** `--at -5s` means a value, not another flag. */
export function withNegatives(args: readonly string[], options: Readonly<Record<string, Option>>): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const last = joined.at(-1) ?? "";
    const wants = options[last.slice(2)]?.type === "string" && last.startsWith("--");
    if (wants && /^-\d/.test(word)) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

function fieldValue(name: string, flag: Flag, value: NonNullable<Values[string]>): unknown {
  switch (flag.type) {
    case "boolean":
    case "string":
      return value;
    case "number":
      return numberOf(name, String(value));
    case "decimal":
      return decimalOf(name, String(value));
    case "strings":
      // One flag may carry several: --keys "Ctrl+C Up".
      return [value].flat().flatMap((part) => String(part).split(/\s+/).filter(Boolean));
    case "pairs":
      return Object.fromEntries([value].flat().map((part) => pair(String(part))));
  }
}

function pair(text: string): [string, string | null] {
  const at = text.indexOf("=");
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function numberOf(name: string, text: string): number {
  if (!/^-?\d+$/.test(text)) throw new UsageError(`--${name} takes a whole number, not "${text}"`);
  return Number(text);
}

function decimalOf(name: string, text: string): number {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new UsageError(`--${name} takes a number, not "${text}"`);
  return Number(text);
}

function addConditions(form: { field: string; prefix: string }, values: Values, input: Record<string, unknown>): void {
  const any: object[] = [];
  const stop: object[] = [];
  for (const { flag, type, key, into } of CONDITION_FLAGS) {
    const value = values[form.prefix + flag];
    if (value === undefined) continue;
    for (const one of [value].flat()) {
      const wanted = type === "number" ? numberOf(flag, String(one)) : one;
      (into === "any" ? any : stop).push({ [key]: wanted });
    }
  }
  const wanted = values[form.prefix + ALL_FLAG] === true ? { all: any } : { any };
  const wait = { ...(any.length > 0 ? wanted : {}), ...(stop.length > 0 ? { stop } : {}) };
  if (form.field === "") {
    Object.assign(input, wait);
    if (any.length === 0 && values.help !== true)
      throw new UsageError("wait needs a condition, such as --text TEXT, --prompt or --input (duetty wait --help)");
    return;
  }
  const { timeout_ms, ...rest } = input;
  delete input.timeout_ms;
  if (any.length > 0) input[form.field] = timeout_ms === undefined ? wait : { ...wait, timeout_ms };
  Object.assign(input, rest);
}

function addPositionals(
  verb: Verb,
  positionals: readonly string[],
  words: readonly string[],
  input: Record<string, unknown>,
): void {
  // `100x30` means two values.
  const given = verb.args.includes("cols")
    ? positionals.flatMap((word) => word.match(/^(\d+)x(\d+)$/)?.slice(1) ?? [word])
    : positionals;
  const isLone = verb.lone && given.length === 1 && !words.includes("--") && input[verb.lone.unless] === undefined;
  const fields = verb.lone && isLone ? [verb.lone.field] : verb.args;
  for (const [i, word] of given.entries()) {
    const field = fields[i];
    if (field === undefined) throw new UsageError(`"${word}" is one argument too many (duetty ${verb.verb} --help)`);
    const flag = Object.values(verb.flags).find((known) => known.field === field);
    input[field] = flag?.type === "number" ? numberOf(field, word) : word;
  }
  const end = words.indexOf("--");
  if (end < 0) return;
  if (verb.rest === undefined) throw new UsageError(`${verb.verb} takes nothing after -- (duetty ${verb.verb} --help)`);
  const rest = words.slice(end + 1);
  if (rest.length > 0) input[verb.rest] = rest;
}

/** As people read it. */
export function argumentName(field: string): string {
  return field === "session_id" ? "SESSION" : field.toUpperCase();
}

function checkRequired(verb: Verb, input: Record<string, unknown>): void {
  const { lone, required } = verb;
  const missing = [...required, ...(lone && input[lone.unless] === undefined ? [lone.field] : [])].find(
    (field) => input[field] === undefined,
  );
  if (missing) throw new UsageError(`${verb.verb} needs ${argumentName(missing)} (duetty ${verb.verb} --help)`);
}
