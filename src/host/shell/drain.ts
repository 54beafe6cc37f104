// What an agent typed to a program of a person's shell, and the program did not read, must not become the shell's next line.
// Owns: the program that throws it away, and the word that no more will come. The shell runs it before its prompt, if it is
// there, and it removes itself.
import fs from "node:fs";
import { join } from "node:path";

const DRAIN_FILE = "drain";
const OVER_FILE = "drain.over";

/** It gives up after five seconds without a word. Keys that send signals must not end it. */
const PROGRAM = `#!/bin/bash -p
trap '' INT QUIT TSTP HUP
LC_ALL=C
for ((i = 0; i < 250; i++)); do
  over= unread=
  [[ -e $0.over ]] && over=1
  IFS= read -rs -N 4096 -t 0.02 unread
  [[ $over && -z $unread ]] && break
done
rm -f -- "$0" "$0.over"
`;

/** Before the first key to a program. */
export function layDrain(dir: string): void {
  const file = join(dir, DRAIN_FILE);
  if (fs.existsSync(file)) return;
  fs.rmSync(join(dir, OVER_FILE), { force: true });
  fs.writeFileSync(file, PROGRAM, { mode: 0o700 });
}

/** The program has ended, and all that was typed to it is written. */
export function endDrain(dir: string): void {
  if (fs.existsSync(join(dir, DRAIN_FILE))) fs.writeFileSync(join(dir, OVER_FILE), "");
}
