// A person's own rules: allow, ask or deny commands by their normal form. Pure. Deny wins over ask, ask over allow; a line
// is allowed when each of its commands is. A program that can run anything is never stored as "always".
import type { Decision } from "../../protocol/words/policy.ts";

export type PersonRules = Readonly<Record<Decision, readonly string[]>>;

export const NO_RULES: PersonRules = { allow: [], ask: [], deny: [] };

/** These run anything they are given, so a rule for one of them would be a rule for everything. */
const NEVER_ALWAYS = new Set(
  (
    "sh bash zsh fish dash ksh csh tcsh pwsh busybox python python2 python3 node deno bun ruby perl php lua awk gawk mawk sed " +
    "env command builtin exec eval source . nohup nice ionice timeout time stdbuf setsid xargs find parallel watch entr " +
    "sudo su doas pkexec chroot ssh docker podman kubectl git npm npx pnpm yarn pnpx bunx make just rake gradle mvn task tox nox " +
    "uv uvx poetry pipx hatch tmux screen script expect"
  ).split(" "),
);

/** `normal`: the simple commands of a line, or null when they are unknown. */
export function ruled(
  rules: readonly PersonRules[],
  normal: readonly string[] | null,
  isSafe: (command: string) => boolean,
): Decision | null {
  const all = (which: Decision) => rules.flatMap((one) => one[which]);
  const some = (patterns: readonly string[]) =>
    patterns.includes("**") || (normal ?? []).some((command) => matchesAny(patterns, command));
  if (some(all("deny"))) return "deny";
  if (some(all("ask"))) return "ask";
  const allow = all("allow");
  if (!normal || normal.length === 0 || allow.length === 0) return null;
  const fits = (command: string) => matchesAny(allow, command);
  return normal.some(fits) && normal.every((command) => fits(command) || isSafe(command)) ? "allow" : null;
}

/** The rule that "always" would store for a line, or null when none is possible. */
export function alwaysRule(normal: readonly string[] | null): string | null {
  const [only, ...more] = normal ?? [];
  if (only === undefined || more.length > 0) return null;
  const name = only.split(" ")[0] ?? "";
  return NEVER_ALWAYS.has(name) || name.includes("/") ? null : only;
}

function matchesAny(patterns: readonly string[], command: string): boolean {
  return patterns.some((pattern) => matches(pattern, command));
}

/** `npm run lint` matches exactly that. `rm *` matches rm with any arguments. */
function matches(pattern: string, command: string): boolean {
  if (pattern === "**") return true;
  if (!pattern.endsWith(" *")) return command === pattern;
  const head = pattern.slice(0, -2);
  return command === head || command.startsWith(`${head} `);
}
