// What an agent typed to a program of a person's shell, and the program did not read, must not become the shell's next line.
// The holder throws it away. Owns: the program that waits for that, and the word that it is done. The shell runs it before its
// prompt, if it is there, and it removes itself.
import fs from "node:fs";
import { join } from "node:path";

const DRAIN_FILE = "drain";
const OVER_FILE = "drain.over";

/**
 * It waits for the word. Without one, after five seconds, there is no daemon, so nothing new comes, and it reads what the holder
 * still has. Keys that send signals must not end it.
 */
const PROGRAM = `#!/bin/bash -p
trap '' INT QUIT TSTP HUP
LC_ALL=C
exec {silent}<> <(:)
for ((i = 0; i < 250; i++)); do
  [[ ! -e $0.over ]] || break
  read -t 0.02 -u "$silent"
done
if [[ ! -e $0.over ]]; then
  while IFS= read -rs -N 4096 -t 0.2 unread || [[ $unread ]]; do :; done
fi
rm -f -- "$0" "$0.over"
`;

/** Before the first key to a program. */
export function layDrain(dir: string): void {
  const file = join(dir, DRAIN_FILE);
  if (isDrainLaid(dir)) return;
  fs.rmSync(join(dir, OVER_FILE), { force: true });
  fs.writeFileSync(file, PROGRAM, { mode: 0o700 });
}

export function isDrainLaid(dir: string): boolean {
  return fs.existsSync(join(dir, DRAIN_FILE));
}

/** The program has ended, and what was typed to it is thrown away. */
export function endDrain(dir: string): void {
  if (isDrainLaid(dir)) fs.writeFileSync(join(dir, OVER_FILE), "");
}
