// Builtin commands of the shell. Many of them change the shell that a person shares, or can undo the gate: they are
// risky where no box holds that shell.
import { loopVerdict, settingVerdict } from "../environment.ts";
import { isInside } from "../places.ts";
import { type PartRisk, risky, riskyUnboxed, safe, unknown, worse } from "../risk.ts";
import { any, asks, code, each, needs, type Starts, safeWith, type Table } from "../spec.ts";
import type { Arg } from "../words.ts";

const changes = (what: string) => code((_args, id) => riskyUnboxed(id, "privilege", what));

export const builtins: Table = {
  ...each("echo true false : dirs type wait times break continue", any),
  ...each("cd pushd", code(moves)),
  popd: safeWith("", { words: "none" }),
  printf: code((args, id) =>
    args[0]?.wild || /^-v/.test(args[0]?.prefix ?? "") ? unknown(id, "may set a variable") : safe(id),
  ),
  ...each("test [", code(test)),
  read: code(read),
  ...each("export declare typeset readonly local", code(declares)),
  unset: code(declares),
  alias: code(alias),
  unalias: asks("changes the shell"),
  expr: any,
  // -x starts a command.
  jobs: safeWith("-l -p -n -r -s", { words: "none" }),
  let: asks("arithmetic evaluates what a variable holds"),
  set: code((args, id) =>
    args.length === 0 ? unknown(id, "shows all variables") : unknown(id, "changes how the shell behaves"),
  ),
  ...each("shopt enable setopt unsetopt", changes("changes how the shell reads commands")),
  hash: code((args, id) =>
    args.some((arg) => arg.wild || /^-\w*[pd]/.test(arg.prefix))
      ? riskyUnboxed(id, "privilege", "puts another program in place of one")
      : unknown(id, "changes the shell"),
  ),
  ...each("bind complete compgen compopt fc zle bindkey autoload zmodload emulate", asks("changes the shell")),
  ...each("exit logout return suspend disown fg bg", asks("ends or holds the shell")),
  ...each(
    "source .",
    code((args, id) =>
      args.some((arg) => arg.process)
        ? risky(id, "network", "runs what another program prints")
        : unknown(id, "runs a file in this shell"),
    ),
  ),
  ...each(
    "umask ulimit",
    needs("-a -S -p", safeWith("-a -S -p -H", { words: "none" }), "changes the limits of the shell"),
  ),
  ...each("mapfile readarray getopts coproc shift history", asks("changes the shell")),
};

/** Into a folder of the workspace, or to its top. Elsewhere other code would run as if it were the project's. */
function moves(args: readonly Arg[], id: string, { root }: Pick<Starts, "root">): PartRisk {
  const [to, ...more] = args[0]?.text === "--" ? args.slice(1) : args;
  const top = to?.text === '"$(git rev-parse --show-toplevel)"';
  const inside = to?.literal && !/^[-+]/.test(to.text) && isInside(to.text, root);
  return more.length === 0 && (top || inside) ? safe(id) : unknown(id, "leaves the workspace, or may");
}

/** `-v` evaluates a subscript. An expansion can become `-v` where an operator is allowed. */
function test(args: readonly Arg[], id: string): PartRisk {
  const operands = args.at(-1)?.text === "]" ? args.slice(0, -1) : args;
  const evaluates = operands.some((arg) => arg.many || /^-[vR]$/.test(arg.prefix));
  const pair = operands.some((arg, i) => arg.wild && operands[i + 1]?.wild);
  const operator = operands.length === 2 && operands[0]?.wild;
  return evaluates || pair || operator ? unknown(id, "an expansion could become -v, which evaluates") : safe(id);
}

function read(args: readonly Arg[], id: string, { input }: { readonly input: string }): PartRisk {
  if (input === "terminal") return unknown(id, "waits for the keyboard");
  let verdict: PartRisk = safe(id);
  for (const arg of args) {
    if (!arg.literal) return unknown(id, "which variable it sets shows only when it runs");
    if (/^-[rs]+$/.test(arg.text)) continue;
    verdict = worse(
      verdict,
      /^\w+$/.test(arg.text) ? loopVerdict(arg.text) : unknown(id, `${arg.text} is not known to be harmless`),
    );
  }
  return verdict;
}

function declares(args: readonly Arg[], id: string): PartRisk {
  let verdict: PartRisk = unknown(id, "the shell keeps what it sets");
  for (const arg of args) {
    const name = /^[A-Za-z_]\w*/.exec(arg.prefix)?.[0];
    if (name) verdict = worse(verdict, settingVerdict(name));
    if (/^-\w*f/.test(arg.prefix)) verdict = worse(verdict, riskyUnboxed(id, "privilege", "changes functions"));
  }
  return verdict;
}

/** We do not know the names of all programs, so an alias for a word that is not clearly new may shadow one. */
function alias(args: readonly Arg[], id: string): PartRisk {
  const sets = args.some((arg) => arg.wild || arg.prefix.includes("="));
  return sets
    ? riskyUnboxed(id, "privilege", "puts other text in place of a command")
    : unknown(id, "lists or changes aliases");
}
