// What is wrong with a call's input, in plain words. Pure.
import type * as z from "zod";

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
};

/** A call has far fewer parts. To look at millions of wrong ones would keep everybody waiting. */
const PARTS_MAX = 20_000;
/** Enough to find the mistake. */
const TOLD_MAX = 5;
const NAME_CHARS_MAX = 60;

export function wrongInput({ issues }: z.ZodError): string {
  return several(
    issues.map((issue) => () => `${pathOf(issue.path)}${wrong(issue)}`),
    "; ",
  );
}

/** Why this cannot be the input of a call, before anybody looks at its fields. */
export function wrongShape(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "object" || Array.isArray(given)) return "the input must be an object";
  const open: unknown[] = [given];
  let parts = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null) continue;
    const within = Object.values(one);
    parts += within.length;
    if (parts > PARTS_MAX) return `the input must have at most ${PARTS_MAX} parts`;
    for (const part of within) if (part !== undefined) open.push(part);
  }
  return undefined;
}

/** Names that somebody made up, which may be many and long. */
export function namesOf(names: readonly string[]): string {
  return several(
    names.map((name) => () => (name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX)}…` : name)),
    ", ",
  );
}

function several(all: readonly (() => string)[], between: string): string {
  const told = all.slice(0, TOLD_MAX).map((one) => one());
  return all.length > TOLD_MAX ? `${told.join(between)} and ${all.length - TOLD_MAX} more` : told.join(between);
}

function wrong(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.message.endsWith("received undefined")) return "is missing";
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      return `must ${amount(issue.origin, "at least", issue.minimum)}`;
    case "too_big":
      return `must ${amount(issue.origin, "at most", issue.maximum)}`;
    case "unrecognized_keys":
      // Unless its schema has words of its own.
      if (!issue.message.startsWith("Unrecognized key")) return issue.message;
      return `has no field ${namesOf(issue.keys)}`;
    case "invalid_union":
      // Unless its schema has words of its own: what each of its forms misses.
      if (issue.message !== "Invalid input" || issue.errors.length === 0) return issue.message;
      return [...new Set(issue.errors.map(([first]) => (first ? wrong(first) : issue.message)))].join(" or ");
    default:
      return issue.message;
  }
}

function amount(origin: string, limit: string, count: number | bigint): string {
  if (origin === "string") return `have ${limit} ${count} ${count === 1 ? "character" : "characters"}`;
  if (origin === "array") return `have ${limit} ${count} ${count === 1 ? "entry" : "entries"}`;
  return `be ${limit} ${count}`;
}

/** then.any[0]. */
function pathOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the input ";
  const words = path.map((part, at) =>
    typeof part === "number" ? `[${part}]` : `${at > 0 ? "." : ""}${String(part)}`,
  );
  return `${words.join("")} `;
}
