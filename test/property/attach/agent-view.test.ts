// Agent mode as a whole, without a terminal: any bytes at its prompt, in any terminal, make a picture that fits.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentGlimpse, fromStatus, glimpsed } from "../../../src/cli/attach/agent-status.ts";
import { AgentView } from "../../../src/cli/attach/agent-view.ts";
import type { Area } from "../../../src/cli/attach/canvas.ts";
import { NOTHING_OPEN, press, type Surroundings } from "../../../src/cli/attach/keys.ts";
import type { LineView } from "../../../src/cli/attach/question.ts";
import { type AttachState, afterMessage, firstState, isTalking } from "../../../src/cli/attach/state.ts";
import { statusLine } from "../../../src/cli/attach/status-line.ts";
import { textWidth } from "../../../src/cli/text/width.ts";
import { clientOver } from "../../../src/client/client.ts";
import type { AgentEvent } from "../../../src/protocol/ops/agent.ts";

const SGR = /\x1b\[[\d;]*m/g;
const talking: AttachState = { ...firstState("person"), mode: "agent", talks: "first" };
const around: Surroundings = {
  now: 10_000,
  modes: { bracketed_paste: true, mouse_format: "sgr" },
  place: { area: { cols: 80, rows: 23 }, offset: { top: 0, left: 0 }, size: { cols: 80, rows: 23 } },
  reading: { isWhole: true, page: 5, last: 0 },
};

class Person {
  state = talking;
  readonly asked: string[] = [];
  readonly entered: string[] = [];
  readonly notices: string[] = [];
  area: Area;
  #open = NOTHING_OPEN;
  readonly view: AgentView;

  constructor(area: Area) {
    this.area = area;
    const refused = JSON.stringify({ error: { code: "agent.unavailable", message: "nobody is there", hint: "wait" } });
    this.view = new AgentView({
      client: clientOver(async (op, body) => {
        if (op === "ask") this.asked.push(JSON.parse(body).text);
        return { status: 400, body: refused };
      }),
      session_id: "s_00000000",
      state: () => this.state,
      area: () => this.area,
      changed: () => undefined,
      notice: (text) => this.notices.push(text),
      learned: () => undefined,
      enter: (command) => this.entered.push(command),
    });
  }

  type(bytes: string | Buffer): string[] {
    const chunk = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    const pressed = press({ state: this.state, open: this.#open }, chunk, around);
    this.#open = pressed.open;
    this.view.input(pressed.prompt);
    return pressed.actions.map((action) => (action.do === "send" ? JSON.stringify(action.message) : action.do));
  }

  rows(): string[] {
    return this.view.picture(this.area).rows.map((row) => row.replace(SGR, ""));
  }
}

const prompt = (seq: number, text: string): AgentEvent => ({
  type: "prompt",
  seq,
  ts: 0,
  actor: "person",
  agent: "built-in",
  text,
});

describe("the view", () => {
  it("the view fits and has the cursor in it for any text", () => {
    const chunk = fc.oneof(
      fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ maxLength: 20 }),
      fc.constantFrom(
        "\x1b[200~a\nb",
        "\x1b[201~",
        "\x1b[5~",
        "\x1b[<64;1;1M",
        "\n\n\n\n",
        "界".repeat(50),
        "\r",
        "\x1b[A",
      ),
    );
    const area = fc.record({ cols: fc.integer({ min: 4, max: 100 }), rows: fc.integer({ min: 1, max: 30 }) });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), fc.array(fc.string()), area, area, (chunks, said, one, two) => {
        const person = new Person(one);
        for (const [i, text] of said.entries()) person.view.onEvent(prompt(i + 1, text));
        for (const [i, bytes] of chunks.entries()) {
          person.type(bytes);
          person.area = i % 3 === 2 ? two : one;
          const { rows, cursor } = person.view.picture(person.area);
          expect(rows).toHaveLength(person.area.rows);
          for (const row of rows) {
            expect(textWidth(row.replace(SGR, ""))).toBeLessThanOrEqual(person.area.cols);
            expect(row.replace(SGR, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          }
          expect(cursor.row).toBeLessThan(person.area.rows);
          expect(cursor.col).toBeLessThan(person.area.cols);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("the view stays where the person reads while more text comes", () => {
    const person = new Person({ cols: 40, rows: 10 });
    for (let i = 1; i <= 20; i += 1) person.view.onEvent(prompt(i, `task ${i}`));
    expect(person.rows()).toContain("> task 20");
    person.type("\x1b[5~");
    const read = person.rows().slice(0, 8);
    person.view.onEvent(prompt(21, "task 21"));
    expect(person.rows().slice(0, 8)).toEqual(read);
    expect(person.rows()[8]).toMatch(/^── \d+ more below: PageDown ─+$/);
    person.type("\x1b[1;5F");
    expect(person.rows()).toContain("> task 21");
  });
});

describe("Enter", () => {
  it("Enter asks, and a refusal gives the text back", async () => {
    const person = new Person({ cols: 60, rows: 12 });
    person.type("do it\r");
    expect(person.asked).toEqual(["do it"]);
    expect(person.view.prompt).toBe("empty");
    await expect.poll(() => person.view.prompt).toBe("words");
    expect(person.rows()).toEqual(expect.arrayContaining(["✗ nobody is there", "  wait", "> do it"]));
  });

  it("Enter waits while the agent works, and !command does not", () => {
    const person = new Person({ cols: 60, rows: 12 });
    person.state = afterMessage(talking, { type: "agent", event: prompt(1, "x") }, 0);
    person.type("more\r");
    expect([person.asked, person.notices.length, person.view.prompt]).toEqual([[], 1, "words"]);
    expect(person.type("\x1b")).toEqual(['{"type":"stop"}']);
    person.type("\x15!ls -l\r!\r");
    expect(person.entered).toEqual(["ls -l", ""]);
  });

  it("Ctrl+T shows the terminal while the agent works, and comes back in one step", () => {
    const person = new Person({ cols: 60, rows: 12 });
    expect(person.type("\x14")).toEqual(['{"type":"mode","mode":"terminal"}']);
    person.state = afterMessage(talking, { type: "agent", event: prompt(1, "x") }, 0);
    expect(person.type("\x14")).toEqual(['{"type":"mode","mode":"agent_terminal"}']);
    person.state = { ...person.state, mode: "terminal" };
    expect(person.type("\x14")).toEqual(['{"type":"mode","mode":"agent"}']);
    // Over a program Escape is the program's while the agent only thinks.
    expect(person.type("\x1b")).toEqual(["type"]);
  });
});

it("agent mode without a conversation shows the terminal", () => {
  expect(isTalking({ ...firstState("person"), mode: "agent" })).toBe(false);
  expect(isTalking({ ...talking, role: "watch" })).toBe(false);
});

it("the status line says what the agent does, and when the terminal shows more", () => {
  const view = { cols: 110, rows: 24, now: 0, at: 0, clippedFrom: undefined };
  const line = (agent: AgentGlimpse, more: Partial<AttachState & LineView> = {}) =>
    statusLine({ ...talking, agent, ...more }, { ...view, ...more }).replace(SGR, "");
  const status = {
    session_id: "s_00000000",
    agent: "built-in",
    state: "acting",
    note: "npm test",
    outcome: null,
    steps: 3,
    steps_max: 50,
    step_by_step: false,
    plan: [],
    approval_id: null,
    seq: 1,
  } as const;
  const acting = fromStatus(status, undefined);
  expect(line(acting)).toMatch(/^ Agent {2}agent: acting 3\/50 \(npm test\) .*Esc stop {2}Ctrl\+T terminal/);
  const paused = { ...acting, state: "paused" } as const;
  expect(line(paused)).toMatch(/Enter goes on {2}Esc stop/);
  expect(line(paused, { prompt: "words" })).toMatch(/Enter goes on at an empty prompt {2}Esc stop/);
  expect(line(paused, { prompt: "command" })).toMatch(/Enter runs it in the terminal {2}Esc stop/);
  const idle = { ...acting, state: "idle" } as const;
  expect(line(idle, { prompt: "words" })).toMatch(/Enter asks {2}Ctrl\+T/);
  expect(line(idle, { prompt: "command" })).toMatch(/Enter runs it in the terminal {2}Ctrl\+T/);
  // The keyboard may still be its own after the turn; then it types nothing.
  expect(line(acting, { hold: "agent:duetty" })).toContain("duetty types");
  expect(line(idle, { hold: "agent:duetty" })).toContain("duetty has the keyboard");
  expect(line(idle, { hold: "agent:claude" })).toContain("claude types");
  const seen = { type: "observation", call_id: "c", tool: "t", ok: true, text: "", block_id: null } as const;
  const suggested = glimpsed(acting, { ...seen, seq: 2, ts: 0, suggests: "terminal" });
  expect(line(suggested)).toContain("full-screen program: Ctrl+T to see it");
});
