// Notifications on a paired device, also while no page is open there.
import * as z from "zod";
import { op } from "../op.ts";

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
