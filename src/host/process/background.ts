// What the commands of a shell left running: everything that carries the session's marker and began after the shell. The box
// around a shell, and what serves the box, are older than the shell.
import { processTable } from "./table.ts";

/** `marker`: "KEY=value", an entry in the environment of each process of the session. */
export function hasBackground(shell: number, marker: string): boolean {
  const table = processTable();
  const itself = table.find(({ pid }) => pid === shell);
  if (!itself) return false;
  const isYounger = (row: (typeof table)[number]) => row.pid !== shell && row.startedTick >= itself.startedTick;
  return table.some((row) => isYounger(row) && `\0${row.environ()}\0`.includes(`\0${marker}\0`));
}
