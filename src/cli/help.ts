// What --help prints, in 80 columns.
import { CONDITION_FLAGS } from "../protocol/plain/conditions.ts";
import { LOCAL_VERBS } from "../protocol/plain/local-verbs.ts";
import type { Verb } from "./verbs.ts";

const WIDTH = 79;

export function helpAll(verbs: readonly Verb[]): string {
  const rows = [...verbs, ...LOCAL_VERBS].map(({ verb, summary }) => row(verb, summary, 12));
  return [
    "duetty: one terminal, two pairs of hands",
    "",
    "  duetty              start what is missing and open the page",
    "  duetty VERB …       --json on every verb; --help explains one",
    "",
    ...rows,
    "",
    "Sessions are named by id, unique prefix of it, or --name.",
    "Exit codes: 0 ok, 1 error, 2 usage, 3 not found, 4 session ended,",
    "5 needs a person, 6 echo is off, 11 deadline.",
  ].join("\n");
}

export function helpVerb(verb: Verb): string {
  const required = new Set(verb.required);
  const args = verb.args.map((arg) => (required.has(arg) ? name(arg) : `[${name(arg)}]`));
  const rest = verb.rest === undefined ? "" : ` [-- ${name(verb.rest)} …]`;
  const flags = Object.entries(verb.flags).map(([flag, { type, help }]) => {
    const value =
      type === "boolean"
        ? ""
        : type === "pairs"
          ? " K=V"
          : ` ${type === "number" || type === "decimal" ? "N" : "TEXT"}`;
    return row(`--${flag}${value}`, help, 24);
  });
  const prefix = verb.conditions?.prefix ?? "";
  const conditions = verb.conditions
    ? CONDITION_FLAGS.map(({ flag, type, help }) =>
        row(`--${prefix}${flag}${type === "boolean" ? "" : type === "number" ? " MS" : " TEXT"}`, help, 24),
      )
    : [];
  if (verb.conditions) conditions.push(row("--see", "print the screen afterwards", 24));
  return [
    `duetty ${[verb.verb, ...args].join(" ")}${rest}`,
    "",
    ...wrap(verb.summary, WIDTH),
    "",
    ...flags,
    ...conditions,
    ...(verb.answer === "file" ? [row("-o, --out FILE", "write it to this file", 24)] : []),
    row("--json", verb.op === "ask" ? "print every event as a line of JSON" : "print the whole answer as JSON", 24),
    row("--as agent:NAME", "act as this agent", 24),
    "",
    "Examples:",
    ...verb.examples.map((example) => `  ${example}`),
  ].join("\n");
}

function name(field: string): string {
  return field === "session_id" ? "SESSION" : field.toUpperCase();
}

function row(left: string, right: string, width: number): string {
  const [first = "", ...more] = wrap(right, WIDTH - width - 4);
  return [`  ${left.padEnd(width)}  ${first}`, ...more.map((line) => " ".repeat(width + 4) + line)].join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

export function helpLocal(word: string): string | undefined {
  const verb = LOCAL_VERBS.find((known) => known.verb === word);
  if (!verb) return undefined;
  const flags = verb.flags.map(({ flag, type, help }) => row(`--${flag}${type === "string" ? " N" : ""}`, help, 24));
  const examples = verb.examples.map((example) => `  ${example}`);
  return [`duetty ${verb.usage}`, "", ...wrap(verb.summary, WIDTH), "", ...flags, "", "Examples:", ...examples].join(
    "\n",
  );
}
