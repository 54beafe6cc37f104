// A person's own rules: allow, ask or deny commands. Pure. Deny wins over ask, ask over allow. Deny and ask look at every
// command that may run, behind wrappers too, and fire when a command could be meant: a word that is known only at run time
// may be any word. Allow needs each command of the line, word for word. A program that can run anything is never stored as
// "always".
import type { Decision } from "../../protocol/words/policy.ts";
import { onlyReads, runsAnything } from "./program-names.ts";
import { namesIn } from "./risk/inside/starters.ts";
import type { Risk } from "./risk/risk.ts";
import type { Arg } from "./risk/words.ts";

export interface PersonRules extends Readonly<Record<Decision, readonly string[]>> {
  /** What a folder's rules allow, which have changed since a person trusted them. It does not count. */
  readonly lapsed?: { readonly folder: string; readonly allow: readonly string[] };
}

export const NO_RULES: PersonRules = { allow: [], ask: [], deny: [] };

export function ruled(
  rules: readonly PersonRules[],
  { normal, possible, unread, mentions }: Pick<Risk, "normal" | "possible" | "unread" | "mentions">,
  isSafe: (command: string) => boolean,
): Decision | null {
  const all = (which: Decision) => rules.flatMap((one) => one[which]);
  const [deny, ask, allow] = [all("deny"), all("ask"), all("allow")];
  const fires = (pattern: string) => pattern === "**" || possible.some((words) => couldMean(pattern, words));
  if (deny.some(fires) || deny.some((pattern) => names(normal, pattern))) return "deny";
  if (ask.some(fires) || ask.some((pattern) => names(normal, pattern))) return "ask";
  // What could not be read may be what a rule is about. A person looks at it.
  if (unread && deny.length + ask.length > 0) return "ask";
  const named = new Set(mentions.flatMap(namesIn));
  if ([...deny, ...ask].some((pattern) => named.has(base(pattern.split(" ")[0] ?? "")))) return "ask";
  if (!normal || normal.length === 0 || allow.length === 0) return null;
  const fits = (command: string) => allow.some((pattern) => matches(pattern, command));
  // It runs outside of any box. So what stands beside it only reads: a safe test would run an agent's code out there.
  const isPlain = (command: string) => onlyReads(command.split(" ")[0] ?? "") && isSafe(command);
  return normal.some(fits) && normal.every((command) => fits(command) || isPlain(command)) ? "allow" : null;
}

/** The rule that "always" would store for a line, or null when none is possible. */
export function alwaysRule(normal: readonly string[] | null): string | null {
  const [only, ...more] = normal ?? [];
  if (only === undefined || more.length > 0) return null;
  const name = only.split(" ")[0] ?? "";
  // In a rule a last * means any arguments, and this one is a file's name.
  return runsAnything(name) || name.includes("/") || only.endsWith("*") ? null : only;
}

/** Variables and redirections are entries of the normal form alone. */
function names(normal: readonly string[] | null, pattern: string): boolean {
  return normal?.some((command) => matches(pattern, command)) ?? false;
}

/** `npm run lint` matches exactly that. `rm *` matches rm with any arguments. */
function matches(pattern: string, command: string): boolean {
  if (pattern === "**") return true;
  if (!pattern.endsWith(" *")) return command === pattern;
  const head = pattern.slice(0, -2);
  return command === head || command.startsWith(`${head} `);
}

function couldMean(pattern: string, words: readonly Arg[]): boolean {
  const wanted = (pattern.match(/(?:'[^']*'|\S)+/g) ?? []).map((word) => word.replaceAll("'", ""));
  const open = wanted.at(-1) === "*";
  const [program = "", ...rest] = open ? wanted.slice(0, -1) : wanted;
  const [first, ...args] = words;
  if (!first || !(first.splits || couldName(first, program))) return false;
  return first.splits || follows(rest, open, args);
}

/** By its path, too. A pattern in a path may lead to any program. */
function couldName(word: Arg, program: string): boolean {
  const isAnywhere = !word.literal && word.prefix.includes("/");
  return isAnywhere || couldBe(word, program) || couldBe({ ...word, text: base(word.text) }, program);
}

/** Options in front of the next wanted word may be skipped, each with a value: git -C . push. Every place is tried once. */
function follows(wanted: readonly string[], open: boolean, words: readonly Arg[]): boolean {
  const tried = new Set<number>();
  const places: [number, number][] = [[0, 0]];
  for (let place = places.pop(); place; place = places.pop()) {
    const [w, i] = place;
    const key = w * (words.length + 2) + i;
    if (tried.has(key)) continue;
    tried.add(key);
    const [want, word] = [wanted[w], words[i]];
    if (word?.splits) return true;
    if (want === undefined && (open || words.slice(i).every((one) => one.many))) return true;
    if (want === undefined || !word) continue;
    if (couldBe(word, want)) places.push([w + 1, i + 1]);
    if (couldBe(word, want) && word.many) places.push([w + 1, i]);
    if (word.wild || /^[-+]/.test(word.prefix)) places.push([w, i + 1], [w, i + 2]);
  }
  return false;
}

function couldBe(word: Pick<Arg, "text" | "literal" | "prefix">, want: string): boolean {
  return word.literal ? word.text === want : want.startsWith(word.prefix);
}

function base(path: string): string {
  return path.split("/").at(-1) ?? path;
}
