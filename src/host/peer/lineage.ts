// A process and its parents, up to the first of all. Refuses: to guess. While processes come and go the chain may break; then we
// look again, and after a few times the answer is that nobody knows.
import { signalProcess } from "../process/processes.ts";
import { type ProcessRow, processRow, processTable } from "../process/table.ts";

/** Parents that end while we look are rare. A process that makes them end on purpose stays unknown. */
const LOOKS_MAX = 3;
/** No real chain is this long. */
const PARENTS_MAX = 1_000;

/** The process first, then its parents. Null when it has ended, or when its parents cannot be told. */
export function lineageOf(pid: number): readonly ProcessRow[] | null {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const chain = chainOf(pid, rowsNow());
    if (chain) return chain;
  }
  return null;
}

/** Whether a process has this parent, at any distance. One that nobody can tell counts as if it had. */
export function descendsFrom(pid: number | "hidden" | null, parent: number): boolean {
  const lineage = typeof pid === "number" ? lineageOf(pid) : null;
  return lineage === null || lineage.slice(1).some((row) => row.pid === parent);
}

function chainOf(pid: number, rowOf: (pid: number) => ProcessRow | null): ProcessRow[] | null {
  const chain: ProcessRow[] = [];
  for (let next = pid; next > 0; ) {
    const row = rowOf(next);
    const child = chain.at(-1);
    // Where /proc is mounted with hidepid, parents of other users cannot be seen. Ours are never among them.
    if (row === null && child !== undefined && signalProcess(next, 0) === "denied") return chain;
    // A parent is never younger than its child: this one has the pid of a parent that has ended.
    const isStranger = row !== null && child !== undefined && row.startedTick > child.startedTick;
    if (row === null || isStranger || chain.length >= PARENTS_MAX) return null;
    chain.push(row);
    next = row.parent;
  }
  return chain;
}

/** On Linux each process is one small file. macOS gives them all at once. */
function rowsNow(): (pid: number) => ProcessRow | null {
  if (process.platform === "linux") return processRow;
  const rows = new Map(processTable().map((row) => [row.pid, row]));
  return (pid) => rows.get(pid) ?? null;
}
