// What needs a person: the rule as a table, and the list under any course of events: each need is told once, in the order of its
// age, and again only when something changed; a restart changes nothing.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toldEvidence } from "../../../src/core/agent-cli/judge.ts";
import { noticeOf } from "../../../src/core/base/question-words.ts";
import { type NeedFacts, needOf } from "../../../src/core/needs/need.ts";
import { type KeptNeeds, Needs } from "../../../src/core/needs/needs.ts";
import { standing, Transitions } from "../../../src/core/needs/transitions.ts";
import type { Need } from "../../../src/protocol/words/need.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";

const BEGAN = new FakeClock().now();
type Info = NeedFacts["info"];
const RUNS = { state: "running", ended_at: null, exit_code: null, signal: null, waiting: null, running: null } as const;
const info = (more: object, id = "s_00000001") =>
  ({
    session_id: id,
    name: "web",
    command: ["/usr/bin/claude"],
    agent: null,
    agent_state: null,
    ...RUNS,
    ...more,
  }) as unknown as Info;
const facts = (more: object, rest: Partial<NeedFacts> = {}): NeedFacts => ({
  ...{ info: info(more), seenAt: 0, waitsSince: 5, last: undefined, isTurnOver: false, isEndNew: true },
  ...rest,
});
const RULE = { longMs: 100, hide: (text: string) => text.replace(/ghp_\w{36}/g, "***") };
const agent = (state: string, more: object = {}) => ({
  agent: "claude",
  agent_state: { state, why: "touch z", source: "screen", since: 7, ...more },
});
const ended = (state: string, exit_code: number | null, signal: string | null = null) => ({
  ...{ state, exit_code, signal, ended_at: 9 },
});
const block = (more: object) =>
  ({
    cmd: "make all",
    ts_end: 8,
    duration_ms: 100,
    exit_code: 0,
    actor: "person",
    block_id: "b_1",
    ...more,
  }) as unknown as NeedFacts["last"];

describe("the rule", () => {
  it.each<[string, NeedFacts, string | undefined]>([
    ["a password", facts({ waiting: { kind: "password", program: "sudo" } }), "password sudo waits for a password 5"],
    ["any other wait", facts({ waiting: { kind: "line", program: "python" } }), undefined],
    ["a blocked agent", facts(agent("blocked", { kind: "permission" })), "blocked claude asks for permission 7"],
    ["a working agent", facts(agent("working")), undefined],
    ["an idle agent", facts(agent("idle")), undefined],
    ["one that is idle after work", facts(agent("idle"), { isTurnOver: true }), "done claude is done 7"],
    ["one that is idle after work, and seen", facts(agent("idle"), { isTurnOver: true, seenAt: 7 }), undefined],
    ["an unknown state", facts(agent("unknown")), undefined],
    ["a turn that is done", facts(agent("done")), "done claude is done 7"],
    ["a turn that somebody saw", facts(agent("done"), { seenAt: 7 }), undefined],
    ["an agent in trouble", facts(agent("error")), "failed claude failed 7"],
    ["an end with 0", facts(ended("done", 0)), "done claude is done 9"],
    ["an end with 3", facts(ended("failed", 3)), "failed claude failed: exit code 3 9"],
    ["an end by a signal", facts(ended("failed", null, "SIGSEGV")), "failed claude failed: SIGSEGV 9"],
    ["an end that was seen", facts(ended("failed", 3), { seenAt: 9 }), undefined],
    ["an end of long ago", facts(ended("failed", 3), { isEndNew: false }), undefined],
    ["a session that was closed", facts(ended("done", null, "SIGHUP")), undefined],
    ["a program that is gone", facts({ state: "lost" }), "failed claude failed: its program is gone 0"],
    ["one that was started again", facts({ state: "lost", restored_as: "s_2" }), undefined],
    ["a long command", facts({}, { last: block({}) }), "done Finished: make all 8"],
    ["one that failed", facts({}, { last: block({ exit_code: 2 }) }), "failed Failed with 2: make all 8"],
    ["a short one", facts({}, { last: block({ duration_ms: 99 }) }), undefined],
    ["an agent's own", facts({}, { last: block({ actor: "agent:x" }) }), undefined],
    [
      "one after which another runs",
      facts({ running: { block_id: "b_2", cmd: "ls" } }, { last: block({}) }),
      undefined,
    ],
  ])("%s", (_, all, wanted) => {
    const need = needOf(all, RULE)?.need;
    expect(need && `${need.kind} ${need.title} ${need.since}`).toBe(wanted);
  });

  it("shows a program's text in one line, in which everything is what it looks like", () => {
    const why = `a\x1b]0;x\x07b\u202ec\nsecond ${"x".repeat(500)}`;
    const need = needOf(facts({ name: "we\x1bb\n", ...agent("blocked", { why }) }), RULE)?.need;
    const { title, body } = noticeOf({ ...(need as Need), tag: "" });
    for (const text of [title, body, need?.why ?? "\x1b", need?.label ?? "\x1b"]) {
      expect(text).not.toMatch(/[\x00-\x1f\x7f\u202e]/);
      expect(text.length).toBeLessThan(200);
    }
  });
});

it("hides a secret that a cut would make half of one, in needs and in changes", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  for (let before = 0; before < 210; before += 1) {
    const text = `${"x".repeat(before)} ${secret} y`;
    const all = [
      needOf(facts({ name: null, command: [text], ...agent("blocked", { why: text }) }), RULE),
      standing(
        info({ name: null, command: [text], ...agent("blocked", { why: text }) }),
        block({ cmd: text }),
        RULE.hide,
      ),
      toldEvidence({ state: "idle", rule: "", evidence: text, source: "screen" }, RULE.hide),
    ];
    expect(JSON.stringify(all)).not.toContain("ghp_");
  }
});

/** Sessions that a test changes, and everything that was told of them. */
class World {
  readonly clock = new FakeClock();
  readonly infos = new Map<string, Info>();
  readonly seen = new Map<string, number>();
  readonly over = new Set<string>();
  told: string[] = [];
  looks = 0;
  kept: KeptNeeds = { found: [], live: [] };
  needs = this.#begin();

  #begin(): Needs {
    const facts = (id: string) => {
      this.looks += 1;
      const now = this.infos.get(id);
      const rest = { waitsSince: this.clock.now(), isTurnOver: this.over.has(id), last: undefined };
      return now && { info: now, seenAt: this.seen.get(id) ?? 0, ...rest };
    };
    const keep = (kept: KeptNeeds) => {
      this.kept = JSON.parse(JSON.stringify(kept)) as KeptNeeds;
    };
    const parts = { clock: this.clock, rule: RULE, kept: this.kept, facts, pending: () => [], keep };
    return new Needs(parts, ({ news }) => this.told.push(...news.map(({ tag }) => tag)));
  }

  restart(): void {
    this.needs.stop();
    this.needs = this.#begin();
  }

  /** What runs in sessions is read again after a restart: at first nothing is known. */
  reread(): void {
    const all = [...this.infos];
    this.restart();
    for (const [id] of all) this.set(id, {});
    this.clock.pass(2_000);
    for (const [id, { agent_state: now }] of all)
      if (now) this.set(id, agent(now.state, { ...now, ...at(this.clock) }));
  }

  set(id: string, more: object): void {
    this.infos.set(id, info(more, id));
    this.needs.touched(id);
  }
}

const id = (n: number) => `s_0000000${n}`;
const at = (clock: FakeClock) => ({ since: clock.now() });

describe("the list", () => {
  it("tells each need once, oldest first, and keeps its tag, whatever else happens and whenever the daemon begins again", () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant("set" as const),
        n: fc.integer({ min: 1, max: 4 }),
        state: fc.constantFrom("blocked", "working", "idle"),
      }),
      fc.record({ do: fc.constant("redraw" as const), n: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
      fc.constant({ do: "restart" as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = new World();
        const blockedAt = new Map<string, number>();
        let asked = 0;
        for (const one of steps) {
          if (one.do === "pass") world.clock.pass(one.ms);
          if (one.do === "restart") world.reread();
          if (one.do === "redraw" && world.infos.has(id(one.n))) world.needs.touched(id(one.n));
          if (one.do === "set") {
            const was = world.infos.get(id(one.n))?.agent_state?.state;
            if (was !== one.state) world.set(id(one.n), agent(one.state, { kind: "permission", ...at(world.clock) }));
            if (one.state === "blocked" && was !== "blocked") asked += 1;
            if (one.state !== "blocked") blockedAt.delete(id(one.n));
            else if (was !== "blocked") blockedAt.set(id(one.n), world.clock.now());
          }
        }
        world.clock.pass(20_000);
        const list = world.needs.list();
        expect(list.map(({ session_id }) => session_id).sort()).toEqual([...blockedAt.keys()].sort());
        expect(list.map(({ since }) => since)).toEqual(list.map(({ since }) => since).sort((a, b) => a - b));
        expect(new Set(world.told).size).toBe(world.told.length);
        expect(world.told.length).toBeLessThanOrEqual(asked);
        for (const { tag } of list) expect(world.told).toContain(tag);
      }),
    );
  });

  it("looks only at what changed: thirty sessions that draw cost nothing", () => {
    const world = new World();
    for (let n = 0; n < 30; n += 1) world.set(`s_000000${10 + n}`, agent("working"));
    world.clock.pass(1_000);
    const before = world.looks;
    world.clock.pass(60_000);
    world.set("s_00000012", agent("blocked", at(world.clock)));
    world.clock.pass(50);
    expect(world.told).toHaveLength(1);
    expect(world.looks - before).toBe(1);
  });

  it("tells again what changed: another question of the program's own words, and one that came back later", () => {
    const world = new World();
    const says = (why: string) => world.set(id(1), agent("blocked", { why, source: "status", ...at(world.clock) }));
    for (const why of ["rm a", "rm a", "rm b"]) {
      says(why);
      world.clock.pass(100);
    }
    expect(world.told).toHaveLength(1);
    expect(world.needs.list()).toMatchObject([{ why: expect.stringContaining("rm b"), tag: world.told[0] }]);
    world.clock.pass(10_000);
    expect(world.told).toHaveLength(2);
    world.set(id(1), agent("working"));
    world.clock.pass(11_000);
    says("rm b");
    world.clock.pass(100);
    expect(world.told).toHaveLength(3);
  });

  it("a program that says something else all the time is heard once in ten seconds, whatever it says in between", () => {
    const world = new World();
    for (let i = 0; i < 300; i += 1) {
      if (i % 3 === 0) world.set(id(1), agent("working"));
      else world.set(id(1), agent("blocked", { why: `rm ${i}`, source: "status", ...at(world.clock) }));
      world.clock.pass(100);
    }
    expect(world.told.length).toBeGreaterThan(1);
    expect(world.told.length).toBeLessThanOrEqual(4);
    world.clock.pass(10_000);
    expect(world.needs.list()).toMatchObject([{ why: expect.stringContaining("rm 299"), tag: world.told.at(-1) }]);
  });

  it("a turn that is over is told once, and stands until somebody looks, also after a restart", () => {
    const world = new World();
    world.over.add(id(1));
    world.set(id(1), agent("idle", at(world.clock)));
    world.clock.pass(1_000);
    world.over.clear();
    world.reread();
    world.clock.pass(20_000);
    expect(world.needs.list()).toMatchObject([{ kind: "done", tag: world.told[0] }]);
    expect(world.told).toHaveLength(1);
    world.seen.set(id(1), world.clock.now());
    world.needs.touched(id(1));
    expect(world.needs.list()).toEqual([]);
  });

  it("knows after a restart which ends nobody has seen, also those that came while no daemon ran", () => {
    const world = new World();
    for (const n of [1, 2, 3]) world.set(id(n), {});
    world.clock.pass(1_000);
    const fails = { ...ended("failed", 1), ended_at: BEGAN + 2_000 };
    world.set(id(1), fails);
    world.set(id(2), fails);
    world.clock.pass(2_000);
    world.seen.set(id(2), BEGAN + 2_500);
    world.needs.touched(id(2));
    world.clock.pass(1_000);
    world.seen.clear();
    world.infos.set(id(3), info(fails, id(3)));
    world.infos.set(id(4), info(fails, id(4)));
    world.restart();
    world.needs.touched(id(4));
    expect(world.needs.list().map(({ session_id }) => session_id)).toEqual([id(1), id(3)]);
    expect(world.told).toHaveLength(3);
  });
});

it("a command that a follower was told of is told as ended, also when it ended before its session was read", () => {
  const told: unknown[] = [];
  const transitions = new Transitions(
    new FakeClock(),
    (text) => text,
    ({ kind, id, from, to }) => told.push([kind, id, from, to]),
  );
  const over = block({ block_id: "b_x_1", state: "failed", exit_code: 1, ts_end: 9 });
  transitions.session("s_00000001", info({}), over);
  transitions.runs("b_x_1");
  transitions.session("s_00000001", info({}), over);
  transitions.session("s_00000001", info({}), over);
  expect(told).toEqual([
    ["session", "s_00000001", null, "running"],
    ["block", "b_x_1", "running", "failed"],
  ]);
});
