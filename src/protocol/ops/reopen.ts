// Sessions that ended with the machine, or with their holder, and the way to have them again.
import * as z from "zod";
import { op } from "../op.ts";
import { SessionId, SessionRef, Ts } from "../words/ids.ts";
import { SessionInfo } from "./session.ts";

export const Lost = SessionInfo.pick({ session_id: true, name: true, actor: true, agent: true, box: true }).extend({
  command: z.array(z.string()).describe("what would be started"),
  line: z.string().describe("the same as one line of a shell"),
  cwd: z.string().describe("where"),
  created_at: Ts,
  boot: z.enum(["earlier", "this"]).describe("earlier: the machine was started again since"),
  notes: z.array(z.string()).describe("how it would differ from what ran"),
  alone: z.string().nullable().describe("why a person is asked about this one alone; null: it comes with all others"),
  failed: z.string().nullable().describe("why it could not be started, the last time"),
  outcome: z.enum(["offered", "started", "failed", "forgotten"]),
  restored_as: SessionId.nullable().describe("the session that stands for it now"),
});
export type Lost = z.output<typeof Lost>;

export const restore = op("restore", {
  summary:
    "Show which sessions ended with the machine or with their holder, and what would be started for each; start them, or forget them.",
  effect: "control",
  input: z.object({
    do: z.enum(["show", "start", "forget"]).default("show"),
    sessions: z
      .array(SessionRef)
      .max(1_000)
      .optional()
      .describe("which; default: all, and of these only the ones that are started without a question of their own"),
    base_env: z.record(z.string(), z.string()).optional().describe("whole environment instead of the daemon's"),
  }),
  output: z.object({ sessions: z.array(Lost).describe("oldest first") }),
});
