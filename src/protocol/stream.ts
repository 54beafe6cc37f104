// The WebSocket's text frames. Binary frames are raw bytes and need no schema.
import * as z from "zod";
import { Block } from "./blocks.ts";
import { Cols, Cursor, Rows, SessionId } from "./ids.ts";
import { SessionState } from "./session.ts";

export const FromViewer = z.discriminatedUnion("type", [
  z.object({ type: z.literal("resize"), cols: Cols, rows: Rows }),
  z.object({ type: z.literal("ack"), cursor: Cursor }),
  z.object({ type: z.literal("visible"), visible: z.boolean() }),
]);
export type FromViewer = z.output<typeof FromViewer>;

export const ToViewer = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    session_id: SessionId,
    cursor: Cursor,
    cols: Cols,
    rows: Rows,
    seq: z.int(),
    state: SessionState,
  }),
  z.object({ type: z.literal("snapshot"), cursor: Cursor }),
  z.object({ type: z.literal("resize"), cols: Cols, rows: Rows }),
  z.object({ type: z.literal("state"), state: SessionState }),
  z.object({ type: z.literal("hold"), hold: z.string() }),
  z.object({ type: z.literal("block_begin"), block: Block }),
  z.object({ type: z.literal("block_end"), block: Block }),
  z.object({ type: z.literal("exit"), exit_code: z.int().nullable(), signal: z.string().nullable() }),
  z.object({ type: z.literal("notice"), message: z.string() }),
]);
export type ToViewer = z.output<typeof ToViewer>;
