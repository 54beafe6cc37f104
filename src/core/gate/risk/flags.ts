// Matches one argument against a program's options. Owns: how short options combine and how values are attached.
import { isArtifact, isOwnPath, staysInside } from "./places.ts";
import type { Options, Takes } from "./spec.ts";
import type { Arg } from "./words.ts";

type Match =
  | { readonly is: "alone" }
  /** Its value is the next word. */
  | { readonly is: "open"; readonly takes: Takes }
  | { readonly is: "refused"; readonly why: string };

/** A number, or the number of processors. */
const COUNT = /^(?:\d+|\$\(nproc\))$/;

/** A reporter, a format, a package: not a path. */
const NAME = /^(?:@[\w-]+\/)?[A-Za-z0-9][\w.,@+-]*(?:\/[\w.-]+)?(?::skip-covered)?$/;

const ALONE: Match = { is: "alone" };

export function isOption(arg: Arg): boolean {
  return arg.prefix.startsWith("-") && arg.prefix.length > 1;
}

export function match(options: Options, arg: Arg, root: string | null): Match {
  const text = arg.prefix;
  const refused: Match = { is: "refused", why: `option ${text} is not known to be harmless` };
  // The table lists "--watch=false" as a whole where only that value is harmless.
  if (arg.literal && text.includes("=") && options.get(text) === "nothing") return ALONE;
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const takes = options.get(name);
  if (takes !== undefined) {
    if (equals < 0) return arg.literal ? (takes === "nothing" ? ALONE : { is: "open", takes }) : refused;
    // -o=x is an attached value of a short option for some programs and a long option for others: both are allowed here.
    return fits(takes, { ...arg, text: arg.text.slice(equals + 1) }, root) ? ALONE : refused;
  }
  // MSBuild and similar: --logger:trx.
  const colon = text.indexOf(":");
  const valued = colon > 0 ? options.get(text.slice(0, colon)) : undefined;
  if (text.startsWith("--") && arg.literal && valued !== undefined && valued !== "nothing") {
    return fits(valued, { text: text.slice(colon + 1), literal: true }, root) ? ALONE : refused;
  }
  if (!arg.literal || text.startsWith("--")) return refused;
  // A number: head -5, git log -3.
  if (/^-\d+$/.test(text)) return options.has("-0") ? ALONE : refused;
  return cluster(options, text.slice(1), root) ?? refused;
}

/** Combined letters. The last one may take a value. */
function cluster(options: Options, letters: string, root: string | null): Match | null {
  for (let i = 0; i < letters.length; i += 1) {
    const takes = options.get(`-${letters[i]}`);
    if (takes === undefined) return null;
    const rest = letters.slice(i + 1);
    // make -j4, make -j$(nproc)
    if (takes === "nothing" && COUNT.test(rest)) return ALONE;
    if (takes === "nothing") continue;
    if (rest === "") return { is: "open", takes };
    return fits(takes, { text: rest, literal: true }, root) ? ALONE : null;
  }
  return ALONE;
}

/** Whether an option's value is of the allowed kind. What shows only when it runs never is. */
export function fits(
  takes: Takes,
  { text, literal }: { readonly text: string; readonly literal: boolean },
  root: string | null,
): boolean {
  if (!literal) return false;
  switch (takes) {
    case "text":
      return true;
    case "name":
      return NAME.test(text) && !/\.[cm]?[jt]sx?$/.test(text);
    case "path":
      return isOwnPath(text, root);
    case "written":
      return isArtifact(text, root);
    default:
      return staysInside(text, root);
  }
}

/** Whether one of these options is among the arguments, alone, with a value or among other letters. */
export function holds(wanted: ReadonlySet<string>, args: readonly Arg[]): boolean {
  // Programs with long options after one dash (go, clang) have no combined letters.
  const letters = ![...wanted].some((option) => /^-\w\w/.test(option));
  for (const arg of args) {
    const text = arg.prefix;
    if (text === "--") return false;
    if (!text.startsWith("-")) continue;
    const name = text.split("=", 1)[0] ?? text;
    if (wanted.has(name)) return true;
    const cluster = letters ? (/^-([A-Za-z]+)/.exec(text)?.[1] ?? "") : "";
    for (const letter of cluster) {
      if (wanted.has(`-${letter}`)) return true;
    }
  }
  return false;
}
