// Why something from another machine is refused. Each reason has one name, which also travels.
import { type Fault, fault } from "../../core/base/fault.ts";

const TEXTS = {
  "fleet.forged": ["it cannot be opened, or was not signed by whom it names", "Somebody changed it, or it is damaged."],
  "fleet.not_for_me": ["it is meant for another machine", "Ask the machines of your fleet for their cards again."],
  "fleet.restarted": [
    "that machine was started again since",
    "Ask for its card again; then look before you repeat it.",
  ],
  "fleet.expired": ["the certificate has expired", "A person renews it where the fleet's root key is."],
  "fleet.revoked": ["the certificate was revoked", "A person invites the device again where the fleet's root key is."],
  "fleet.not_allowed": ["this certificate or this machine's fleet.json does not allow it", "A person can change that."],
  "fleet.clock": ["its times cannot be right", "Set the clocks of both machines."],
  "fleet.late": ["it came too late", "Nothing was done. Try again."],
  "fleet.replayed": ["this very message was taken before", "Look at what it did before you repeat it."],
  "fleet.full": ["too many requests came within a short time", "Nothing was done. Wait a minute."],
  "fleet.used": [
    "there is no such open invitation, or it was used",
    "Ask for a new one: each is good once, for ten minutes.",
  ],
  "fleet.passphrase": ["the passphrase of the fleet's root key is missing or wrong", "Type it again."],
  "fleet.key": ["a key is damaged, or there is one already", "Look at the file; nothing was written over."],
} as const;

export type FleetCode = keyof typeof TEXTS;

export function isFleetCode(code: string): code is FleetCode {
  return Object.hasOwn(TEXTS, code);
}

export function refused(code: FleetCode, what?: string): Fault {
  const [message, hint] = TEXTS[code];
  return fault(code, what === undefined ? message : `${what}: ${message}`, hint);
}
