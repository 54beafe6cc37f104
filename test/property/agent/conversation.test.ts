// A conversation: what it publishes and keeps, how it is controlled, and that a new daemon reads all of it from the file.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Conversation, RESTARTED_NOTE } from "../../../src/core/agent/conversation/conversation.ts";
import { Conversations } from "../../../src/core/agent/conversation/conversations.ts";
import {
  EVENT_CHARS_IN_MEMORY_MAX,
  EVENTS_IN_MEMORY_MAX,
  EventLog,
} from "../../../src/core/agent/conversation/event-log.ts";
import { Ledger } from "../../../src/core/agent/conversation/ledger.ts";
import { Driver } from "../../../src/core/agent/driver/driver.ts";
import { ModelAgent } from "../../../src/core/agent/driver/model-agent.ts";
import { charsOf, isPrompt } from "../../../src/core/agent/driver/trim.ts";
import type { AgentEvent, StampedEvent } from "../../../src/core/agent/events.ts";
import type { Entry } from "../../../src/core/agent/history.ts";
import { HISTORY_IN_MEMORY_CHARS_MAX } from "../../../src/core/agent/limits.ts";
import type { Ask, ConversationLink, Performer } from "../../../src/core/agent/performer.ts";
import type { Seen } from "../../../src/core/agent/tool.ts";
import { Cancel } from "../../../src/core/base/cancellation.ts";
import { type Fault, fault } from "../../../src/core/base/fault.ts";
import type { Approval } from "../../../src/core/gate/approvals.ts";
import type { TurnOutcome } from "../../../src/protocol/ops/agent.ts";
import {
  brokenCalls,
  call,
  MemoryLines,
  type Reply,
  ScriptedModel,
  says,
  seen,
  settle,
  toolOf,
} from "../../fixtures/agent/ports.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";

const ASK: Ask = {
  text: "do it",
  agent: "built-in",
  actor: "person",
  step_by_step: false,
  max_steps: 10,
  time_limit_ms: 60_000,
};

function world(lines: MemoryLines, ...replies: (Reply | Promise<Reply>)[]) {
  const clock = new FakeClock();
  const published: StampedEvent[] = [];
  const casts: string[] = [];
  const disposed: string[] = [];
  const slow: ((result: Seen) => void)[] = [];
  const model = new ScriptedModel(...replies);
  const tools = [
    toolOf("run", "terminal", async () => seen("output")),
    toolOf("slow", "terminal", () => new Promise<Seen>((end) => slow.push(end))),
    toolOf("plan", "internal", async () => seen("ok", { plan: [{ text: "look", status: "completed" }] })),
  ];
  const performerFor = async (
    agent: string,
    link: ConversationLink,
    options: { model: string | undefined },
  ): Promise<Performer | Fault> => {
    casts.push(`${agent} ${options.model}`);
    if (agent === "nobody") return fault("agent.unavailable", "no model", "Set one.");
    const driver = new Driver({ clock, agent: new ModelAgent({ model, tools, system: "" }), tools, link });
    const end = driver.dispose.bind(driver);
    return Object.assign(driver, {
      dispose: () => {
        disposed.push(agent);
        return end();
      },
    });
  };
  const parts = {
    session_id: "s_00000001",
    clock,
    lines,
    performerFor,
    nameOf: (agent: string) => (agent === "built-in" ? "duetty" : agent),
    publish: (event: StampedEvent) => void published.push(event),
  };
  return { parts, conversation: new Conversation(parts), clock, published, casts, disposed, slow, model };
}

const history = (lines: MemoryLines) =>
  lines.read().flatMap((line) => (typeof line === "object" && line && "entry" in line ? [line.entry as Entry] : []));
const types = (events: readonly StampedEvent[]) => events.map(({ type }) => type);
const approval = (state: Approval["state"], more: Partial<Approval> = {}) =>
  ({
    session_id: "s_00000001",
    actor: "agent:duetty",
    kind: "run",
    text: "make\u200b",
    approval_id: "a_1",
    state,
    ...more,
  }) as Approval;

describe("a turn", () => {
  test("a turn's events are numbered and have times, from the prompt to the end", async () => {
    const { conversation, published } = world(
      new MemoryLines(),
      says("", call("1", "plan"), call("2", "run")),
      says("done"),
    );
    expect(await conversation.ask(ASK)).toMatchObject({
      agent: "built-in",
      state: "thinking",
      outcome: null,
      steps_max: 10,
    });
    await settle(60);
    const kept = published.filter(({ type }) => type !== "chunk");
    expect(types(kept)).toEqual([
      ...["prompt", "status", "status", "step", "plan", "observation", "status", "step", "observation"],
      ...["status", "message", "ended", "status"],
    ]);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, i) => i + 1));
    expect(kept[0]).toEqual({
      type: "prompt",
      actor: "person",
      agent: "built-in",
      text: "do it",
      seq: 1,
      ts: 1_700_000_000_000,
    });
    expect(kept.at(-2)).toMatchObject({ type: "ended", outcome: "done", steps: 2, tokens: { input: 20, output: 2 } });
    expect(conversation.events(0, 100)).toEqual(kept);
    expect(conversation.events(3, 2)).toEqual(kept.slice(3, 5));
    expect(conversation.status()).toMatchObject({ state: "idle", outcome: "done", steps: 2, seq: kept.length });
    expect(conversation.status().plan).toEqual([{ text: "look", status: "completed" }]);
  });

  test("only one turn runs at a time, from the moment it is asked for", async () => {
    const { conversation } = world(new MemoryLines(), new Promise<Reply>(() => undefined));
    const [first, second] = await Promise.all([conversation.ask(ASK), conversation.ask(ASK)]);
    expect([first, second]).toMatchObject([{ state: "thinking" }, { code: "agent.busy" }]);
    expect(await conversation.ask(ASK)).toMatchObject({ code: "agent.busy" });
  });

  test("a turn that cannot begin leaves no trace; one that is stopped before it began does not begin", async () => {
    const lines = new MemoryLines();
    const { conversation, model } = world(lines, says("done"));
    expect(await conversation.ask({ ...ASK, agent: "nobody" })).toMatchObject({ code: "agent.unavailable" });
    const asked = conversation.ask(ASK);
    await conversation.control("stop");
    expect(await asked).toMatchObject({ code: "agent.unavailable", message: "it was stopped before it started" });
    expect([lines.lines, model.asked]).toEqual([[], []]);
    expect(conversation.status().state).toBe("idle");
  });

  test("a conversation keeps its performer until another agent or model is asked", async () => {
    const { conversation, casts, disposed, model } = world(new MemoryLines(), says("done"));
    for (const more of [{}, {}, { model: "x/y" }, { agent: "other" }]) {
      await conversation.ask({ ...ASK, ...more });
      await settle();
    }
    expect(casts).toEqual(["built-in undefined", "built-in x/y", "other undefined"]);
    expect(disposed).toEqual(["built-in", "built-in"]);
    // All turns are one history.
    expect(model.asked.at(-1)?.history.filter(({ role }) => role === "person")).toHaveLength(4);
  });
});

describe("control", () => {
  test("pause, step, resume and stop answer with the status, or a fault", async () => {
    const { conversation } = world(new MemoryLines(), says("", call("1", "run"), call("2", "run"), call("3", "slow")));
    expect(await conversation.control("pause")).toMatchObject({ fault: true });
    expect(await conversation.control("stop")).toMatchObject({ state: "idle" });
    await conversation.ask({ ...ASK, step_by_step: true });
    await settle();
    expect(conversation.status()).toMatchObject({ state: "paused", note: "run {}", step_by_step: true });
    await conversation.control("step");
    await settle();
    expect(conversation.status()).toMatchObject({ state: "paused", steps: 1 });
    await conversation.control("resume");
    await settle();
    expect(conversation.status()).toMatchObject({ state: "acting", steps: 3, step_by_step: false });
    expect(await conversation.control("stop")).toMatchObject({ state: "idle", outcome: "stopped" });
  });

  test("a person's stop on the keyboard, or the end of the program, stops the turn", async () => {
    const { conversation, published } = world(new MemoryLines(), says("", call("1", "slow")));
    await conversation.ask(ASK);
    await settle();
    conversation.held("person", "stop");
    await settle();
    expect(conversation.status()).toMatchObject({ state: "idle", outcome: "stopped" });
    await conversation.ask(ASK);
    conversation.exited({ exit_code: 0, signal: null });
    conversation.exited({ exit_code: 0, signal: null });
    await settle();
    expect(conversation.status()).toMatchObject({ state: "idle", outcome: "stopped" });
    expect(types(published).filter((type) => type === "exit")).toHaveLength(1);
    expect(await conversation.ask(ASK)).toMatchObject({ code: "session.ended" });
  });

  test("a performer that does not end after a stop is let go", async () => {
    const lines = new MemoryLines();
    let link: ConversationLink | undefined;
    const { parts, clock } = world(lines);
    const deaf: Performer = {
      perform: () => new Promise<TurnOutcome>(() => undefined),
      pause: () => undefined,
      resume: () => undefined,
      step: () => undefined,
      stop: () => undefined,
      held: () => undefined,
      dispose: async () => undefined,
    };
    const conversation = new Conversation({
      ...parts,
      performerFor: async (_agent, its) => {
        link = its;
        return deaf;
      },
    });
    await conversation.ask(ASK);
    link?.tell({ type: "step", step: 9, call_id: "x", tool: "edit", kind: "external", title: "edit" });
    const stopped = conversation.control("stop");
    clock.pass(2_000);
    expect(await stopped).toMatchObject({ state: "idle", outcome: "stopped", steps: 1 });
    const { length } = lines.lines;
    link?.tell({ type: "message", text: "still here" });
    expect(lines.lines).toHaveLength(length);
    expect(await conversation.ask(ASK)).toMatchObject({ agent: "built-in" });
  });
});

describe("a question", () => {
  test("a question of the running call is a proposal that is waited for", async () => {
    const { conversation, published, slow } = world(new MemoryLines(), says("", call("1", "slow")), says("done"));
    await conversation.ask(ASK);
    await settle();
    conversation.approval(approval("pending", { actor: "agent:other" }));
    conversation.approval(approval("pending", { session_id: "s_00000002" }));
    expect(conversation.status().state).toBe("acting");
    conversation.approval(approval("pending"));
    expect(conversation.status()).toMatchObject({ state: "waiting", approval_id: "a_1" });
    expect(published).toContainEqual(
      expect.objectContaining({
        type: "proposal",
        call_id: "1",
        tool: "slow",
        approval_id: "a_1",
        text: "make⟦U+200B⟧",
      }),
    );
    await conversation.control("pause");
    expect(conversation.status().state).toBe("waiting");
    conversation.approval(approval("approved"));
    expect(conversation.status()).toMatchObject({ state: "acting", note: "pauses after this", approval_id: null });
    await conversation.control("resume");
    slow[0]?.(seen("ok"));
    await settle();
    expect(conversation.status()).toMatchObject({ state: "idle", outcome: "done" });
  });

  test("a question that outlives its call is not waited for any more", async () => {
    const { conversation, slow } = world(
      new MemoryLines(),
      says("", call("1", "slow")),
      new Promise<Reply>(() => undefined),
    );
    await conversation.ask(ASK);
    await settle();
    conversation.approval(approval("pending"));
    slow[0]?.(seen("approval_pending", { ok: false }));
    await settle();
    expect(conversation.status()).toMatchObject({ state: "thinking", approval_id: null });
    conversation.approval(approval("denied"));
    expect(conversation.status().state).toBe("thinking");
  });
});

describe("after a restart", () => {
  test("an unfinished turn is paused after a restart; resume answers open calls and goes on", async () => {
    const before = new MemoryLines();
    const old = world(before, says("", call("1", "slow"), call("2", "run")));
    await old.conversation.ask({ ...ASK, max_steps: 3 });
    await settle();
    const lines = before.reborn();
    const { conversation, published, model } = world(lines, says("", call("3", "run")), says("done"));
    expect(published).toMatchObject([
      { type: "status", state: "paused", note: RESTARTED_NOTE, seq: (old.published.at(-1)?.seq as number) + 1 },
    ]);
    expect(model.asked).toEqual([]);
    expect(await conversation.control("pause")).toMatchObject({ fault: true });
    expect(await conversation.control("step")).toMatchObject({ fault: true });
    await conversation.control("resume");
    await settle(60);
    expect(history(lines).slice(2, 4)).toMatchObject([
      { call_id: "1", ok: false, text: expect.stringContaining("not known: the daemon was restarted while this ran.") },
      { call_id: "2", ok: false, text: expect.stringContaining("not run: the daemon was restarted") },
    ]);
    expect(brokenCalls(history(lines))).toEqual([]);
    expect(conversation.status()).toMatchObject({ state: "idle", outcome: "done", steps: 2 });
    expect(published.filter(({ type }) => type === "step")).toMatchObject([{ step: 2 }]);
    // A third one has nothing to go on with.
    expect(world(lines.reborn()).conversation.status()).toEqual(conversation.status());
  });

  test("a new task or a stop ends the unfinished turn", async () => {
    const lines = new MemoryLines();
    await world(lines, says("", call("1", "slow"))).conversation.ask(ASK);
    await settle();
    const other = lines.reborn();
    const asked = world(other, says("hello"));
    await asked.conversation.ask({ ...ASK, text: "something else" });
    await settle();
    expect(types(asked.published).filter((type) => type !== "chunk")).toEqual([
      ...["status", "observation", "ended", "status", "prompt", "status", "message", "ended", "status"],
    ]);
    expect(brokenCalls(history(other))).toEqual([]);
    const stopped = world(lines.reborn(), says("never"));
    expect(await stopped.conversation.control("stop")).toMatchObject({ state: "idle", outcome: "stopped" });
    expect(stopped.model.asked).toEqual([]);
  });

  test("a shutdown leaves the turn to be resumed", async () => {
    const lines = new MemoryLines();
    const { conversation, disposed } = world(lines, says("", call("1", "slow")));
    await conversation.ask(ASK);
    await settle();
    const waits = conversation.next(1_000, 60_000);
    const { length } = lines.lines;
    await conversation.dispose();
    await waits;
    await settle();
    expect([lines.lines.length, disposed]).toEqual([length, ["built-in"]]);
    expect(world(lines.reborn()).conversation.status()).toMatchObject({ state: "paused", note: RESTARTED_NOTE });
  });

  test("torn and foreign lines are skipped, wherever they are, and the numbers go on", async () => {
    const whole = new MemoryLines();
    const { conversation } = world(whole, says("", call("1", "run"), call("2", "plan")), says("done"));
    await conversation.ask(ASK);
    await settle(60);
    const foreign = fc.oneof(
      fc.json(),
      fc.constantFrom(
        '{"event":',
        '{"event":{"type":"status","seq":2,"ts":1,"state":"odd"}}',
        '{"entry":{"role":"agent","text":"x","calls":[7]}}',
        '{"turn":{}}',
        "null",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(whole.lines.length), foreign)), fc.nat(20), async (more, lost) => {
        const lines = new MemoryLines();
        lines.lines.push(...whole.lines);
        lines.lines.splice(lost, 1);
        for (const [at, line] of more) lines.lines.splice(at, 0, line);
        const { conversation: again, model, published } = world(lines, says("fine"));
        const { seq } = again.status();
        const known = again.events(0, 1_000);
        expect(known.every((event, i) => i === 0 || event.seq > (known[i - 1]?.seq ?? 0))).toBe(true);
        await again.ask(ASK);
        await settle();
        expect(again.status()).toMatchObject({ state: "idle", outcome: "done" });
        expect(published.findLast(({ type }) => type === "prompt")?.seq).toBeGreaterThan(seq);
        for (const { history: given } of model.asked) expect(brokenCalls(given)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

test("a history beyond its limit leaves memory, not the file; the prompt of the turn stays in both", () => {
  const lines = new MemoryLines();
  const parts = { clock: new FakeClock(), lines, publish: () => undefined };
  const ledger = new Ledger(parts);
  const long = "x".repeat(HISTORY_IN_MEMORY_CHARS_MAX / 10);
  ledger.remember({ role: "person", text: "do it" });
  for (let i = 0; i < 25; i += 1) {
    ledger.remember({ role: "agent", text: "", calls: [call(`${i}`, "run")] });
    ledger.remember({ role: "observation", call_id: `${i}`, tool: "run", ok: true, text: long, again: null });
    expect(charsOf(ledger.history)).toBeLessThanOrEqual(HISTORY_IN_MEMORY_CHARS_MAX);
  }
  const again = new Ledger(parts);
  for (const { history: kept } of [ledger, again]) {
    expect(charsOf(kept)).toBeGreaterThan(HISTORY_IN_MEMORY_CHARS_MAX / 2);
    expect(kept.find(isPrompt)?.text).toBe("do it");
    const steps = kept.filter(({ role }) => role === "agent").length;
    expect(kept).toContainEqual({ role: "person", text: `[${25 - steps} earlier steps left out]` });
    expect(brokenCalls(kept)).toEqual([]);
  }
  expect(history(lines)).toHaveLength(51);
});

test("a hosted agent's thread id survives restarts until another agent has a turn", () => {
  const lines = new MemoryLines();
  const parts = { clock: new FakeClock(), lines, publish: () => undefined };
  const turn = { model: null, step_by_step: false, max_steps: 1, time_limit_ms: 1 };
  const ledger = new Ledger(parts);
  const threads = () => [ledger.thread, new Ledger(parts).thread];
  ledger.set({ ...turn, agent: "one" });
  ledger.noteThread("t_1");
  ledger.set({ ...turn, agent: "one" });
  expect(threads()).toEqual(["t_1", "t_1"]);
  ledger.set({ ...turn, agent: "two" });
  expect(threads()).toEqual([null, null]);
  ledger.set({ ...turn, agent: "one" });
  expect(threads()).toEqual([null, null]);
  ledger.noteThread("t_2");
  ledger.noteThread(null);
  expect(threads()).toEqual([null, null]);
});

describe("events", () => {
  const log = (lines: MemoryLines, clock = new FakeClock()) =>
    new EventLog({ clock, lines, publish: () => undefined }, []);
  const message = (text: string): AgentEvent => ({ type: "message", text });

  test("events older than those in memory come from the file", () => {
    const lines = new MemoryLines();
    const events = log(lines);
    const count = EVENTS_IN_MEMORY_MAX + 5;
    for (let i = 1; i <= count; i += 1) events.tell(message(`${i}`));
    const reads = { count: 0 };
    const read = lines.read.bind(lines);
    lines.read = () => {
      reads.count += 1;
      return read();
    };
    expect(events.events(count - 2, 10).map(({ seq }) => seq)).toEqual([count - 1, count]);
    expect(reads.count).toBe(0);
    expect(events.events(0, 3).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(events.events(100, 2 * count).at(-1)?.seq).toBe(count);
    expect(reads.count).toBe(2);
    expect(events.events(count, 10)).toEqual([]);
  });

  const large = "x".repeat(EVENT_CHARS_IN_MEMORY_MAX / 8);
  const step = { type: "step", step: 1, call_id: "1", tool: "run", kind: "terminal" } as const;
  test.each<AgentEvent>([
    message(large),
    { ...step, title: large },
    { type: "status", state: "paused", note: large },
    { type: "trouble", message: large, hint: "", retry_in_ms: null },
    { type: "plan", plan: [{ text: large, status: "pending" }] },
  ])("large events leave memory earlier: $type", (talk) => {
    const lines = new MemoryLines();
    const events = log(lines);
    for (let i = 1; i <= 20; i += 1) events.tell(talk);
    let reads = 0;
    const read = lines.read.bind(lines);
    lines.read = () => {
      reads += 1;
      return read();
    };
    expect(events.events(18, 10).map(({ seq }) => seq)).toEqual([19, 20]);
    expect(reads).toBe(0);
    expect(events.events(0, 100)).toHaveLength(20);
    expect(reads).toBe(1);
  });

  test("next answers with the event, at the deadline, or when the caller is gone", async () => {
    const clock = new FakeClock();
    const events = log(new MemoryLines(), clock);
    const gone = new Cancel();
    const woken: string[] = [];
    void events.next(0, 1_000).then(() => woken.push("event"));
    void events.next(1, 500).then(() => woken.push("deadline"));
    void events.next(1, 1_000, gone).then(() => woken.push("gone"));
    events.tell({ type: "chunk", about: "message", text: "x" });
    await settle();
    expect(woken).toEqual([]);
    events.tell(message("x"));
    await settle();
    expect(woken).toEqual(["event"]);
    gone.end();
    await settle();
    clock.pass(500);
    await settle();
    expect(woken).toEqual(["event", "gone", "deadline"]);
    await events.next(0, 1_000);
    await events.next(1, 0);
  });
});

test("a session has one conversation, and only quiet ones leave memory", async () => {
  const all = new Map<string, MemoryLines>();
  const conversations = new Conversations((session_id) => {
    const lines = all.get(session_id) ?? new MemoryLines();
    all.set(session_id, lines);
    return { ...world(lines, new Promise<Reply>(() => undefined)).parts, session_id };
  });
  const busy = conversations.of("s_busy");
  await busy.ask(ASK);
  const idle = conversations.of("s_idle");
  expect(conversations.of("s_idle")).toBe(idle);
  for (let i = 0; i < 60; i += 1) conversations.of(`s_${i}`);
  expect(conversations.known("s_busy")).toBe(busy);
  expect(conversations.known("s_idle")).toBeUndefined();
  expect(conversations.of("s_idle").status()).toEqual(idle.status());
  conversations.approval(approval("pending", { session_id: "s_busy" }));
  expect(busy.status()).toMatchObject({ state: "waiting", approval_id: "a_1" });
  await conversations.dispose();
  expect(conversations.known("s_busy")).toBeUndefined();
});
