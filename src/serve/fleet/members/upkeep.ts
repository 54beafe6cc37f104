// Certificates that end soon are renewed: the root's machine makes new ones where its key has no passphrase, all others ask for theirs.
// Owns: when that is done next.
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, isFault } from "../../../core/base/fault.ts";
import { subjects } from "../../../core/fleet/subjects.ts";
import type { Log } from "../../log.ts";
import { dialled } from "./dialing.ts";
import { type Membership, noFleet } from "./membership.ts";
import { takeNews } from "./news.ts";
import type { Registrar } from "./registrar.ts";

/** Four times a day: a machine that is on for an hour a week still gets its certificates. */
const EACH_MS = 6 * 3_600_000;
/** The root's machine was not there. */
const AGAIN_MS = 600_000;
/** Everybody starts at once after a power cut. */
const FIRST_MS = 5_000;

interface UpkeepParts {
  readonly membership: Membership;
  readonly registrar: Registrar;
  readonly clock: Clock;
  readonly log: Log;
}

export class Upkeep {
  #parts: UpkeepParts;
  #cancel: () => void = () => undefined;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  begin(afterMs = FIRST_MS): void {
    this.#cancel();
    this.#cancel = this.#parts.clock.after(afterMs, () => void this.#turn());
  }

  stop(): void {
    this.#cancel();
  }

  /** Asks the root's machine now. */
  async ask(): Promise<"newer" | "known" | Fault> {
    const { membership, clock } = this.#parts;
    const { member } = membership;
    if (!member) return noFleet();
    const { url, nkeySeed, ca, device, name } = member;
    const how = { url, nkeySeed, ca, inboxPrefix: subjects.inbox(device), name: `${name} asks for news` };
    const bus = await dialled(how, clock);
    if (isFault(bus)) return bus;
    try {
      return await takeNews(bus, membership);
    } finally {
      await bus.close();
    }
  }

  async #turn(): Promise<void> {
    const { membership, registrar, log } = this.#parts;
    if (!membership.member) return;
    const isDone = registrar.isHere ? this.#renewed() : !isFault(await this.ask().catch((error) => log.error(error)));
    this.begin(isDone ? EACH_MS : AGAIN_MS);
  }

  #renewed(): boolean {
    const { registrar, log } = this.#parts;
    try {
      const root = registrar.root();
      if (!isFault(root)) registrar.renew(root, "due");
      return true;
    } catch (error) {
      // A full disk: later.
      log.error(error);
      return false;
    }
  }
}
