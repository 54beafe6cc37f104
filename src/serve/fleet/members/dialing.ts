// One connection to the fleet's broker, as faults that people can act on. Owns: nothing; whoever dials closes.
import { X509Certificate } from "node:crypto";
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault } from "../../../core/base/fault.ts";
import type { Bus } from "../../../core/fleet/bus.ts";
import { type NatsOptions, openNats } from "../../../host/bus/nats.ts";

/** A broker that is there lets us in within this time. */
const DIAL_MS = 5_000;
const NOT_LOADED =
  "The broker does not have this login (yet). {fleet_reload}. A code that is over has no login any more.";

/** A file that is no certificate would fail later, in words about TLS. */
export function wrongCa(ca: string | undefined): Fault | undefined {
  try {
    if (ca !== undefined) new X509Certificate(ca);
    return undefined;
  } catch {
    const hint = "It begins with -----BEGIN CERTIFICATE-----.";
    return fault("input.invalid", "what --ca names is no certificate in PEM", hint);
  }
}

export async function dialled(options: NatsOptions, clock: Clock): Promise<Bus | Fault> {
  const bus = await openNats(options);
  const stands = await standing(bus, clock);
  if (stands) return bus;
  const why = whyNot(bus, options);
  await bus.close();
  return why;
}

/** Connected, closed or late. */
async function standing(bus: Bus, clock: Clock): Promise<boolean> {
  await new Promise<void>((resolve) => {
    const end = () => {
      stop();
      off();
      resolve();
    };
    const stop = clock.after(DIAL_MS, end);
    const off = bus.onStatus((status) => (status === "away" ? undefined : end()));
    if (bus.status !== "away") end();
  });
  return bus.status === "connected";
}

/** Why a connection does not stand now. */
export function whyNot(bus: Pick<Bus, "status" | "reason">, { url, ca }: Pick<NatsOptions, "url" | "ca">): Fault {
  const reason = bus.reason ?? "no answer";
  if (bus.status === "closed") return fault("fleet.login", `the broker at ${url} refuses this login`, NOT_LOADED);
  const isTls = /certificate|tls|ssl/i.test(reason);
  const trust = ca === undefined ? "Name the file of its certificate authority: --ca FILE" : "Look at --ca.";
  const hint = isTls ? trust : "Start it with: nats-server -c nats.conf. Or look at its address and at firewalls.";
  return fault("bus.away", `no broker at ${url}: ${reason}`, hint);
}
