// Whoever has the root's key: makes certificates, renews them and takes them back. Owns: the ledger, and that a serial which was
// given out can be revoked as long as it counts. Refuses: to keep the root's key after an operation.
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import { type Certificate, issue, type Revoked, revoke } from "../../../host/fleet/certificate.ts";
import { refused } from "../../../host/fleet/faults.ts";
import { type Identity, openRoot } from "../../../host/fleet/keys.ts";
import { ROLES } from "./files.ts";
import { certificatesOf, EARLIER_MAX, type Entry, type Ledger } from "./ledger.ts";
import { type Membership, noFleet } from "./membership.ts";

const DAY_MS = 86_400_000;
/** Of their thirty: a machine may be away for twenty days and comes back with certificates that count. */
const RENEWED_WITH_DAYS_LEFT = 20;

interface RegistrarParts {
  readonly membership: Membership;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

export class Registrar {
  #parts: RegistrarParts;

  constructor(parts: RegistrarParts) {
    this.#parts = parts;
  }

  /** Whether this is the machine that lets others in. */
  get isHere(): boolean {
    return this.#parts.membership.files.hasKey("root") && this.#parts.membership.member !== undefined;
  }

  root(passphrase?: string): Identity | Fault {
    const { membership } = this.#parts;
    const { member, files } = membership;
    const hint = "Do it on the machine where the fleet was begun.";
    const [damage] = membership.damage;
    if (damage) return damage;
    if (!member) return noFleet();
    const root = openRoot(files.folder, passphrase);
    if (root === undefined) return fault("fleet.key", "the fleet's root key is on another machine", hint);
    if (isFault(root) || root.publicKey === member.root) return root;
    return fault("fleet.key", "the root key here is another fleet's", "Put the right root.key back.");
  }

  /** `which`: a name or an id; all that are not revoked without it. What has long to go is left alone by `due`. */
  renew(root: Identity, which: string | "all" | "due"): readonly Entry[] | Fault {
    const { ledger, clock, membership } = this.#parts;
    const now = clock.now();
    const one = which === "all" || which === "due" ? undefined : ledger.find(which);
    const all = one === undefined ? ledger.all() : isFault(one) ? one : [one];
    if (isFault(all)) return all;
    if (one && !isFault(one) && one.revoked)
      return fault("fleet.revoked", `${one.name} was revoked`, "Invite the machine again.");
    const soon = now + RENEWED_WITH_DAYS_LEFT * DAY_MS;
    const isDue = (entry: Entry) => endOf(certificatesOf(entry, root.publicKey)) < soon;
    const old = all.filter((entry) => !entry.revoked && (which !== "due" || isDue(entry)));
    const renewed = old.map((entry) => renewedBy(root, entry, now));
    if (renewed.some(({ earlier }) => earlier.length > EARLIER_MAX)) return refused("fleet.full");
    const wrong = renewed.length > 0 ? ledger.put(...renewed) : undefined;
    if (wrong) return wrong;
    const own = renewed.find(({ device }) => device === membership.member?.device);
    if (own) membership.renewed(own.certs);
    return renewed;
  }

  /** Its serials do not count any more, and the broker's next configuration is without its login. */
  revoke(root: Identity, wanted: string): { readonly entry: Entry; readonly list: Revoked } | Fault {
    const { ledger, membership, clock } = this.#parts;
    const all = ledger.all();
    if (isFault(all)) return all;
    const ofSerial = all.find((entry) => serialsOf(entry, root.publicKey).some(({ serial }) => serial === wanted));
    const entry = ofSerial ?? ledger.find(wanted);
    if (isFault(entry)) return entry;
    const hint = "{fleet_end}";
    if (entry.device === membership.member?.device)
      return fault("input.invalid", "this is the machine that has the root's key", hint);
    const known = membership.revoked();
    const serials = serialsOf(entry, root.publicKey).filter(({ serial }) => !known.serials.has(serial));
    const list = revoke(root, known, serials, clock.now());
    if (isFault(list)) return list;
    const kept = membership.takeRevoked(list.text);
    if (isFault(kept)) return kept;
    const gone = { ...entry, revoked: true };
    const wrong = ledger.put(gone);
    if (wrong) return wrong;
    return { entry: gone, list };
  }
}

function renewedBy(root: Identity, entry: Entry, now: number): Entry {
  const { device, name, host } = entry;
  const before = certificatesOf(entry, root.publicKey);
  const certs = { ...entry.certs };
  for (const role of ROLES) {
    const { key, hosts } = before.find((one) => one.role === role) ?? {};
    if (key !== undefined && hosts) certs[role] = issue(root, { key, device, name, host, role, hosts }, now);
  }
  const earlier = [...entry.earlier, ...before.map(({ serial, until }) => ({ serial, until }))];
  return { ...entry, certs, earlier: earlier.filter(({ until }) => until > now) };
}

function serialsOf(entry: Entry, root: string): Pick<Certificate, "serial" | "until">[] {
  return [...certificatesOf(entry, root), ...entry.earlier];
}

/** When the first of them ends. */
function endOf(certificates: readonly Certificate[]): number {
  return Math.min(...certificates.map(({ until }) => until));
}
