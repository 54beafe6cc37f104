// Whether a shell's exit code says that a job was stopped and may go on. Pure.

/** 128 and SIGSTOP, SIGTSTP, SIGTTIN or SIGTTOU, on Linux and on macOS. */
const STOPPED: ReadonlySet<number | null> = new Set([145, 146, 147, 148, 149, 150]);

export function isStopped(exit_code: number | null): boolean {
  return STOPPED.has(exit_code);
}
