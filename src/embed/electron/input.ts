// What a window may ask for. Nothing of a page is trusted before it was read here.
import * as z from "zod";
import { ptyOpen } from "../../protocol/ops/session.ts";
import { Cols, Rows, SessionId } from "../../protocol/words/ids.ts";
import { wrongInput } from "../../protocol/words/wrong-input.ts";
import type { Taken } from "./contract.ts";

/** One write: the largest paste. */
const WRITE_BYTES_MAX = 4 << 20;

const fits = (data: string | Uint8Array) => data.length <= WRITE_BYTES_MAX;
const Data = z
  .union([z.string(), z.instanceof(Uint8Array)], { error: "must be text or a Uint8Array" })
  .refine(fits, { error: `must have at most ${WRITE_BYTES_MAX} bytes` });

export const Create = ptyOpen.input.pick({ shell: true, cwd: true, cols: true, rows: true, env: true }).strict();
export const Write = z.strictObject({ sessionId: SessionId, data: Data });
export const Resize = z.strictObject({ sessionId: SessionId, cols: Cols, rows: Rows });
export const Dispose = z.strictObject({ sessionId: SessionId });
export const Answer = z.strictObject({
  sessionId: SessionId,
  approvalId: z.string().min(1).max(100),
  answer: z.enum(["approve", "deny"]),
  edit: z.string().optional(),
  reason: z.string().optional(),
});
const TakenBytes = z.strictObject({ sessionId: SessionId, bytes: z.int().min(1) });

/** What a window says that it has taken. Nobody waits for an answer, so what is wrong counts for nothing. */
export function readTaken(given: unknown): Taken | undefined {
  return TakenBytes.safeParse(given).data;
}

/** Throws what is wrong in plain words: a window is told only an error's message. */
export function read<S extends z.ZodType>(schema: S, channel: string, given: unknown): z.output<S> {
  const result = schema.safeParse(given ?? {});
  if (result.success) return result.data;
  throw new TypeError(`${channel}: ${wrongInput(result.error)}`);
}
