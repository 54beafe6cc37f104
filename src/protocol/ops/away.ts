// A person away from the machine: their paired devices.
import * as z from "zod";
import { op } from "../op.ts";
import { PassId, Ts } from "../words/ids.ts";

const Device = z.object({
  id: PassId,
  name: z.string(),
  made_at: Ts,
  last_used_at: Ts.nullable(),
  last_from: z.string().nullable().describe("the address it came from; through a tunnel, the tunnel's end"),
  here: z.int().describe("open pages and calls of it now"),
});
export type Device = Readonly<z.output<typeof Device>>;

export const pair = op("pair", {
  summary: "Show a code that pairs a phone or another computer: it works once, for five minutes.",
  effect: "control",
  input: z.object({}),
  output: z.object({
    code: z.string().describe("eight letters, to be typed on the device"),
    url: z.string().describe("where the device types it"),
    expires_at: Ts,
  }),
  cli: { verb: "pair", args: [], print: "away", examples: ["duetty pair"] },
});

export const devices = op("devices", {
  summary: "List the paired devices: since when, and when and from where they came last.",
  effect: "control",
  input: z.object({}),
  output: z.object({ devices: z.array(Device) }),
  cli: { verb: "devices", args: [], print: "away", examples: ["duetty devices"] },
});

export const unpair = op("unpair", {
  summary: "Put a paired device out: its pages and calls end at once.",
  effect: "control",
  input: z.object({ device: z.string().min(1).max(100).describe("its name or id") }),
  output: z.object({ id: PassId, name: z.string(), ended: z.int().describe("pages and calls that were open") }),
  cli: {
    verb: "unpair",
    args: ["device"],
    print: "away",
    examples: ["duetty unpair Phone", "duetty unpair k_1a2b3c4d"],
  },
});
