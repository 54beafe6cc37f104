// Giving a text to the agent CLI in front of a session, with proof that its turn began.
import * as z from "zod";
import { op } from "../op.ts";
import { SessionId, SessionRef } from "../words/ids.ts";
import { Screen } from "./screen.ts";

/** A longer one belongs in a file that the prompt names. */
const PROMPT_CHARS_MAX = 32_768;

const Prompted = z.object({
  session_id: SessionId,
  agent: z.string().describe("the agent CLI that was prompted"),
  outcome: z
    .enum(["began", "not_begun", "unproven", "held", "exited"])
    .describe(
      "not_begun: it was surely not sent; unproven: Enter was pressed and no sign of a turn came; held: somebody else typed",
    ),
  proof: z.enum(["state", "screen"]).nullable().describe("by what it is known that the turn began"),
  box: z.enum(["empty", "ours", "other", "unknown"]).describe("what stands in the agent's prompt box now"),
  hint: z.string().optional(),
  screen: Screen.optional().describe("what is shown, when it did not begin"),
});
export type Prompted = z.output<typeof Prompted>;

export const ptyPrompt = op("pty_prompt", {
  summary: "Give a text to the agent CLI in front of a session, once; done when its turn began.",
  effect: "write",
  input: z.object({
    session_id: SessionRef,
    text: z.string().min(1).max(PROMPT_CHARS_MAX).describe("the prompt"),
    wait_ms: z.int().min(0).max(3_600_000).default(0).describe("wait this long until it is ready"),
    timeout_ms: z.int().min(100).max(600_000).default(15_000).describe("its turn must begin within this time"),
    description: z.string().max(1_000).optional().describe("why, for the person who decides"),
    confidence: z.number().min(0).max(1).optional().describe("how sure you are that it is harmless, from 0 to 1"),
  }),
  output: Prompted,
  cli: {
    verb: "prompt",
    args: ["session_id", "text"],
    dash: "text",
    print: "screen",
    examples: ["duetty prompt helper 'fix the failing test'", "duetty prompt helper - --wait 600000 < task.md"],
  },
  mcp: {
    title: "Prompt an agent",
    description:
      "Give a text to the agent CLI (claude, codex …) in front of a session, as a message that names you. Refused unless it is ready, with no question and no draft of its own. began: its turn began; then wait for a state with pty_wait.",
    tier: "drive",
    hints: { destructive: true, openWorld: true },
    hide: ["confidence"],
  },
});
