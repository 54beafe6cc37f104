// The other machines of this person. Owns: which there are, by name. Refuses: to know the ways there (ssh, NATS).

import { advice } from "../../core/base/advice.ts";
import type { Changes } from "../../core/base/changes.ts";
import type { Clock } from "../../core/base/clock.ts";
import { ConcurrencyLimit } from "../../core/base/concurrency-limit.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import { HostLists } from "./host-lists.ts";
import type { RemoteHost } from "./remote-host.ts";

/** What a hosted page can show and a person can know. Each costs a connection or a beacon. */
const HOSTS_MAX = 2_000;
/** Somebody may write anything as a name. */
const SHOWN_CHARS_MAX = 60;
/** Lists of all machines wait for those that are on their way; others are told as missing. */
export const COMPLETE_MS = 2_000;
const LOOK_MS = 20;
/** Machines whose lists are asked for at one time. */
const ASKED_AT_ONCE = 64;

interface HostsParts {
  readonly clock: Clock;
  readonly changes: Changes;
  /** What this machine is called now: joining a fleet gives it another name. */
  me(): string;
}

export class Hosts {
  #parts: HostsParts;
  #known = new Map<string, HostLists>();
  #turns = new ConcurrencyLimit(ASKED_AT_ONCE);

  constructor(parts: HostsParts) {
    this.#parts = parts;
  }

  get me(): string {
    return this.#parts.me();
  }

  get all(): readonly HostLists[] {
    return [...this.#known.values()];
  }

  add(host: RemoteHost): Fault | undefined {
    if (this.#known.has(host.name))
      return fault("input.invalid", `there is a machine ${host.name} already`, "Choose another name.");
    if (this.#known.size >= HOSTS_MAX)
      return fault("machine.full", `there are ${HOSTS_MAX} machines already`, "Remove those that are no more.");
    const { clock, changes } = this.#parts;
    this.#known.set(host.name, new HostLists({ host, clock, turns: this.#turns, changed: () => changes.bump() }));
    changes.bump();
    return undefined;
  }

  async remove(name: string): Promise<boolean> {
    const found = this.#known.get(name);
    if (!found) return false;
    this.#known.delete(name);
    found.close();
    this.#parts.changes.bump();
    await found.host.close();
    return true;
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** The machine, or this one, whose name differs in capitals at most. */
  like(name: string): string | undefined {
    const plain = name.toLowerCase();
    return [this.me, ...this.#known.keys()].find((other) => other.toLowerCase() === plain);
  }

  find(name: string): HostLists | Fault {
    const found = this.#known.get(name);
    if (found) return found;
    const names = [...this.#known.keys()];
    const which =
      names.length === 0 ? "no other machine is known" : `no machine is called ${name.slice(0, SHOWN_CHARS_MAX)}`;
    return fault("host.unknown", which, advice("hosts"));
  }

  /** Returns the end of waiting. */
  after(ms: number, run: () => void): () => void {
    return this.#parts.clock.after(ms, run);
  }

  /** Resolves when all machines that can be reached have told, or when nobody should wait any longer. */
  async complete(): Promise<void> {
    const { clock } = this.#parts;
    const until = clock.monotonic() + COMPLETE_MS;
    while (clock.monotonic() < until && this.all.some(({ isComing }) => isComing))
      await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#known.keys()].map((name) => this.remove(name)));
  }
}
