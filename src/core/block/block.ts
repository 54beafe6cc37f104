// One command with its output, exit code and byte range; immutable once ended.

export interface Block {
  readonly block_id: string;
  /** Null when the shell did not know the line, as one that it keeps out of its history. */
  readonly cmd: string | null;
  readonly cwd: string | null;
  readonly actor: string;
  readonly ts_begin: number;
  readonly ts_end: number | null;
  readonly duration_ms: number | null;
  readonly exit_code: number | null;
  /** The first byte of its output. */
  readonly cursor_begin: number;
  /** Behind the last byte of its output; while it runs, null. */
  readonly cursor_end: number | null;
  /** lost: the session vanished under it, or the shell never said how it ended. */
  readonly state: "running" | "done" | "failed" | "lost";
  readonly alt_screen_used: boolean;
  /** The call that ran it, when one did. */
  readonly run_id: string | null;
}

/** Ids name the session, so that a block can be asked for by its id alone: b_<session>_<number>. */
export function blockId(session_id: string, number: number): string {
  return `b_${session_id.slice(2)}_${number}`;
}

/** Which session a block belongs to. */
export function sessionOfBlock(block_id: string): string | undefined {
  const found = /^b_([0-9a-z]{8})_\d{1,9}$/.exec(block_id)?.[1];
  return found === undefined ? undefined : `s_${found}`;
}

export function isBlock(line: unknown): line is Block {
  if (typeof line !== "object" || line === null) return false;
  const { block_id, cursor_begin, cursor_end, state } = line as Partial<Block>;
  if (typeof block_id !== "string" || typeof cursor_begin !== "number" || typeof cursor_end !== "number") return false;
  return state === "done" || state === "failed" || state === "lost";
}
