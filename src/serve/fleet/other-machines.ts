// The person's other machines, by whichever way: over ssh, and in a fleet. Owns: both ways, their beginning and their end.
import type { Fault } from "../../core/base/fault.ts";
import { isFault } from "../../core/base/fault.ts";
import type { Session } from "../../core/session/session.ts";
import { nodeClock } from "../../host/clock.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { Machine } from "../compose.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { Perform } from "../perform.ts";
import { nameOfMachine } from "./config.ts";
import { Hosts } from "./hosts.ts";
import { LoadedMembers } from "./members/loaded.ts";
import type { Membership } from "./members/membership.ts";
import type { Fleet } from "./nats/fleet.ts";
import type { Aim } from "./nats/host-streams.ts";
import { SshHosts } from "./ssh/ssh-hosts.ts";

interface OtherMachinesParts {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly config: Config;
  readonly changes: Machine["changes"];
  readonly everywhere: Machine["everywhere"];
  readonly sessions: Machine["sessions"];
  readonly approvals: Machine["approvals"];
  /** The broker of the fleet, instead of the one that was joined. */
  readonly broker: string | undefined;
  readonly perform: Perform;
  readonly aim: Aim;
  newId(): string;
  /** Decisions outside any session. */
  note(event: object): void;
}

export class OtherMachines {
  readonly hosts: Hosts;
  readonly sshHosts: SshHosts;
  readonly members: LoadedMembers;
  #fleet: Fleet | undefined;
  #membership: Membership | undefined;
  #log: Log;

  constructor(parts: OtherMachinesParts) {
    const { home, env, log, config, changes, everywhere, sessions, approvals, perform, aim, broker } = parts;
    const name = nameOfMachine(config.fleet);
    const me = () => this.#membership?.member?.name ?? name;
    const hosts = new Hosts({ clock: nodeClock, changes: everywhere, me });
    this.hosts = hosts;
    this.#log = log;
    this.sshHosts = new SshHosts({ file: home.hosts, run: home.run, ssh: config.fleet.ssh, env, hosts, name, log });
    const counts = () => ({ sessions: sessions.live.length, pending: approvals.list("pending").length });
    const note = (event: object, input: unknown) => {
      const session = sessionIn(input, (ref) => sessions.find(ref));
      if (session) session.gate.log({ kind: "fleet", ...event });
      else parts.note(event);
    };
    this.members = new LoadedMembers({
      ...{ folder: home.fleet, url: broker, log, newId: parts.newId },
      loaded: async (membership) => {
        this.#membership = membership;
        const { Fleet } = await import("./nats/fleet.ts");
        this.#fleet = new Fleet({ membership, hosts, changes, perform, log, aim, counts, note });
      },
    });
  }

  begin(): void {
    this.sshHosts.begin();
    this.members.begin().catch((error: unknown) => this.#log.error(error));
  }

  async close(): Promise<void> {
    await this.members.close();
    await this.#fleet?.close();
    await this.hosts.close();
  }
}

function sessionIn(input: unknown, find: (ref: string) => Session | Fault): Session | undefined {
  const { session_id } = Object(input ?? {});
  const found = typeof session_id === "string" ? find(session_id) : undefined;
  return found === undefined || isFault(found) ? undefined : found;
}
