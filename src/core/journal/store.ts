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
  /** The shell that was told to mark its commands, and the word by which its marks are known; null for other programs. */
  readonly integration: { readonly shell: "bash" | "zsh" | "fish"; readonly nonce: string } | null;
}

export type LineFile = "records" | "events" | "screen" | "blocks" | "conversation";

export interface LinesPart {
  /** Whole lines only, from the offset on. */
  readonly lines: readonly unknown[];
  /** Offset behind the last line given. */
  readonly next: number;
  /** Bytes in the file now. */
  readonly size: number;
}

export interface SessionFiles {
  /** Bytes stored so far. */
  outputSize(): number;
  /** Appends and returns how many bytes went in; fewer than given means that the disk refused the rest. */
  appendOutput(bytes: Uint8Array): number;
  /** Reads from `at` into the buffer; returns the count, 0 at the end. */
  readOutput(at: number, into: Uint8Array): number;
  /** False while the disk refuses: the line is owed, and written before the next one that it takes. */
  appendLine(file: LineFile, value: object): boolean;
  /** In the order of the calls, but in its own time: nobody waits for the disk. A line that it refuses is lost. */
  appendLater(file: LineFile, value: object): void;
  /** Resolves when what was appended later is there. */
  settled(): Promise<void>;
  /** Whole lines only; a torn last line is cut off and kept aside. */
  readLines(file: LineFile): unknown[];
  /** At most `limit` lines from a byte offset on; an offset inside a line gives what follows the next line break. */
  readLinesFrom(file: LineFile, offset: number, limit: number): LinesPart;
  /** The newest whole screen, replaced as a whole, in its own time; a newer one always wins. */
  writeSnapshot(value: object): void;
  /** Cursors of the stored engine states, ascending: a cache that may vanish at any time. */
  keyframes(): number[];
  readKeyframe(cursor: number): Promise<Uint8Array | undefined>;
  /** In its own time and as if by chance: a state that cannot be stored is not missed. */
  writeKeyframe(cursor: number, state: Uint8Array): void;
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
