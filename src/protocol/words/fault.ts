// How an expected failure looks on every surface.
import * as z from "zod";

export const FaultBody = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }),
});
export type FaultBody = z.output<typeof FaultBody>;
