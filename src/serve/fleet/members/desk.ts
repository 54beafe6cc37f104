// Where machines ask to be let in, and members for news: on the root's machine, while its daemon runs. Owns: its own connection to the
// broker, the open invitations, and the root's key for as long as one of them is open. Refuses: to decide what a member may do.
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault, shortageOf } from "../../../core/base/fault.ts";
import type { Bus, BusMessage, Published } from "../../../core/fleet/bus.ts";
import { type DeviceId, type HostId, isDeviceId, isHostId, subjects } from "../../../core/fleet/subjects.ts";
import { openNats } from "../../../host/bus/nats.ts";
import { makeNkey, openNkey } from "../../../host/bus/nkey.ts";
import { type FleetCode, isFleetCode } from "../../../host/fleet/faults.ts";
import { deviceAsking } from "../../../host/fleet/invitation.ts";
import { Invitations } from "../../../host/fleet/invitations.ts";
import type { Identity } from "../../../host/fleet/keys.ts";
import type { Log } from "../../log.ts";
import { whyNot } from "./dialing.ts";
import { ROLES } from "./files.ts";
import type { Entry, Ledger } from "./ledger.ts";
import { type Membership, noFleet } from "./membership.ts";
import { isAskingForNews, newsText } from "./news.ts";
import { refusalText } from "./refusal.ts";
import type { Registrar } from "./registrar.ts";

/** A broker that refused us has read its configuration by then: soon while somebody waits to join. */
const AGAIN_MS = { invited: 2_000, quiet: 60_000 } as const;
const INVITED_MS = 600_000;

interface DeskParts {
  readonly membership: Membership;
  readonly ledger: Ledger;
  readonly registrar: Registrar;
  readonly clock: Clock;
  readonly log: Log;
  /** Eight letters or digits. */
  newId(): string;
}

/** Invited, and not here yet. Its logins stay the same when it is invited again: the broker may know them already. */
export interface Invitee {
  readonly name: string;
  readonly device: DeviceId;
  readonly host: HostId;
  /** The seed of the code's login, and of the one that it will have. */
  readonly joins: string;
  readonly login: string;
  readonly until: number;
}

export class Desk {
  #parts: DeskParts;
  #bus: Bus | undefined;
  #invitations: Invitations | undefined;
  #invitees = new Map<string, Invitee>();
  #stopWaiting: () => void = () => undefined;
  #isOver = false;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** Why nobody reaches it now. Undefined: they do. */
  get away(): Fault | undefined {
    const { member } = this.#parts.membership;
    if (!member || this.#bus?.status === "connected") return undefined;
    return whyNot(this.#bus ?? { status: "away", reason: undefined }, member);
  }

  get invitees(): readonly Invitee[] {
    const now = this.#parts.clock.now();
    return [...this.#invitees.values()].filter(({ until }) => until > now);
  }

  /** Connects, if this is the root's machine, and goes on trying. */
  async open(): Promise<void> {
    const { member } = this.#parts.membership;
    if (this.#isOver || !member || !this.#parts.registrar.isHere) return;
    if (this.#bus && this.#bus.status !== "closed") return;
    this.#stopWaiting();
    const { url, nkeySeed, ca, device, name, host } = member;
    const inboxPrefix = subjects.inbox(device);
    const onComplaint = (message: string) => this.#parts.log.say("error", `the broker: ${message}`);
    const bus = await openNats({ url, nkeySeed, ca, inboxPrefix, name: `${name} ${host} lets in`, onComplaint });
    if (this.#isOver) return bus.close();
    this.#bus = bus;
    bus.subscribe(subjects.joins, (message) => this.#asked(message));
    bus.onStatus((status) => (status === "closed" ? this.#later() : undefined));
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.forget();
    await this.#bus?.close();
  }

  /** No invitation is good any more, and the root's key is not kept. */
  forget(): void {
    this.#stopWaiting();
    this.#invitations = undefined;
    this.#invitees.clear();
  }

  /** The membership is another one, or none. */
  async renew(): Promise<void> {
    const before = this.#bus;
    this.#bus = undefined;
    await before?.close();
    await this.open();
  }

  withdraw(device: string): void {
    this.#invitees.delete(device);
    this.#invitations?.withdraw(device);
  }

  invite(root: Identity, name: string): { readonly invitee: Invitee; readonly code: string } | Fault {
    const { membership, clock } = this.#parts;
    const { member } = membership;
    if (!member) return noFleet();
    const invitee = this.#inviteeFor(name);
    if (isFault(invitee)) return invitee;
    this.#invitations ??= new Invitations(root);
    const { device, host, joins, login } = invitee;
    const offer = { url: member.url, device, name, host, roles: [...ROLES], nkey: joins, hosts: ["*" as const], login };
    const code = this.#invitations.invite(offer, clock.now());
    if (isFault(code)) return code;
    this.#invitees.set(device, invitee);
    // Nobody needs the root's key once the last code is over.
    clock.after(INVITED_MS, () => (this.invitees.length === 0 ? this.#lock() : undefined));
    void this.open();
    return { invitee, code };
  }

  #lock(): void {
    this.#invitations = undefined;
  }

  #inviteeFor(name: string): Invitee | Fault {
    const { ledger, newId, clock } = this.#parts;
    const all = ledger.all();
    if (isFault(all)) return all;
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    const taken = all.find((entry) => !entry.revoked && isSame(entry.name));
    if (taken) {
      const hint = `Choose another name. {fleet_revoke:${taken.name}}`;
      return fault("input.invalid", `${taken.name} is in the fleet already`, hint);
    }
    const until = clock.now() + INVITED_MS;
    const before = [...this.#invitees.values()].find((invitee) => invitee.name === name);
    if (before) return { ...before, until };
    const near = this.invitees.find((invitee) => isSame(invitee.name));
    if (near) return fault("input.invalid", `${near.name} is invited already`, "Choose another name.");
    const [device, host] = [`d_${newId()}`, `h_${newId()}`];
    if (!isDeviceId(device) || !isHostId(host)) throw new Error(`not an id: ${device}`);
    return { name, device, host, joins: makeNkey().seed, login: makeNkey().seed, until };
  }

  #asked({ subject, data, reply }: BusMessage): Published | undefined {
    if (!reply) return undefined;
    try {
      return reply(isAskingForNews(data) ? this.#news(subject) : this.#admitted(subject, data));
    } catch (error) {
      if (!shortageOf(error)) throw error;
      this.#parts.log.error(error);
      return reply(refusalText("fleet.full"));
    }
  }

  /** Everybody's certificates are everybody's to see; only their keys are not. */
  #news(subject: string): Uint8Array {
    const { registrar, ledger, membership } = this.#parts;
    const known = ledger.all();
    const asking = isFault(known) ? undefined : known.find(({ device }) => subjects.join(device) === subject);
    if (!asking) return refusalText("fleet.not_allowed");
    if (asking.revoked) return refusalText("fleet.revoked");
    const root = registrar.root();
    // With a passphrase a person renews.
    if (!isFault(root)) registrar.renew(root, "due");
    const all = ledger.all();
    const entries = isFault(all) ? [] : all.filter(({ revoked }) => !revoked);
    const certs = entries.flatMap((entry) => ROLES.map((role) => entry.certs[role]));
    return newsText(certs, membership.revoked().text);
  }

  #admitted(subject: string, request: Uint8Array): Uint8Array {
    const { membership, ledger, clock, log } = this.#parts;
    const device = deviceAsking(request);
    const invitee = this.#invitees.get(device ?? "");
    // The broker's permissions name the subject: what is asked on it is for that machine.
    if (!invitee || subject !== subjects.join(invitee.device)) return refusalText("fleet.used");
    const admitted = this.#invitations?.admit(request, membership.revoked(), clock.now());
    if (!admitted || isFault(admitted)) return refusalText(codeIn(admitted));
    this.#invitees.delete(invitee.device);
    const { host = "", person = "", agent = "" } = admitted.certs;
    const nkey = openNkey(invitee.login).publicKey;
    const made = { device: invitee.device, host: invitee.host, name: invitee.name, nkey };
    const entry: Entry = { ...made, certs: { host, person, agent }, earlier: [], revoked: false };
    const wrong = ledger.put(entry);
    if (wrong) {
      log.error(`${invitee.name} could not be let in: ${wrong.message}`);
      return refusalText("fleet.full");
    }
    log.say("info", "a machine joined the fleet", { name: invitee.name, device: invitee.device });
    if (this.invitees.length === 0) this.#lock();
    return admitted.answer;
  }

  #later(): void {
    this.#stopWaiting();
    const ms = this.invitees.length > 0 ? AGAIN_MS.invited : AGAIN_MS.quiet;
    this.#stopWaiting = this.#parts.clock.after(ms, () => void this.open());
  }
}

function codeIn(why: Fault | undefined): FleetCode {
  const code = why?.code ?? "fleet.used";
  return isFleetCode(code) ? code : "fleet.forged";
}
