// The machines that are reached over ssh. Owns: the file that lists them. Refuses: to know what is asked of them.
import fs from "node:fs";
import * as z from "zod";
import { advice } from "../../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import { nodeClock } from "../../../host/clock.ts";
import { writeWhole } from "../../../host/disk/files.ts";
import { HostName } from "../../../protocol/words/ids.ts";
import type { Log } from "../../log.ts";
import type { Hosts } from "../hosts.ts";
import { sshTarget } from "./address.ts";
import { installOver } from "./install.ts";
import { SshHost } from "./ssh-host.ts";

const Listed = z.array(z.strictObject({ name: HostName, address: z.string(), agent_socket: z.string().optional() }));
type Listed = z.output<typeof Listed>[number];

/** A machine that is added is told with how it stands, if that is known by then. */
const FIRST_MS = 20_000;
const LOOK_MS = 50;

interface SshHostsParts {
  readonly file: string;
  readonly run: string;
  readonly ssh: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly hosts: Hosts;
  /** What this machine is called over ssh. In a fleet it may have another name, for the machines of the fleet. */
  readonly name: string;
  readonly log: Log;
}

export class SshHosts {
  #parts: SshHostsParts;
  #listed: Listed[] = [];
  #running = new Map<string, SshHost>();

  constructor(parts: SshHostsParts) {
    this.#parts = parts;
  }

  /** Connects to all that were added before. */
  begin(): void {
    const { file, log } = this.#parts;
    if (!fs.existsSync(file)) return;
    const read = Listed.safeParse(parsed(fs.readFileSync(file, "utf8")));
    if (!read.success) return log.error(`${file} cannot be read; no machine of it is reached`);
    this.#listed = [...read.data];
    for (const one of this.#listed) {
      const wrong = this.#start(one);
      if (wrong) log.error(`${one.name}: ${wrong.message}`);
    }
  }

  async add({ install, ...one }: Listed & { readonly install: boolean }): Promise<Fault | undefined> {
    const target = sshTarget(one.address);
    if (isFault(target)) return target;
    const known = this.#listed.find(({ name }) => name === one.name);
    // Adding it again with the same address tries again, and may install.
    if (known && known.address !== one.address)
      return fault("input.invalid", `${one.name} is ${known.address}`, advice("hosts_remove", one.name));
    const wrong = known ? undefined : (this.#taken(one.name) ?? this.#start(one));
    if (wrong) return wrong;
    if (!known) this.#keep([...this.#listed, one]);
    const host = this.#running.get(one.name);
    host?.hurry();
    await settled(host);
    if (!install || !host) return undefined;
    const failed = await installOver(host);
    if (failed) return { ...failed, hint: `${failed.hint} ${one.name} stays in the list of machines.` };
    host.hurry();
    await settled(host);
    return undefined;
  }

  async remove(name: string): Promise<Fault | undefined> {
    if (!this.#listed.some((one) => one.name === name))
      return fault("host.unknown", `no machine ${name} was added over ssh`, advice("hosts"));
    this.#keep(this.#listed.filter((one) => one.name !== name));
    this.#running.delete(name);
    await this.#parts.hosts.remove(name);
    return undefined;
  }

  #taken(name: string): Fault | undefined {
    const { hosts } = this.#parts;
    const like = hosts.like(name);
    if (like === undefined) return undefined;
    const whose = like === hosts.me ? "this machine's own name" : "a machine already";
    return fault("input.invalid", `${like} is ${whose}`, "Choose another name; capitals make no difference.");
  }

  #start({ name, address, agent_socket }: Listed): Fault | undefined {
    const { hosts, run, ssh, env, name: me } = this.#parts;
    const target = sshTarget(address);
    if (isFault(target)) return target;
    if (name === hosts.me) return fault("input.invalid", `${name} is this machine's own name`, "Choose another name.");
    const own = agent_socket === undefined ? {} : { SSH_AUTH_SOCK: agent_socket };
    const parts = { name, address, target, ssh, run, me, clock: nodeClock, env: () => ({ ...env, ...own }) };
    const host = new SshHost(parts);
    this.#running.set(name, host);
    return hosts.add(host);
  }

  #keep(listed: Listed[]): void {
    this.#listed = listed;
    writeWhole(this.#parts.file, `${JSON.stringify(listed)}\n`);
  }
}

/** Until it is known how it stands. */
async function settled(host: SshHost | undefined): Promise<void> {
  const until = nodeClock.monotonic() + FIRST_MS;
  while (host?.now.reach === "connecting" && nodeClock.monotonic() < until)
    await new Promise<void>((resolve) => void setTimeout(resolve, LOOK_MS));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
