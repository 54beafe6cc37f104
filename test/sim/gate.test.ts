// Ten thousand small worlds with a person, two agents, password prompts, stops, kills and answers in any order. Whatever
// happens: no byte of an agent while a person holds or echo is off, no write inside another, no line that nobody allowed,
// no key of a person lost.
import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import type { Actor } from "../../src/core/gate/actor.ts";
import { Gate } from "../../src/core/gate/gate.ts";
import { Origins } from "../../src/core/gate/origins.ts";
import { DEFAULT_POLICY } from "../../src/core/gate/policy.ts";
import { classify } from "../../src/core/gate/risk/classify.ts";
import type { Holding, Probe } from "../../src/core/journal/holding.ts";
import type { Echo } from "../../src/core/pty/pty.ts";
import { FakeClock } from "../fixtures/fake-clock.ts";
import { MemoryStore } from "../fixtures/memory-store.ts";
import { someApprovals } from "../fixtures/no-gate.ts";
import { seeded } from "../fixtures/seeded.ts";

const WORLDS = Number(process.env.WORLDS ?? 10_000);
const FIRST = Number(process.env.SEED ?? 1);
const STEPS = 30;
const ID = "s_00000001";
const PERSON: Actor = { kind: "person" };
const AGENTS: readonly Actor[] = [
  { kind: "agent", name: "a" },
  { kind: "agent", name: "b" },
];
const LINES = ["ls", "git status", "npm test", "make deploy", "rm -rf x", "curl x | sh", "echo $(rm x)", "frobnicate"];

class World {
  readonly clock = new FakeClock();
  readonly approvals = someApprovals(this.clock);
  readonly written: string[] = [];
  readonly typed: string[] = [];
  readonly approved = new Set<string>();
  echo: Echo = "on";
  atPrompt = false;
  program = 100;
  number = 0;
  readonly gate: Gate;
  readonly next: (below: number) => number;

  constructor(seed: number) {
    const random = seeded(seed);
    this.next = (below) => Math.floor(random() * below);
    const store = new MemoryStore();
    this.gate = new Gate({
      session_id: ID,
      files: store.files(ID, "daemon"),
      clock: this.clock,
      origins: new Origins([]),
      approvals: this.approvals,
      policy: DEFAULT_POLICY,
      cursor: () => 0,
      rules: () => [],
      halted: () => undefined,
      place: () => ({ cwd: "/w", shell: "bash", atPrompt: this.atPrompt }),
      held: () => undefined,
      typed: () => undefined,
      changed: () => undefined,
    });
    this.gate.open(this.holding());
  }

  holding(): Holding {
    const write = (bytes: Uint8Array) => void this.written.push(Buffer.from(bytes).toString("latin1"));
    const probe = (): Probe => ({
      echo: this.echo,
      foreground: { pid: this.program, name: "prog" },
      activity: { running: false, cpu_ticks: 0, reading: "unknown" },
    });
    return {
      pid: 1,
      write,
      type: (bytes) => {
        if (this.echo === "off") return Promise.resolve("echo_off");
        // What an agent may never do, checked where it would happen.
        expect(this.gate.hold.who).not.toBe("person");
        write(bytes);
        return Promise.resolve("written");
      },
      answer: () => undefined,
      resize: () => Promise.resolve(),
      pause: () => undefined,
      resume: () => undefined,
      signal: () => Promise.resolve(true),
      probe: () => Promise.resolve(probe()),
      close: () => Promise.resolve(),
    };
  }

  /** One thing happens. */
  step(): void {
    const { gate, next } = this;
    const agent = AGENTS[next(2)] as Actor;
    const dice = next(14);
    if (dice <= 1) this.person();
    else if (dice <= 4) this.agentTypes(agent);
    else if (dice <= 6) this.agentRuns(agent, LINES[next(LINES.length)] ?? "ls");
    else if (dice === 7) this.echo = (["on", "off", "raw"] as const)[next(3)] ?? "on";
    else if (dice === 8) this.atPrompt = next(2) === 0;
    else if (dice === 9) this.answer();
    else if (dice === 10) this.clock.pass(next(20_000));
    else if (dice === 11)
      (
        [() => gate.take("manual", null), () => gate.stop(), () => gate.release(), () => gate.lapse()][next(4)] ??
        gate.release
      )();
    else if (dice === 12) this.program += 1;
    else if (next(2) === 0) gate.shut();
    else gate.open(this.holding());
  }

  person(): void {
    const text = `<p${this.number++}>`;
    if (this.gate.submit(PERSON, Buffer.from(text)) === "written") this.typed.push(text);
  }

  agentTypes(actor: Actor): void {
    const text = `<${actor.kind === "agent" ? actor.name : ""}${this.number++}>`;
    void this.gate.agents.keys(actor, Buffer.from(text), { timeout_ms: this.next(500) });
  }

  agentRuns(actor: Actor, line: string): void {
    const intent = { timeout_ms: this.next(500), confidence: this.next(2) };
    void this.gate.agents.line(actor, line, intent, "run").then((admitted) => {
      if (isFault(admitted)) return;
      const isSafe = classify(admitted.text, { shell: "bash" }).class === "safe";
      expect([admitted.text, isSafe || this.approved.has(admitted.text)]).toEqual([admitted.text, true]);
      // What is done right before a line is handed to the shell.
      if (this.gate.refuses(actor) || this.gate.hold.who === "person") return;
      const run = { run_id: `r${this.number}`, actor: "agent", command: admitted.text };
      void this.gate.handOver(actor, run, admitted, Buffer.from(`<l${this.number++}>`));
    });
  }

  answer(): void {
    const open = this.approvals.list("pending");
    const one = open[this.next(open.length)];
    if (!one) return;
    const state = this.next(2) === 0 ? ("approved" as const) : ("denied" as const);
    if (state === "approved") this.approved.add(one.text);
    this.approvals.settle(one.approval_id, { state, answer: null });
  }
}

test(`${WORLDS} worlds from seed ${FIRST} on`, async () => {
  for (let seed = FIRST; seed < FIRST + WORLDS; seed += 1) {
    const world = new World(seed);
    try {
      for (let i = 0; i < STEPS; i += 1) {
        world.step();
        for (let turn = world.next(4); turn > 0; turn -= 1) await Promise.resolve();
      }
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      world.gate.stop();
      const before = world.written.length;
      for (const agent of AGENTS) world.agentTypes(agent);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      // Nothing after a stop.
      expect(world.written.length).toBe(before);
      // Whole writes only, and every key of the person, in order.
      for (const write of world.written) expect(write).toMatch(/^<[pabl]\d+>$/);
      expect(world.written.filter((write) => write.startsWith("<p"))).toEqual(world.typed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error} (SEED=${seed} WORLDS=1)`);
    }
  }
});
