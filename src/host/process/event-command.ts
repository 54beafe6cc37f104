// A short program of a person's own that hears of an event: its text on standard input, no shell, no terminal, a time limit.
// Owns: the process until it ends, and what it prints, within a limit.
import { spawn } from "node:child_process";

/** Long enough for an error message. */
const OUTPUT_BYTES_MAX = 4_000;

interface EventCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string;
  readonly limitMs: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

interface EventCommandEnd {
  /** Its exit code, the signal that ended it, or why it did not start. */
  readonly how: number | string;
  readonly output: string;
}

export function runEventCommand({ argv, cwd, env, stdin, limitMs, signal }: EventCommand): Promise<EventCommandEnd> {
  const [file = "", ...args] = argv;
  return new Promise((resolve) => {
    // detached: it has a group of its own, which ends as a whole.
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    const parts: Buffer[] = [];
    let size = 0;
    const keep = (part: Buffer) => {
      if (size < OUTPUT_BYTES_MAX) parts.push(part.subarray(0, OUTPUT_BYTES_MAX - size));
      size += part.length;
    };
    let isEnded = false;
    const end = () => {
      isEnded = true;
      endGroup(child.pid);
      // What it started elsewhere may hold the pipes; nobody waits for that.
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    };
    const limit = setTimeout(end, limitMs);
    signal.addEventListener("abort", end);
    const over = (how: number | string) => {
      clearTimeout(limit);
      signal.removeEventListener("abort", end);
      resolve({
        how: isEnded ? `ended, at the latest after ${limitMs} ms` : how,
        output: Buffer.concat(parts).toString(),
      });
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    // It need not read what it is told.
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    child.once("error", (error) => over(error.message));
    child.once("close", (code, by) => over(by ?? code ?? 0));
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // ESRCH: it ended just now.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
