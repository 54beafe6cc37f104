// What a yes to keys is good for: one agent, one run of one program, until a person types.
import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import { PERSON, TestGate } from "../fixtures/fakes/gate.ts";

const keys = (stand: TestGate, name: string, text = "y") =>
  stand.gate.agentLane.keys({ kind: "agent", name }, Buffer.from(text), { timeout_ms: 0 });

/** "written", or the code of what stands against it. Nobody waits for an answer. */
async function types(stand: TestGate, name: string, text?: string): Promise<string> {
  const typed = keys(stand, name, text);
  await settled();
  stand.clock.pass(0);
  const result = await typed;
  return isFault(result) ? result.code : result;
}

/** The look at the program comes before the question. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

/** An agent types and a person says yes. */
async function allowed(stand: TestGate, name: string): Promise<void> {
  expect(await types(stand, name)).toBe("approval.pending");
  const [asked] = stand.approvals.list("pending");
  stand.approvals.approve(asked?.approval_id ?? "", {});
  expect(await types(stand, name)).toBe("written");
  expect(await types(stand, name, "more")).toBe("written");
  stand.gate.release();
}

test("a yes for one agent lets no other type", async () => {
  const stand = new TestGate();
  await allowed(stand, "a");
  expect(await types(stand, "b")).toBe("approval.pending");
  expect(await types(stand, "a", "again")).toBe("written");
});

test("a yes does not count for another program in the same process, with the same pid, or in another process", async () => {
  const stand = new TestGate();
  await allowed(stand, "a");
  stand.front = { pid: 100, name: "prog", instance: "1" };
  expect(await types(stand, "a", "more")).toBe("approval.pending");
  stand.front = { pid: 101, name: "prog", instance: "0" };
  expect(await types(stand, "a", "more")).toBe("approval.pending");
});

test("without an instance from the holder, pid and name identify a program", async () => {
  const stand = new TestGate();
  stand.front = { pid: 100, name: "prog" };
  await allowed(stand, "a");
  stand.front = { pid: 100, name: "other" };
  expect(await types(stand, "a", "more")).toBe("approval.pending");
});

test("keys to an unidentified program are asked about each time", async () => {
  const stand = new TestGate();
  stand.front = null;
  expect(await types(stand, "a")).toBe("approval.pending");
  stand.approvals.approve(stand.approvals.list("pending")[0]?.approval_id ?? "", {});
  expect(await types(stand, "a")).toBe("written");
  expect(await types(stand, "a")).toBe("approval.pending");
});

test("a yes that came after the agent left is for the program that was asked about", async () => {
  const stand = new TestGate();
  expect(await types(stand, "a")).toBe("approval.pending");
  stand.approvals.approve(stand.approvals.list("pending")[0]?.approval_id ?? "", {});
  stand.front = { pid: 200, name: "rm", instance: "0" };
  expect(await types(stand, "a")).toBe("approval.pending");
  expect(stand.written).toEqual([]);
});

test("a person who types or changes the policy ends a yes", async () => {
  const stand = new TestGate();
  await allowed(stand, "a");
  stand.gate.submit(PERSON, Buffer.from("me"));
  stand.gate.release();
  expect(await types(stand, "a", "more")).toBe("approval.pending");
  stand.gate.setPolicy({ agent_levels: { "agent:a": "always_allow" } }, PERSON);
  expect(await types(stand, "a")).toBe("written");
  stand.gate.release();
  expect(await types(stand, "b")).toBe("approval.pending");
});

test("in a boxed session that is still starting, its programs may follow each other while keys come", async () => {
  const stand = new TestGate();
  stand.frontBox = "session";
  stand.keepFiles = async () => {
    stand.front = { pid: 101, name: "sh", instance: "0" };
    return true;
  };
  expect(await types(stand, "a", "ls\n")).toBe("written");
});
