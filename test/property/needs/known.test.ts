// What a follower of transitions tells after a restart of the daemon.
import { expect, it } from "vitest";
import { textWidth } from "../../../src/cli/text/width.ts";
import { Known } from "../../../src/cli/watch/known.ts";
import { WatchLines } from "../../../src/cli/watch/lines.ts";
import type { Transition } from "../../../src/protocol/words/transition.ts";

const missed = { session: async () => undefined, blocks: async () => [] };

function asked(id: string, to: string): Transition {
  return { ts: 1, kind: "approval", session_id: null, name: null, id, from: null, to, who: "agent:x" };
}

it("a question that was open is cancelled, one that was answered stays answered", async () => {
  const known = new Known();
  for (const one of [asked("a_1", "pending"), asked("a_2", "pending"), asked("a_2", "approved")]) known.heard(one);
  const told = await known.caughtUp([], missed);
  expect(told.map(({ id, from, to }) => `${id} ${from} ${to}`)).toEqual(["a_1 pending cancelled"]);
});

it("a line for people fits its terminal, and says once what an agent's session does", () => {
  const lines = new WatchLines();
  const of = (kind: Transition["kind"], from: string | null, to: string) =>
    lines.of({ ts: 1, kind, session_id: "s_1", name: "fix", id: "s_1", from, to, why: "測".repeat(60) }, 60);
  const told = [
    of("session", null, "provisioning"),
    of("session", "provisioning", "running"),
    of("session", "running", "waiting_for_input"),
    of("agent", null, "idle"),
    of("session", "waiting_for_input", "running"),
    of("session", "running", "failed"),
  ];
  expect(told.map((line) => line?.slice(10, 55).replace(/測.*/, "").trim())).toEqual([
    "fix           session   - → provisioning",
    undefined,
    "fix           session   running → waiting_for",
    "fix           agent     - → idle",
    undefined,
    "fix           session   running → failed",
  ]);
  for (const line of told) expect(textWidth(line ?? "")).toBeLessThanOrEqual(60);
});
