// Checks the installation: what works here, and what to do about the rest.
import * as z from "zod";
import { op } from "../op.ts";

export const doctor = op("doctor", {
  summary: "Check this installation: PTYs, screen engine, files, page, shells.",
  effect: "read",
  input: z.object({}),
  output: z.object({
    ok: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), hint: z.string() })),
  }),
  cli: { verb: "doctor", args: [], print: "session", examples: ["duetty doctor", "duetty doctor --json"] },
});
