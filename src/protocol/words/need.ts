// What needs a person, in words that several schemas share.
import * as z from "zod";
import { ApprovalId, SessionId, Ts } from "./ids.ts";

const NeedKind = z.enum(["approval", "password", "blocked", "failed", "done"]);

export const Need = z.object({
  tag: z.string().describe("the same as long as nothing changed"),
  kind: NeedKind.describe("blocked: an agent CLI asks; failed and done: nobody has looked since"),
  session_id: SessionId.nullable(),
  name: z.string().nullable().describe("of the session"),
  label: z.string().describe("the session's name or command, in one line"),
  who: z.string().describe("the agent or program"),
  title: z.string().describe("who and what"),
  why: z.string().describe("in one line"),
  since: Ts,
  approval_id: ApprovalId.optional(),
});
export type Need = Readonly<z.output<typeof Need>>;

/** How a person is told on a terminal of theirs. */
export const TerminalNotice = z.enum(["osc9", "osc777", "bell"]);
export type TerminalNotice = z.output<typeof TerminalNotice>;
