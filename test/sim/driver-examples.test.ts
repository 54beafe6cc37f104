// The driver at each point of its loop, by example: thinking, acting, waiting for a person, resting after trouble, paused.

import { describe, expect, test } from "vitest";
import { retryAfter, TRIES_MAX } from "../../src/core/agent/driver/backoff.ts";
import { Driver } from "../../src/core/agent/driver/driver.ts";
import { ModelAgent } from "../../src/core/agent/driver/model-agent.ts";
import { TITLE_CHARS_MAX } from "../../src/core/agent/limits.ts";
import type { Turn } from "../../src/core/agent/performer.ts";
import type { Seen } from "../../src/core/agent/tool.ts";
import type { Cancelled } from "../../src/core/base/cancellation.ts";
import { type Fault, fault } from "../../src/core/base/fault.ts";
import {
  brokenCalls,
  call,
  RecordedLink,
  type Reply,
  ScriptedModel,
  says,
  seen,
  settle,
  toolOf,
  trouble,
} from "../fixtures/agent/ports.ts";
import { FakeClock } from "../fixtures/fakes/clock.ts";

const TURN: Turn = { text: "do it", step_by_step: false, max_steps: 10, time_limit_ms: 60_000 };

function world(...replies: (Reply | Promise<Reply>)[]) {
  const clock = new FakeClock();
  const link = new RecordedLink();
  const model = new ScriptedModel(...replies);
  const ran: string[] = [];
  /** What "slow" is waiting for. */
  const slow: { end(result: Seen | Fault): void; gone: Cancelled }[] = [];
  const tools = [
    toolOf("run", "terminal", async () => {
      ran.push("run");
      return seen("output", { block_id: "b_1", again: "read_block b_1" });
    }),
    toolOf("read", "internal", async () => {
      ran.push("read");
      return seen("text");
    }),
    toolOf("slow", "terminal", (_args, gone) => {
      ran.push("slow");
      return new Promise((end) => slow.push({ end, gone }));
    }),
    toolOf("refuse", "internal", async () => fault("input.invalid", "path: expected text", "Give a path.")),
    toolOf("plan", "internal", async () => seen("noted", { plan: [{ text: "look", status: "pending" }] })),
    toolOf("boom", "internal", async () => {
      throw new Error("a bug");
    }),
  ];
  const agent = new ModelAgent({ model, tools, system: "" });
  const driver = new Driver({ clock, agent, tools, link });
  const perform = (turn: Partial<Turn> = {}) =>
    driver.perform({ ...TURN, ...turn }, [{ role: "person", text: "do it" }]);
  const valid = () => expect(brokenCalls([{ role: "person", text: "do it" }, ...link.remembered])).toEqual([]);
  return { clock, link, model, ran, slow, driver, perform, valid };
}

const observations = (link: RecordedLink) => link.events.flatMap((talk) => (talk.type === "observation" ? [talk] : []));
const troubles = (link: RecordedLink) => link.events.flatMap((talk) => (talk.type === "trouble" ? [talk] : []));
const lastStatus = (link: RecordedLink) => link.events.findLast(({ type }) => type === "status");

describe("a turn", () => {
  test("a turn thinks, acts, reports and ends with a message", async () => {
    const { link, perform, valid } = world(says("I look", call("1", "run", { command: "ls" })), says("done"));
    expect(await perform()).toBe("done");
    expect(link.events).toEqual([
      { type: "status", state: "thinking", note: null },
      { type: "chunk", about: "message", text: "I look" },
      { type: "message", text: "I look" },
      { type: "status", state: "acting", note: 'run {"command":"ls"}' },
      { type: "step", step: 1, call_id: "1", tool: "run", kind: "terminal", title: 'run {"command":"ls"}' },
      { type: "observation", call_id: "1", tool: "run", ok: true, text: "output", block_id: "b_1", suggests: null },
      { type: "status", state: "thinking", note: null },
      { type: "chunk", about: "message", text: "done" },
      { type: "message", text: "done" },
      { type: "ended", outcome: "done", steps: 1, tokens: { input: 20, output: 2 } },
    ]);
    valid();
  });

  test("queued calls run one after the other without asking the model in between", async () => {
    const { link, model, ran, perform, valid } = world(
      says("", call("1", "read"), call("2", "run"), call("3", "read")),
      says("ok"),
    );
    await perform();
    expect(ran).toEqual(["read", "run", "read"]);
    expect(model.asked).toHaveLength(2);
    expect(link.states).toEqual(["thinking", "acting", "acting", "acting", "thinking"]);
    valid();
  });

  test("unknown tools, bad arguments and faults are told to the agent, which goes on", async () => {
    const { link, perform, valid } = world(says("", call("1", "fly"), call("2", "refuse")), says("sorry"));
    expect(await perform()).toBe("done");
    expect(observations(link)).toMatchObject([
      { ok: false, text: expect.stringContaining("The tools are: run, read, slow") },
      { ok: false, text: "input.invalid: path: expected text\nGive a path." },
    ]);
    valid();
  });

  test("a tool that throws ends the turn with an error", async () => {
    const { link, perform, valid } = world(says("", call("1", "boom"), call("2", "run")));
    expect(await perform()).toBe("failed");
    expect(troubles(link)).toMatchObject([{ message: "internal: a bug", retry_in_ms: null }]);
    expect(link.remembered.slice(-2)).toMatchObject([
      { text: "internal: a bug" },
      { text: "not run: internal: a bug" },
    ]);
    valid();
  });

  test("a plan is reported", async () => {
    const { link, perform } = world(says("", call("1", "plan")), says("ok"));
    await perform();
    expect(link.events).toContainEqual({ type: "plan", plan: [{ text: "look", status: "pending" }] });
  });
});

describe("limits", () => {
  test("the step limit allows no further action, but a last message", async () => {
    const more = world(says("", call("1", "run"), call("2", "run"), call("3", "run")));
    expect(await more.perform({ max_steps: 2 })).toBe("limit");
    expect(more.ran).toEqual(["run", "run"]);
    expect(troubles(more.link)).toMatchObject([{ message: "the limit of steps was reached: 2" }]);
    more.valid();
    const enough = world(says("", call("1", "run")), says("that was all"));
    expect(await enough.perform({ max_steps: 1 })).toBe("done");
  });

  test("the time limit cancels what runs", async () => {
    const { clock, slow, link, perform, valid } = world(says("", call("1", "slow")));
    const over = perform({ time_limit_ms: 5_000 });
    await settle();
    let gone = false;
    slow[0]?.gone.onCancel(() => {
      gone = true;
    });
    clock.pass(5_000);
    expect(await over).toBe("limit");
    expect(gone).toBe(true);
    expect(observations(link)).toMatchObject([{ ok: false, text: "stopped: the limit of this turn was reached" }]);
    valid();
  });

  test("the time limit counts model calls and actions together", async () => {
    const { clock, slow, perform } = world(says("", call("1", "slow"), call("2", "slow")));
    const over = perform({ time_limit_ms: 5_000 });
    await settle();
    clock.pass(3_000);
    slow[0]?.end(seen("ok"));
    await settle();
    clock.pass(1_999);
    await settle();
    expect(slow).toHaveLength(2);
    clock.pass(1);
    expect(await over).toBe("limit");
  });

  test("time spent waiting for a person does not count", async () => {
    const { clock, driver, perform } = world(says("", call("1", "run")), says("ok"));
    const over = perform({ time_limit_ms: 5_000, step_by_step: true });
    await settle();
    clock.pass(100_000);
    expect(driver.step()).toBeUndefined();
    expect(await over).toBe("done");
  });
});

describe("trouble", () => {
  test("a failed call is tried again with growing delays, and each failure is reported", async () => {
    const { clock, link, model, perform } = world(
      trouble(),
      trouble(),
      trouble({ retry: { after_ms: 7_000 } }),
      says("ok"),
    );
    const over = perform();
    for (const ms of [1_000, 2_000, 7_000]) {
      await settle();
      expect(troubles(link).at(-1)?.retry_in_ms).toBe(ms);
      expect(lastStatus(link)).toMatchObject({ state: "thinking", note: `tries again in ${ms / 1_000} s` });
      const before = model.asked.length;
      clock.pass(ms - 1);
      await settle();
      expect(model.asked).toHaveLength(before);
      clock.pass(1);
    }
    expect(await over).toBe("done");
  });

  test("a permanent error, or one that does not go away, fails the turn", async () => {
    const never = world(trouble({ code: "auth", retry: null }));
    expect(await never.perform()).toBe("failed");
    expect(troubles(never.link)).toMatchObject([{ message: "too many", hint: "Wait.", retry_in_ms: null }]);
    const long = world(trouble());
    const over = long.perform({ time_limit_ms: 10_000_000 });
    for (let i = 0; i < TRIES_MAX; i += 1) {
      await settle();
      long.clock.pass(30_000);
    }
    expect(await over).toBe("failed");
    expect(long.model.asked).toHaveLength(TRIES_MAX);
  });

  test("an empty reply is tried once more", async () => {
    const { clock, model, perform } = world(says(""));
    const over = perform();
    await settle();
    clock.pass(1_000);
    expect(await over).toBe("failed");
    expect(model.asked).toHaveLength(2);
  });

  test("a provider's retry delay is respected up to a limit", () => {
    const { error } = trouble({ retry: { after_ms: 86_400_000 } });
    expect(retryAfter(error, 1)).toBe(300_000);
    expect(retryAfter({ ...error, retry: { after_ms: -5 } }, 3)).toBe(4_000);
    expect(retryAfter({ ...error, retry: { after_ms: null } }, 7)).toBe(30_000);
  });

  test("a pause ends the delay, and resume tries at once", async () => {
    const { driver, link, perform } = world(trouble({ retry: { after_ms: 50_000 } }), says("ok"));
    const over = perform();
    await settle();
    expect(driver.pause()).toBeUndefined();
    await settle();
    expect(lastStatus(link)).toMatchObject({ state: "paused" });
    expect(driver.resume()).toBeUndefined();
    expect(await over).toBe("done");
  });
});

describe("stop", () => {
  test("a stop at any point starts nothing more and leaves the history complete", async () => {
    for (let after = 0; after < 120; after += 1) {
      const { driver, link, model, ran, perform, valid } = world(
        says("so", call("1", "read"), call("2", "run")),
        says("", call("3", "run")),
        says("done"),
      );
      const over = perform();
      await settle(after);
      driver.stop();
      const [thoughts, actions] = [model.asked.length, ran.length];
      const outcome = await over;
      await settle();
      expect([after, model.asked.length, ran.length]).toEqual([after, thoughts, actions]);
      expect(["stopped", "done"]).toContain(outcome);
      if (after < 20) expect(outcome).toBe("stopped");
      expect(link.events.filter(({ type }) => type === "step")).toHaveLength(observations(link).length);
      valid();
    }
  });

  test("a stop while thinking drops the reply", async () => {
    const { driver, link, perform } = world(new Promise<Reply>(() => undefined));
    const over = perform();
    await settle();
    driver.stop();
    expect(await over).toBe("stopped");
    expect(link.remembered).toEqual([]);
  });

  test("a stop while acting cancels the tool, drops its result and answers its call", async () => {
    const { driver, link, slow, perform, valid } = world(says("", call("1", "slow"), call("2", "run")));
    const over = perform();
    await settle();
    driver.stop();
    slow[0]?.end(seen("too late"));
    expect(await over).toBe("stopped");
    expect(observations(link)).toMatchObject([{ call_id: "1", ok: false, text: "stopped by a person" }]);
    expect(link.remembered.slice(-2)).toMatchObject([
      { call_id: "1", text: "stopped by a person" },
      { call_id: "2", text: "not run: stopped by a person" },
    ]);
    valid();
  });

  test("the session's end stops the turn and is the stated reason", async () => {
    const { driver, link, perform } = world(says("", call("1", "slow")));
    const over = perform();
    await settle();
    driver.stop("exit");
    await over;
    expect(observations(link)).toMatchObject([{ text: "stopped: the session ended" }]);
  });

  test("a stop works while delayed, paused or waiting for a person", async () => {
    const resting = world(trouble());
    const paused = world(says("", call("1", "run")));
    const waiting = world(says("", call("1", "slow")));
    const turns = [resting.perform(), paused.perform({ step_by_step: true }), waiting.perform()];
    await settle();
    waiting.slow[0]?.end(seen("a person types", { ok: false, held: true }));
    await settle();
    expect([resting, paused, waiting].map(({ link }) => link.states.at(-1))).toEqual(["thinking", "paused", "waiting"]);
    for (const { driver } of [resting, paused, waiting]) driver.stop();
    expect(await Promise.all(turns)).toEqual(["stopped", "stopped", "stopped"]);
    resting.clock.pass(100_000);
    await settle();
    expect([resting.model.asked.length, paused.ran, waiting.model.asked.length]).toEqual([1, [], 1]);
  });
});

describe("pause, resume, step", () => {
  test("a pause takes effect after the observation and is announced", async () => {
    const { driver, link, slow, model, perform } = world(says("", call("1", "slow")), says("done"));
    const over = perform();
    await settle();
    expect(driver.pause()).toBeUndefined();
    expect(lastStatus(link)).toMatchObject({ state: "acting", note: "pauses after this" });
    slow[0]?.end(seen("ok"));
    await settle();
    expect(lastStatus(link)).toEqual({ type: "status", state: "paused", note: null });
    expect(model.asked).toHaveLength(1);
    expect(driver.pause()).toMatchObject({ message: "it is already paused" });
    expect(driver.resume()).toBeUndefined();
    expect(await over).toBe("done");
  });

  test("a pause that is taken back in time has no effect", async () => {
    const { driver, link, slow, perform } = world(says("", call("1", "slow")), says("done"));
    const over = perform();
    await settle();
    driver.pause();
    expect(driver.resume()).toBeUndefined();
    slow[0]?.end(seen("ok"));
    expect(await over).toBe("done");
    expect(link.states).not.toContain("paused");
  });

  test("one step is one action of any kind", async () => {
    const { driver, ran, link, slow, perform } = world(
      says("", call("1", "slow"), call("2", "read"), call("3", "run")),
      says("ok"),
    );
    const over = perform();
    await settle();
    driver.pause();
    expect(driver.step()).toMatchObject({ fault: true });
    slow[0]?.end(seen("ok"));
    await settle();
    expect(lastStatus(link)).toMatchObject({ state: "paused", note: "read {}" });
    expect(driver.step()).toBeUndefined();
    await settle();
    expect(ran).toEqual(["slow", "read"]);
    expect(lastStatus(link)).toMatchObject({ state: "paused", note: "run {}" });
    driver.resume();
    expect(await over).toBe("done");
  });

  test("step by step pauses before terminal actions with their title; internal ones run", async () => {
    const { driver, ran, link, perform } = world(
      says("", call("1", "read"), call("2", "run", { command: "make" })),
      says("", call("3", "run")),
      says("ok"),
    );
    const over = perform({ step_by_step: true });
    await settle();
    expect(ran).toEqual(["read"]);
    expect(lastStatus(link)).toMatchObject({ state: "paused", note: 'run {"command":"make"}' });
    expect(driver.step()).toBeUndefined();
    // A second click is not a leave for what nobody has seen.
    expect(driver.step()).toMatchObject({ fault: true });
    await settle();
    expect(ran).toEqual(["read", "run"]);
    expect(lastStatus(link)).toMatchObject({ state: "paused", note: "run {}" });
    expect(driver.resume()).toBeUndefined();
    expect(await over).toBe("done");
    expect(ran).toHaveLength(3);
  });

  test("a long title is shown with its end, and the action runs completely", async () => {
    const command = `echo ${"x".repeat(1 << 20)}; rm it`;
    const { driver, link, perform } = world(says("", call("1", "run", { command })), says("ok"));
    const over = perform({ step_by_step: true });
    await settle();
    const paused = lastStatus(link);
    const note = paused?.type === "status" ? (paused.note ?? "") : "";
    expect(note.length).toBeLessThanOrEqual(TITLE_CHARS_MAX);
    expect(note).toMatch(/characters left out\].*; rm it"}$/s);
    driver.resume();
    expect(await over).toBe("done");
    expect(link.events.find(({ type }) => type === "step")).toMatchObject({ title: note });
    expect(JSON.stringify(link.remembered)).toContain(command);
  });

  test("control without a turn is a fault with a hint", async () => {
    const { driver, perform } = world(says("done"));
    for (const refused of [driver.pause(), driver.resume(), driver.step()])
      expect(refused).toMatchObject({ fault: true, hint: "Give the agent a task first." });
    const over = perform();
    expect(driver.resume()).toMatchObject({ message: "it is not paused" });
    await over;
  });
});

describe("a person at the keyboard", () => {
  test("the agent waits for a person at the keyboard, then thinks about it", async () => {
    const { driver, link, slow, model, perform } = world(says("", call("1", "slow")), says("done"));
    const over = perform();
    await settle();
    driver.held("person");
    slow[0]?.end(fault("gate.held", "a person is typing", "Wait."));
    await settle();
    expect(lastStatus(link)).toMatchObject({ state: "waiting", note: "a person has the keyboard" });
    expect(model.asked).toHaveLength(1);
    driver.held("nobody");
    expect(driver.resume()).toBeUndefined();
    expect(await over).toBe("done");
    expect(observations(link)).toMatchObject([{ ok: false, text: "gate.held: a person is typing\nWait." }]);
  });

  test("the agent does not wait for a person who left, nor for another agent", async () => {
    const { driver, link, slow, perform } = world(says("", call("1", "slow"), call("2", "slow")), says("done"));
    const over = perform();
    await settle();
    driver.held("person");
    driver.held("nobody");
    slow[0]?.end(seen("held", { ok: false, held: true }));
    await settle();
    slow[1]?.end(fault("gate.held", "agent:b is typing", "Wait."));
    expect(await over).toBe("done");
    expect(link.states).not.toContain("waiting");
  });
});
