// One session for somebody else: links with a role, an end and a name.
import * as z from "zod";
import { op } from "../op.ts";
import { Duration } from "../words/duration.ts";
import { PassId, SessionId, SessionRef, Ts } from "../words/ids.ts";
import { PersonName } from "../words/policy.ts";
import { SessionInfo } from "./session.ts";

/** Each may do what those before it may. */
export const ShareRole = z.enum(["watch", "type", "approve"]);
export type ShareRole = z.output<typeof ShareRole>;

const Share = z.object({
  id: PassId,
  session_id: SessionId,
  name: z.string(),
  role: ShareRole,
  masked: z.boolean().describe("secrets are hidden from them"),
  made_at: Ts,
  expires_at: Ts,
  uses_left: z.int().nullable().describe("how often the link can still be opened; null: any number"),
  last_used_at: Ts.nullable(),
  here: z.int().describe("open pages and calls of theirs now"),
});
export type Share = Readonly<z.output<typeof Share>>;

export const share = op("share", {
  summary: "Share one session by a link: to watch it, to type in it, or to answer its questions, too.",
  effect: "control",
  input: z.object({
    session_id: SessionRef,
    role: ShareRole.default("watch").describe("watch; type: watch and type; approve: also answer its questions"),
    for: Duration.default("1h").describe("how long, such as 10m, 1h, 7d; 30d at most"),
    uses: z.int().min(1).max(1_000).optional().describe("how often the link can be opened; default: any number"),
    name: PersonName.default("guest").describe("who gets it, as everybody sees them"),
    unmasked: z.boolean().default(false).describe("show secrets, too"),
  }),
  output: z.object({
    share: Share,
    path: z.string().describe("of the link, on any address of this daemon; shown once"),
    url: z.string().describe("the link; shown once"),
    token: z
      .string()
      .describe("the same as a token, for <duetty-terminal> on a page of yours; good until the link ends"),
  }),
  cli: {
    verb: "share",
    args: ["session_id"],
    print: "share",
    examples: ["duetty share web", "duetty share web --role type --for 30m --uses 1 --name Ann"],
  },
});

export const shares = op("shares", {
  summary: "List the links to sessions that still work, and who is here by them.",
  effect: "control",
  input: z.object({ session_id: SessionRef.optional() }),
  output: z.object({ shares: z.array(Share) }),
  cli: { verb: "shares", args: ["session_id"], print: "share", examples: ["duetty shares", "duetty shares web"] },
});

export const unshare = op("unshare", {
  summary: "Take a link back: whoever came by it is out at once.",
  effect: "control",
  input: z.object({ id: PassId }),
  output: z.object({ id: PassId, ended: z.int().describe("pages and calls that were open") }),
  cli: { verb: "unshare", args: ["id"], print: "share", examples: ["duetty unshare k_1a2b3c4d"] },
});

export const shared = op("shared", {
  summary: "Show what was shared with the caller: the session, the role and the end.",
  effect: "read",
  input: z.object({}),
  output: z.object({
    session: SessionInfo,
    machine: z.string().describe("whose it is: USER@HOST, or HOST"),
    name: z.string(),
    role: ShareRole,
    masked: z.boolean(),
    expires_at: Ts,
  }),
});
