// Keys on their way from people to programs, with everything that can happen meanwhile: connections that break, daemons that die,
// agents that type, ask and are denied, a person who takes and stops. Each key arrives once, in order, in its own session.
// A failure prints its seed; SEED=n runs it again.
import { expect, test } from "vitest";
import { KeptInput } from "../../src/core/base/kept-input.ts";
import type { InputNumber } from "../../src/core/journal/holding.ts";
import { TypedInput } from "../../src/core/journal/typed-input.ts";
import { depth } from "../fixtures/depth.ts";
import { PERSON, TestGate } from "../fixtures/fakes/gate.ts";
import { inWorld, seeded, seedsFor } from "../fixtures/seeded.ts";

const SEEDS = seedsFor(depth(600, 3_000, 10_000));
const STEPS = 40;

interface Frame extends InputNumber {
  readonly text: string;
}

/** One PTY in the holder. What a dead daemon has sent is still read. */
class Program {
  readonly typed = new TypedInput();
  readonly read: string[] = [];

  write(text: string, number?: InputNumber): void {
    if (this.typed.isNew(number)) this.read.push(text);
  }
}

/** One session of a daemon: its gate, and what the holder told of earlier input. */
class Daemon {
  readonly stand = new TestGate();
  readonly typed = new TypedInput();

  constructor(program: Program) {
    for (const number of program.typed.list) this.typed.isNew(number);
    const write = (bytes: Uint8Array, number?: InputNumber) => program.write(Buffer.from(bytes).toString(), number);
    const { holding } = this.stand;
    const type = async (bytes: Uint8Array) => {
      write(bytes);
      return "written" as const;
    };
    this.stand.gate.open({ ...holding, write, type });
  }

  /** As session.ts does. */
  receive({ text, ...number }: Frame): void {
    if (this.typed.isNew(number)) this.stand.gate.submit(PERSON, Buffer.from(text), number);
  }
}

/** A person's window on one session. */
class Window {
  readonly typed: string[] = [];
  readonly input = new KeptInput((bytes) => this.#send(Buffer.from(bytes).toString()));
  readonly session: number;
  readonly #number: number;
  up: Frame[] = [];
  down: ("hello" | number)[] = [];
  isConnected = false;
  #next = 0;

  constructor(number: number, session: number) {
    this.#number = number;
    this.session = session;
  }

  type(key: string): void {
    const text = `<p${this.#number}.${key}>`;
    this.typed.push(text);
    this.input.type(new Uint8Array(Buffer.from(text)));
  }

  connect(): void {
    if (this.isConnected) return;
    this.isConnected = true;
    this.#next = this.input.from;
    this.down = ["hello"];
  }

  cut(): void {
    if (!this.isConnected) return;
    this.isConnected = false;
    [this.up, this.down] = [[], []];
    this.input.lost();
  }

  hear(): void {
    const message = this.down.shift();
    if (message === "hello") this.input.opened();
    else if (message !== undefined) this.input.confirm(message);
  }

  #send(text: string): void {
    this.up.push({ viewer: this.#number, n: this.#next, text });
    this.#next += 1;
  }
}

class World {
  readonly programs = [new Program(), new Program()];
  daemons = this.programs.map((program) => new Daemon(program));
  readonly windows = [new Window(1, 0), new Window(2, 0), new Window(3, 1)];
  #next: (below: number) => number;
  #count = 0;

  constructor(seed: number) {
    const random = seeded(seed);
    this.#next = (below) => Math.floor(random() * below);
  }

  step(): void {
    const window = this.windows[this.#next(this.windows.length)];
    const daemon = this.daemons[this.#next(this.daemons.length)];
    if (!window || !daemon) return;
    const dice = this.#next(16);
    if (dice <= 4) window.type(String(this.#count++));
    else if (dice <= 7) this.arrive(window);
    else if (dice <= 9) window.hear();
    else if (dice === 10) window.connect();
    else if (dice === 11) window.cut();
    else if (dice === 12) this.die();
    else if (dice === 13) this.agent(daemon);
    else if (dice === 14) this.answer(daemon);
    else this.control(daemon);
  }

  /** A frame reaches the daemon, which may die before its answer is under way. */
  arrive(window: Window): void {
    const frame = window.up.shift();
    if (!frame) return;
    this.daemons[window.session]?.receive(frame);
    if (this.#next(4) === 0) this.die();
    else if (window.isConnected) window.down.push(frame.n);
  }

  die(): void {
    for (const window of this.windows) window.cut();
    this.daemons = this.programs.map((program) => new Daemon(program));
  }

  agent({ stand }: Daemon): void {
    const actor = { kind: "agent", name: "a" } as const;
    stand.atPrompt = this.#next(2) === 0;
    if (this.#next(2) === 0)
      void stand.gate.agentLane.keys(actor, Buffer.from(`<a${this.#count++}>`), { timeout_ms: 50 });
    else void stand.gate.agentLane.line(actor, "rm -r x", { timeout_ms: 50 });
  }

  answer({ stand: { approvals } }: Daemon): void {
    const [asked] = approvals.list("pending");
    const state = this.#next(2) === 0 ? ("approved" as const) : ("denied" as const);
    if (asked) approvals.settle(asked.approval_id, { state, answer: null });
  }

  control({ stand }: Daemon): void {
    const acts = [
      () => stand.gate.take("manual", null),
      () => void stand.gate.stop(),
      () => stand.gate.release(),
      () => stand.clock.pass(this.#next(20_000)),
    ];
    acts[this.#next(acts.length)]?.();
  }

  /** In the end all is delivered. */
  async rest(): Promise<void> {
    await Promise.resolve();
    for (const window of this.windows) {
      window.connect();
      while (window.down.length > 0 || window.up.length > 0) {
        window.hear();
        const frame = window.up.shift();
        if (frame) this.daemons[window.session]?.receive(frame);
        if (frame) window.down.push(frame.n);
      }
    }
  }
}

async function simulate(seed: number): Promise<void> {
  const world = new World(seed);
  for (let i = 0; i < STEPS; i += 1) {
    world.step();
    if (i % 8 === 0) await Promise.resolve();
  }
  await world.rest();
  for (const [session, { read }] of world.programs.entries())
    for (const window of world.windows) {
      const received = read.filter((text) => text.startsWith(window.typed[0]?.slice(0, 4) ?? "none"));
      const expected = window.session === session ? window.typed : [];
      // Comparing strings first is much faster than thousands of deep comparisons.
      if (received.join() !== expected.join()) expect(received, `session ${session}`).toEqual(expected);
    }
}

test(`in ${SEEDS.length} worlds each key arrives once, in order and in its own session`, async () => {
  for (const seed of SEEDS) await inWorld(seed, () => simulate(seed));
});
