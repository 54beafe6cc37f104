// One change of what a person may want to follow: of a session, its agent CLI, a command, a question, a need.
import * as z from "zod";
import { SessionId, Ts } from "./ids.ts";

const TransitionKind = z.enum(["session", "agent", "block", "approval", "need"]);

export const Transition = z.object({
  ts: Ts,
  kind: TransitionKind,
  session_id: SessionId.nullable(),
  name: z.string().nullable().describe("of the session"),
  id: z.string().describe("what changed: the session, block, approval or need"),
  from: z.string().nullable().describe("null: it was not there"),
  to: z.string().nullable().describe("null: it is no more"),
  who: z.string().optional(),
  why: z.string().optional().describe("in one line"),
  exit_code: z.int().nullable().optional(),
});
export type Transition = Readonly<z.output<typeof Transition>>;
