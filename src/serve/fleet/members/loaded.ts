// The fleet's part of the machine, loaded when it is used: a machine in no fleet pays for none of it. Owns: the one that is loaded.
import { existsSync } from "node:fs";
import { nodeClock } from "../../../host/clock.ts";
import type { Log } from "../../log.ts";
import type { Members } from "./members.ts";
import type { Membership } from "./membership.ts";

interface FleetParts {
  /** `$DUETTY_HOME/fleet`. */
  readonly folder: string;
  /** Of the broker, instead of the one that is kept. */
  readonly url?: string | undefined;
  readonly log: Log;
  newId(): string;
  /** This machine may be in a fleet: what connects it follows that from now on. */
  loaded(membership: Membership): Promise<void>;
}

export class LoadedMembers {
  #parts: FleetParts;
  #made: Promise<Members> | undefined;

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  /** Whether this machine is in a fleet, or was. */
  get isUsed(): boolean {
    return existsSync(this.#parts.folder);
  }

  load(): Promise<Members> {
    this.#made ??= this.#make();
    return this.#made;
  }

  /** Nothing happens where there is no fleet. */
  async begin(): Promise<void> {
    if (this.isUsed) (await this.load()).begin();
  }

  async close(): Promise<void> {
    await (await this.#made)?.close();
  }

  async #make(): Promise<Members> {
    const { folder, url, loaded, ...parts } = this.#parts;
    const [{ Membership }, { Members }] = await Promise.all([import("./membership.ts"), import("./members.ts")]);
    const membership = new Membership({ folder, clock: nodeClock, url });
    await loaded(membership);
    return new Members({ ...parts, clock: nodeClock, membership });
  }
}
