// One boxed line of a person's shell: the program `duetty-box`, which the shell runs as an ordinary command, and where the
// line's last folder comes back. Owns: these files of a session's shell folder. Refuses: to decide what the box allows.
// The program leaves behind what the person's shell exports before the box begins, because the environment of the box's
// own process may be read inside.
import fs from "node:fs";
import { join } from "node:path";
import { type BeforeBubblewrap, type BoxStart, redirections } from "../../core/box/arguments.ts";
import { expression, HARMLESS, KEPT_OUT } from "../../core/box/environment.ts";
import { OBEYED_BY_SHELLS } from "../../core/box/secrets.ts";
import type { ShellName } from "../../protocol/words/program.ts";
import { quoted } from "./quoted.ts";

/**
 * `duetty-box`: what runs the line. `folder`: where it ended. The shell follows it there if that is inside `roots` and nothing
 * below them has a name of `obeyed`.
 */
export const BOX_FILES = { program: "duetty-box", roots: "roots", obeyed: "obeyed", folder: "folder" } as const;

export interface LineBox {
  readonly start: BoxStart;
  readonly roots: readonly string[];
  /** The folder that the box was planned for, without links. */
  readonly at: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The file in which its last folder comes back. */
  readonly folder: string;
}

const BASH = "/bin/bash";
const MOVED =
  "duetty: %s is no longer the folder that this shell is in. Nothing was run. Go to a folder with cd first.";
/** The kernel knows no longer paths. */
const FOLDER_BYTES_MAX = 4_096;

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

/** Where the line's last folder will stand. It has to be seen and written inside. A line that was stopped keeps its file. */
export function folderFile(dir: string, isFree: boolean): string {
  const file = join(dir, BOX_FILES.folder);
  const size = isFree ? fs.statSync(file, { throwIfNoEntry: false })?.size : undefined;
  if (size === undefined) fs.rmSync(file, { force: true });
  if (size !== 0) fs.writeFileSync(file, "", { mode: 0o600 });
  return file;
}

/** Where the line ended, if not where it began. Whoever was in the box may have written anything. */
export function lastFolder(dir: string): string | null {
  const file = join(dir, BOX_FILES.folder);
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size > 0 && size <= FOLDER_BYTES_MAX ? fs.readFileSync(file, "utf8") : null;
}

/** Writes what the next boxed line of this shell needs. */
export function layBox(dir: string, shell: ShellName, box: LineBox): void {
  write(join(dir, BOX_FILES.roots), box.roots.map((root) => `${root}\0`).join(""), 0o600);
  write(join(dir, BOX_FILES.obeyed), OBEYED_BY_SHELLS.map((name) => `${name}\0`).join(""), 0o600);
  write(join(dir, BOX_FILES.program), program(shell, box), 0o700);
}

function program(shell: ShellName, box: LineBox): string {
  const { before } = box.start;
  return before === null ? inPerl(shell, box) : inBash(shell, box, before);
}

/** Our maker begins with perl, its options, the script and the machine. The script goes on in the same process. */
function inPerl(shell: ShellName, { start, at, variables, folder }: LineBox): string {
  const [perl, options, script = "", arch = "", ...words] = start.words;
  const own = Object.entries(variables).flat();
  const inside = [arch, "--line", ...words, ...INSIDE[shell]];
  return `#!${perl} ${options}
sub identity_of { return join ":", ( stat $_[0] )[ 0, 1 ] }
# The name of the shell's folder may lead elsewhere by now. The kernel knows where the shell is.
my $here = identity_of(".");
if ( $here ne identity_of(${inPerlQuotes(at)}) ) {
    print STDERR "${MOVED.replace("%s", "$ENV{PWD}")}\\n";
    exit 126;
}
my $folder = $ENV{PWD} =~ m{^/} && identity_of( $ENV{PWD} ) eq $here ? $ENV{PWD} : readlink "/proc/self/cwd";
# A name that no shell could have given may be a function.
delete @ENV{ grep { !/^[A-Za-z_][A-Za-z0-9_]*\\z/ || "_\\U$_\\E_" =~ m{${expression(KEPT_OUT)}} && "_\\U$_\\E_" !~ m{${expression(HARMLESS)}} } keys %ENV };
my %own = ${inPerlList(own)};
@ENV{ keys %own } = values %own;
@ARGV = ( ${inPerlList(inside)}, $ARGV[0], $folder, ${inPerlQuotes(folder)} );
do ${inPerlQuotes(script)};
die "duetty: the box could not be made: $@$!\\n";
`;
}

/** One text that perl splits: a list of texts takes it much longer to read, and the shell waits. */
function inPerlList(texts: readonly string[]): string {
  return `split( /\\0/, ${inPerlQuotes(texts.join("\0"))}, -1 )`;
}

function inPerlQuotes(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/**
 * `-p`: it reads no file and no function that the environment names. What stays outside is unset; bash cannot unset names
 * that no shell could have given, so env does that when there are any. Its own names are local, because one that the person
 * exports would be changed. It is one command, read whole before its first word runs, because its own file is among the
 * descriptors that it closes.
 */
function inBash(shell: ShellName, box: LineBox, before: BeforeBubblewrap): string {
  const { start, at, variables, folder } = box;
  const words = [...start.words, ...INSIDE[shell]].map(quoted).join(" ");
  const added = Object.entries(variables).map(([name, value]) => quoted(`${name}=${value}`));
  return `#!${BASH} -p
{
duetty_clean() {
  local LC_ALL=C duetty_all duetty_name
  mapfile -d '' -t duetty_all </proc/self/environ
  for duetty_name in "\${duetty_all[@]%%=*}"; do
    case $duetty_name in "") continue ;; [0-9]* | *[!A-Za-z0-9_]*) duetty_env+=(-u "$duetty_name") && continue ;; esac
    case _\${duetty_name^^}_ in
      ${HARMLESS.join("|")}) ;;
      ${KEPT_OUT.join("|")}) unset -v "$duetty_name" ;;
    esac
  done
}
# The name of the shell's folder may lead elsewhere by now. The kernel knows where the shell is.
[[ . -ef ${quoted(at)} ]] || {
  printf '${MOVED}\\n' "$PWD" >&2
  exit 126
}
# Nothing of it may stop, and so live on behind the shell's back.
trap '' TSTP TTIN TTOU
duetty_env=()
duetty_clean
export ${added.join(" ")}
set -o posix
${before.script}
exec \${duetty_env:+/usr/bin/env} "\${duetty_env[@]}" ${words} "$1" "$PWD" ${quoted(folder)} ${redirections(before, quoted(before.filter))}
}
`;
}

/** The one before may still be read, so another text is another file. Most lines of a shell need the same. */
function write(file: string, text: string, mode: number): void {
  if (fs.existsSync(file) && fs.readFileSync(file, "utf8") === text) return;
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, text, { mode });
}
