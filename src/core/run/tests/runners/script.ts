// What a package.json script really calls. Pure. Reads the shell line far enough to find the runner, its flags and its
// targets. Refuses: to evaluate the line; a script that it cannot read runs as it is.
import { baseOf } from "../paths.ts";

/** How deep scripts may call other scripts. */
const DEPTH_MAX = 4;
/** No person writes a longer script. It runs as it is. */
const SCRIPT_CHARS_MAX = 2_000;
/** Words that may come before the runner without changing what runs. */
const WRAPPERS = new Set([
  "npx",
  "pnpm",
  "yarn",
  "bunx",
  "bun",
  "exec",
  "run",
  "dlx",
  "cross-env",
  "env",
  "c8",
  "nyc",
  "dotenv",
  "node",
  "time",
  "--",
]);
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

export interface Call {
  /** The script that holds the runner. */
  readonly script: string;
  readonly env: readonly string[];
  readonly args: readonly string[];
  /** Nothing runs after it, so arguments at the end reach it. */
  readonly last: boolean;
  /** Variables or substitutions: only the shell knows what the words are. */
  readonly opaque: boolean;
}

export type Scripts = Readonly<Record<string, string>>;

/** `bin` finds the runner among a command's words and returns the index after it, or -1. */
export function callOf(
  scripts: Scripts,
  name: string,
  bin: (words: readonly string[]) => number,
  depth = 0,
): Call | undefined {
  const line = scripts[name];
  if (line === undefined || line.length > SCRIPT_CHARS_MAX || depth > DEPTH_MAX) return undefined;
  const segments = segmentsOf(line);
  for (const [i, words] of segments.entries()) {
    const at = bin(words);
    const before = words.slice(0, Math.max(0, at - 1));
    if (at > 0 && before.every((word) => WRAPPERS.has(word) || word.startsWith("-") || ASSIGNMENT.test(word))) {
      const env = before.filter((word) => ASSIGNMENT.test(word));
      return {
        script: name,
        env,
        args: words.slice(at),
        last: i === segments.length - 1,
        opaque: /[$`()<>]/.test(line),
      };
    }
    const next = calledScript(words, scripts);
    const call = next === undefined || next === name ? undefined : callOf(scripts, next, bin, depth + 1);
    if (call !== undefined) return call;
  }
  return undefined;
}

export function binIs(...names: readonly string[]): (words: readonly string[]) => number {
  return (words) => words.findIndex((word) => names.includes(baseOf(word).replace(/\.[cm]?js$/, ""))) + 1;
}

function calledScript(words: readonly string[], scripts: Scripts): string | undefined {
  const [tool = "", ...rest] = words.filter((word) => !ASSIGNMENT.test(word));
  if (!["npm", "pnpm", "yarn", "bun"].includes(tool)) return undefined;
  const named = rest.filter((word) => word !== "run" && !word.startsWith("-"))[0];
  return named !== undefined && Object.hasOwn(scripts, named) ? named : undefined;
}

/** The commands of a line, as words without their quotes. */
function segmentsOf(line: string): string[][] {
  const segments: string[][] = [[]];
  for (const [, space, operator, double, single, bare] of line.matchAll(
    /(\s+)|(&&|\|\||[;|&])|"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s;&|"']+|["'])/g,
  )) {
    if (operator !== undefined) segments.push([]);
    else if (space === undefined) segments.at(-1)?.push(double ?? single ?? bare ?? "");
  }
  return segments.filter((words) => words.length > 0);
}

/** Separates flags with their values from the runner's targets. */
export function flagsAndTargets(
  args: readonly string[],
  valued: ReadonlySet<string>,
): { flags: string[]; targets: string[] } {
  const flags: string[] = [];
  const targets: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] ?? "";
    if (!word.startsWith("-")) targets.push(word);
    else if (word !== "--") {
      flags.push(word);
      if (valued.has(word) && i + 1 < args.length) flags.push(args[++i] ?? "");
    }
  }
  return { flags, targets };
}
