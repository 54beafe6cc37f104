// Small worlds with three shells, a boxed session, a person's shell and one without boxes, two agents, levels,
// rules of the session and answers in any order. A model that knows the lines by heart and none of the gate's tables says of
// every line whether it may run, and where; the gate must agree. In the boxed session lines really run, one after the other, in
// a scripted shell. There the model says at every moment what the box may reach, and for which run.

import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import type { Actor } from "../../src/core/gate/actor.ts";
import type { Approvals } from "../../src/core/gate/approvals.ts";
import type { Gate } from "../../src/core/gate/gate.ts";
import type { Boxing } from "../../src/core/gate/policy.ts";
import type { Admitted } from "../../src/core/gate/settle.ts";
import { runIn } from "../../src/core/run/run.ts";
import type { Where } from "../../src/protocol/ops/gate.ts";
import type { Level } from "../../src/protocol/words/policy.ts";
import { depth } from "../fixtures/depth.ts";
import type { FakeClock } from "../fixtures/fakes/clock.ts";
import { PERSON, TestGate } from "../fixtures/fakes/gate.ts";
import { LateWorld } from "../fixtures/fakes/late-world.ts";
import { inWorld, isFullSample, seeded, seedsFor } from "../fixtures/seeded.ts";

const SEEDS = seedsFor(depth(60, 200, 2_000));
const STEPS = 25;
const LEVELS: readonly Level[] = ["ask_first", "always_ask", "always_allow"];

/** What a person would say of each line, not what our tables say. */
const LINES: Readonly<
  Record<string, "harmless" | "nobody knows" | "reaches out" | "destroys" | "leaves the machine" | "changes the shell">
> = {
  ls: "harmless",
  "git status": "nobody knows",
  frobnicate: "nobody knows",
  "./build.sh --all": "nobody knows",
  "echo 'open": "nobody knows",
  "curl https://example.com": "reaches out",
  "npm install left-pad": "reaches out",
  "git fetch": "reaches out",
  "rm -rf build": "destroys",
  "sudo reboot": "leaves the machine",
  "kubectl apply -f x.yaml": "leaves the machine",
  "export PATH=$PWD/bin:$PATH": "changes the shell",
};
/** What a yes opens. A line that names no host may reach any. */
const NAMED: Readonly<Record<string, string>> = {
  "curl https://example.com": "example.com",
};
const KINDS: readonly Boxing[] = ["session", "line", "none", "missing"];

interface Rules {
  level: Level;
  safe: boolean;
  terminal: boolean;
  auto: boolean;
}

/** Undefined: a person has to say yes first. */
function freely(kind: string, box: Boxing, rules: Rules, sure: boolean): Where | undefined {
  if (rules.terminal || rules.level === "always_ask") return undefined;
  const anythingGoes = doesAnythingGo(rules);
  if (kind === "harmless") return box === "session" || (box === "line" && !anythingGoes) ? "box" : "outside";
  if (kind === "nobody knows") {
    if (box === "session" || (box === "line" && !anythingGoes)) return "box";
    return anythingGoes || (rules.auto && sure && box === "none") ? "outside" : undefined;
  }
  if (kind === "changes the shell" && (box === "session" || (box === "line" && !anythingGoes))) return "box";
  return anythingGoes ? afterYes(kind, box, rules) : undefined;
}

const doesAnythingGo = ({ level, safe }: Rules): boolean => level === "always_allow" && !safe;

function afterYes(kind: string, box: Boxing, rules: Rules): Where {
  if (box === "line" && kind === "destroys") return doesAnythingGo(rules) ? "outside" : "box";
  if (box !== "session" || kind === "leaves the machine") return "outside";
  return kind === "reaches out" ? "box+network" : "box";
}

/** The box's own list; what a yes opens; and what neither does. */
const LISTED = { host: "registry.example", port: 443, address: null };
const ELSEWHERE = { host: "elsewhere.example", port: 443, address: null };
const PUBLIC_ADDRESS = [93, 184, 215, 14];
const PRIVATE_ADDRESS = [10, 0, 0, 1];
/** Nothing here is ever given up for taking long. */
const FOR_EVER_MS = 1e12;

/** The boxed session: lines that may run are handed to its shell, which takes them in turn. */
class BoxedSession {
  readonly #world: LateWorld;
  readonly #next: (below: number) => number;
  readonly #lines = new Map<string, Pick<Admitted, "where" | "text">>();
  readonly #watched = new Set<string>();
  /** What the shell runs now. A person's own line has no id. */
  #running: { readonly run_id: string | null; readonly where: Where; readonly text: string } | undefined;
  granted = 0;

  constructor(world: LateWorld, next: (below: number) => number) {
    this.#world = world;
    this.#next = next;
    world.onLine = (run_id) => this.#takes(run_id);
  }

  run(actor: Actor, admitted: Admitted): void {
    const { session, clock } = this.#world;
    const newId = () => {
      const run_id = `r_${this.#lines.size}`;
      this.#lines.set(run_id, admitted);
      return run_id;
    };
    const now = () => clock.monotonic();
    void runIn(session, {
      command: admitted.text,
      actor,
      intent: {},
      timeout_ms: FOR_EVER_MS,
      admitted,
      newId,
      now,
      watched: this.#watched,
    });
  }

  /** The running line ends. */
  turns(): void {
    if (this.#running) this.#world.ends();
    this.#running = undefined;
  }

  async settle(): Promise<void> {
    await this.#world.settle();
    this.#check();
  }

  dispose(): void {
    this.#world.session.dispose();
  }

  /** Now and then a person was quicker: their line runs first. */
  #takes(run_id: string): void {
    const isQuicker = this.#next(5) === 0;
    this.#world.answers(run_id, isQuicker ? "busy" : "taken");
    const { where, text } = this.#lines.get(run_id) ?? { where: "outside", text: "" };
    this.#running = isQuicker ? { run_id: null, where: "box", text: "" } : { run_id, where, text };
    this.#world.begins(isQuicker ? "" : run_id);
  }

  /** The network is open for exactly the run and the hosts that a person allowed, and never to what is not public. */
  #check(): void {
    const { network } = this.#world.session;
    if (!network) throw new Error("the session has no box");
    const open = this.#running?.where === "box+network" ? this.#running.run_id : null;
    if (open !== null) this.granted += 1;
    const host = NAMED[this.#running?.text ?? ""];
    const wanted = { ...ELSEWHERE, host: host ?? ELSEWHERE.host };
    const decisions = [
      network.judgeHost(LISTED),
      network.judgeHost(wanted),
      network.judgeAddress(wanted, PUBLIC_ADDRESS),
      network.judgeHost(ELSEWHERE),
      network.judgeAddress(wanted, PRIVATE_ADDRESS),
      network.judgeAddress(LISTED, PRIVATE_ADDRESS),
    ].map(({ allowed, run_id }) => (allowed ? (run_id ?? "listed") : "refused"));
    const granted = open ?? "refused";
    expect(decisions.join(" ")).toBe(
      `listed ${granted} ${granted} ${host === undefined ? granted : "refused"} refused refused`,
    );
  }
}

interface GateStand {
  readonly gate: Gate;
  readonly clock: FakeClock;
  readonly approvals: Approvals;
}

class World {
  readonly gates: { readonly box: Boxing; readonly stand: GateStand; rules: Rules }[];
  readonly boxed: BoxedSession;
  /** Lines that a person said yes to, by gate, agent and text; each counts once. */
  readonly yes = new Map<string, number>();
  ran = 0;
  wrong: unknown;
  readonly next: (below: number) => number;

  private constructor(next: (below: number) => number, late: LateWorld) {
    this.next = next;
    this.boxed = new BoxedSession(late, next);
    const { clock, approvals, session } = late;
    this.gates = KINDS.map((box) => {
      const stand = box === "session" ? { clock, approvals, gate: session.gate } : standing(box);
      return { box, stand, rules: { level: "ask_first", safe: true, terminal: false, auto: false } };
    });
  }

  static async open(seed: number): Promise<World> {
    const random = seeded(seed);
    return new World(
      (below) => Math.floor(random() * below),
      await LateWorld.open({ roots: ["/w"], network: [LISTED.host] }),
    );
  }

  step(): void {
    const dice = this.next(13);
    if (dice >= 10) this.boxed.turns();
    else if (dice <= 5) this.runs();
    else if (dice <= 7) this.answers();
    else if (dice === 8) this.changesRules();
    else for (const { stand } of this.gates) stand.clock.pass(this.next(400_000));
  }

  /** Every other time the boxed session, in which the most can happen. */
  #oneGate() {
    return this.gates[Math.max(0, this.next(2 * this.gates.length - 2) - this.gates.length + 2)];
  }

  runs(): void {
    const gate = this.#oneGate();
    const [text, kind] = Object.entries(LINES)[this.next(Object.keys(LINES).length)] ?? [];
    if (!gate || text === undefined || kind === undefined) return;
    const { stand, box } = gate;
    const name = this.next(2) === 0 ? "a" : "b";
    const sure = this.next(2) === 1;
    const leave = this.next(6) === 0;
    const isBoxed = box === "session" || box === "line";
    const { rules } = gate;
    const free = leave && isBoxed ? undefined : freely(kind, box, rules, sure && text !== "echo 'open");
    const intent = { timeout_ms: this.next(2) * 1_000_000, confidence: sure ? 1 : 0, leave };
    const actor = { kind: "agent", name } as const;
    const check = stand.gate.agentLane.line(actor, text, intent).then((admitted) => {
      if (isFault(admitted)) {
        // Nobody is asked about what may run freely.
        expect([text, box, free, admitted.code]).toEqual([text, box, undefined, admitted.code]);
        return;
      }
      this.ran += 1;
      const key = `${box} ${name} ${text}`;
      const where = free ?? (leave && isBoxed ? "outside" : afterYes(kind, box, rules));
      expect([key, admitted.where]).toEqual([key, where]);
      expect(admitted.how === "boxed").toBe(box === "line" && where === "box");
      expect(admitted.how === "guarded" && box === "session").toBe(false);
      if (box === "session" && admitted.where !== "outside") this.boxed.run(actor, admitted);
      if (free !== undefined) return;
      const left = this.yes.get(key) ?? 0;
      expect([key, left > 0]).toEqual([key, true]);
      this.yes.set(key, left - 1);
    });
    check.catch((error: unknown) => {
      this.wrong ??= error;
    });
  }

  answers(): void {
    const { stand, box } = this.#oneGate() ?? {};
    const open = stand?.approvals.list("pending") ?? [];
    const one = open[this.next(open.length)];
    if (!stand || !one) return;
    const isYes = this.next(3) > 0;
    const key = `${box} ${one.actor.replace("agent:", "")} ${one.text}`;
    if (isYes) this.yes.set(key, (this.yes.get(key) ?? 0) + 1);
    expect(one.where === undefined).toBe(box === "none" || box === "missing");
    stand.approvals.settle(one.approval_id, { state: isYes ? "approved" : "denied", answer: null });
  }

  changesRules(): void {
    const gate = this.gates[this.next(this.gates.length)];
    if (!gate) return;
    const level = LEVELS[this.next(3)] ?? "ask_first";
    gate.rules = { level, safe: this.next(2) === 0, terminal: this.next(4) === 0, auto: this.next(2) === 0 };
    const mode = gate.rules.terminal ? ("terminal" as const) : ("agent_terminal" as const);
    gate.stand.gate.setPolicy({ level, safe_mode: gate.rules.safe, auto_approve: gate.rules.auto, mode }, PERSON);
  }
}

function standing(box: Boxing): GateStand {
  const stand = new TestGate();
  stand.box = box;
  stand.atPrompt = true;
  return stand;
}

async function simulate(seed: number): Promise<World> {
  const world = await World.open(seed);
  try {
    for (let i = 0; i < STEPS; i += 1) {
      world.step();
      await world.boxed.settle();
    }
    if (world.wrong) throw world.wrong;
    return world;
  } finally {
    world.boxed.dispose();
  }
}

test(`in ${SEEDS.length} worlds each line runs where the model says, or not at all`, async () => {
  let ran = 0;
  let granted = 0;
  for (const seed of SEEDS) {
    const world = await inWorld(seed, () => simulate(seed));
    ran += world.ran;
    granted += world.boxed.granted;
  }
  if (!isFullSample) return;
  expect(ran).toBeGreaterThan(SEEDS.length);
  expect(granted).toBeGreaterThan(SEEDS.length / 4);
});
