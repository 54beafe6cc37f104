// What agents may do in a session, in words that several schemas share.
import * as z from "zod";
import { PERSON_NAME } from "../plain/person-name.ts";

/** "approval_pending" and "echo_off" say why agents do not type while nobody has the keyboard. */
export const HoldReason = z.enum(["typing", "manual", "stop", "handed_over", "approval_pending", "echo_off"]);
export type HoldReason = z.output<typeof HoldReason>;
/** What a person says to agents when they take the keyboard or give it back. */
export const HoldNote = z.string().max(500);
export const Mode = z.enum(["agent", "terminal", "agent_terminal"]);
export type Mode = z.output<typeof Mode>;
export const Level = z.enum(["ask_first", "always_ask", "always_allow", "edit_here"]);
export type Level = z.output<typeof Level>;
/** What the gate says to what an agent wants. */
export const Decision = z.enum(["allow", "ask", "deny"]);
export type Decision = z.output<typeof Decision>;
/** As it says of itself, `--as agent:NAME`; with the machine behind it that it is at. */
export const AgentName = z.string().regex(/^(?:agent:)?[\w.-]{1,40}(?:@[a-zA-Z0-9][\w.-]{0,39})?$/, {
  error: "must be an agent's name: letters, digits, dots, dashes",
});

/** Somebody whom a session was shared with. */
export const PersonName = z
  .string()
  .regex(PERSON_NAME, { error: "must be a name: letters, digits, spaces, dots and dashes, 40 at most" });

export const Policy = z.object({
  mode: Mode,
  level: Level,
  agent_levels: z.record(z.string(), Level).describe("levels of single agents, by agent:NAME"),
  safe_mode: z.boolean(),
  auto_approve: z.boolean(),
  threshold: z.number(),
  edit_folder: z.string().nullable().describe("where edit_here counts; null: nowhere"),
});
export type Policy = z.output<typeof Policy>;
