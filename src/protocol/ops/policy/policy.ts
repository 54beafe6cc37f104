// Who works in a session, and what agents may do there without asking.
import * as z from "zod";
import { op } from "../../op.ts";
import { SessionId, SessionRef } from "../../words/ids.ts";
import { AgentName, Level, Mode, Policy } from "../../words/policy.ts";

export const mode = op("mode", {
  summary: "Show or set who works in a session: agent, terminal (only the person), agent_terminal (both).",
  effect: "write",
  input: z.object({ session_id: SessionRef, mode: Mode.optional() }),
  output: z.object({ session_id: SessionId, mode: Mode }),
  cli: {
    verb: "mode",
    args: ["session_id", "mode"],
    print: "gate",
    examples: ["duetty mode web", "duetty mode web terminal"],
  },
});

const Switch = z.enum(["on", "off"]);

export const policy = op("policy", {
  summary: "Show or set what agents may do in a session without asking. Only people may set it.",
  effect: "write",
  input: z.object({
    session_id: SessionRef,
    level: z
      .enum([...Level.options, "session"])
      .optional()
      .describe(
        "what keys to a running program need; edit_here: as ask_first, and lines may change files that undo brings back; " +
          "session (with agent): the session's level counts again",
      ),
    folder: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe("with edit_here: the only folder that lines may change without asking; default: the work tree"),
    agent: AgentName.optional().describe("the level is for this agent only"),
    safe_mode: Switch.optional().describe("on: only safe commands run without asking"),
    auto_approve: Switch.optional().describe("on: unknown commands run without asking when the agent is sure enough"),
    threshold: z.number().min(0).max(1).optional().describe("how sure the agent must be, from 0 to 1"),
  }),
  output: z.object({ session_id: SessionId, ...Policy.shape }),
  cli: {
    verb: "policy",
    args: ["session_id"],
    print: "gate",
    examples: [
      "duetty policy web",
      "duetty policy web --level always_allow --safe-mode off",
      "duetty policy web --level edit_here",
      "duetty policy web --agent claude --level always_ask",
      "duetty policy web --agent claude --level session",
    ],
  },
});
