// The lines of records.jsonl: with output.raw they rebuild any screen. Written by the holder alone.
import { isSize } from "../../protocol/plain/size.ts";
import type { ExitStatus, Size } from "../pty/pty.ts";

export interface ResizeRecord extends Size {
  readonly cursor: number;
  readonly kind: "resize";
  readonly ts: number;
}

export interface ExitRecord extends ExitStatus {
  readonly cursor: number;
  readonly kind: "exit";
  readonly ts: number;
}

/** Output that was not stored. `bytes` of it are missing right before `cursor`. */
export interface GapRecord {
  readonly cursor: number;
  readonly kind: "gap";
  readonly bytes: number;
  /** disk: it refused them, as in all gaps of earlier versions. unread: nobody read what came before, for too long. */
  readonly why?: "disk" | "unread" | undefined;
  readonly ts: number;
}

/** Records that change or interrupt the screen. */
export type JournalRecord = ResizeRecord | ExitRecord | GapRecord;

/** The bytes from `cursor` on arrived at `ts` or later. There are many marks, and only the timeline reads them. */
export interface MarkRecord {
  readonly cursor: number;
  readonly kind: "mark";
  readonly ts: number;
}

const KINDS = new Set(["resize", "exit", "gap"]);

export function isJournalRecord(value: unknown): value is JournalRecord {
  const kind = kindOf(value);
  return KINDS.has(kind) && (kind !== "resize" || isSize(value as object));
}

export function isMark(value: unknown): value is MarkRecord {
  return kindOf(value) === "mark";
}

/** "" when it is not a record. */
function kindOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  if (!("kind" in value && "cursor" in value)) return "";
  return typeof value.kind === "string" && Number.isSafeInteger(value.cursor) ? value.kind : "";
}

export function sizeBefore(cursor: number, records: readonly JournalRecord[], first: Size): Size {
  const resize = records.findLast((record) => record.kind === "resize" && record.cursor < cursor);
  return resize?.kind === "resize" ? { cols: resize.cols, rows: resize.rows } : first;
}
