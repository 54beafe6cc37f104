// Verbs about the installation itself.
import * as z from "zod";
import { op } from "../op.ts";
import { SessionRef, Ts } from "../words/ids.ts";
import { SessionInfo } from "./session.ts";

export const status = op("status", {
  summary: "Show what is running: daemon, holder, address and sessions; or one session.",
  effect: "read",
  input: z.object({ session_id: SessionRef.optional() }),
  output: z.object({
    version: z.string(),
    role: z.enum(["person", "agent", "guest"]),
    daemon: z.object({
      pid: z.int(),
      started_at: Ts,
      rss_bytes: z.int(),
      stall_ms: z
        .number()
        .describe("the longest stall of the daemon since the last status, if that was in the last 30 seconds"),
    }),
    holder: z.object({ pid: z.int(), version: z.string() }),
    http: z.object({ port: z.int() }),
    elicitation: z
      .enum(["stdio", "on", "off"])
      .describe("which MCP clients may bring a person's answers: those that were set up, over stdio; all; none"),
    box: z
      .object({ available: z.boolean(), why: z.string().nullable() })
      .describe("whether programs can be boxed here, and why not"),
    changed_rules: z.array(z.string()).describe("trusted folders whose rules have changed since"),
    home: z.string(),
    sessions: z.object({
      live: z.int(),
      asleep: z.int().describe("running ones that were quiet for long; they wake at their next use or output"),
      ended: z.int(),
    }),
    load: z
      .object({
        since_ms: z.int().describe("the time of the rates: since the last status, or since the start"),
        calls_per_s: z.number(),
        output_bytes_per_s: z.number(),
        behind_bytes: z.int().describe("printed by live sessions and on no screen yet"),
        dropped_output_bytes: z.int().describe("lost to a full disk since the start"),
        dropped_input_bytes: z.int().describe("typed and never read since the start"),
        viewers: z.int(),
        questions: z.int().describe("open questions to a person"),
        answered: z.int().describe("questions that were settled since the start"),
        answer_s: z.number().nullable().describe("how long an answer took on average"),
      })
      .describe("what the daemon has to do"),
    session: SessionInfo.nullable(),
  }),
  cli: {
    verb: "status",
    args: ["session_id"],
    print: "session",
    examples: ["duetty status", "duetty status web --json"],
  },
});

export const metrics = op("metrics", {
  summary: "Show the daemon's counters as Prometheus text; also at GET /metrics.",
  effect: "control",
  input: z.object({}),
  output: z.object({ text: z.string() }),
  cli: { verb: "metrics", args: [], print: "session", examples: ["duetty metrics"] },
});

export const shutdown = op("shutdown", {
  summary: "End the daemon and, unless you keep them, all sessions.",
  effect: "control",
  input: z.object({ keep_sessions: z.boolean().default(false).describe("end only the daemon; programs go on") }),
  output: z.object({
    closed: z.int().describe("sessions that were ended"),
    kept: z.int().describe("sessions whose programs go on"),
  }),
  cli: {
    verb: "shutdown",
    args: [],
    print: "session",
    whenAbsent: "nothing is running",
    examples: ["duetty shutdown", "duetty shutdown --keep-sessions"],
  },
});

export const loginCode = op("login_code", {
  summary: "Make a one-time code that signs a browser in as the person.",
  effect: "control",
  input: z.object({}),
  output: z.object({ code: z.string(), url: z.string(), expires_at: Ts }),
});
