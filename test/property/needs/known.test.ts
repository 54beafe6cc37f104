// What a follower of transitions tells after a restart of the daemon.
import { expect, it } from "vitest";
import { Known } from "../../../src/cli/watch/known.ts";
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
