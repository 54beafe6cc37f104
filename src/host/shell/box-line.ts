// One boxed line of a person's shell: the program `duetty-box`, which the shell runs as an ordinary command, and where the
// line's last folder comes back. Owns: these files of a session's shell folder. Refuses: to decide what the box allows.
// The program leaves behind what the person's shell exports before the box begins, because the environment of bubblewrap's
// own process can be read inside.
import fs from "node:fs";
import { join } from "node:path";
import type { ShellName } from "../../protocol/words/program.ts";
import { quoted } from "./quoted.ts";

/** `duetty-box`: what runs the line. `roots`: folders that the shell may follow it to. `folder`: where it ended. */
export const BOX_FILES = { program: "duetty-box", roots: "roots", folder: "folder" } as const;

export interface LineBox {
  /** What the line's own shell is started with. */
  readonly prefix: readonly string[];
  readonly roots: readonly string[];
  /** Names of variables that stay outside, and exceptions: extended regular expressions for names in capitals. */
  readonly keptOut: string;
  readonly harmless: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The file in which its last folder comes back. */
  readonly folder: string;
}

const BASH = "/bin/bash";

/**
 * The line's shell and what it does before the line: it goes to the folder by the name that the person's shell has for it.
 * At its end it tells its folder if that has changed. At Ctrl+C it lets the program in front decide first, as bash does by
 * itself. Its words: the line, the folder, the file for the last folder.
 */
const INSIDE: Readonly<Record<ShellName, readonly string[]>> = {
  bash: [
    "bash",
    "-c",
    `cd -- "$2" 2>/dev/null
trap "[[ \\$PWD == \${PWD@Q} ]] || printf %s \\"\\$PWD\\" >\${3@Q}" EXIT
eval "shift 3;$1"`,
    "bash",
  ],
  zsh: [
    "zsh",
    "-f",
    "-c",
    `cd -- "$2" 2>/dev/null
trap "[[ \\$PWD == \${(q)PWD} ]] || print -rn -- \\$PWD >|\${(q)3}" EXIT
trap "exit 130" INT
eval "shift 3;$1"`,
    "zsh",
  ],
  fish: [
    "fish",
    "--no-config",
    "-c",
    `builtin cd -- $argv[2] 2>/dev/null
set -g __duetty_from $PWD $argv[3]
function __duetty_end --on-event fish_exit
  test "$PWD" = "$__duetty_from[1]"; or printf %s "$PWD" >$__duetty_from[2]
end
function __duetty_interrupt --on-signal INT
  exit 130
end
set -l __duetty_line $argv[1]
set -e argv
eval $__duetty_line`,
  ],
};

/** Where the line's last folder will stand. It has to be seen and written inside. */
export function freshFolderFile(dir: string): string {
  const file = join(dir, BOX_FILES.folder);
  // A line that was stopped keeps the file that it has.
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, "", { mode: 0o600 });
  return file;
}

/** Writes what the next boxed line of this shell needs. */
export function layBox(dir: string, shell: ShellName, box: LineBox): void {
  write(join(dir, BOX_FILES.roots), box.roots.map((root) => `${root}\0`).join(""), 0o600);
  write(join(dir, BOX_FILES.program), program(shell, box), 0o700);
}

/** `-p`: it reads no file and no function that the environment names. Its own variables are gone with `exec -c`. */
function program(shell: ShellName, { prefix, keptOut, harmless, variables, folder }: LineBox): string {
  const words = [...prefix, ...INSIDE[shell]].map(quoted).join(" ");
  const added = Object.entries(variables).map(([name, value]) => quoted(`${name}=${value}`));
  return `#!${BASH} -p
out=${quoted(keptOut)} harmless=${quoted(harmless)} kept=()
mapfile -d '' -t all </proc/self/environ
for one in "\${all[@]}"; do
  name=\${one%%=*}
  [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || continue
  [[ \${name^^} =~ $harmless || ! \${name^^} =~ $out ]] && kept+=("$one")
done
exec -c /usr/bin/env "\${kept[@]}" ${added.join(" ")} ${words} "$1" "$PWD" ${quoted(folder)}
`;
}

/** Written whole or not at all, because the one before may still run. */
function write(file: string, text: string, mode: number): void {
  fs.writeFileSync(`${file}.new`, text, { mode });
  fs.renameSync(`${file}.new`, file);
}
