// What --help prints, in 80 columns.
import { ALL_FLAG, CONDITION_FLAGS } from "../protocol/plain/conditions.ts";
import { LOCAL_VERBS, type LocalVerb } from "../protocol/plain/local-verbs.ts";
import { argumentName } from "./args.ts";
import type { Verb } from "./verb-table.ts";

const WIDTH = 79;
const locals: [string, LocalVerb][] = Object.entries(LOCAL_VERBS);

export function helpAll(verbs: readonly Verb[]): string {
  const all = [...verbs, ...locals.map(([verb, { summary }]) => ({ verb, summary }))];
  const rows = all.map(({ verb, summary }) => row(verb, summary, 12));
  return [
    "duetty: one terminal, two pairs of hands",
    "",
    "  duetty              start what is missing and open the page",
    "  duetty VERB …       --json on every verb; --help explains one",
    "  duetty --skill      print the skill that teaches an agent this version",
    "",
    ...rows,
    "",
    "Sessions are named by id, unique prefix of it, or --name; on another machine",
    "HOST/ID (duetty hosts).",
    "Exit codes: 0 ok, 1 error, 2 usage, 3 not found, 4 session ended,",
    "5 needs a person, 6 echo is off, 11 deadline.",
  ].join("\n");
}

export function helpVerb(verb: Verb): string {
  const required = new Set(verb.required);
  const args = verb.args.map((arg) => (required.has(arg) ? argumentName(arg) : `[${argumentName(arg)}]`));
  const rest = verb.rest === undefined ? "" : ` [-- ${argumentName(verb.rest)} …]`;
  // An argument needs no second line unless there is more to say about it.
  const flags = Object.entries(verb.flags)
    .filter(([, { field, help }]) => help !== "" || !verb.args.includes(field))
    .map(([flag, { on, shown, help }]) =>
      row(`--${on ? "no-" : ""}${flag}${shown === undefined ? "" : ` ${shown}`}`, help, 24),
    );
  for (const name of Object.keys(verb.also ?? {}))
    if (!verb.flags[name]) flags.push(row(`--${name}`, "also those of all other machines", 24));
  const prefix = verb.conditions?.prefix ?? "";
  const conditions = verb.conditions
    ? CONDITION_FLAGS.map(({ flag, type, help }) =>
        row(`--${prefix}${flag}${type === "boolean" ? "" : type === "number" ? " MS" : " TEXT"}`, help, 24),
      )
    : [];
  if (verb.conditions) conditions.push(row(`--${prefix}${ALL_FLAG}`, "all of these conditions, not just one", 24));
  if (verb.conditions) conditions.push(row("--see", "print the screen afterwards", 24));
  return [
    `duetty ${[verb.verb, ...args].join(" ")}${rest}`,
    "",
    ...wrap(verb.summary, WIDTH),
    "",
    ...flags,
    ...conditions,
    ...(verb.answer === "file" ? [row("-o, --out FILE", "write it to this file", 24)] : []),
    ...(verb.lines ? [row("--stdin", "read many, one JSON string per line; answer line by line", 24)] : []),
    row(
      "--json",
      verb.answer === "events" ? "print every event as a line of JSON" : "print the whole answer as JSON",
      24,
    ),
    row("--as agent:NAME", "act as this agent", 24),
    "",
    "Examples:",
    ...verb.examples.map((example) => `  ${example}`),
  ].join("\n");
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
  const [, verb] = locals.find(([name]) => name === word) ?? [];
  if (!verb) return undefined;
  const flags = Object.entries(verb.flags).map(([flag, form]) =>
    row(`--${flag}${form.type === "string" ? ` ${form.value}` : ""}`, form.help, 24),
  );
  return [
    ["duetty", word, ...verb.args].join(" "),
    "",
    ...wrap(verb.summary, WIDTH),
    "",
    ...flags,
    ...(flags.length > 0 ? [""] : []),
    "Examples:",
    ...verb.examples.map((example) => `  ${example}`),
  ].join("\n");
}
