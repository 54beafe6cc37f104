// The lines of records.jsonl: with output.raw they rebuild any screen. Written by the holder alone.
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

/** Output that could not be stored: `bytes` of it are missing right before `cursor`. */
export interface GapRecord {
  readonly cursor: number;
  readonly kind: "gap";
  readonly bytes: number;
  readonly ts: number;
}

export type JournalRecord = ResizeRecord | ExitRecord | GapRecord;

const KINDS = new Set(["resize", "exit", "gap"]);

export function isJournalRecord(value: unknown): value is JournalRecord {
  if (typeof value !== "object" || value === null) return false;
  if (!("kind" in value && "cursor" in value)) return false;
  return typeof value.kind === "string" && KINDS.has(value.kind) && typeof value.cursor === "number";
}
