// Port: where a session's truth lies. Adapters: host/files, a memory store in tests.
// One writer per file: the holder writes output and records, the daemon everything else.

/** What was asked for when the session was opened. */
export interface Meta {
  readonly session_id: string;
  readonly name: string | null;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env_names: readonly string[];
  readonly cols: number;
  readonly rows: number;
  /** pinned: only an explicit resize changes it. follow: the smallest visible viewer of a person decides. */
  readonly sizing: "pinned" | "follow";
  readonly actor: string;
  readonly created_at: number;
}

export type LineFile = "records" | "events";

export interface SessionFiles {
  /** Bytes stored so far. */
  outputSize(): number;
  /** Appends and returns how many bytes went in; fewer than given means that the disk refused the rest. */
  appendOutput(bytes: Uint8Array): number;
  /** Reads from `at` into the buffer; returns the count, 0 at the end. */
  readOutput(at: number, into: Uint8Array): number;
  /** False when the disk refused; nothing of the line is kept then. */
  appendLine(file: LineFile, value: object): boolean;
  /** Whole lines only; a torn last line is cut off and kept aside. */
  readLines(file: LineFile): unknown[];
  close(): void;
}

export interface Store {
  ids(): string[];
  meta(id: string): Meta | undefined;
  writeMeta(meta: Meta): void;
  /** Forgets a session that never came to be. */
  remove(id: string): void;
  /** True once a PTY was started for it: the output file exists. */
  started(id: string): boolean;
  files(id: string, use: "holder" | "daemon"): SessionFiles;
}
