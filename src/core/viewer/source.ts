// What viewers get from a session: the missing bytes when these are enough, or a repaint.
import type { JournalRecord } from "../journal/records.ts";
import type { SessionFiles } from "../journal/store.ts";
import type { Paint } from "./viewer.ts";
import { RESUME_WINDOW_BYTES, type Source } from "./viewers.ts";

export function sourceOf(
  { files, records }: { readonly files: SessionFiles; readonly records: readonly JournalRecord[] },
  playback: { fed(): number; repaint(paint: Paint): Uint8Array },
): Source {
  return {
    get fed(): number {
      return playback.fed();
    },
    since(cursor: number): Uint8Array | undefined {
      const missing = playback.fed() - cursor;
      const resized = records.some((record) => record.kind === "resize" && record.cursor > cursor);
      if (missing < 0 || missing > RESUME_WINDOW_BYTES || resized) return undefined;
      const into = new Uint8Array(missing);
      return into.subarray(0, files.readOutput(cursor, into));
    },
    repaint: (paint) => playback.repaint(paint),
  };
}

export function readRaw(files: SessionFiles, from: number, length: number): { bytes: Uint8Array; total: number } {
  const total = files.outputSize();
  const into = new Uint8Array(Math.max(0, Math.min(length, total - from)));
  return { bytes: into.subarray(0, files.readOutput(from, into)), total };
}
