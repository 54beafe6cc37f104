// A session's past: its timeline, commands and questions; its bytes in parts, its screens one by one.
// Owns: the one part of the bytes that was read last. Refuses: to hold the journal.
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { Approval } from "../../src/protocol/ops/gate.ts";
import type { Output } from "../../src/protocol/ops.ts";
import { call, type Fault, isFault } from "../wire/api.ts";
import type { Size } from "../wire/write-queue.ts";

/** As many as the daemon returns at once. Older ones have no segment. */
const BLOCKS_MAX = 1_000;
/** Bytes of one part: some seconds of a busy program, and all that is held. */
const PART_BYTES = 256 << 10;
/** A character has at most this many bytes before its last one. */
const CHAR_REST_MAX = 3;

export interface Recording {
  readonly timeline: Output<"timeline">;
  readonly blocks: readonly Block[];
  readonly approvals: readonly Approval[];
}

interface Picture {
  readonly size: Size;
  readonly bytes: Uint8Array;
  /** May be before the requested cursor, because a picture cannot end inside a character. */
  readonly cursor: number;
}

export async function readRecording(session_id: string): Promise<Recording | Fault> {
  const [timeline, blocks, approvals] = await Promise.all([
    call("timeline", { session_id }),
    call("blocks", { session_id, limit: BLOCKS_MAX }),
    call("approvals", { session_id, all: true }),
  ]);
  if (isFault(timeline)) return timeline;
  return {
    timeline,
    blocks: isFault(blocks) ? [] : blocks.blocks,
    approvals: isFault(approvals) ? [] : approvals.approvals,
  };
}

export class RecordedBytes {
  readonly #session: string;
  #from = 0;
  #part = new Uint8Array();

  constructor(session: string) {
    this.#session = session;
  }

  /** Bytes from one cursor up to another at most, or fewer when the part ends. */
  async read(from: number, to: number): Promise<Uint8Array | Fault> {
    const end = this.#from + this.#part.length;
    if (from < this.#from || from >= end) {
      const answer = await call("pty_read_raw", { session_id: this.#session, from, length: PART_BYTES });
      if (isFault(answer)) return answer;
      this.#from = answer.from;
      this.#part = Uint8Array.from(atob(answer.base64), (char) => char.charCodeAt(0));
    }
    return this.#part.subarray(from - this.#from, to - this.#from);
  }

  async picture(at: number): Promise<Picture | Fault> {
    for (let cursor = at; ; cursor -= 1) {
      const session_id = this.#session;
      const screen = await call("pty_read_screen", { session_id, at: cursor, format: "ansi" });
      if (isFault(screen)) return screen;
      const content = screen.content ?? "";
      // The picture ends with half a character, which text cannot carry.
      if (content.endsWith("\ufffd") && cursor > 0 && at - cursor < CHAR_REST_MAX) continue;
      const size = { cols: screen.cols, rows: screen.rows_count };
      return { size, bytes: new TextEncoder().encode(content), cursor };
    }
  }
}
