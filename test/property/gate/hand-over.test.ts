// When a hand-over ends by itself: decided from what the kernel and the screen show, one look after the other.
import { expect, test } from "vitest";
import { type Secret, seen } from "../../../src/core/session/hand-over.ts";

type Reading = "blocked" | "polled" | "no" | "unknown";
interface Step {
  readonly ms: number;
  readonly echo: "on" | "off" | "raw";
  readonly line?: string;
  readonly reading?: Reading;
  readonly pid?: number;
}

/** When it was over, in ms since the beginning. Null: never. */
function endOf(steps: readonly Step[]): number | null {
  let secret: Secret = { is: "shown" };
  for (const { ms, echo, line = "Password:", reading = "no", pid = 7 } of steps) {
    const activity = { running: false, cpu_ticks: 0, reading };
    const after = seen(secret, { probe: { echo, foreground: { pid, name: "p" }, activity }, line, now: ms });
    if (after === "read") return ms;
    secret = after;
  }
  return null;
}

/** One look every 100 ms. */
function lasts(from: number, to: number, step: Omit<Step, "ms">): Step[] {
  return Array.from({ length: (to - from) / 100 }, (_, i) => ({ ms: from + i * 100, ...step }));
}

test.each<[string, Step[], number | null]>([
  ["a program that never hides anything", lasts(0, 60_000, { echo: "on", reading: "blocked" }), null],
  ["a password that nobody types", lasts(0, 60_000, { echo: "off", reading: "blocked" }), null],
  [
    "one try, then the program prints on",
    [...lasts(0, 500, { echo: "off" }), ...lasts(500, 9_000, { echo: "on", line: "unpacking" })],
    1_500,
  ],
  [
    "one try, then a shell reads keys",
    [...lasts(0, 500, { echo: "off" }), ...lasts(500, 9_000, { echo: "raw", reading: "blocked", pid: 8 })],
    1_500,
  ],
  ["one try, then a silent program", [...lasts(0, 500, { echo: "off" }), ...lasts(500, 9_000, { echo: "on" })], 4_500],
  [
    "two tries with PAM's longest silence between them",
    [
      ...lasts(0, 500, { echo: "off" }),
      ...lasts(500, 3_500, { echo: "on" }),
      { ms: 3_500, echo: "on", line: "Sorry, try again." },
      ...lasts(3_600, 5_000, { echo: "off", line: "Password:" }),
      ...lasts(5_000, 9_000, { echo: "on", line: "welcome" }),
    ],
    6_000,
  ],
])("%s", (_, steps, end) => {
  expect(endOf(steps)).toBe(end);
});
