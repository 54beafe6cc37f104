// Thousands of small worlds in which an agent works while people pause, resume, step, stop, type, answer, and the daemon dies
// and comes back, at every point between two thoughts of the loop. Whatever happens: nothing begins after a stop or a pause,
// tools run one at a time, every call has exactly one observation, limits hold, and the file tells one story.

import { expect, test } from "vitest";
import { Conversation, RESTARTED_NOTE } from "../../src/core/agent/conversation/conversation.ts";
import { Driver } from "../../src/core/agent/driver/driver.ts";
import { ModelAgent } from "../../src/core/agent/driver/model-agent.ts";
import type { StampedEvent } from "../../src/core/agent/events.ts";
import type { Entry } from "../../src/core/agent/history.ts";
import type { Model, ModelAsk } from "../../src/core/agent/model.ts";
import type { Seen, Tool } from "../../src/core/agent/tool.ts";
import type { Cancelled } from "../../src/core/base/cancellation.ts";
import { type Fault, fault } from "../../src/core/base/fault.ts";
import type { Approval } from "../../src/core/gate/approvals.ts";
import {
  brokenCalls,
  call,
  MemoryLines,
  type Reply,
  says,
  seen,
  settle,
  toolOf,
  trouble,
} from "../fixtures/agent/ports.ts";
import { depth } from "../fixtures/depth.ts";
import { FakeClock } from "../fixtures/fakes/clock.ts";
import { inWorld, isFullSample, seeded, seedsFor } from "../fixtures/seeded.ts";

const SEEDS = seedsFor(depth(250, 800, 2_000));
const STEPS = 40;
const ID = "s_00000001";
const OUTSIDE = ["prompt", "status", "exit"];
const TOOLS = ["run", "type", "read", "plan", "refuse", "held", "fly", "run", "read"];

class World {
  readonly clock = new FakeClock();
  readonly next: (below: number) => number;
  lines = new MemoryLines();
  driver: Driver | undefined;
  conversation: Conversation;
  /** Nothing may begin: somebody stopped it, or it was never told to go. */
  quiet = true;
  pace: "free" | "one" | "paused" = "free";
  waved = false;
  /** Tools that run and were not called off. */
  readonly running = new Set<number>();
  readonly asked = new Set<string>();
  number = 0;
  // What the events say so far.
  seq = 0;
  open = false;
  call: string | null = null;
  steps = 0;
  /** Somebody asked for a turn since the last stop. */
  wanted = false;
  wrong: Error | undefined;

  constructor(seed: number) {
    const random = seeded(seed);
    this.next = (below) => Math.floor(random() * below);
    this.conversation = this.born();
  }

  born(): Conversation {
    const { lines, clock } = this;
    return new Conversation({
      session_id: ID,
      clock,
      lines,
      nameOf: (agent) => agent,
      performerFor: async (_agent, link) => {
        if (this.next(3) === 0) await settle(this.next(10));
        if (this.next(20) === 0) return fault("agent.unavailable", "no model", "Set one.");
        const tools = this.tools(lines);
        const agent = new ModelAgent({ model: this.model(lines), tools, system: "", history_chars: 3_000 });
        this.driver = new Driver({ clock, agent, tools, link });
        return this.driver;
      },
      publish: (event) => lines.alive && this.published(event),
    });
  }

  /** Not by throwing: that would be taken for a bug of a tool. */
  law(words: string, holds: boolean): void {
    if (!holds) this.wrong ??= new Error(words);
  }

  /** The story so far has to make sense. */
  published(event: StampedEvent): void {
    if (event.type === "chunk") return this.law("chunks belong to a thought", this.open && !this.quiet);
    this.seq += 1;
    this.law(`${event.seq} is the next number`, event.seq === this.seq);
    this.law(`a turn is under way at ${event.type}`, this.open || OUTSIDE.includes(event.type));
    switch (event.type) {
      case "prompt":
        this.law("one turn at a time, and none that was stopped", !this.open && this.wanted);
        this.open = true;
        this.steps = 0;
        return this.goes();
      case "ended":
        this.law(`ended with no call open and ${this.steps} steps`, !this.call && event.steps === this.steps);
        this.open = false;
        return;
      case "step":
        this.steps += 1;
        this.law(`step ${event.step} is the only one`, this.call === null && event.step === this.steps);
        this.call = event.call_id;
        return;
      case "observation":
        this.law(`an observation of ${this.call}`, event.call_id === this.call);
        this.call = null;
        return;
      case "status":
        this.law(`${event.state} fits the turn`, (event.state !== "idle") === this.open);
        this.law(`${event.state} after a stop`, !this.quiet || event.state === "idle" || event.note === RESTARTED_NOTE);
        return;
      case "message":
        return this.law("silence after a stop", !this.quiet);
      default:
    }
  }

  begins(what: string): void {
    this.law(`${what} begins after a stop`, !this.quiet);
    this.law(`${what} begins in a pause`, this.pace !== "paused");
    this.law(`${what} begins while a tool runs`, this.running.size === 0);
  }

  goes(): void {
    this.quiet = false;
    this.pace = "free";
    this.waved = false;
  }

  model(lines: MemoryLines): Model {
    const complete = (ask: ModelAsk, gone: Cancelled, partial: (text: string) => void): Promise<Reply> => {
      if (!lines.alive) return new Promise(() => undefined);
      this.begins("a thought");
      this.law(brokenCalls(ask.history).join(), brokenCalls(ask.history).length === 0);
      if (this.next(2) === 0) partial("he");
      return this.later(gone, () => {
        partial("hello");
        return this.reply();
      });
    };
    return { name: "test/chance", complete };
  }

  reply(): Reply {
    const dice = this.next(20);
    if (dice < 3) return says("that is it");
    if (dice === 3) return says("");
    if (dice === 4) return trouble({ retry: { after_ms: this.next(5_000) } });
    if (dice === 5) return this.next(3) === 0 ? trouble({ code: "auth", retry: null }) : trouble();
    const calls = Array.from({ length: 1 + this.next(3) }, (_, i) => call(`c${i}`, TOOLS[this.next(9)] ?? "run"));
    return says(this.next(2) === 0 ? "so" : "", ...calls);
  }

  tools(lines: MemoryLines): Tool[] {
    const tool = (name: string, kind: Tool["kind"], result: () => Seen | Fault) =>
      toolOf(name, kind, (_args, gone) =>
        lines.alive ? this.runs(kind, gone, result) : new Promise<Seen>(() => undefined),
      );
    return [
      tool("run", "terminal", () => seen("x".repeat(this.next(500)), { again: "read_block", block_id: "b_1" })),
      tool("type", "terminal", () => {
        if (this.next(30) === 0) throw new Error("a bug");
        return seen("typed", { suggests: "terminal" });
      }),
      tool("read", "internal", () => seen("y".repeat(this.next(500)))),
      tool("plan", "internal", () => seen("noted", { plan: [{ text: "look", status: "pending" }] })),
      tool("refuse", "terminal", () => fault("gate.held", "a person is typing", "Wait.")),
      tool("held", "terminal", () => seen("a person is typing", { ok: false, held: true })),
    ];
  }

  async runs(kind: Tool["kind"], gone: Cancelled, result: () => Seen | Fault): Promise<Seen | Fault> {
    const { step_by_step, steps_max } = this.conversation.status();
    this.begins(kind);
    this.law("an action that nobody waved through", kind === "internal" || !step_by_step || this.waved);
    this.law(`${this.steps} steps of ${steps_max}`, this.steps <= steps_max);
    if (kind === "terminal") this.waved = false;
    if (this.pace === "one") this.pace = "paused";
    const mine = this.number++;
    this.running.add(mine);
    gone.onCancel(() => this.running.delete(mine));
    try {
      return await this.later(gone, result);
    } finally {
      this.running.delete(mine);
    }
  }

  /** At once, or after a while; some listen when they are called off, some go on, some never end. */
  later<T>(gone: Cancelled, result: () => T): Promise<T> {
    if (this.next(3) === 0) return Promise.resolve().then(result);
    const manners = this.next(3);
    return new Promise((resolve, reject) => {
      const end = () => {
        try {
          resolve(result());
        } catch (error) {
          reject(error);
        }
      };
      const cancel = this.clock.after(this.next(4_000), end);
      if (manners < 2) gone.onCancel(cancel);
      if (manners === 0) gone.onCancel(end);
    });
  }

  /** One thing happens. */
  async step(): Promise<void> {
    const dice = this.next(20);
    if (dice <= 1) this.ask();
    else if (dice === 2 && this.driver?.pause() === undefined && this.driver) this.pace = "paused";
    else if (dice <= 4) this.waves();
    else if (dice <= 6) this.resume();
    else if (dice === 7) this.stop();
    else if (dice === 8) this.conversation.held(this.next(2) === 0 ? "person" : "nobody", "manual");
    else if (dice === 9) this.conversation.held("nobody", null);
    else if (dice === 10) this.asks();
    else if (dice === 11 && this.next(4) === 0) this.restart();
    else if (dice <= 15) this.clock.pass(this.next(3_000));
    await settle(this.next(12));
    this.looks();
  }

  ask(): void {
    const limits = { max_steps: 1 + this.next(8), time_limit_ms: 5_000 + this.next(60_000) };
    const step_by_step = this.next(3) === 0;
    this.wanted = true;
    void this.conversation.ask({ text: "do it", agent: "a", actor: "person", step_by_step, ...limits });
  }

  waves(): void {
    if (!this.driver || this.driver.step() !== undefined) return;
    this.waved = true;
    this.pace = this.conversation.status().step_by_step ? "free" : "one";
  }

  resume(): void {
    const status = this.conversation.status();
    if (status.note === RESTARTED_NOTE) this.goes();
    else this.pace = "free";
    void this.conversation.control("resume");
  }

  stop(): void {
    if (this.next(2) === 0) void this.conversation.control("stop");
    else this.conversation.held("person", "stop");
    this.quiet = true;
    this.wanted = false;
  }

  asks(): void {
    const [open] = this.asked;
    const approval_id = open ?? `a_${this.number++}`;
    if (open === undefined) this.asked.add(approval_id);
    else this.asked.delete(open);
    const state = open === undefined ? "pending" : "approved";
    const question = { session_id: ID, actor: "agent:a", kind: "run", text: "make", approval_id, state };
    this.conversation.approval(question as Approval);
  }

  restart(): void {
    const torn = this.next(3) === 0;
    this.lines = this.lines.reborn();
    if (torn) this.lines.lines[this.lines.lines.length - 1] = '{"event":{"seq":';
    this.driver = undefined;
    this.running.clear();
    this.asked.clear();
    this.quiet = true;
    Object.assign(this, { seq: 0, open: false, call: null, steps: 0 });
    const kept = this.lines.read().flatMap((line) => (isEvent(line) ? [line.event] : []));
    this.wanted = true;
    for (const event of kept) {
      this.quiet = false;
      this.published(event);
    }
    this.quiet = true;
    this.wanted = false;
    this.conversation = this.born();
    expect(this.conversation.status().state).toBe(this.open ? "paused" : "idle");
  }

  looks(): void {
    const { state, outcome, seq, steps, approval_id } = this.conversation.status();
    this.law("the status is that of the events", seq === this.seq && steps === this.steps);
    this.law("idle between turns", this.open || (state === "idle" && approval_id === null));
    this.law("not idle in a turn", !this.open || (state !== "idle" && outcome === null));
    this.law("one tool at a time", this.running.size <= 1);
    this.law("a question is waited for", approval_id === null || state === "waiting" || state === "paused");
    if (this.wrong) throw this.wrong;
  }

  async end(): Promise<void> {
    await settle(10);
    this.stop();
    await settle();
    this.clock.pass(2_000);
    await settle();
    expect(this.conversation.status()).toMatchObject({ state: "idle", approval_id: null });
    for (let i = 0; i < 5; i += 1) {
      this.clock.pass(100_000);
      await settle(10);
    }
    this.looks();
    expect(this.open).toBe(false);
    const history = this.lines.read().flatMap((line) => (isEntry(line) ? [line.entry] : []));
    expect(brokenCalls(history)).toEqual([]);
    // What a new daemon reads is what the old one knew.
    const status = this.conversation.status();
    const events = this.conversation.events(0, 5_000);
    this.lines = this.lines.reborn();
    this.conversation = this.born();
    expect(this.conversation.status()).toEqual(status);
    expect(this.conversation.events(0, 5_000)).toEqual(events);
  }
}

const isEvent = (line: unknown): line is { event: StampedEvent } =>
  typeof line === "object" && line !== null && "event" in line;
const isEntry = (line: unknown): line is { entry: Entry } =>
  typeof line === "object" && line !== null && "entry" in line;

async function simulate(seed: number): Promise<World> {
  const world = new World(seed);
  for (let i = 0; i < STEPS; i += 1) await world.step();
  await world.end();
  return world;
}

test(`in ${SEEDS.length} worlds the events of an agent tell one story`, async () => {
  const outcomes = new Set<string>();
  for (const seed of SEEDS) {
    const { conversation } = await inWorld(seed, () => simulate(seed));
    for (const event of conversation.events(0, 5_000)) if (event.type === "ended") outcomes.add(event.outcome);
  }
  if (isFullSample) expect([...outcomes].sort()).toEqual(["done", "failed", "limit", "stopped"]);
});
