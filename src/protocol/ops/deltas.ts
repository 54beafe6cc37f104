// Reading what changed since last time, and whether anything did.
import * as z from "zod";
import { op } from "../op.ts";
import { Cursor, SessionId, SessionRef, Ts } from "../words/ids.ts";
import { Screen } from "./screen.ts";

export const ScreenDelta = z.object({
  type: z.literal("screen_delta"),
  seq: z.int(),
  rows: z.array(z.object({ row: z.int(), text: z.string() })),
  cursor: Screen.shape.cursor,
  title: z.string(),
  alt_screen: z.boolean(),
  ts: Ts,
});
export type ScreenDelta = z.output<typeof ScreenDelta>;

/** One answer: twenty seconds of a busy screen. */
const DELTAS_MAX = 200;

export const readDeltas = op("pty_read_screen_deltas", {
  summary: "Read which rows changed since a cursor of screen.jsonl. Begin with 0 and continue with resume_cursor.",
  effect: "read",
  input: z.object({
    session_id: SessionRef,
    cursor: Cursor.default(0).describe("resume_cursor of the last answer"),
    limit: z.int().min(1).max(DELTAS_MAX).default(50).describe("how many deltas at most"),
  }),
  output: z.object({
    session_id: SessionId,
    deltas: z.array(ScreenDelta),
    cursor: Cursor,
    resume_cursor: Cursor,
    file_size: Cursor,
  }),
  cli: {
    verb: "deltas",
    args: ["session_id"],
    print: "screen",
    examples: ["duetty deltas web", "duetty deltas web --cursor 4096 --limit 20"],
  },
  mcp: {
    title: "Read screen changes",
    description:
      "Read how a screen changed, moment by moment, oldest first: what happened while you did not look. Begin with cursor 0, go on with resume_cursor until it equals file_size.",
    tier: "readonly",
    hints: { readOnly: true },
    defaults: { limit: 20 },
  },
});

export const screenStatus = op("pty_screen_status", {
  summary: "Check whether a screen changed without reading it: seq, hash, cursor, echo, hold.",
  effect: "read",
  input: z.object({ session_id: SessionRef }),
  output: Screen.omit({ rows: true, scrollback: true, unchanged: true, content: true, first_row: true }),
  mcp: {
    title: "Check the screen",
    description:
      "Know whether a screen changed without reading it: seq, hash, cursor, title, echo, program in front, state, who has the keyboard.",
    tier: "readonly",
    hints: { readOnly: true },
  },
});
