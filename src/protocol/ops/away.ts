// A person away from the machine: their paired devices, and notifications there, also while no page is open.
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

/** As a browser gives it. */
export const Subscription = z.strictObject({
  endpoint: z.string().min(1).max(1_000),
  keys: z.strictObject({
    p256dh: z.string().regex(/^[\w-]{87}=?$/),
    auth: z.string().regex(/^[\w-]{22}(?:==)?$/),
  }),
});
export type Subscription = Readonly<z.output<typeof Subscription>>;

export const push = op("push", {
  summary: "Tell whether this device is notified; with a subscription of its browser, switch that on; with null, off.",
  effect: "control",
  input: z.object({ subscription: Subscription.nullable().optional() }),
  output: z.object({
    key: z.string().nullable().describe("what the browser subscribes with; null: this is no paired device"),
    on: z.boolean(),
  }),
});
