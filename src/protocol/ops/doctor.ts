// Checks the installation: what works here, and what to do about the rest.
import * as z from "zod";
import { op } from "../op.ts";

export const doctor = op("doctor", {
  summary: "Check this installation: PTYs, screen engine, files, page, shells.",
  effect: "read",
  input: z.object({
    bundle: z.boolean().default(false).describe("also all that a report of a defect needs; for people"),
  }),
  output: z.object({
    ok: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), hint: z.string() })),
    bundle: z.string().optional().describe("JSON, without output, commands, names and tokens"),
  }),
  cli: {
    verb: "doctor",
    args: [],
    print: "session",
    examples: ["duetty doctor", "duetty doctor --json", "duetty doctor --bundle >report.json"],
  },
});
