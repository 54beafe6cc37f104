// What needs a person, over all sessions.
import * as z from "zod";
import { op } from "../op.ts";
import { SessionId, Ts } from "../words/ids.ts";

const Need = z.object({
  kind: z
    .enum(["approval", "password", "blocked", "failed", "done"])
    .describe("blocked: an agent CLI asks; failed and done: nobody has looked since"),
  session_id: SessionId.nullable(),
  name: z.string().nullable().describe("of the session"),
  who: z.string().describe("the agent or program"),
  why: z.string().describe("in one line"),
  since: Ts,
  approval_id: z.string().optional(),
});
export type Need = Readonly<z.output<typeof Need>>;

export const needs = op("needs", {
  summary:
    "List what needs you in all sessions, oldest first: questions, passwords, blocked agents, ends that nobody saw.",
  effect: "control",
  input: z.object({}),
  output: z.object({ needs: z.array(Need) }),
  cli: { verb: "needs", args: [], print: "gate", examples: ["duetty needs", "duetty needs --json"] },
});
