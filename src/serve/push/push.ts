// Notifications for paired devices whose person wants them, also while no page is open there. Owns: push.json, which has our key
// and where each device listens. A device's entry ends with the device. Refuses: to decide what is worth one (core/needs).
import * as z from "zod";
import type { Clock } from "../../core/base/clock.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import { writeWhole } from "../../host/disk/files.ts";
import { readPrivately } from "../../host/disk/private.ts";
import { type DeliveryParts, deliver, wrongEndpoint } from "../../host/push/delivery.ts";
import { isReader, sealed } from "../../host/push/sealed.ts";
import { Vapid } from "../../host/push/vapid.ts";
import { Subscription } from "../../protocol/ops/away.ts";
import type { Log } from "../log.ts";
import { Outbox } from "./outbox.ts";

/** How long a push service keeps a message for a phone that is off: as long as a question is open. */
const TTL_S = 300;

const Kept = z.strictObject({ key: z.string(), devices: z.record(z.string(), Subscription) });

export interface Notice {
  /** The same need has the same tag, so that a device shows it once. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly session_id: string | null;
}

interface PushParts extends DeliveryParts {
  readonly log: Log;
  readonly path: string;
  readonly clock: Clock;
  /** Whether this is a device that was not put out. */
  isPaired(device: string): boolean;
}

export class Push {
  #parts: PushParts;
  #vapid: Vapid | undefined;
  #devices = new Map<string, Subscription>();
  #outboxes = new Map<string, Outbox>();

  constructor(parts: PushParts) {
    this.#parts = parts;
    const kept = keptIn(readPrivately(parts.path), parts.log);
    this.#vapid = kept && new Vapid(kept.key);
    this.#devices = new Map(Object.entries(kept?.devices ?? {}).filter(([id]) => parts.isPaired(id)));
  }

  get isWanted(): boolean {
    return this.#devices.size > 0;
  }

  /** Made when the first device asks for it. */
  get publicKey(): string {
    this.#vapid ??= Vapid.make();
    return this.#vapid.publicKey;
  }

  has(device: string): boolean {
    return this.#devices.has(device);
  }

  subscribe(device: string, subscription: Subscription): Fault | undefined {
    const endpoint = URL.canParse(subscription.endpoint) ? new URL(subscription.endpoint) : undefined;
    const wrong = endpoint ? wrongEndpoint(endpoint, this.#parts) : "a push service has an address";
    if (wrong) return fault("input.invalid", wrong, "Switch notifications on in the settings of the page.");
    if (!isReader(readerOf(subscription)))
      return fault("input.invalid", "these are no keys of a browser", "Switch notifications off and on again.");
    this.#outboxes.get(device)?.end();
    this.#outboxes.delete(device);
    this.#keep(new Map([...this.#devices, [device, subscription]]));
    return undefined;
  }

  forget(device: string): void {
    this.#outboxes.get(device)?.end();
    this.#outboxes.delete(device);
    if (this.#devices.has(device)) this.#keep(new Map([...this.#devices].filter(([id]) => id !== device)));
  }

  tell(notice: Notice): void {
    for (const [device, subscription] of this.#devices) {
      const outbox = this.#outboxes.get(device) ?? this.#outboxFor(device, subscription);
      this.#outboxes.set(device, outbox);
      outbox.add(JSON.stringify(notice));
    }
  }

  #outboxFor(device: string, subscription: Subscription): Outbox {
    const endpoint = new URL(subscription.endpoint);
    const vapid = this.#vapid ?? Vapid.make();
    return new Outbox({
      clock: this.#parts.clock,
      deliver: (text) => {
        const headers = {
          authorization: vapid.authorization(endpoint, this.#parts.clock.now()),
          "content-encoding": "aes128gcm",
          "content-type": "application/octet-stream",
          ttl: TTL_S,
          urgency: "high",
        };
        return deliver(endpoint, headers, sealed(Buffer.from(text), readerOf(subscription)), this.#parts);
      },
      gone: () => this.forget(device),
    });
  }

  #keep(devices: ReadonlyMap<string, Subscription>): void {
    this.#vapid ??= Vapid.make();
    this.#devices = new Map(devices);
    const kept = { key: this.#vapid.pem, devices: Object.fromEntries(devices) };
    writeWhole(this.#parts.path, `${JSON.stringify(kept, null, 2)}\n`);
  }
}

function readerOf({ keys }: Subscription) {
  return { p256dh: Buffer.from(keys.p256dh, "base64url"), auth: Buffer.from(keys.auth, "base64url") };
}

/** A file that cannot be read notifies nobody; each device can be switched on again. */
function keptIn(text: string | undefined, log: Log): z.output<typeof Kept> | undefined {
  if (text === undefined) return undefined;
  try {
    return Kept.parse(JSON.parse(text));
  } catch (error) {
    log.error(error);
    return undefined;
  }
}
