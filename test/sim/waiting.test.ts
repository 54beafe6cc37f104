// When a program counts as waiting: never while it works, always when it asks, and without switching back and forth.

import { expect, test } from "vitest";
import type { Probe } from "../../src/core/journal/holding.ts";
import { type Evidence, judge, WaitingWatch } from "../../src/core/session/waiting.ts";
import type { Waiting } from "../../src/protocol/words/program.ts";
import { FakeClock } from "../fixtures/fakes/clock.ts";

type Reading = Probe["activity"]["reading"];

const probe = (echo: Probe["echo"], reading: Reading, more: Partial<Probe["activity"]> = {}): Probe => ({
  echo,
  foreground: { pid: 7, name: "prog" },
  activity: { running: false, cpu_ticks: 1, reading, ...more },
});
const evidence = (given: Partial<Evidence>): Evidence => ({
  probe: probe("on", "no"),
  busy: false,
  quietMs: 1_000,
  glance: { alt_screen: false, before: "" },
  fullScreenProbes: 0,
  during: "command",
  was: null,
  ...given,
});
const at = (before: string, alt_screen = false) => ({ before, alt_screen });
const WAITING: Waiting = { kind: "line", program: "prog" };

test.each<[string, Partial<Evidence>, Waiting["kind"] | null]>([
  ["sleep", {}, null],
  ["sleep after a fake prompt", { glance: at("Password:") }, null],
  ["cat", { probe: probe("on", "blocked") }, "line"],
  ["a session that is just cat", { probe: probe("on", "blocked"), during: "session" }, null],
  [
    "a session that is just cat, after half a line",
    { probe: probe("on", "blocked"), during: "session", glance: at("now") },
    null,
  ],
  ["a plain sh at its prompt", { probe: probe("on", "blocked"), during: "session", glance: at("$ ") }, "line"],
  ["cat, right after it printed", { probe: probe("on", "blocked"), quietMs: 20 }, null],
  ["read -s", { probe: probe("off", "blocked"), quietMs: 20 }, "password"],
  ["sudo, which cannot be looked into", { probe: probe("off", "unknown") }, "password"],
  [
    "ssh asks for a host key",
    { probe: probe("on", "unknown"), glance: at("continue (yes/no/[fingerprint])? ") },
    "line",
  ],
  ["a setuid program that works", { probe: probe("on", "unknown"), glance: at("Unpacking") }, null],
  ["python's prompt", { probe: probe("raw", "polled"), glance: at(">>> ") }, "keys"],
  ["npm init", { probe: probe("raw", "polled"), glance: at("package name: ") }, "keys"],
  ["a dev server that also takes keys", { probe: probe("raw", "polled"), glance: at("") }, null],
  ["a busy program that polls", { probe: probe("raw", "polled"), glance: at("50% "), busy: true }, null],
  ["vim", { probe: probe("raw", "polled"), glance: at("", true) }, "full_screen"],
  ["less", { probe: probe("raw", "blocked"), glance: at(":", false) }, "keys"],
  [
    "top, which draws all the time",
    { probe: probe("raw", "polled"), glance: at("", true), quietMs: 5, busy: true, fullScreenProbes: 4 },
    "full_screen",
  ],
  [
    "a person who types an answer",
    { probe: probe("raw", "polled"), glance: at(">>> pri"), quietMs: 5, busy: true, was: WAITING },
    "keys",
  ],
  ["a program that works after it got its answer", { probe: probe("on", "no"), glance: at("y"), was: WAITING }, null],
])("%s", (_, given, kind) => {
  expect(judge(evidence(given))?.kind ?? null).toBe(kind);
});

/** In small steps, so that what is asked is answered before the next. */
async function advance(clock: FakeClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    clock.pass(50);
    for (let i = 0; i < 3; i += 1) await Promise.resolve();
  }
}

test("probes begin soon, become rarer and stop at the prompt; a change is reported once", async () => {
  const clock = new FakeClock();
  const changes: (string | null)[] = [];
  let [probes, wanted, reading] = [0, true, "no" as Reading];
  const waitingWatch = new WaitingWatch({
    clock,
    probe: () => {
      probes += 1;
      return Promise.resolve(probe("on", reading));
    },
    glance: () => at("? "),
    catchUp: () => undefined,
    wanted: () => wanted,
    during: () => "command",
    agent: () => undefined,
    changed: (waiting) => changes.push(waiting?.kind ?? null),
  });
  waitingWatch.active();
  await advance(clock, 1_000);
  expect(probes).toBeGreaterThanOrEqual(3);
  reading = "blocked";
  await advance(clock, 1_100);
  expect(changes).toEqual(["line"]);
  waitingWatch.active();
  await advance(clock, 60_000);
  expect(changes).toEqual(["line"]);
  const before = probes;
  await advance(clock, 600_000);
  expect(probes - before).toBeLessThanOrEqual(61);
  wanted = false;
  waitingWatch.active();
  expect(changes).toEqual(["line", null]);
  const last = probes;
  await advance(clock, 600_000);
  expect(probes).toBe(last);
});

test.each([
  { what: "program", agent: undefined, fewest: 15, most: 21, soonMs: 100 },
  { what: "agent CLI", agent: "working" as const, fewest: 2, most: 4, soonMs: 500 },
])("a $what that prints all the time is probed seldom, and once more soon after it stops", async (course) => {
  const clock = new FakeClock();
  let probes = 0;
  const waitingWatch = new WaitingWatch({
    clock,
    probe: () => {
      probes += 1;
      return Promise.resolve(probe("on", "no"));
    },
    glance: () => at("? "),
    catchUp: () => undefined,
    wanted: () => true,
    during: () => "command",
    agent: () => course.agent,
    changed: () => undefined,
  });
  for (let n = 0; n < 200; n++) {
    waitingWatch.active();
    await advance(clock, 50);
  }
  expect(probes).toBeGreaterThanOrEqual(course.fewest);
  expect(probes).toBeLessThanOrEqual(course.most);
  const before = probes;
  await advance(clock, course.soonMs);
  expect(probes).toBe(before + 1);
});
