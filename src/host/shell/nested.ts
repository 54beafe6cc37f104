// What is typed to a shell inside of a session's program, so that it marks its commands: a line that everybody sees, and the
// script that this line reads and evaluates. Owns: nothing. Nothing of it is a file on the other side.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { oneWord } from "../../core/block/line-frame.ts";
import { packageFile } from "../../package.ts";
import type { ShellName } from "../../protocol/words/program.ts";

/**
 * For bash, zsh and fish alike; in any other shell it does nothing. The blank keeps it out of many histories. It says which shell
 * evaluates it, and reads one line for ten seconds, without echo and without the limit of lines.
 */
export function greeting(token: string): string {
  const mark = `printf "\\033]633;H;%s;${token}\\007" "$0">/dev/tty`;
  const reader = `s=$(stty -g);stty -echo -icanon min 0 time 100;${mark};read -r l;stty $s;printf %b "$l"`;
  // Each in a shell of its own: under `set -u` the two that are not set end theirs.
  const versions = ["BASH", "ZSH", "FISH"].map((name) => `$(echo $${name}_VERSION)`).join(";");
  return ` eval "$(sh -c '${reader}' "${versions}" </dev/tty)"\r`;
}

/** Sixteen letters and digits that nobody knows. */
export function secret(): string {
  return randomBytes(8).toString("hex");
}

const NONCE: Readonly<Record<ShellName, (nonce: string) => string>> = {
  bash: (nonce) => `__duetty_nonce=(${nonce})`,
  zsh: (nonce) => `typeset -g __duetty_nonce=${nonce}`,
  fish: (nonce) => `set -g __duetty_nonce ${nonce}`,
};

/** The script as one line for `printf %b`. The scripts are ASCII. */
export function marksOf(shell: ShellName, nonce: string): string {
  const lines = readFileSync(packageFile(`shell/nested.${shell}`), "utf8").split("\n");
  const code = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  return `${oneWord([NONCE[shell](nonce), ...code].join("\n"))}\n`;
}
