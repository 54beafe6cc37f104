// Reads the marks of our shell integration. Pure. A mark without the session's nonce means nothing, because any program can
// print the sequence, and terminals of all kinds do.
import type { ShellName } from "../../protocol/words/program.ts";

/**
 * taken: it runs. busy: somebody has typed half a line. shadowed: a name in it is a function of the user. lifted: the half
 * line was taken away. edited: the half line is now as it was asked for. told: its state is written. ready: a shell inside
 * waits for its line.
 */
export type LineAnswer = "taken" | "busy" | "shadowed" | "lifted" | "edited" | "told" | "ready" | "dropped";

const ANSWERS: ReadonlySet<string> = new Set([
  "taken",
  "busy",
  "shadowed",
  "lifted",
  "edited",
  "told",
  "ready",
  "dropped",
] satisfies LineAnswer[]);

/** The unit separator of ASCII. */
const JOBS_SEPARATOR = "\x1f";

/** The number of a prompt and its command. It rises by one with each prompt. */
type Cycle = number;

export type Mark =
  | { readonly kind: "prompt"; readonly cycle: Cycle }
  /** The prompt is drawn; what follows is the line editor's. */
  | { readonly kind: "input"; readonly cycle: Cycle }
  /** likely: the shell may mean the line before, because it does not keep every line. */
  | { readonly kind: "command"; readonly cycle: Cycle; readonly text: string; readonly sure: "yes" | "likely" }
  | { readonly kind: "cwd"; readonly cycle: Cycle; readonly path: string }
  /** The background jobs that run while the prompt stands. */
  | { readonly kind: "jobs"; readonly cycle: Cycle; readonly jobs: readonly string[] }
  /** The prompt is drawn, for the first time or again. */
  | { readonly kind: "drawn"; readonly cycle: Cycle }
  /** What follows was printed by the command. `run` names the call it came from. */
  | { readonly kind: "output"; readonly cycle: Cycle; readonly ts: number | null; readonly run: string | null }
  | { readonly kind: "end"; readonly cycle: Cycle; readonly ts: number | null; readonly exit_code: number | null }
  /** The shell took a prepared line, or a half-typed line was in the way. `line`: the half line that it gave up. */
  | {
      readonly kind: "answer";
      readonly cycle: Cycle;
      readonly run: string;
      readonly answer: LineAnswer;
      readonly line: string;
    }
  /** Before its command the shell waits until what was typed ahead is typed again. */
  | { readonly kind: "ahead"; readonly cycle: Cycle }
  /** A shell inside of another ends by itself, and says so. */
  | { readonly kind: "bye"; readonly cycle: Cycle; readonly exit_code: number | null }
  /** This shell is too old for marks. */
  | { readonly kind: "none"; readonly cycle: Cycle };

export function readMark(body: string, nonce: string): Mark | undefined {
  const [space, letter, ...fields] = body.split(";");
  const key = fields.find((field) => field.startsWith("duetty="));
  const cycle = key === undefined ? undefined : cycleOf(key, nonce);
  if (cycle === undefined) return undefined;
  return space === "133" ? semantic(letter, fields, cycle) : shellFact(letter, fields, cycle);
}

function cycleOf(key: string, nonce: string): Cycle | undefined {
  const [given, number] = key.slice("duetty=".length).split(":");
  return given === nonce && number !== undefined && /^\d{1,15}$/.test(number) ? Number(number) : undefined;
}

function semantic(letter: string | undefined, fields: readonly string[], cycle: Cycle): Mark | undefined {
  const value = (name: string) => fields.find((field) => field.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  switch (letter) {
    case "A":
      return { kind: "prompt", cycle };
    case "P":
      return { kind: "drawn", cycle };
    case "B":
      return { kind: "input", cycle };
    case "C":
      return { kind: "output", cycle, ts: millis(value("t")), run: value("run") };
    case "D": {
      return { kind: "end", cycle, ts: millis(value("t")), exit_code: exitCode(fields[0] ?? "") };
    }
    default:
      return undefined;
  }
}

function shellFact(letter: string | undefined, fields: readonly string[], cycle: Cycle): Mark | undefined {
  const [first = "", second = "", third = ""] = fields;
  if (letter === "E") {
    const sure = fields.includes("maybe=1") ? "likely" : "yes";
    return { kind: "command", cycle, text: unescaped(first), sure };
  }
  if (letter === "R" && isAnswer(second))
    return { kind: "answer", cycle, run: first, answer: second, line: second === "lifted" ? unescaped(third) : "" };
  if (letter !== "P") return undefined;
  if (first === "Integration=none") return { kind: "none", cycle };
  if (first.startsWith("Bye=")) return { kind: "bye", cycle, exit_code: exitCode(first.slice(4)) };
  if (first === "Ahead") return { kind: "ahead", cycle };
  if (first.startsWith("Jobs="))
    return { kind: "jobs", cycle, jobs: unescaped(first.slice(5)).split(JOBS_SEPARATOR).map(jobName) };
  return first.startsWith("Cwd=") ? { kind: "cwd", cycle, path: unescaped(first.slice(4)) } : undefined;
}

function exitCode(text: string): number | null {
  return /^\d{1,3}$/.test(text) ? Number(text) : null;
}

/** What a shell inside says of itself before it has a nonce. Anybody who saw the token could say it. */
export interface Hello {
  readonly shell: ShellName | null;
  readonly version: string;
}

const HELLO_SHELLS = ["bash", "zsh", "fish"] as const;

export function readHello(body: string, token: string): Hello | undefined {
  const [space, letter, ...fields] = body.split(";");
  if (space !== "633" || letter !== "H" || fields.length !== 4 || fields[3] !== token) return undefined;
  const at = fields.slice(0, 3).findIndex((version) => version !== "");
  return { shell: HELLO_SHELLS[at] ?? null, version: fields[at] ?? "" };
}

/** Shells show it with blanks around it, and some with the `&` that began it. */
function jobName(text: string): string {
  return text.trim().replace(/\s*&$/, "");
}

function isAnswer(word: string): word is LineAnswer {
  return ANSWERS.has(word);
}

/** "1700000000.123456": seconds as shells count them, with the comma of some locales. */
function millis(seconds: string | null): number | null {
  const value = seconds === null ? Number.NaN : Number(seconds.replace(",", "."));
  return Number.isFinite(value) && value > 0 ? Math.round(value * 1000) : null;
}

/** `\\` and `\xNN`, as written by the scripts in shell/. */
function unescaped(text: string): string {
  return text.replace(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (_, hex?: string) =>
    hex === undefined ? "\\" : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
