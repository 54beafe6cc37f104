// Thousands of small worlds with a person, two agents, password prompts, stops, kills, levels and answers in any order.
// Whatever happens: no byte of an agent while a person holds or echo is off, no write inside another, no line that nobody
// allowed, no key that neither a level nor a yes to this agent for this run of the program allowed, no key of a person lost.

import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import { classify } from "../../src/core/gate/risk/classify.ts";
import type { Level } from "../../src/protocol/words/policy.ts";
import { depth } from "../fixtures/depth.ts";
import { PERSON, TestGate } from "../fixtures/fakes/gate.ts";
import { inWorld, seeded, seedsFor } from "../fixtures/seeded.ts";

const SEEDS = seedsFor(depth(400, 1_500, 4_000));
const STEPS = 30;
const LEVELS: readonly Level[] = ["ask_first", "always_ask", "always_allow"];
const LINES = ["ls", "git status", "npm test", "make deploy", "rm -rf x", "curl x | sh", "echo $(rm x)", "frobnicate"];

type Name = "a" | "b";

/** Between the gate's look at the program and the write lie a few turns of the loop, and so many steps at most. */
const STEPS_BETWEEN = 8;

/** Keys of an agent on their way: which programs were in front meanwhile and when last, and whether they needed nobody's yes. */
interface Flight {
  readonly by: Name;
  readonly fronts: Map<string, number>;
  free: boolean;
}

class World {
  readonly stand = new TestGate((text) => this.typing(text));
  readonly typed: string[] = [];
  readonly approved = new Set<string>();
  readonly flights = new Map<string, Flight>();
  /** A yes that still counts: agent and run of the program. */
  readonly yes = new Set<string>();
  /** What a check found inside the gate's own calls. */
  wrong: unknown;
  level: Level = "ask_first";
  levels: Partial<Record<Name, Level>> = {};
  number = 0;
  steps = 0;
  readonly next: (below: number) => number;

  constructor(seed: number) {
    const random = seeded(seed);
    this.next = (below) => Math.floor(random() * below);
  }

  /** One thing happens. */
  step(): void {
    const { next, stand } = this;
    this.steps += 1;
    const agent = next(2) === 0 ? "a" : "b";
    const dice = next(17);
    if (dice <= 1) this.person();
    else if (dice <= 5) this.agentTypes(agent);
    else if (dice <= 7) this.agentRuns(agent, LINES[next(LINES.length)] ?? "ls");
    else if (dice === 8) stand.echo = (["on", "off", "raw"] as const)[next(3)] ?? "on";
    else if (dice === 9) stand.atPrompt = next(2) === 0;
    else if (dice <= 11) this.answer();
    else if (dice === 12) stand.clock.pass(next(2) === 0 ? next(100) : next(20_000));
    else if (dice === 13) this.control();
    else if (dice === 14) this.programChanges();
    else if (dice === 15) stand.reading = (["no", "blocked", "unknown"] as const)[next(3)] ?? "no";
    else this.rules();
    for (const flight of this.flights.values()) this.look(flight);
  }

  person(): void {
    const text = `<p${this.number++}>`;
    if (this.stand.gate.submit(PERSON, Buffer.from(text)) !== "written") return;
    this.typed.push(text);
    this.yes.clear();
  }

  control(): void {
    const { gate, holding } = this.stand;
    const acts = [
      () => gate.take("manual", null),
      () => void gate.stop(),
      () => gate.release(),
      () => gate.lapse(this.stand.clock.monotonic()),
      () => gate.shut(),
      () => gate.open(holding),
    ];
    const chosen = this.next(acts.length);
    if (chosen <= 1) this.yes.clear();
    acts[chosen]?.();
  }

  /** Another one comes to the front, or the same process becomes another program, or nobody can tell. */
  programChanges(): void {
    const { stand, next } = this;
    const pid = stand.front?.pid ?? 100;
    const kind = next(4);
    if (kind === 0) stand.front = null;
    else if (kind === 1) stand.front = { pid: pid + 1, name: "prog", instance: "0" };
    else stand.front = { pid, name: "prog", instance: `${this.number++}` };
  }

  rules(): void {
    const level = LEVELS[this.next(3)] ?? "ask_first";
    const whose = this.next(3);
    if (whose === 0) this.level = level;
    else this.levels = { ...this.levels, [whose === 1 ? "a" : "b"]: level };
    if (this.next(4) === 0) this.levels = {};
    const agent_levels = Object.fromEntries(Object.entries(this.levels).map(([name, one]) => [`agent:${name}`, one]));
    this.stand.gate.setPolicy({ level: this.level, agent_levels }, PERSON);
    this.yes.clear();
  }

  agentTypes(name: Name): void {
    const text = `<${name}${this.number++}>`;
    const flight: Flight = { by: name, fronts: new Map(), free: false };
    this.look(flight);
    this.flights.set(text, flight);
    const intent = { timeout_ms: this.next(500) };
    const end = () => void this.flights.delete(text);
    const bytes = Buffer.from(`${text}${this.next(2) === 0 ? "\r" : ""}`);
    this.stand.gate.agentLane.keys({ kind: "agent", name }, bytes, intent).then(end, this.fail);
  }

  look(flight: Flight): void {
    const front = this.front();
    if (front !== null) flight.fronts.set(front, this.steps);
    const level = this.levelOf(flight.by);
    const hasYes = this.lately(flight).some((yes) => this.yes.has(yes));
    const isPermitted = hasYes || level === "always_allow";
    flight.free ||= this.stand.atPrompt || (isPermitted && level !== "always_ask");
  }

  front(): string | null {
    const { front } = this.stand;
    return front && `${front.pid} ${front.instance}`;
  }

  levelOf(name: Name): Level {
    return this.levels[name] ?? this.level;
  }

  /** What an agent may never do, checked where it would happen. */
  typing(keys: string): void {
    const text = nameOf(keys);
    expect(this.stand.gate.hold.who).not.toBe("person");
    const flight = this.flights.get(text);
    if (!flight) return;
    expect([text, flight.free || this.approved.has(text)]).toEqual([text, true]);
    if (!this.approved.has(text)) return;
    this.saysYes(flight);
  }

  /** To keys, and with them to the agent and the program they are for; whether or not a password prompt still stops them. */
  saysYes(flight: Flight): void {
    for (const yes of this.lately(flight)) this.yes.add(yes);
    for (const other of this.flights.values()) this.look(other);
  }

  lately({ by, fronts }: Flight): string[] {
    const seen = [...fronts].filter(([, step]) => step >= this.steps - STEPS_BETWEEN);
    return seen.map(([front]) => `${by} ${front}`);
  }

  agentRuns(name: Name, line: string): void {
    const { gate } = this.stand;
    const actor = { kind: "agent", name } as const;
    const intent = { timeout_ms: this.next(500), confidence: this.next(2) };
    const admit = gate.agentLane.line(actor, line, intent).then((admitted) => {
      if (isFault(admitted)) return;
      const isSafe = classify(admitted.text, { shell: "bash" }).class === "safe";
      expect([admitted.text, isSafe || this.approved.has(admitted.text)]).toEqual([admitted.text, true]);
      // What is done right before a line is handed to the shell.
      if (gate.refuses(actor) || gate.hold.who === "person") return;
      const run = { run_id: `r${this.number}`, actor: "agent", command: admitted.text };
      void gate.handOver(actor, run, admitted, Buffer.from(`<l${this.number++}>`));
    });
    admit.catch(this.fail);
  }

  readonly fail = (error: unknown): void => {
    this.wrong ??= error;
  };

  answer(): void {
    const open = this.stand.approvals.list("pending");
    const one = open[this.next(open.length)];
    if (!one) return;
    const state = this.next(3) > 0 ? ("approved" as const) : ("denied" as const);
    const flight = this.flights.get(nameOf(one.text));
    if (state === "approved") this.approved.add(nameOf(one.text));
    if (state === "approved" && flight) this.saysYes(flight);
    this.stand.approvals.settle(one.approval_id, { state, answer: null });
  }
}

/** What was sent, without the Enter after it. */
function nameOf(keys: string): string {
  return /^<\w+>/.exec(keys)?.[0] ?? keys;
}

async function simulate(seed: number): Promise<void> {
  const world = new World(seed);
  const { written, gate } = world.stand;
  for (let i = 0; i < STEPS; i += 1) {
    world.step();
    for (let turn = world.next(4); turn > 0; turn -= 1) await Promise.resolve();
  }
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  gate.stop();
  const before = written.length;
  for (const agent of ["a", "b"] as const) world.agentTypes(agent);
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  if (world.wrong) throw world.wrong;
  // Nothing is written after a stop.
  expect(written.length).toBe(before);
  // Writes are never interleaved, and every key of the person arrives in order.
  expect(written.filter((write) => !/^<[pabl]\d+>[^<>]*$/.test(write))).toEqual([]);
  expect(written.filter((write) => write.startsWith("<p"))).toEqual(world.typed);
}

test(`in ${SEEDS.length} worlds agents write only what is allowed, and every key of the person arrives`, async () => {
  for (const seed of SEEDS) await inWorld(seed, () => simulate(seed));
});
