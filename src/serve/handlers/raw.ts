// A session's bytes for whoever asks: people have them as they were printed, or with stars if they mask secrets. Agents get
// marks in place of secrets, unless a person granted them the bytes for a while.
import { advice } from "../../core/base/advice.ts";
import { fault } from "../../core/base/fault.ts";
import { actorName } from "../../core/gate/actor.ts";
import { CONTEXT_BYTES } from "../../core/redact/redactor.ts";
import type { Session } from "../../core/session/session.ts";
import { durationMs } from "../../protocol/words/duration.ts";
import type { Call } from "../auth.ts";
import { type Context, type Handlers, onSession } from "./context.ts";

/** In one answer that is redacted. It takes some milliseconds, a hundred at the very worst. */
const REDACTED_BYTES_MAX = 128 << 10;

interface RawBytes {
  readonly bytes: Uint8Array;
  /** Where the next part begins, in the bytes as they were printed. */
  readonly next: number;
  readonly total: number;
  readonly note: { readonly redacted?: true; readonly hint?: string };
}

export function rawFor(session: Session, call: Call, from: number, length: number): RawBytes {
  const { display, rawGrant } = session;
  const isGranted = call.role === "agent" && rawGrant.until !== undefined;
  const eyes = isGranted || !call.eyes ? undefined : display.byteEyes.now;
  const { bytes, total } = display.readRaw(from, eyes ? Math.min(length, REDACTED_BYTES_MAX) : length);
  const next = from + bytes.length;
  if (isGranted) rawGrant.used(actorName(call.actor), from, next);
  if (!eyes) return { bytes, next, total, note: {} };
  const start = Math.max(0, from - CONTEXT_BYTES);
  const before = display.readRaw(start, from - start).bytes;
  const after = display.readRaw(next, CONTEXT_BYTES).bytes;
  if (call.masked) return { bytes: eyes.starredPart(before, bytes, after), next, total, note: {} };
  const note = { redacted: true, hint: `Secrets have marks here. ${advice("grant", session.id)}` } as const;
  return { bytes: eyes.bytesPart(before, bytes, after), next, total, note };
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}

export function rawHandlers(ctx: Context): Pick<Handlers, "pty_read_raw" | "grant"> {
  return {
    pty_read_raw: ({ session_id, from, length }, call) =>
      onSession(ctx, session_id, async (session) => {
        const { bytes, next, total, note } = rawFor(session, call, from, length);
        return { session_id: session.id, from, next, total, base64: base64Of(bytes), ...note };
      }),
    grant: ({ session_id, raw, for: time, off }, { actor }) =>
      onSession(ctx, session_id, async ({ id, rawGrant }) => {
        if (!raw) return fault("input.invalid", "it does not say what is granted", advice("what_grant"));
        if (off) rawGrant.takeBack(actorName(actor));
        else rawGrant.give(actorName(actor), durationMs(time));
        return { session_id: id, raw_granted_until: rawGrant.until ?? null };
      }),
  };
}
