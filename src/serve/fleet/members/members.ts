// What a person does with their fleet at this machine: begin it, let machines in and out, say what they may do here. Owns: nothing but
// the order of things. The parts beside it do them.
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import { type DeviceId, isDeviceId, isHostId } from "../../../core/fleet/subjects.ts";
import { makeNkey, openNkey } from "../../../host/bus/nkey.ts";
import { type Certificate, issue, standing } from "../../../host/fleet/certificate.ts";
import { refused } from "../../../host/fleet/faults.ts";
import { type Identity, keptIdentity, makeRoot } from "../../../host/fleet/keys.ts";
import { type Level, levelOf } from "../../../host/fleet/levels.ts";
import type { Log } from "../../log.ts";
import { Desk, type Invitee } from "./desk.ts";
import { wrongCa } from "./dialing.ts";
import { ROLES } from "./files.ts";
import { joinFleet } from "./joining.ts";
import { certificatesOf, type Entry, Ledger } from "./ledger.ts";
import { type Member, type Membership, noFleet } from "./membership.ts";
import { natsConfig } from "./nats-config.ts";
import { knownOthers } from "./news.ts";
import { Registrar } from "./registrar.ts";
import { Upkeep } from "./upkeep.ts";

interface MembersParts {
  readonly membership: Membership;
  readonly clock: Clock;
  readonly log: Log;
  /** Eight letters or digits. */
  newId(): string;
}

interface Begin {
  readonly url: string;
  readonly name: string;
  readonly passphrase?: string | undefined;
  readonly ca?: string | undefined;
}

/** One machine of the fleet, as it is known here. */
export interface Known {
  readonly device: DeviceId;
  readonly host: string | null;
  readonly name: string;
  readonly certificates: readonly Certificate[];
  readonly revoked: boolean;
}

const MAYBE_OUT =
  "The list of machines where the fleet's root key is says whether this one was revoked. If not, the broker reads its configuration again.";

export class Members {
  #parts: MembersParts;
  #ledger: Ledger;
  readonly #registrar: Registrar;
  readonly desk: Desk;
  #upkeep: Upkeep;

  constructor(parts: MembersParts) {
    const { membership, clock, log, newId } = parts;
    this.#parts = parts;
    this.#ledger = new Ledger(membership.files);
    this.#registrar = new Registrar({ membership, ledger: this.#ledger, clock });
    this.desk = new Desk({ membership, ledger: this.#ledger, registrar: this.#registrar, clock, log, newId });
    this.#upkeep = new Upkeep({ membership, registrar: this.#registrar, clock, log });
  }

  get membership(): Membership {
    return this.#parts.membership;
  }

  /** Whether machines are let in here. */
  get hasRoot(): boolean {
    return this.#registrar.isHere;
  }

  begin(): void {
    void this.desk.open();
    this.#upkeep.begin();
  }

  async close(): Promise<void> {
    this.#upkeep.stop();
    await this.desk.close();
  }

  async init({ url, name, passphrase, ca }: Begin): Promise<Member | Fault> {
    const { membership, newId } = this.#parts;
    const there = this.#belongs() ?? wrongCa(ca);
    if (there) return there;
    const { folder } = membership.files;
    const root = makeRoot(folder, passphrase);
    if (isFault(root)) return root;
    try {
      const [device, host, login] = [`d_${newId()}`, `h_${newId()}`, makeNkey()];
      if (!isDeviceId(device) || !isHostId(host)) throw new Error(`not an id: ${device}`);
      const certs = this.#ownCerts(root, { device, host, name });
      if (isFault(certs)) throw certs;
      const entry: Entry = { device, host, name, nkey: login.publicKey, certs, earlier: [], revoked: false };
      this.#ledger.put(entry);
      const own = { v: 1 as const, url, device, host, name, root: root.publicKey, nkey: login.seed, certs };
      membership.become({ ...own, ...(ca !== undefined && { ca }) });
    } catch (error) {
      // Half a fleet would be in the way of the next try.
      membership.leave("root");
      if (isFault(error)) return error;
      throw error;
    }
    this.begin();
    return membership.member ?? membership.damage[0] ?? fault("fleet.key", "no member", "Look at the fleet's folder.");
  }

  invite(name: string, passphrase: string | undefined): { readonly invitee: Invitee; readonly code: string } | Fault {
    const root = this.#registrar.root(passphrase);
    return isFault(root) ? root : this.desk.invite(root, name);
  }

  async join(code: string, ca: string | undefined): Promise<Member | Fault> {
    const { membership, log } = this.#parts;
    const there = this.#belongs() ?? wrongCa(ca);
    if (there) return there;
    const done = await joinFleet(this.#parts, code, ca);
    if (isFault(done)) return done;
    // Who else is in it. That can wait if it must.
    const news = await this.#upkeep.ask();
    if (isFault(news)) log.say("info", `no news of the fleet yet: ${news.message}`);
    this.begin();
    return membership.member ?? membership.damage[0] ?? fault("fleet.key", "no member", "Look at the fleet's folder.");
  }

  /** All that are known here, this machine first. */
  known(): readonly Known[] | Fault {
    const { membership } = this.#parts;
    const { member } = membership;
    if (!member) return membership.damage[0] ?? noFleet();
    const all = this.hasRoot ? this.#ledger.all() : [];
    if (isFault(all)) return all;
    if (this.hasRoot)
      return all.map((one) => ({ ...one, certificates: certificatesOf(one, member.root) })).sort(firstIs(member));
    const own = certificatesOf(member, member.root);
    const list = membership.revoked();
    const certificates = [...own, ...knownOthers(membership.files, member.root)];
    const ids = [...new Set(certificates.map(({ device }) => device))].filter(isDeviceId);
    return ids
      .flatMap((device) => {
        const ofIt = certificates.filter((one) => one.device === device);
        const [first] = ofIt;
        if (!first) return [];
        const revoked = ofIt.every(({ serial }) => list.serials.has(serial));
        return [{ device, host: first.host, name: first.name, certificates: ofIt, revoked }];
      })
      .sort(firstIs(member));
  }

  /** Whether this machine is a good member, by asking. unasked: the machine with the root's key does not answer. */
  async stands(): Promise<"good" | "unasked" | Fault> {
    const { membership, clock } = this.#parts;
    const [damage] = membership.damage;
    if (damage) return damage;
    if (this.hasRoot) return this.desk.away ?? "good";
    const asked = await this.#upkeep.ask();
    const { member } = membership;
    if (!member) return noFleet();
    const now = { revoked: membership.revoked(), now: clock.now() };
    const [wrong] = certificatesOf(member, member.root).flatMap((one) => standing(one, now) ?? []);
    if (wrong === "fleet.revoked" || (isFault(asked) && asked.code === "fleet.revoked")) return putOut();
    if (wrong !== undefined) return refused(wrong, member.name);
    if (!isFault(asked)) return "good";
    if (asked.code === "fleet.login") return { ...asked, hint: MAYBE_OUT };
    return asked.code === "host.gone" || asked.code === "host.quiet" ? "unasked" : asked;
  }

  levelsOf(device: string): { readonly person: Level; readonly agent: Level } {
    const rules = this.#parts.membership.rules();
    return { person: levelOf(rules, device, "person"), agent: levelOf(rules, device, "agent") };
  }

  /** What another machine may do here. Its agents follow its person down, never up. */
  allow(wanted: string, level: Level | undefined, agents: Level | undefined): Known | Fault {
    const found = this.#find(wanted);
    if (isFault(found)) return found;
    if (found.device === this.#parts.membership.member?.device)
      return fault("input.invalid", "this machine itself needs no level here", "{fleet_devices}");
    const before = this.levelsOf(found.device);
    const person = level ?? before.person;
    const isLower = person === "none" || (person === "watch" && before.agent === "drive");
    const agent = agents ?? (isLower ? person : before.agent);
    const rules = this.#parts.membership.allow(found.device, { person, agent });
    return isFault(rules) ? rules : found;
  }

  revoke(wanted: string, passphrase: string | undefined) {
    const root = this.#registrar.root(passphrase);
    if (isFault(root)) return root;
    const invitee = this.desk.invitees.find(({ name, device }) => name === wanted || device === wanted);
    if (invitee) {
      this.desk.withdraw(invitee.device);
      return {
        device: invitee.device,
        name: invitee.name,
        serials: 0,
        number: this.#parts.membership.revoked().number,
      };
    }
    const done = this.#registrar.revoke(root, wanted);
    if (isFault(done)) return done;
    const { entry, list } = done;
    const serials = certificatesOf(entry, root.publicKey).length + entry.earlier.length;
    return { device: entry.device, name: entry.name, serials, number: list.number };
  }

  /** Where the root's key is: makes new certificates. Elsewhere: fetches ours. */
  async renew(wanted: string | undefined, passphrase: string | undefined): Promise<readonly Known[] | Fault> {
    const { membership } = this.#parts;
    const all = () => {
      const known = this.known();
      return isFault(known) ? known : known.filter(({ device }) => device === membership.member?.device);
    };
    if (!this.hasRoot) {
      const asked = await this.#upkeep.ask();
      return isFault(asked) ? asked : all();
    }
    const root = this.#registrar.root(passphrase);
    if (isFault(root)) return root;
    const renewed = this.#registrar.renew(root, wanted ?? "all");
    if (isFault(renewed)) return renewed;
    return renewed.map((one) => ({ ...one, certificates: certificatesOf(one, root.publicKey) }));
  }

  async leave(what: "member" | "root"): Promise<Member | Fault> {
    const { membership } = this.#parts;
    const { member } = membership;
    if (!member) return membership.damage[0] ?? noFleet();
    if (this.hasRoot && what === "member") {
      const hint = "Nobody can be let in or out without it. {fleet_end}";
      return fault("fleet.key", "the fleet's root key is on this machine", hint);
    }
    this.#upkeep.stop();
    this.desk.forget();
    membership.leave(what);
    await this.desk.renew();
    return member;
  }

  natsConfig(): { readonly config: string; readonly url: string } | Fault {
    const root = this.hasRoot ? undefined : this.#registrar.root();
    const { member } = this.#parts.membership;
    const all = this.#ledger.all();
    // A missing passphrase is none's business here.
    if (isFault(root) && root.code !== "fleet.passphrase") return root;
    if (isFault(all)) return all;
    if (!member) return noFleet();
    const members = all.filter(({ revoked }) => !revoked);
    const logins = members.map((entry) => ({ ...entry, isRoot: entry.device === member.device }));
    const invitees = this.desk.invitees.map(({ joins, login, ...invitee }) => {
      return { ...invitee, joinNkey: openNkey(joins).publicKey, nkey: openNkey(login).publicKey };
    });
    return { url: member.url, config: natsConfig({ url: member.url, members: logins, invitees }) };
  }

  /** Why this machine cannot be a member of another fleet, or of this one again. */
  #belongs(): Fault | undefined {
    const { member, damage } = this.#parts.membership;
    if (!member) return damage[0];
    const hint = "A machine is in one fleet. {fleet_leave}";
    return fault("fleet.member", `this machine is ${member.name} in the fleet at ${member.url}`, hint);
  }

  #ownCerts(root: Identity, who: { device: DeviceId; host: string; name: string }): Member["certs"] | Fault {
    const { membership, clock } = this.#parts;
    const certs = { host: "", person: "", agent: "" };
    for (const role of ROLES) {
      const identity = keptIdentity(membership.files.folder, role);
      if (isFault(identity)) return identity;
      certs[role] = issue(root, { ...who, key: identity.publicKey, role, hosts: ["*"] }, clock.now());
    }
    return certs;
  }

  #find(wanted: string): Known | Fault {
    const all = this.known();
    if (isFault(all)) return all;
    // A second machine of one name is listed by its host's id.
    const byId = all.find(({ device, host }) => device === wanted || host === wanted);
    const found = byId ?? all.find(({ name, revoked }) => !revoked && name === wanted);
    return found ?? fault("not_found", `no machine of this fleet is called "${wanted}"`, "{fleet_devices}");
  }
}

function putOut(): Fault {
  const hint = "A person there invites it again. {fleet_leave}";
  return fault("fleet.revoked", "this machine was put out of the fleet: its certificates were revoked", hint);
}

function firstIs({ device }: Member): (a: Known, b: Known) => number {
  return (a, b) => Number(b.device === device) - Number(a.device === device) || a.name.localeCompare(b.name);
}
