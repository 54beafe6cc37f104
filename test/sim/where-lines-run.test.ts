// Two thousand small worlds with three shells, a boxed session, a person's shell and one without boxes, two agents, levels,
// rules of the session and answers in any order. A model that knows the lines by heart and none of the gate's tables says of
// every line whether it may run, and where; the gate must agree.

import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import type { Boxing } from "../../src/core/gate/policy.ts";
import type { Where } from "../../src/protocol/ops/gate.ts";
import type { Level } from "../../src/protocol/words/policy.ts";
import { PERSON, TestGate } from "../fixtures/fakes/gate.ts";
import { seeded } from "../fixtures/seeded.ts";

const WORLDS = Number(process.env.WORLDS ?? 2_000);
const FIRST = Number(process.env.SEED ?? 1);
const STEPS = 25;
const LEVELS: readonly Level[] = ["ask_first", "always_ask", "always_allow"];

/** What a person would say of each line, not what our tables say. */
const LINES: Readonly<Record<string, "harmless" | "nobody knows" | "reaches out" | "destroys" | "leaves the machine">> =
  {
    ls: "harmless",
    "git status": "harmless",
    frobnicate: "nobody knows",
    "./build.sh --all": "nobody knows",
    "echo 'open": "nobody knows",
    "curl https://example.com": "reaches out",
    "npm install left-pad": "reaches out",
    "rm -rf build": "destroys",
    "sudo reboot": "leaves the machine",
    "kubectl apply -f x.yaml": "leaves the machine",
  };
const KINDS: readonly Boxing[] = ["session", "line", "none", "missing"];

interface Rules {
  level: Level;
  safe: boolean;
  terminal: boolean;
  auto: boolean;
}

/** Undefined: a person has to say yes first. */
function freely(kind: string, box: Boxing, { level, safe, terminal, auto }: Rules, sure: boolean): Where | undefined {
  if (terminal || level === "always_ask") return undefined;
  const anythingGoes = level === "always_allow" && !safe;
  if (kind === "harmless") return box === "session" || (box === "line" && !anythingGoes) ? "box" : "outside";
  if (kind === "nobody knows") {
    if (box === "session" || (box === "line" && !anythingGoes)) return "box";
    return anythingGoes || (auto && sure && box === "none") ? "outside" : undefined;
  }
  return anythingGoes ? afterYes(kind, box) : undefined;
}

function afterYes(kind: string, box: Boxing): Where {
  if (box !== "session" || kind === "leaves the machine") return "outside";
  return kind === "reaches out" ? "box+network" : "box";
}

class World {
  readonly gates = KINDS.map((box) => {
    const stand = new TestGate();
    stand.box = box;
    stand.atPrompt = true;
    return { box, stand, rules: { level: "ask_first", safe: true, terminal: false, auto: false } as Rules };
  });
  /** Lines that a person said yes to, by gate, agent and text; each counts once. */
  readonly yes = new Map<string, number>();
  ran = 0;
  wrong: unknown;
  readonly next: (below: number) => number;

  constructor(seed: number) {
    const random = seeded(seed);
    this.next = (below) => Math.floor(random() * below);
  }

  step(): void {
    const dice = this.next(10);
    if (dice <= 5) this.runs();
    else if (dice <= 7) this.answers();
    else if (dice === 8) this.changesRules();
    else for (const { stand } of this.gates) stand.clock.pass(this.next(400_000));
  }

  runs(): void {
    const gate = this.gates[this.next(this.gates.length)];
    const [text, kind] = Object.entries(LINES)[this.next(Object.keys(LINES).length)] ?? [];
    if (!gate || text === undefined || kind === undefined) return;
    const { stand, box } = gate;
    const name = this.next(2) === 0 ? "a" : "b";
    const sure = this.next(2) === 1;
    const leave = this.next(6) === 0;
    const isBoxed = box === "session" || box === "line";
    const free = leave && isBoxed ? undefined : freely(kind, box, { ...gate.rules }, sure && text !== "echo 'open");
    const intent = { timeout_ms: this.next(2) * 1_000_000, confidence: sure ? 1 : 0, leave };
    const check = stand.gate.agentLane.line({ kind: "agent", name }, text, intent).then((admitted) => {
      if (isFault(admitted)) {
        // Nobody is asked about what may run freely.
        expect([text, box, free, admitted.code]).toEqual([text, box, undefined, admitted.code]);
        return;
      }
      this.ran += 1;
      const key = `${box} ${name} ${text}`;
      const where = leave && isBoxed ? "outside" : afterYes(kind, box);
      expect([key, admitted.where]).toEqual([key, free ?? where]);
      expect(admitted.how === "boxed").toBe(box === "line" && free === "box");
      expect(admitted.how === "guarded" && box === "session").toBe(false);
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
    const { stand, box } = this.gates[this.next(this.gates.length)] ?? {};
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

test(`${WORLDS} worlds from seed ${FIRST} on`, async () => {
  let ran = 0;
  for (let seed = FIRST; seed < FIRST + WORLDS; seed += 1) {
    const world = new World(seed);
    try {
      for (let i = 0; i < STEPS; i += 1) {
        world.step();
        for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
      }
      if (world.wrong) throw world.wrong;
      ran += world.ran;
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error} (SEED=${seed} WORLDS=1)`);
    }
  }
  expect(ran).toBeGreaterThan(WORLDS);
});
