// One queue of questions: the first answer wins, nothing is answered twice, nobody's silence is a yes.
import { expect, test } from "vitest";
import { exact } from "../../src/core/base/exact.ts";
import { isFault } from "../../src/core/base/fault.ts";
import { APPROVAL_LIFE_MS } from "../../src/core/base/question-words.ts";
import type { Approval, Question } from "../../src/core/gate/approvals.ts";
import { someApprovals } from "../fixtures/fakes/approvals.ts";
import { FakeClock } from "../fixtures/fakes/clock.ts";

const question = (text: string, more: Partial<Question> = {}): Question => ({
  session_id: "s_00000001",
  actor: "agent:a",
  kind: "run",
  text,
  risk: null,
  rule: "safe_mode.unknown",
  cwd: "/w",
  stdin: null,
  program: null,
  choices: [],
  confidence: null,
  description: null,
  always: null,
  ...more,
});

function world() {
  const clock = new FakeClock();
  const changes: Approval[] = [];
  const approvals = someApprovals(clock, (approval) => changes.push(approval));
  return { clock, changes, approvals };
}

test("the first answer wins, and the second is refused with that reason", async () => {
  const { approvals, changes } = world();
  const asked = approvals.ask(question("make"), 1_000);
  const [open] = approvals.list("pending");
  expect(approvals.settle(open?.approval_id ?? "", { state: "approved", answer: null })).toMatchObject({
    state: "approved",
  });
  expect(await asked).toEqual({ state: "approved", answer: null });
  const late = approvals.settle(open?.approval_id ?? "", { state: "denied", answer: "no" });
  expect(isFault(late) && late.code).toBe("approval.settled");
  expect(changes.map(({ state }) => state)).toEqual(["pending", "approved"]);
});

test("a caller that stopped waiting asks again with the same words, and a yes given meanwhile counts once", async () => {
  const { approvals, clock } = world();
  const first = approvals.ask(question("make"), 100);
  clock.pass(100);
  const pending = await first;
  expect(pending).toMatchObject({ pending: { state: "pending" } });
  const again = approvals.ask(question("make"), 100);
  expect(approvals.list("pending")).toHaveLength(1);
  clock.pass(100);
  await again;
  approvals.settle(approvals.list("pending")[0]?.approval_id ?? "", { state: "approved", answer: null });
  expect(await approvals.ask(question("make"), 100)).toEqual({ state: "approved", answer: null });
  // Used up, and never good for anything else.
  const third = approvals.ask(question("make"), 0);
  clock.pass(0);
  expect(await third).toHaveProperty("pending");
  const other = approvals.ask(question("make install"), 0);
  clock.pass(0);
  expect(await other).toHaveProperty("pending");
});

test.each([
  [null, "denied"],
  ["mcp:client", "pending"],
])(
  "a denial that comes when no caller waits answers the next call once, unless the client already knows it (via %s)",
  async (via, then) => {
    const { approvals, clock } = world();
    const ask = async () => {
      const asked = approvals.ask(question("make"), 0);
      clock.pass(0);
      const answer = await asked;
      return "pending" in answer ? "pending" : "state" in answer ? answer.state : "fault";
    };
    expect(await ask()).toBe("pending");
    approvals.settle(approvals.list("pending")[0]?.approval_id ?? "", { state: "denied", answer: null, via });
    expect(await ask()).toBe(then);
    expect(await ask()).toBe("pending");
  },
);

test("silence denies, and a stop cancels open questions and granted approvals", async () => {
  const { approvals, clock } = world();
  const asked = approvals.ask(question("make"), 2 * APPROVAL_LIFE_MS);
  clock.pass(APPROVAL_LIFE_MS);
  expect(await asked).toMatchObject({ state: "expired" });
  const gone = approvals.ask(question("lint"), 0);
  clock.pass(0);
  await gone;
  approvals.settle(approvals.list("pending")[0]?.approval_id ?? "", { state: "approved", answer: null });
  const open = approvals.ask(question("other"), 1_000);
  expect(approvals.cancelAll("s_00000001")).toBe(1);
  expect(await open).toMatchObject({ state: "cancelled" });
  const after = approvals.ask(question("lint"), 0);
  clock.pass(0);
  expect(await after).toHaveProperty("pending");
});

test("an agent that asks in a loop is refused", async () => {
  const { approvals } = world();
  for (let i = 0; i < 50; i += 1) void approvals.ask(question(`c${i}`), 1_000);
  expect(await approvals.ask(question("one more"), 1_000)).toMatchObject({ code: "session.limit" });
});

test("the text that a person reads hides nothing", () => {
  expect(exact("rm\u200b -rf\u202e x\x1b[2K\r\n\t\x7f")).toBe("rm⟦U+200B⟧ -rf⟦U+202E⟧ x␛[2K⏎⏎\n⇥␡");
});
