// Builtin commands of the shell. Many of them change the shell that a person shares, or can undo the gate: they are
// risky where no box holds that shell.
import { loopVerdict, settingVerdict } from "../environment.ts";
import { evaluated, mayRun, numbers, printf, test } from "../inside/evaluated.ts";
import { isInside } from "../places.ts";
import { hiding, type PartRisk, risky, riskyUnboxed, safe, unknown, worse } from "../risk.ts";
import { runsInput } from "../run-text.ts";
import { any, asks, code, each, needs, type Starts, safeWith, type Table } from "../spec.ts";
import type { Arg } from "../words.ts";

const changes = (what: string) => code((_args, id) => riskyUnboxed(id, "privilege", what));

export const builtins: Table = {
  ...each("echo true false : type times", any),
  // With words it replaces the list.
  dirs: safeWith("-l -p -v", { words: /^[-+]\d+$/ }),
  ...each("break continue", code(numbers)),
  // -p sets a variable.
  wait: code((args, id) => numbers(/^-[nf]$/.test(args[0]?.text ?? "") ? args.slice(1) : args, id)),
  ...each("cd pushd", code(moves)),
  popd: safeWith("", { words: "none" }),
  printf: code(printf),
  ...each("test [", code(test)),
  read: code(read),
  ...each("export declare typeset readonly local", code(declares)),
  unset: code(declares),
  alias: code(alias),
  unalias: asks("changes the shell"),
  expr: any,
  // -x starts a command.
  jobs: safeWith("-l -p -n -r -s", { words: "none" }),
  ...each(
    "let integer float shift getopts mapfile readarray",
    code((args, id) => evaluated(args, id)),
  ),
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
  ...each(
    "exit logout return suspend disown fg bg",
    code((args, id) => evaluated(args, id, "ends or holds the shell")),
  ),
  ...each("source .", code(sources)),
  ...each(
    "umask ulimit",
    needs("-a -S -p", safeWith("-a -S -p -H", { words: "none" }), "changes the limits of the shell"),
  ),
  ...each("coproc history", asks("changes the shell")),
};

function sources(args: readonly Arg[], id: string, starts: Starts): PartRisk {
  if (args.some((arg) => arg.process)) return hiding(risky(id, "network", "runs what another program prints"));
  const fed = args.some((arg) => /^\/dev\/(?:stdin|fd\/)|^\/proc\//.test(arg.prefix));
  return fed ? runsInput(id, starts) : unknown(id, "runs a file in this shell");
}

/** Into a folder of the workspace, or to its top. Elsewhere other code would run as if it were the project's. */
function moves(args: readonly Arg[], id: string, { root }: Pick<Starts, "root">): PartRisk {
  const [to, ...more] = args[0]?.text === "--" ? args.slice(1) : args;
  const top = to?.text === '"$(git rev-parse --show-toplevel)"';
  const inside = to?.literal && !/^[-+]/.test(to.text) && isInside(to.text, root);
  return more.length === 0 && (top || inside) ? safe(id) : unknown(id, "leaves the workspace, or may");
}

function read(args: readonly Arg[], id: string, { input }: { readonly input: string }): PartRisk {
  if (args.some(mayRun)) return evaluated(args, id);
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
  let verdict = evaluated(args, id, "the shell keeps what it sets");
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
