// Port: where a session's journal is kept. Adapters: src/host/disk/files.ts, a memory store in tests.
// One writer per file: the holder writes output and records, the daemon everything else.
import type { SessionInfo } from "../../protocol/ops/session.ts";
import type { ShellName } from "../../protocol/words/program.ts";
import type { BoxSummary } from "../box/plan.ts";
import type { Recipe } from "../recipe/recipe.ts";

export interface MetaWorktree {
  readonly tree: string;
  readonly branch: string;
  readonly path: string;
  readonly repo: string;
  readonly port: number;
}

/** A shell inside of a session's program that marks its commands since a person integrated it. */
export interface NestedShell {
  readonly id: string;
  /** The shell that it runs in, if that is nested too, and the number of that shell's prompt. */
  readonly parent: string | null;
  readonly parent_cycle: number;
  readonly nonce: string;
  readonly shell: ShellName;
  /** How one got there: ssh, docker, sudo, bash … */
  readonly kind: string;
  /** As the command line names it. */
  readonly host: string | null;
  /** The kernel sees only the program that leads there, not what runs there. */
  readonly far: boolean;
  /** The program in front while it reads its line. */
  readonly pid: number;
  readonly instance: string | null;
  /** Where its part of the output begins. */
  readonly cursor: number;
}

/** What was asked for when the session was opened. */
export interface Meta {
  readonly session_id: string;
  readonly name: string | null;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env_names: readonly string[];
  readonly cols: number;
  readonly rows: number;
  /** pinned: only an explicit resize changes the size. follow: a person's smallest visible viewer decides. */
  readonly sizing: SessionInfo["sizing"];
  readonly actor: string;
  readonly created_at: number;
  /** The integrated shell and the nonce that identifies its marks. Null for other programs. */
  readonly integration: { readonly shell: ShellName; readonly nonce: string } | null;
  readonly nested?: readonly NestedShell[];
  /** The box that its program runs in. Null, or missing in an older one: none. */
  readonly box?: BoxSummary | null;
  /** The agent CLI that it was opened for, by the name of its preset. */
  readonly agent?: string | null;
  /** What was asked for behind the agent's name. Neither this nor the command has our own words, which are for one start. */
  readonly agent_args?: readonly string[];
  /** How the agent itself calls its conversation, once it has told. Untrusted. */
  readonly agent_session_id?: string | null;
  /** How it is started again after the machine's restart. Missing in an older one, which is not. */
  readonly recipe?: Recipe;
  /** The git worktree that is its own: the id of the tree's note, and the first of its ports. */
  readonly worktree?: MetaWorktree | null;
  /** What its output has once its worktree is complete. Missing: there was nothing to do before its program. */
  readonly provision?: string;
  /** What its agent was given to do. */
  readonly task?: { readonly text: string } | null;
  readonly put_away?: boolean;
  /** Digests of hunks of its worktree that a person accepted. */
  readonly accepted?: readonly string[];
  /** When it leaves the disk, once a person was told. */
  readonly leaves_at?: number | null;
}

export type LineFile = "records" | "events" | "screen" | "blocks" | "conversation" | "pieces";

export interface LinesPart {
  /** Whole lines only, from the offset on. */
  readonly lines: readonly unknown[];
  /** The offset after the last line given. */
  readonly next: number;
  /** Bytes in the file now. */
  readonly size: number;
}

export interface SessionFiles {
  /** Bytes stored so far. */
  outputSize(): number;
  /** Appends and returns how many bytes were stored. Fewer than given means that the disk refused the rest. */
  appendOutput(bytes: Uint8Array): number;
  /** Reads from `at` into the buffer; returns the count, 0 at the end. */
  readOutput(at: number, into: Uint8Array): number;
  /** Whether a text stands somewhere between two cursors, as bytes. Much faster than reading. */
  outputHas(text: string, from: number, to: number): boolean;
  /** False while the disk refuses. The line is then written later, before the next one. */
  appendLine(file: LineFile, value: object): boolean;
  /** Appends in order but in the background, so nobody waits for the disk. A line that the disk refuses is lost. */
  appendLater(file: LineFile, ...values: object[]): void;
  /** Resolves when all background appends are done. */
  settled(): Promise<void>;
  /** Whole lines only; a torn last line is cut off and kept aside. */
  readLines(file: LineFile): unknown[];
  /** At most `limit` lines from a byte offset on. From inside a line it starts after the next line break. */
  readLinesFrom(file: LineFile, offset: number, limit: number): LinesPart;
  /** Replaces the newest whole screen in the background. A newer one always wins. */
  writeSnapshot(value: object): void;
  /** Cursors of the stored engine states, ascending. This is a cache that may vanish at any time. */
  keyframes(): number[];
  readKeyframe(cursor: number): Promise<Uint8Array | undefined>;
  /** Stores a state in the background. Failing to store it does no harm. */
  writeKeyframe(cursor: number, state: Uint8Array): void;
  /** Bits that help a search, a cache that may vanish at any time. Failing to store them does no harm. */
  readBits(at: number, into: Uint8Array): number;
  writeBits(at: number, bits: Uint8Array): void;
  close(): void;
}

export interface Store {
  ids(): string[];
  meta(id: string): Meta | undefined;
  writeMeta(meta: Meta): void;
  /** Deletes all that a session has on disk. */
  remove(id: string): void;
  /** Bytes on disk, of everything that it has there. */
  diskUse(id: string): number;
  /** True once a PTY was started for it: the output file exists. */
  started(id: string): boolean;
  /** Compresses the output of a session that has ended, or what is before `old`. Readers do not notice. False: it stays as it is. */
  pack(id: string, old?: number): Promise<boolean>;
  files(id: string, use: "holder" | "daemon"): SessionFiles;
}
