// Applies a rule of the tables to the arguments of one command. Pure; `Starts` judges what a wrapper starts.
import { never } from "../../base/never.ts";
import { fits, holds, isOption, match } from "./flags.ts";
import { mayRead, staysInside } from "./places.ts";
import { hidden, type PartRisk, risky, safe, unknown, worse } from "./risk.ts";
import type { Options, Rule, Starts, Tail, Words } from "./spec.ts";
import { taskVerdict } from "./task-names.ts";
import type { Arg } from "./words.ts";

const VERSION = /^--(?:version|help)$/;
const ASKABLE: ReadonlySet<Rule["form"]> = new Set(["safe_with", "verbs", "when", "needs", "tasks"]);

type RuleOf<F extends Rule["form"]> = Extract<Rule, { form: F }>;

/** Their own words are checked one by one, and what follows is judged by a rule of its own. */
const HANDS_ON: ReadonlySet<Rule["form"]> = new Set(["any", "reads", "verbs", "wraps", "runs"]);

/** Nothing but a rule for any words allows a word that may become several: they could be options, or a command. */
export function apply(rule: Rule, args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const verdict = applied(rule, args, id, starts);
  if (verdict.class !== "safe" || HANDS_ON.has(rule.form)) return verdict;
  const splits = args.find((arg) => arg.splits);
  return splits ? unknown(id, `${splits.text} could become several words`) : verdict;
}

function applied(rule: Rule, args: readonly Arg[], id: string, starts: Starts): PartRisk {
  // Asking only for version or help is safe, whatever the program would do otherwise.
  if (args.length === 1 && VERSION.test(args[0]?.text ?? "") && ASKABLE.has(rule.form)) return safe(`${id}.help`);
  switch (rule.form) {
    case "any":
      return safe(id);
    case "reads":
      return applyReads(rule, args, id, starts);
    case "unknown":
      return unknown(id, rule.why);
    case "risky":
      return risky(id, rule.kind, rule.why);
    case "code":
      return rule.judge(args, id, starts);
    case "safe_with":
      return applySafeWith(rule, args, id, starts);
    case "when":
      return apply(holds(rule.options, args) ? rule.then : rule.otherwise, args, id, starts);
    case "needs":
      return needed(rule.options, args) ? apply(rule.rule, args, id, starts) : unknown(id, rule.why);
    case "verbs":
      return applyVerbs(rule, args, id, starts);
    case "tasks":
      return applyTasks(rule, args, id, starts);
    case "wraps":
      return applyWraps(rule, args, id, starts);
    case "runs":
      return applyRuns(rule, args, id, starts);
    default:
      return never(rule);
  }
}

/** Written exactly so, before "--", and not taken back by "=false". */
function needed(wanted: ReadonlySet<string>, args: readonly Arg[]): boolean {
  const end = args.findIndex((arg) => arg.text === "--");
  const before = end < 0 ? args : args.slice(0, end);
  const undone = args.some((arg) => arg.prefix.includes("=") && wanted.has(arg.prefix.split("=", 1)[0] ?? ""));
  return !undone && before.some((arg) => arg.literal && wanted.has(arg.text));
}

function wordFits(words: Words, arg: Arg, root: string | null): boolean {
  if (words === "none") return false;
  if (words === "any") return !arg.process;
  if (words === "reads" || words === "searched") return mayRead(arg, root);
  if (words !== "files") return arg.literal && words.test(arg.text) && staysInside(arg.text, root);
  if (arg.process || (!arg.literal && !arg.many && !arg.filled)) return false;
  return arg.prefix !== "" && staysInside(arg.prefix, root) && !/^@\W|^@[^/]*$/.test(arg.prefix);
}

/** The first word of a search is its pattern, unless an option gave it. */
function patternAt(args: readonly Arg[]): number {
  const given = args.some((arg) => /^(?:-\w*[ef]|--(?:regexp|files?)$|--(?:regexp|file)=)/.test(arg.prefix));
  return given ? -1 : args.findIndex((arg) => !isOption(arg));
}

function applyReads(rule: RuleOf<"reads">, args: readonly Arg[], id: string, { root }: Starts): PartRisk {
  const pattern = rule.pattern ? patternAt(args) : -1;
  const odd = args.find((arg, i) => i !== pattern && !mayRead(arg, root));
  return odd ? unknown(id, `${odd.text} is not a file in the workspace`) : safe(id);
}

interface Scan {
  /** The indexes of words that are not options. */
  readonly words: number[];
  /** The index of "--", or the end. */
  readonly end: number;
  readonly refused: string | null;
}

/** Reads options until "--", or until the first word. */
function scan(allowed: Options, args: readonly Arg[], until: "end" | "word", root: string | null): Scan {
  const words: number[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i];
    if (!arg) break;
    if (arg.wild) return { words, end: i, refused: `${arg.text} could become an option` };
    if (arg.text === "--" && arg.literal) return { words, end: i, refused: null };
    // env - rm
    if (!isOption(arg) && !(arg.text === "-" && allowed.has("-"))) {
      words.push(i);
      if (until === "word") return { words, end: i, refused: null };
      continue;
    }
    const found = match(allowed, arg, root);
    if (found.is === "refused") return { words, end: i, refused: found.why };
    if (found.is === "alone") continue;
    const value = args[i + 1];
    if (!value) continue;
    // A value that looks like an option may be one. Only the program knows, so we do not decide.
    const dashed = value.wild || (isOption(value) && !/^-\d+$/.test(value.prefix));
    if (dashed || !fits(found.takes, value, root))
      return { words, end: i, refused: `${arg.text} ${value.text} is not known` };
    i += 1;
  }
  return { words, end: args.length, refused: null };
}

function applySafeWith(rule: RuleOf<"safe_with">, args: readonly Arg[], id: string, { root }: Starts): PartRisk {
  const found = scan(rule.options, args, "end", root);
  if (found.refused !== null) return unknown(id, found.refused);
  const pattern = rule.words === "searched" ? patternAt(args) : -1;
  const words = found.words.flatMap((i) => (i === pattern ? [] : (args[i] ?? [])));
  const odd = words.find((arg) => !wordFits(rule.words, arg, root));
  if (odd) return unknown(id, `${odd.text} is not known to be harmless here`);
  if (words.length > rule.wordsMax) return unknown(id, "one argument too many: it could be a file that is written");
  if (words.some((arg) => arg.many) && Number.isFinite(rule.wordsMax)) return unknown(id, "could become several words");
  return applyTail(rule.tail, rule.words, args.slice(found.end + 1), id, root);
}

function applyTail(tail: Tail, words: Words, rest: readonly Arg[], id: string, root: string | null): PartRisk {
  if (tail === "words") {
    const odd = rest.find((arg) => !wordFits(words, arg, root));
    return odd ? unknown(id, `${odd.text} is not known to be harmless here`) : safe(id);
  }
  const found = scan(tail, rest, "end", root);
  if (found.refused !== null) return unknown(id, found.refused);
  const odd = rest.find((arg, i) => found.words.includes(i) && !wordFits("files", arg, root));
  return odd ? unknown(id, `${odd.text} is not known to be harmless here`) : safe(id);
}

function applyVerbs(rule: RuleOf<"verbs">, args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const found = scan(rule.options, args, "word", starts.root);
  const at = found.words[0];
  if (found.refused !== null) return worse(unknown(id, found.refused), guessVerb(rule, args, id, starts));
  if (at === undefined && found.end < args.length) return unknown(id, "its arguments come after --");
  if (at === undefined) return apply(rule.bare, args, id, starts);
  const verb = args[at];
  if (!verb?.literal) return unknown(id, "which subcommand it is can only be seen when it runs");
  const known = rule.verbs.get(verb.text);
  const next = `${id}.${verb.text.replace(/[^\w-]+/g, "-").slice(0, 40)}`;
  if (known) return apply(known, args.slice(at + 1), next, starts);
  const named = rule.other.form === "risky" || rule.other.form === "unknown";
  return apply(rule.other, args.slice(at), named ? next : id, starts);
}

/** An option hides the verb. A risky word after it still tells the kind of risk. */
function guessVerb(rule: RuleOf<"verbs">, args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const verb = args.findIndex((arg) => arg.literal && rule.verbs.has(arg.text));
  const known = rule.verbs.get(args[verb]?.text ?? "");
  if (!known) return unknown(id, "an option comes before the subcommand");
  return apply(known, args.slice(verb + 1), `${id}.${args[verb]?.text}`, starts);
}

function applyTasks(rule: RuleOf<"tasks">, args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const found = scan(rule.options, args, "end", starts.root);
  let verdict: PartRisk = safe(id);
  if (found.refused !== null) verdict = unknown(id, found.refused);
  if (found.refused === null && found.words.length === 0) verdict = apply(rule.bare, args, id, starts);
  for (const at of found.words) {
    const task = args[at];
    if (!task?.literal) {
      verdict = worse(verdict, unknown(id, "which task it is can only be seen when it runs"));
      continue;
    }
    const known = rule.extra.get(task.text);
    verdict = worse(verdict, known ? apply(known, [], `${id}.${task.text}`, starts) : taskVerdict(task.text, id));
  }
  if (verdict.class !== "safe") return verdict;
  return worse(
    { ...verdict, rule: `${id}.task` },
    applyTail(rule.tail, "files", args.slice(found.end + 1), id, starts.root),
  );
}

function applyWraps(rule: RuleOf<"wraps">, args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const found = scan(rule.options, args, "word", starts.root);
  let at = found.words[0] ?? found.end + 1;
  if (found.refused !== null)
    at = Math.max(
      0,
      args.findIndex((arg) => !isOption(arg)),
    );
  at += rule.skip;
  let verdict: PartRisk = found.refused !== null ? hidden(id, found.refused) : safe(id);
  if (args.slice(0, at).some((arg) => arg.wild || (rule.skip > 0 && arg.many)))
    verdict = hidden(id, "its arguments can only be seen when it runs");
  if (rule.kind !== null) verdict = risky(id, rule.kind, rule.opaque ?? "starts it with other rights");
  else if (rule.opaque !== null) verdict = worse(verdict, hidden(id, rule.opaque));
  if (at >= args.length) return worse(verdict, hidden(id, "starts something that is not in the line"));
  const inner = starts.command(args.slice(at), { assigns: rule.assigns });
  // If both are risky, the wrapper's own risk decides.
  return rule.kind === null ? worse(inner, verdict) : worse(verdict, inner);
}

function applyRuns(rule: RuleOf<"runs">, args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const found = scan(rule.options, args, "word", starts.root);
  const at = found.words[0] ?? found.end + 1;
  if (found.refused !== null) return worse(unknown(id, found.refused), apply(rule.other, args, id, starts));
  const tool = args[at];
  if (!tool) return apply(rule.bare, args, id, starts);
  if (!tool.literal) return unknown(id, "which program it is can only be seen when it runs");
  const known = starts.tool(rule.group, tool.text);
  if (!known) return apply(rule.other, args.slice(at), id, starts);
  return apply(known, args.slice(at + 1), tool.text, starts);
}
