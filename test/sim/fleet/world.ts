// One host, one device and a bad broker between them, for a minute or so. Every random choice comes from the seed.
import { seeded } from "../../fixtures/seeded.ts";
import { type Faults, NO_FAULTS, SimBroker } from "./broker.ts";
import { SimTime } from "./clock.ts";
import { Owner } from "./owner.ts";
import { Watcher } from "./watcher.ts";

const WINDOWS = [64 << 10, 128 << 10, 512 << 10];
const RATES = [0, 0, 0.003, 0.02, 0.1];
/** What a guest whose link is over sees. */
const FAREWELL = 4403;

export interface Outcome {
  readonly attaches: number;
  readonly ends: Readonly<Record<string, number>>;
  readonly lostBytes: number;
  readonly notices: number;
}

export class FleetWorld {
  readonly #time = new SimTime();
  readonly #random: () => number;
  readonly #broker: SimBroker;
  readonly #owner: Owner;
  readonly #watcher: Watcher;

  constructor(seed: number) {
    this.#random = seeded(seed);
    this.#broker = new SimBroker(this.#time, this.#random);
    this.#broker.faults = this.#someFaults();
    this.#broker.latencyMs = this.#pick([0.1, 1, 25, 100]);
    this.#owner = new Owner(this.#time, this.#broker, Math.floor(this.#random() * (4 << 20)));
    this.#watcher = new Watcher({
      time: this.#time,
      broker: this.#broker,
      owner: this.#owner,
      random: this.#random,
      window: this.#pick(WINDOWS),
      takes: this.#random() < 0.4 ? 2_000 + Math.floor(this.#random() ** 3 * 60_000) : undefined,
    });
  }

  run(): Outcome {
    const steps = 10 + Math.floor(this.#random() * 30);
    for (let step = 0; step < steps; step += 1) {
      this.#act();
      this.#time.pass(this.#random() < 0.15 ? this.#random() * 12_000 : this.#random() ** 2 * 200);
      this.#watcher.check();
    }
    this.#agree();
    this.#part();
    const ends: Record<string, number> = {};
    for (const { why } of this.#watcher.ends) ends[why] = (ends[why] ?? 0) + 1;
    const lost = [...this.#watcher.typings.values()].reduce((sum, one) => sum + one.sentBytes - one.typedBytes, 0);
    return { attaches: this.#watcher.attaches, ends, lostBytes: lost, notices: this.#watcher.notices };
  }

  #act(): void {
    const dice = this.#random();
    if (dice < 0.35) this.#owner.grow(this.#length(1 << 20));
    else if (dice < 0.6) for (let n = this.#random() * 6; n > 0; n -= 1) this.#watcher.type(this.#length(100_000));
    else if (dice < 0.65) this.#owner.tell(this.#length(100_000));
    else if (dice < 0.7) this.#watcher.say();
    else if (dice < 0.76) this.#paint();
    else if (dice < 0.82) this.#cut();
    else if (dice < 0.86) this.#owner.restart();
    else if (dice < 0.92) this.#freeze(this.#random() < 0.7 ? "device" : "host");
    else if (dice < 0.96) this.#broker.faults = this.#someFaults();
  }

  #paint(): void {
    this.#owner.paintBytes = this.#length(2 << 20);
    this.#owner.repaintAll();
  }

  /** For a while. Who uses a bus hears of it, but not always before the next frame. */
  #cut(): void {
    const place = this.#random() < 0.5 ? "host" : "device";
    this.#broker.cut(place);
    if (place === "device" && this.#random() < 0.5) this.#watcher.lose();
    this.#time.after(this.#random() ** 2 * 20_000, () => this.#broker.join(place));
  }

  #freeze(place: "host" | "device"): void {
    const { clock } = place === "host" ? this.#owner : this.#watcher;
    clock.freeze();
    this.#time.after(this.#random() ** 2 * 25_000, () => clock.thaw());
  }

  /** Nothing goes wrong any more. After a while both ends agree, and nobody attaches again. */
  #agree(): void {
    this.#broker.faults = NO_FAULTS;
    this.#time.pass(60_000);
    const { attaches, device } = this.#watcher;
    for (let n = 0; n < 20 && this.#owner.fed !== this.#watcher.shown; n += 1) this.#time.pass(60_000);
    this.#owner.grow(1_000);
    this.#watcher.type(10);
    this.#time.pass(10_000);
    if (this.#watcher.attaches !== attaches) throw new Error("it attached again though nothing was wrong");
    if (this.#watcher.shown !== this.#owner.fed)
      throw new Error(`the journal has ${this.#owner.fed} bytes, and ${this.#watcher.shown} are shown`);
    const served = [...this.#owner.served.values()];
    if (served.length !== 1) throw new Error(`${served.length} streams for one device`);
    const [one] = served;
    if (one?.typing.sentBytes !== one?.typing.typedBytes || device?.unconfirmed.bytes !== 0)
      throw new Error(`the device has ${device?.unconfirmed.bytes} unconfirmed bytes`);
    if (one?.stream.bufferedAmount !== 0) throw new Error(`the host waits for ${one?.stream.bufferedAmount} bytes`);
  }

  /** Either side closes in order. The other one hears how, and no timer stays. */
  #part(): void {
    const [one] = this.#owner.served.values();
    const byHost = this.#random() < 0.5;
    if (byHost) {
      this.#owner.grow(this.#length(300_000));
      one?.stream.close(FAREWELL, "it is over");
      // It is the last of its streams.
      this.#time.pass(30_000);
    } else this.#watcher.close();
    this.#time.pass(30_000);
    const end = this.#watcher.ends.at(-1);
    const code = byHost ? FAREWELL : 1000;
    if (end?.code !== code || one?.end?.code !== code)
      throw new Error(`closed with ${code}, and heard ${end?.code} and ${one?.end?.code}`);
    if (this.#time.pending > 0) throw new Error(`${this.#time.pending} timers are left`);
  }

  #someFaults(): Faults {
    if (this.#random() < 0.3) return NO_FAULTS;
    const rate = () => this.#pick(RATES);
    return { drop: rate(), double: rate(), reorder: rate(), damage: rate() / 4 };
  }

  /** Mostly short. */
  #length(most: number): number {
    const dice = this.#random();
    if (dice < 0.75) return 1 + Math.floor(this.#random() * 100);
    if (dice < 0.97) return 1 + Math.floor(this.#random() * Math.min(most, 5_000));
    return 1 + Math.floor(this.#random() ** 2 * most);
  }

  #pick<One>(all: readonly One[]): One {
    return all[Math.floor(this.#random() * all.length)] as One;
  }
}
