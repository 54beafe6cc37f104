// Restore points: the files of a workspace as they were before agents changed them, and the way back.
import * as z from "zod";
import { op } from "../op.ts";
import { SessionId, SessionRef, Ts } from "../words/ids.ts";

const Counts = z.object({ added: z.int(), modified: z.int(), deleted: z.int() });

const PathNote = z.object({ path: z.string(), why: z.string() });

export const Point = z.object({
  point_id: z.string(),
  ts: Ts,
  workspace: z.string(),
  actor: z.string().describe("whose input it was made before"),
  session_id: SessionId.nullable(),
  text: z.string().describe("the input that it was made before"),
  skipped: z.string().nullable().describe("why nothing was kept; null when the files were kept"),
  changed: Counts.nullable().describe("files that changed from here to the next point; null for the newest"),
  left_out: z.array(PathNote).describe("files that were there and are not kept, at most 20"),
  left_out_total: z.int(),
});
export type Point = z.output<typeof Point>;

export const points = op("points", {
  summary:
    "List the restore points of a session's workspace: its files before each line of an agent that changed some.",
  effect: "read",
  input: z.object({ session_id: SessionRef }),
  output: z.object({
    session_id: SessionId,
    workspace: z.string().nullable().describe("the folder whose files are kept"),
    why: z.string().nullable().describe("why no folder's files are kept"),
    points: z.array(Point).describe("oldest first"),
  }),
  cli: { verb: "points", args: ["session_id"], print: "restore", examples: ["duetty points web"] },
});

const UndoneFile = z.object({
  path: z.string(),
  change: z.enum(["brought back", "changed back", "removed", "permissions", "folder"]),
  added: z.int().nullable().describe("lines; null when it is not text or was not compared"),
  removed: z.int().nullable(),
});

export const undo = op("undo", {
  summary:
    "Show what going back to a restore point would change, or go back. The files as they are now become a point first.",
  effect: "control",
  input: z.object({
    session_id: SessionRef,
    to: z.string().min(1).max(100).optional().describe("the point; default: the newest that differs from now"),
    paths: z.array(z.string().min(1).max(4_000)).max(1_000).optional().describe("only these files and folders"),
    in_way: z
      .enum(["leave", "move"])
      .default("leave")
      .describe("what is not kept and stands where a file comes back: left alone, or moved to another name beside it"),
    apply: z.boolean().default(false).describe("change the files; otherwise only show"),
    seen: z.string().max(300).optional().describe("`seen` of the answer that was shown; files that changed since stay"),
  }),
  output: z.object({
    session_id: SessionId,
    workspace: z.string(),
    point: Point,
    applied: z.boolean(),
    saved_as: z.string().nullable().describe("the point that brings back the files as they were before this"),
    seen: z.string(),
    files: z.array(UndoneFile).describe("at most 1,000"),
    total: z.int(),
    diff: z.string().describe("from now to the point"),
    diff_cut: z.boolean(),
    left_alone: z
      .array(PathNote.extend({ in_way: z.boolean().describe("comes back with in_way: move") }))
      .describe("files that are not touched, and why"),
    moved: z
      .array(z.object({ path: z.string(), to: z.string().nullable() }))
      .describe("what is in the way and gets another name; `to` is null until it is done"),
  }),
});
