// The end of what others do here: agents, or whoever comes in by a device, a link or a browser.
import * as z from "zod";
import { op } from "../op.ts";
import { SessionId, SessionRef } from "../words/ids.ts";

export const stop = op("stop", {
  summary: "Stop agents at once: drop what they queued, deny what they asked for, and type nothing more for them.",
  effect: "control",
  input: z.object({
    session_id: SessionRef.optional().describe("default: all sessions"),
    all_devices: z
      .boolean()
      .default(false)
      .describe("instead, put out all devices, links and browsers; agents and sessions go on"),
  }),
  output: z.object({
    stopped: z.array(SessionId),
    cancelled: z.int().describe("pending approvals that were cancelled"),
    doors: z
      .object({
        devices: z.array(z.string()).describe("names of paired devices that were put out"),
        links: z.int().describe("links that were taken back"),
        open: z.int().describe("pages and calls of devices, guests and browsers that were ended"),
      })
      .optional()
      .describe("with all_devices: what it ended"),
  }),
  cli: {
    verb: "stop",
    args: ["session_id"],
    print: "gate",
    examples: ["duetty stop web", "duetty stop", "duetty stop --all-devices"],
  },
});
