// Shell integration: starts bash, zsh or fish so that they print duetty's marks and obey the agent's key. Owns: the
// generated files, the only place where a nonce meets a shell. Refuses: to read marks, to write the agent's line, and
// shells that are not interactive or were asked to read no files where there is no other way in.

import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { PtyCommand } from "../../core/pty/pty.ts";
import { packageFile } from "../../package.ts";
import type { ShellName } from "../../protocol/words/program.ts";
import { BOX_FILES } from "./box-line.ts";
import { GUARD_FILES } from "./guard.ts";
import { quoted } from "./quoted.ts";
import { STATE_FILE } from "./state.ts";

/**
 * The shell reads it when the agent's key arrives: the run's id, a newline, the text. With `guarded` after the id every
 * command of it is asked first. fish cannot do that, so a second line `names NAME …` lists names that must be real programs.
 * With `boxed` it runs in the box that box-line.ts laid out.
 */
export const LINE_FILE = "line";

/** How long a shell waits for an answer. Before that it waits for its turn to ask, as long as the daemon lives. */
const ANSWER_SECONDS_MAX = 4;

interface Integration {
  readonly shell: ShellName;
  /** [0-9a-z]{16}: what tells a mark of the shell from one that a program prints. */
  readonly nonce: string;
  readonly dir: string;
  /** For tests: how long a shell waits for an answer. */
  readonly answer_seconds?: number;
}

interface Flags {
  /** Options without a value that change nothing for us. */
  readonly plain: readonly string[];
  /** Options that take the next word. */
  readonly valued: readonly string[];
  /** Letters that may be joined: `-il`. */
  readonly letters: string;
}

const FLAGS: Readonly<Record<ShellName, Flags>> = {
  bash: {
    plain: ["--login", "--norc", "--noprofile", "--posix", "--verbose"],
    valued: ["--rcfile", "--init-file", "-o", "+o", "-O", "+O"],
    letters: "ilabefhmuvxBCEHPT",
  },
  zsh: { plain: ["--login", "--interactive"], valued: ["-o", "+o"], letters: "ildaeuxk" },
  fish: {
    plain: ["--login", "--interactive", "--no-config", "--private"],
    valued: ["-C", "--init-command", "-d", "--debug", "-o", "--debug-output", "-f", "--features"],
    letters: "liNP",
  },
};

/** Which shell this command is, when it is an interactive one that can be integrated; scripts and -c are not. */
export function shellOf(file: string, args: readonly string[]): ShellName | null {
  const shell = basename(file);
  if (shell !== "bash" && shell !== "zsh" && shell !== "fish") return null;
  const { plain, valued, letters } = FLAGS[shell];
  const joined = new RegExp(`^[-+][${letters}]+$`);
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (valued.includes(arg)) {
      if (shell === "zsh" && /^no_?rcs$/i.test(args[at + 1] ?? "")) return null;
      at += 1;
      if (at === args.length) return null;
    } else if (!plain.includes(arg) && !joined.test(arg) && !valued.some((flag) => arg.startsWith(`${flag}=`))) {
      return null;
    }
  }
  return shell;
}

/** Writes what the shell needs into `dir` (0700, files 0600) and returns the command to start instead. */
export function integrate(command: PtyCommand, spec: Integration): PtyCommand {
  mkdirSync(spec.dir, { recursive: true, mode: 0o700 });
  chmodSync(spec.dir, 0o700);
  switch (spec.shell) {
    case "bash":
      return integrateBash(command, spec);
    case "zsh":
      return integrateZsh(command, spec);
    case "fish":
      return integrateFish(command, spec);
  }
}

/** Removes the files that the shell has read, so that nobody else can. Keeps what it still needs. */
export function forget(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (!KEPT.includes(name)) rmSync(join(dir, name), { force: true });
  }
}

/** `text` and `trap`: where a shell parks one history entry and its traps between two built-ins. `denied`: the cycle. */
const KEPT: readonly string[] = [
  LINE_FILE,
  "text",
  "trap",
  "denied",
  STATE_FILE,
  ...Object.values(GUARD_FILES),
  ...Object.values(BOX_FILES),
];

function integrateBash(command: PtyCommand, spec: Integration): PtyCommand {
  const file = join(spec.dir, "start.bash");
  const rest: string[] = [];
  const asked = { norc: false, noprofile: false, login: false, rcfile: "~/.bashrc" };
  const words = command.args.values();
  for (const arg of words) {
    if (arg === "--norc") asked.norc = true;
    else if (arg === "--noprofile") asked.noprofile = true;
    else if (arg === "--login") asked.login = true;
    else if (arg === "--rcfile" || arg === "--init-file") asked.rcfile = quoted(words.next().value ?? "");
    else if (FLAGS.bash.valued.includes(arg)) rest.push(arg, words.next().value ?? "");
    else if (/^-\w*l/.test(arg)) {
      asked.login = true;
      if (arg !== "-l") rest.push(arg.replace("l", ""));
    } else rest.push(arg);
  }
  const files = asked.login ? (asked.noprofile ? "" : BASH_LOGIN) : asked.norc ? "" : source(asked.rcfile);
  // Without an rc file the only way in is the first prompt. We read login files ourselves, because with -l bash reads no rcfile.
  const first = asked.norc && !asked.login;
  write(file, [first ? bashHook(command.env.PROMPT_COMMAND) : files, BASH_LOAD(spec), first ? BASH_NOW : ""]);
  if (!first) return { ...command, args: ["--rcfile", file, ...longFirst(rest, "-i")] };
  const env = { ...command.env, PROMPT_COMMAND: `. ${quoted(file)}` };
  return { ...command, args: ["--norc", ...longFirst(rest, "-i")], env };
}

/** bash wants its long options before the short ones. */
function longFirst(args: readonly string[], added: string): string[] {
  return [...args.filter((arg) => arg.startsWith("--")), added, ...args.filter((arg) => !arg.startsWith("--"))];
}

const source = (path: string): string => `if [ -r ${path} ]; then . ${path}; fi`;

const BASH_LOGIN = `${source("/etc/profile")}
if [ -r ~/.bash_profile ]; then . ~/.bash_profile
elif [ -r ~/.bash_login ]; then . ~/.bash_login
elif [ -r ~/.profile ]; then . ~/.profile
fi`;

/** The shell would expand the user's aliases inside our functions while it reads them. */
const BASH_LOAD = ({
  nonce,
  dir,
  answer_seconds = ANSWER_SECONDS_MAX,
}: Integration): string => `__duetty_nonce=(${nonce})
__duetty_dir=(${quoted(dir)})
__duetty_limit=(${answer_seconds})
__duetty_alias=(-u)
\\builtin shopt -q expand_aliases && __duetty_alias=(-s)
\\builtin shopt -u expand_aliases
. ${quoted(script("duetty.bash"))}
builtin shopt "\${__duetty_alias[0]}" expand_aliases
unset -v __duetty_alias`;

/** Restores what we replaced. The resulting array is not exported. */
const bashHook = (theirs: string | undefined): string =>
  `unset -v PROMPT_COMMAND${theirs === undefined ? "" : `\nPROMPT_COMMAND=${quoted(theirs)}`}`;

/** Sourced by the very PROMPT_COMMAND that it replaces: this prompt's hook has to run now, as if on row 0. */
const BASH_NOW = `eval "\${__duetty_last[0]}"\n__duetty_row=(0)`;

function integrateZsh(command: PtyCommand, spec: Integration): PtyCommand {
  const theirs = command.env.ZDOTDIR;
  const restore = theirs === undefined ? "unset ZDOTDIR" : `export ZDOTDIR=${quoted(theirs)}`;
  write(join(spec.dir, ".zshenv"), [restore, sourceZsh(".zshenv"), zshBorrow(spec.dir)]);
  write(join(spec.dir, ".zprofile"), [ZSH_RETURN, sourceZsh(".zprofile"), zshBorrow(spec.dir)]);
  write(join(spec.dir, ".zshrc"), [
    ZSH_RETURN,
    // macOS' /etc/zshrc derives it from ZDOTDIR before we are asked.
    `[[ \${HISTFILE-} != ${quoted(spec.dir)}/* ]] || HISTFILE="\${ZDOTDIR:-$HOME}/\${HISTFILE##*/}"`,
    "unset __duetty_zdotdir __duetty_zdotdir_type",
    sourceZsh(".zshrc"),
    "typeset -gA __duetty",
    `__duetty=(nonce ${spec.nonce} dir ${quoted(spec.dir)} limit ${spec.answer_seconds ?? ANSWER_SECONDS_MAX})`,
    `() { setopt localoptions no_aliases no_xtrace; \\builtin source ${quoted(script("duetty.zsh"))} plain; }`,
    `\\emulate -R zsh -o no_aliases -o no_xtrace -c ${quoted(`source ${quoted(script("duetty.zsh"))}`)}`,
  ]);
  return { ...command, env: { ...command.env, ZDOTDIR: spec.dir } };
}

const sourceZsh = (name: string): string =>
  `if [[ -r "\${ZDOTDIR:-$HOME}/${name}" ]]; then source "\${ZDOTDIR:-$HOME}/${name}"; fi`;

/** Some people set ZDOTDIR in .zshenv. We remember its value and whether it is exported, then make the next file ours. */
const zshBorrow = (dir: string): string => `__duetty_zdotdir="\${ZDOTDIR-}"
__duetty_zdotdir_type="\${(t)ZDOTDIR-}"
ZDOTDIR=${quoted(dir)}`;

const ZSH_RETURN = `unset ZDOTDIR
case "\${__duetty_zdotdir_type-}" in
  '') ;;
  *export*) export ZDOTDIR="\${__duetty_zdotdir}" ;;
  *) ZDOTDIR="\${__duetty_zdotdir}" ;;
esac`;

function integrateFish(command: PtyCommand, spec: Integration): PtyCommand {
  const file = join(spec.dir, "start.fish");
  write(file, [
    `set -g __duetty_nonce ${spec.nonce}`,
    `set -g __duetty_dir ${fishQuoted(spec.dir)}`,
    `set -g __duetty_limit ${spec.answer_seconds ?? ANSWER_SECONDS_MAX}`,
    `source ${fishQuoted(script("duetty.fish"))}`,
  ]);
  return { ...command, args: [...command.args, "-C", `source ${fishQuoted(file)}`] };
}

function script(name: string): string {
  return packageFile(`shell/${name}`);
}

function write(file: string, lines: readonly string[]): void {
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
