// This machine in its fleet: as a host that others ask, and as a device that asks others. Owns: the connection to the broker, for as
// long as the machine is a member. Loaded only where there is a fleet.
import { randomInt } from "node:crypto";
import type { Changes } from "../../../core/base/changes.ts";
import type { Bus } from "../../../core/fleet/bus.ts";
import { subjects } from "../../../core/fleet/subjects.ts";
import { openNats } from "../../../host/bus/nats.ts";
import { nodeClock } from "../../../host/clock.ts";
import type { Log } from "../../log.ts";
import type { Perform } from "../../perform.ts";
import type { Hosts } from "../hosts.ts";
import type { Member, Membership } from "../members/membership.ts";
import { DeviceSide } from "./device-side.ts";
import { HostSide, type HostSideParts } from "./host-side.ts";
import { type Aim, HostStreams } from "./host-streams.ts";

/** A frame of a stream, with room: smaller ones would be cut by nobody. */
const MESSAGE_BYTES_MIN = 128 << 10;

interface FleetParts extends Pick<HostSideParts, "counts" | "note"> {
  readonly membership: Membership;
  readonly hosts: Hosts;
  readonly changes: Changes;
  readonly perform: Perform;
  readonly log: Log;
  readonly aim: Aim;
}

interface Joined {
  readonly member: Member;
  readonly bus: Bus;
  readonly host: HostSide;
  readonly streams: HostStreams;
  readonly device: DeviceSide;
}

export class Fleet {
  #parts: FleetParts;
  #joined: Joined | undefined;
  /** One change after the other. */
  #turn: Promise<void> = Promise.resolve();
  #end: () => void;

  constructor(parts: FleetParts) {
    this.#parts = parts;
    this.#end = parts.membership.onChange(() => this.#follow());
    this.#follow();
  }

  /** The broker's connection, for those who join others over it. */
  get bus(): Bus | undefined {
    return this.#joined?.bus;
  }

  async close(): Promise<void> {
    this.#end();
    await this.#turn;
    await this.#leave();
  }

  #follow(): void {
    const { log } = this.#parts;
    this.#turn = this.#turn.then(() => this.#stand()).catch((error: unknown) => log.error(error));
  }

  async #stand(): Promise<void> {
    const { member } = this.#parts.membership;
    if (isSame(member, this.#joined?.member)) return;
    await this.#leave();
    if (member) this.#joined = await this.#join(member);
  }

  async #join(member: Member): Promise<Joined> {
    const { membership, hosts, changes, perform, log, aim, counts, note } = this.#parts;
    const { url, nkeySeed, ca, device, name } = member;
    const bus = await openNats({
      ...{ url, name, inboxPrefix: subjects.inbox(device), bytesMin: MESSAGE_BYTES_MIN },
      ...(nkeySeed !== undefined && { nkeySeed }),
      ...(ca !== undefined && { ca }),
    });
    bus.onStatus((status) =>
      log.say("info", `the broker of the fleet: ${status}`, bus.reason ? { why: bus.reason } : {}),
    );
    const clock = nodeClock;
    const streams = new HostStreams({ bus, host: member.host, membership, clock, aim });
    const host = await HostSide.open({
      ...{ bus, member, membership, clock, changes, log, perform, counts, note },
      random: () => randomInt(1 << 20) / (1 << 20),
      attach: (...asked) => streams.attach(...asked),
    });
    const others = new DeviceSide({ bus, member, membership, hosts, clock, log });
    return { member, bus, host, streams, device: others };
  }

  async #leave(): Promise<void> {
    const joined = this.#joined;
    this.#joined = undefined;
    if (!joined) return;
    joined.host.close();
    joined.streams.close();
    await joined.device.close();
    await joined.bus.close();
  }
}

/** New certificates need no new connection to the broker, but cards and calls show them. */
function isSame(a: Member | undefined, b: Member | undefined): boolean {
  return a?.url === b?.url && a?.nkeySeed === b?.nkeySeed && JSON.stringify(a?.certs) === JSON.stringify(b?.certs);
}
