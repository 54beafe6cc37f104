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

export function wrongInput({ issues }: z.ZodError): string {
  return issues.map((issue) => `${pathOf(issue.path)}${wrong(issue)}`).join("; ");
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
      return `has no field ${issue.keys.join(", ")}`;
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
