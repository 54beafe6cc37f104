// The WebSocket's text frames. Binary frames are raw bytes and need no schema.
import * as z from "zod";
import { AgentEvent } from "./ops/agent.ts";
import { Block, BlockId } from "./ops/blocks.ts";
import { Approval } from "./ops/gate.ts";
import { SessionState } from "./ops/session.ts";
import { ShareRole } from "./ops/share.ts";
import { Cols, Cursor, Rows, SessionId } from "./words/ids.ts";
import { HoldNote, HoldReason, Mode, Policy } from "./words/policy.ts";
import { CursorAt, MouseFormat, MouseMode } from "./words/program.ts";

export const FromViewer = z.discriminatedUnion("type", [
  // asks: the session is to have this size from now on. Otherwise it counts when this viewer's person types.
  z.object({ type: z.literal("resize"), cols: Cols, rows: Rows, asks: z.boolean().optional() }),
  z.object({ type: z.literal("ack"), cursor: Cursor }),
  z.object({ type: z.literal("visible"), visible: z.boolean() }),
  z.object({ type: z.literal("take"), note: HoldNote.optional() }),
  z.object({ type: z.literal("release"), note: HoldNote.optional() }),
  z.object({ type: z.literal("stop") }),
  // Answered by "lifted". As a frame it comes after the keys that were sent before it.
  z.object({ type: z.literal("lift") }),
  z.object({ type: z.literal("mode"), mode: Mode }),
  z.object({
    type: z.literal("answer"),
    approval_id: z.string(),
    answer: z.enum(["approve", "deny"]),
    edit: z.string().optional(),
    // SHA-256 of the text that was shown.
    shown: z.string().optional(),
    reason: z.string().optional(),
  }),
]);
export type FromViewer = z.output<typeof FromViewer>;

/** view=composed: the rows that changed (the first time all), as text with SGR runs, and where the cursor stands. */
export const Paint = z.object({
  type: z.literal("paint"),
  rows: z.array(z.object({ row: z.int().min(0), ansi: z.string() })),
  cursor: CursorAt,
  cols: Cols,
  rows_count: Rows,
  title: z.string(),
  alt_screen: z.boolean(),
  modes: z.object({
    application_cursor: z.boolean(),
    application_keypad: z.boolean(),
    bracketed_paste: z.boolean(),
    mouse: MouseMode,
    mouse_format: MouseFormat,
    focus: z.boolean().optional(),
    kitty_keyboard: z.int(),
  }),
});
export type Paint = z.output<typeof Paint>;

/** The people who watch this session now, the owner among them, and what each may do. */
export const Presence = z.object({
  type: z.literal("presence"),
  here: z.array(z.object({ actor: z.string(), may: z.enum(["all", ...ShareRole.options]) })),
});
export type Presence = z.output<typeof Presence>;

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
  // Input up to the frame with this number is typed. For a viewer that gives itself a number and counts its frames.
  z.object({ type: z.literal("typed"), typed: z.int() }),
  // part: only what is visible, for a viewer that is behind. The lines above come with a whole one, before any bytes.
  z.object({ type: z.literal("snapshot"), cursor: Cursor, part: z.literal("screen").optional() }),
  z.object({ type: z.literal("resize"), cols: Cols, rows: Rows }),
  z.object({ type: z.literal("state"), state: SessionState }),
  z.object({
    type: z.literal("hold"),
    hold: z.string(),
    reason: HoldReason.nullable(),
    note: z.string().nullable(),
  }),
  z.object({ type: z.literal("mode"), mode: Mode }),
  z.object({ type: z.literal("policy"), policy: Policy }),
  // The half line at the shell's prompt and who typed it; empty: there is none.
  z.object({ type: z.literal("line"), text: z.string(), actor: z.string() }),
  z.object({ type: z.literal("lifted"), text: z.string().nullable(), actor: z.string() }),
  z.object({ type: z.literal("approval"), approval: Approval }),
  z.object({ type: z.literal("approval_settled"), approval: Approval }),
  z.object({ type: z.literal("agent"), event: AgentEvent }),
  z.object({ type: z.literal("block_begin"), block: Block }),
  z.object({ type: z.literal("block_end"), block: Block }),
  // There is more output after this command, though nothing runs: of a background job, for example.
  z.object({ type: z.literal("after"), block_id: BlockId }),
  Paint,
  z.object({ type: z.literal("exit"), exit_code: z.int().nullable(), signal: z.string().nullable() }),
  Presence,
  z.object({ type: z.literal("notice"), message: z.string() }),
]);
export type ToViewer = z.output<typeof ToViewer>;
