// Names and numbers that identify things on the wire.
import * as z from "zod";
import { COLS, ROWS } from "../plain/size.ts";

export const SessionId = z.string().regex(/^(?:[\w.-]{1,40}\/)?s_[0-9a-z]{8}$/, {
  error: "must be a session's id, such as s_1a2b3c4d or box/s_1a2b3c4d",
});
export const ApprovalId = z.string().regex(/^(?:[\w.-]{1,40}\/)?a_[0-9a-z]{8}$/, {
  error: "must be a question's id, such as a_1a2b3c4d or box/a_1a2b3c4d",
});
/** What a caller may write for a session: its id, a unique prefix of it, or its name. */
export const SessionRef = z.string().min(1).max(200).describe("id, unique prefix or name");
/** What a person calls another machine. No slash and no @: names are written host/ID, actors person@host. */
export const HostName = z.string().regex(/^[a-zA-Z0-9][\w.-]{0,39}$/, {
  error: "must be a machine's name: a letter or digit, then letters, digits, dots, dashes and underscores, 40 at most",
});
/** For operations that name no session: where they are done. */
export const OnHost = HostName.optional().describe("another machine of yours (duetty hosts)");
/** For lists: those of all machines together. */
export const AllHosts = z.enum(["all"]).optional().describe("also those of all other machines");
/** Machines whose part of a list is old or missing. */
export const Missing = z.array(z.string()).optional().describe("with hosts: machines that are not here now");
/** A link to a session, or a paired device. */
export const PassId = z.string().regex(/^k_[0-9a-z]{8}$/, { error: "must be an id such as k_1a2b3c4d" });
/** A byte offset in the journal's output. */
export const Cursor = z.int().min(0);
/** Hexadecimal digest of what the screen shows. */
export const Hash = z.string().regex(/^[0-9a-f]{12}$/);
/** What a Date can say. */
const TS_MAX = 8.64e15;
export const Ts = z.number().min(0).max(TS_MAX).describe("milliseconds since the epoch");

/** FROM:TO, both included. An empty side is open; a negative one counts from the end. */
export const Range = z.string().regex(/^(?:-?\d+)?:(?:-?\d+)?$/, { error: "must be FROM:TO, such as 0:9, 10: or -3:" });

/** Larger grids cost the engine memory in proportion; 2 × 1 is the smallest it accepts. */
export const Cols = z.int().min(COLS.min).max(COLS.max);
export const Rows = z.int().min(ROWS.min).max(ROWS.max);

/** A moment of a session: cursor, -5s before the end, t+3.5s after the start, @milliseconds, an ISO time or block:ID. */
export const At = z
  .union([z.string().min(1).max(100), Cursor])
  .describe("a moment: cursor, -5s (before the end), t+3.5s (after the start), @MS, ISO time, block:ID (its end)");
