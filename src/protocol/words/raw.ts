// What an answer with a session's bytes says of them.
import * as z from "zod";

export const RawNote = z.object({
  /** Secrets have marks; cursors count the bytes as they were printed. */
  redacted: z.boolean().optional(),
  hint: z.string().optional(),
});
