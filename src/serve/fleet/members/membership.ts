// Whether this machine is in a fleet, and what it lets others do. Owns: member.json, fleet.json and the list of revoked certificates,
// each as it is on the disk now. What cannot be read makes us no member, or lets nobody in. Refuses: to know brokers.
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import { type DeviceId, type HostId, isDeviceId, isHostId } from "../../../core/fleet/subjects.ts";
import { merged, NOBODY_REVOKED, openCertificate, openRevoked, type Revoked } from "../../../host/fleet/certificate.ts";
import { refused } from "../../../host/fleet/faults.ts";
import { type Identity, keptIdentity } from "../../../host/fleet/keys.ts";
import { CLOSED, type Level, NEW_RULES, type Rules, readRules } from "../../../host/fleet/levels.ts";
import { FleetFiles, MemberForm, type MemberText, ROLES } from "./files.ts";

/** A person who edits fleet.json sees it count within this time. */
const LOOK_MS = 1_000;

export interface Member {
  /** Of the broker. */
  readonly url: string;
  readonly device: DeviceId;
  readonly host: HostId;
  /** What this machine is called in the fleet. */
  readonly name: string;
  /** The root's public key. */
  readonly root: string;
  readonly nkeySeed: string | undefined;
  /** A certificate authority's file as text, for brokers with TLS. */
  readonly ca: string | undefined;
  readonly identities: { readonly host: Identity; readonly person: Identity; readonly agent: Identity };
  readonly certs: { readonly host: string; readonly person: string; readonly agent: string };
}

interface MembershipParts {
  /** `$DUETTY_HOME/fleet`. */
  readonly folder: string;
  readonly clock: Clock;
  /** Instead of the broker's URL that is kept. */
  readonly url?: string | undefined;
}

/** One file as it was read last. */
interface Kept<T> {
  readonly signature: string;
  readonly value: T;
}

export class Membership {
  #parts: MembershipParts;
  readonly files: FleetFiles;
  #watchers = new Set<() => void>();
  #stopLooking: () => void = () => undefined;
  #told = "";
  #member: Kept<Member | Fault | undefined> | undefined;
  #rules: Kept<Rules | Fault> | undefined;
  #revoked: Kept<Revoked | Fault> | undefined;

  constructor(parts: MembershipParts) {
    this.#parts = parts;
    this.files = new FleetFiles(parts.folder);
  }

  /** Undefined: this machine is in no fleet. */
  get member(): Member | undefined {
    const found = this.#membership();
    return isFault(found) ? undefined : found;
  }

  /** Why a file does not count. A person must look. */
  get damage(): readonly Fault[] {
    const read = [this.#membership(), this.#ruled(), this.#listed()];
    return read.flatMap((one) => (isFault(one) ? [one] : []));
  }

  /** A list that cannot be read revokes nobody: then `rules` lets nobody in. */
  revoked(): Revoked {
    const list = this.#listed();
    return isFault(list) ? NOBODY_REVOKED : list;
  }

  rules(): Rules {
    const rules = this.#ruled();
    return isFault(rules) || isFault(this.#listed()) ? CLOSED : rules;
  }

  /** From whomever it came: the root signed it. It is kept before anybody is told. */
  takeRevoked(text: string): "newer" | "known" | Fault {
    const { member } = this;
    if (!member) return noFleet();
    const ours = this.revoked();
    const next = merged(ours, text, member.root);
    if (isFault(next)) return next;
    if (next === ours) return "known";
    this.files.write("revoked", next.text);
    this.#changed();
    return "newer";
  }

  /** Joined, left, renewed; the list or the rules changed, also by hand. The returned function ends it. */
  onChange(run: () => void): () => void {
    this.#watchers.add(run);
    if (this.#watchers.size === 1) this.#look();
    return () => {
      this.#watchers.delete(run);
      if (this.#watchers.size === 0) this.#stopLooking();
    };
  }

  /** Joined, or with new certificates. */
  become(member: MemberText): void {
    this.files.writeJson("member", MemberForm.parse(member));
    this.#changed();
  }

  /** New certificates for the keys that we have. */
  renewed(certs: MemberText["certs"]): void {
    const { member } = this;
    const text = MemberForm.safeParse(parsed(this.files.read("member") ?? "")).data;
    if (member && text) this.become({ ...text, certs });
  }

  /** Everything of the fleet but the root's key, which only `root` takes along. */
  leave(what: "member" | "root"): void {
    this.files.remove("member");
    for (const name of ["revoked", "rules", "known"] as const) this.files.remove(name);
    this.files.removeKeys(what === "root" ? [...ROLES, "root"] : ROLES);
    if (what === "root") this.files.remove("ledger");
    this.files.removeFolder();
    this.#changed();
  }

  /** What a device may do here from now on. Fails where fleet.json was broken by hand: what it said is not guessed. */
  allow(device: DeviceId, levels: { readonly person?: Level; readonly agent?: Level }): Rules | Fault {
    const rules = this.#ruled();
    if (isFault(rules)) return rules;
    const next = { ...rules, devices: { ...rules.devices, [device]: { ...rules.devices[device], ...levels } } };
    this.files.writeJson("rules", next);
    this.#changed();
    return next;
  }

  #membership(): Member | Fault | undefined {
    this.#member = this.#fresh("member", this.#member, (text) => (text === undefined ? undefined : this.#read(text)));
    const found = this.#member.value;
    const { url } = this.#parts;
    return found === undefined || isFault(found) || url === undefined ? found : { ...found, url };
  }

  #ruled(): Rules | Fault {
    this.#rules = this.#fresh("rules", this.#rules, (text) => {
      if (text === undefined) return NEW_RULES;
      const rules = readRules(text);
      return isFault(rules)
        ? { ...rules, message: `${this.files.path("rules")} cannot be read; nobody gets in` }
        : rules;
    });
    return this.#rules.value;
  }

  #listed(): Revoked | Fault {
    const root = this.member?.root;
    this.#revoked = this.#fresh(
      "revoked",
      this.#revoked,
      (text) => {
        if (text === undefined || root === undefined) return NOBODY_REVOKED;
        const list = openRevoked(text.trim(), root);
        return isFault(list) ? damaged(this.files.path("revoked"), "Nobody gets in until a newer list comes.") : list;
      },
      root,
    );
    return this.#revoked.value;
  }

  /** Read again only when the file is another one. */
  #fresh<T>(
    name: "member" | "rules" | "revoked",
    last: Kept<T> | undefined,
    read: (text: string | undefined) => T,
    beside = "",
  ): Kept<T> {
    const signature = `${this.files.signature(name)} ${beside}`;
    return last?.signature === signature ? last : { signature, value: read(this.files.read(name)) };
  }

  #read(text: string): Member | Fault {
    const path = this.files.path("member");
    const form = MemberForm.safeParse(parsed(text)).data;
    const hint = `Move ${this.files.folder} away and join again, or put the file back.`;
    if (!form || !isDeviceId(form.device) || !isHostId(form.host)) return damaged(path, hint);
    const { folder } = this.files;
    // A key that is made now would be nobody's.
    if (!ROLES.every((role) => this.files.hasKey(role)))
      return damaged(`a key in ${folder} is missing, so ${path}`, hint);
    const [host, person, agent] = ROLES.map((role) => keptIdentity(folder, role));
    for (const identity of [host, person, agent]) if (isFault(identity)) return identity;
    const { url, device, name, root, nkey, ca, certs } = form;
    const identities = { host, person, agent } as Member["identities"];
    const areOurs = ROLES.every((role) => openCertificate(certs[role], root)?.key === identities[role].publicKey);
    if (!areOurs) return refused("fleet.key", `the certificates in ${path} are not for the keys beside it`);
    return { url, device, host: form.host, name, root, nkeySeed: nkey, ca, identities, certs };
  }

  #changed(): void {
    this.#told = this.#signatures();
    for (const run of [...this.#watchers]) run();
  }

  /** By polling: editors replace files, and not every file system tells of it. */
  #look(): void {
    this.#told = this.#signatures();
    const again = () => {
      this.#stopLooking = this.#parts.clock.after(LOOK_MS, () => {
        if (this.#signatures() !== this.#told) this.#changed();
        if (this.#watchers.size > 0) again();
      });
    };
    again();
  }

  #signatures(): string {
    return (["member", "rules", "revoked"] as const).map((name) => this.files.signature(name)).join("|");
  }
}

export function noFleet(): Fault {
  return fault("fleet.none", "this machine is in no fleet", "{fleet_begin}");
}

function damaged(path: string, hint: string): Fault {
  return fault("fleet.key", `${path} is damaged`, hint);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
