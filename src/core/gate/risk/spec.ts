// The language of the tables: what a program's arguments may be for it to count as safe. Data only; apply-rule.ts reads it.
//
// Options are one string: "-a --all" may stand alone or carry "=value"; "-n:" takes a value, attached or as the next
// word, in which nothing leads out of the workspace; "-e~" takes any text; "--config@" takes the path of a file of the workspace
// that is read; "--junitxml>" takes one that is written, which may not be a file of the project's own; "--reporter#" takes a
// plain name, not a path. What shows only when it runs fits none of them.

import type { RiskKind } from "../../../protocol/ops/gate.ts";
import type { PartRisk, Shell } from "./risk.ts";
import type { InputSource } from "./syntax-walk.ts";
import type { Arg } from "./words.ts";

export type Takes = "nothing" | "value" | "text" | "path" | "written" | "name";
export type Options = ReadonlyMap<string, Takes>;
/**
 * Which words may stand beside options: any; paths and names inside the workspace; files that may be read; a pattern and then
 * such files; none; or those that match.
 */
export type Words = "any" | "files" | "reads" | "searched" | "none" | RegExp;
/** What may follow "--". */
export type Tail = "words" | Options;
/** Programs that a runner such as `npx` or `bundle exec` may start. */
export type Group = "node" | "python" | "ruby" | "php";

/** What a rule may ask for: the judge of what a program starts, and where its input comes from. */
export interface Starts {
  /** The shell that reads the line. */
  readonly shell: Shell;
  readonly input: InputSource;
  /** Something in the line fetches from the network. */
  readonly fetches: boolean;
  /** The folder of the line, where the workspace begins; null when it is not known. */
  readonly root: string | null;
  /** The line has changed the folder before this command. */
  readonly moved: boolean;
  /** Whether the folder of the line has nothing of this name; null when nobody can look. */
  readonly isFree: ((path: string) => boolean) | null;
  /** A command that another one starts, with or without variables in front. */
  command(words: readonly Arg[], how: { readonly assigns: boolean }): PartRisk;
  /** Shell source given as a string. */
  text(source: string, shell: Shell): PartRisk;
  tool(group: Group, name: string): Rule | undefined;
  /** Another rule on the same arguments. */
  rule(rule: Rule, args: readonly Arg[], id: string): PartRisk;
}

/** For the few programs whose arguments are their own language. */
type Judge = (args: readonly Arg[], id: string, starts: Starts) => PartRisk;

export type Rule =
  | { readonly form: "any" }
  | { readonly form: "reads"; readonly pattern: boolean }
  | { readonly form: "risky"; readonly kind: RiskKind; readonly why: string }
  | { readonly form: "unknown"; readonly why: string }
  | {
      readonly form: "safe_with";
      readonly options: Options;
      readonly words: Words;
      readonly tail: Tail;
      readonly wordsMax: number;
    }
  | { readonly form: "when"; readonly options: ReadonlySet<string>; readonly then: Rule; readonly otherwise: Rule }
  | { readonly form: "needs"; readonly options: ReadonlySet<string>; readonly rule: Rule; readonly why: string }
  | {
      readonly form: "verbs";
      readonly options: Options;
      readonly verbs: ReadonlyMap<string, Rule>;
      readonly bare: Rule;
      readonly other: Rule;
    }
  | {
      readonly form: "tasks";
      readonly options: Options;
      readonly bare: Rule;
      readonly extra: ReadonlyMap<string, Rule>;
      readonly tail: Tail;
    }
  | {
      readonly form: "wraps";
      readonly options: Options;
      readonly skip: number;
      readonly assigns: boolean;
      readonly opaque: string | null;
      readonly kind: RiskKind | null;
    }
  | {
      readonly form: "runs";
      readonly options: Options;
      readonly group: Group;
      readonly other: Rule;
      readonly bare: Rule;
    }
  | { readonly form: "code"; readonly judge: Judge };

export type Table = Readonly<Record<string, Rule>>;

const TAKES: Record<string, Takes> = { ":": "value", "~": "text", "@": "path", ">": "written", "#": "name" };

export function options(text: string): Options {
  const map = new Map<string, Takes>();
  for (const word of text.split(/\s+/)) {
    if (word === "") continue;
    const takes = TAKES[word.at(-1) ?? ""];
    map.set(takes ? word.slice(0, -1) : word, takes ?? "nothing");
  }
  return map;
}

const NONE: Options = new Map();

/** No argument can make it write, start or show anything: at most names and sizes of files. */
export const any: Rule = { form: "any" };
/** Shows the files that its words name, and no argument can make it write or start anything. */
export const reads: Rule = { form: "reads", pattern: false };
/** The same for programs whose first word is a pattern. */
export const searches: Rule = { form: "reads", pattern: true };
export const asks = (why: string): Rule => ({ form: "unknown", why });
export const risk = (kind: RiskKind, why: string): Rule => ({ form: "risky", kind, why });

interface SafeWith {
  readonly words?: Words;
  readonly tail?: Tail;
  readonly wordsMax?: number;
}

/** Safe with these options and no others. */
export function safeWith(allowed: string | Options = NONE, more: SafeWith = {}): Rule {
  const map = typeof allowed === "string" ? options(allowed) : allowed;
  const { words = "files", tail = "words", wordsMax = Number.POSITIVE_INFINITY } = more;
  return { form: "safe_with", options: map, words, tail, wordsMax };
}

/** `then` decides when one of these options is present, alone or among other letters. */
export const when = (flags: string, then: Rule, otherwise: Rule): Rule => ({
  form: "when",
  options: new Set(flags.split(/\s+/)),
  then,
  otherwise,
});

/** Only with one of these options, written exactly so. */
export const needs = (flags: string, rule: Rule, why: string): Rule => ({
  form: "needs",
  options: new Set(flags.split(/\s+/)),
  rule,
  why,
});

interface Verbs {
  /** Before the verb. */
  readonly options?: string;
  /** Without a verb. */
  readonly bare?: Rule;
  /** Any other verb. */
  readonly other?: Rule;
}

/** A key may hold several verbs, separated by spaces. */
export function verbs(table: Readonly<Record<string, Rule>>, more: Verbs = {}): Rule {
  return {
    form: "verbs",
    options: options(more.options ?? ""),
    verbs: split(table),
    bare: more.bare ?? asks("does something even without a subcommand"),
    other: more.other ?? asks("not a subcommand known to be safe"),
  };
}

interface Tasks {
  readonly options?: string;
  readonly bare?: Rule;
  readonly extra?: Readonly<Record<string, Rule>>;
  readonly tail?: Tail;
}

/** Its words are names of tasks of the project: make, just, package scripts. */
export const tasks = (more: Tasks = {}): Rule => ({
  form: "tasks",
  options: options(more.options ?? ""),
  bare: more.bare ?? asks("runs a task that is not named"),
  extra: split(more.extra ?? {}),
  tail: more.tail ?? "words",
});

interface Wraps {
  /** Its own words before the command, such as the seconds of timeout. */
  readonly skip?: number;
  readonly assigns?: boolean;
  /** Never safe, whatever it starts. */
  readonly opaque?: string;
  /** Risky by itself, whatever it starts. */
  readonly kind?: RiskKind;
}

export const wraps = (allowed: string, more: Wraps = {}): Rule => ({
  form: "wraps",
  options: options(allowed),
  skip: more.skip ?? 0,
  assigns: more.assigns ?? false,
  opaque: more.opaque ?? null,
  kind: more.kind ?? null,
});

export const runs = (group: Group, allowed: string, other: Rule, bare: Rule = other): Rule => ({
  form: "runs",
  options: options(allowed),
  group,
  other,
  bare,
});

export const code = (judge: Judge): Rule => ({ form: "code", judge });

/** One rule for several names, separated by spaces. */
export function each(names: string, rule: Rule): Record<string, Rule> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, rule]));
}

function split(table: Readonly<Record<string, Rule>>): ReadonlyMap<string, Rule> {
  const map = new Map<string, Rule>();
  for (const [names, rule] of Object.entries(table)) {
    for (const name of names.split(/\s+/)) map.set(name, rule);
  }
  return map;
}
