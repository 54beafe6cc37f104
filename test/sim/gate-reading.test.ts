// Lines for programs that do not read: they wait a moment for the same program, and never for the one after it.
import { expect, test } from "vitest";
import { Cancel } from "../../src/core/base/cancellation.ts";
import { isFault } from "../../src/core/base/fault.ts";
import { PERSON, TestGate } from "../fixtures/fakes/gate.ts";

const LINE = "touch sneaked\r";

function busyStand(): TestGate {
  const stand = new TestGate();
  stand.gate.setPolicy({ level: "always_allow", safe_mode: false }, PERSON);
  stand.reading = "no";
  return stand;
}

/** The marks say so, and the session's own shell is in front. */
function showPrompt(stand: TestGate): void {
  stand.atPrompt = true;
  stand.front = { pid: 1, name: "bash", instance: "0" };
}

/** An agent sends a line; `meanwhile` happens at one of the probes of the program. */
async function sends(
  stand: TestGate,
  meanwhile: () => void,
  at: number,
  text = LINE,
  name = "a",
  cancelled?: Cancel,
): Promise<string> {
  const keys = stand.gate.agentLane.keys({ kind: "agent", name }, Buffer.from(text), { timeout_ms: 0 }, { cancelled });
  let result: string | undefined;
  keys.then((typed) => {
    result = isFault(typed) ? typed.code : typed;
  });
  for (let probe = 0; result === undefined && probe < 400; probe += 1) {
    if (probe === at) meanwhile();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    stand.clock.pass(20);
  }
  return result ?? "never";
}

test("a line is typed when the program reads again", async () => {
  const stand = busyStand();
  expect(await sends(stand, () => (stand.reading = "blocked"), 5)).toBe("written");
  expect(stand.written).toEqual([LINE]);
});

test("a line is refused after a moment when the program never reads", async () => {
  const stand = busyStand();
  expect(await sends(stand, () => undefined, 0)).toBe("session.busy");
  expect(stand.clock.monotonic()).toBeLessThan(500);
  expect(stand.written).toEqual([]);
});

test.each([1, 3, 7])("a line is refused when another program reads instead (probe %i)", async (at) => {
  const stand = busyStand();
  const ends = () => {
    stand.front = { pid: 1, name: "bash", instance: "0" };
    stand.reading = "polled";
  };
  expect(await sends(stand, ends, at)).toBe("session.busy");
  expect(stand.written).toEqual([]);
});

test.each([1, 3, 7])("a line is refused when the prompt is there instead (probe %i)", async (at) => {
  const stand = busyStand();
  expect(await sends(stand, () => showPrompt(stand), at)).toBe("session.busy");
  expect(stand.written).toEqual([]);
});

test("a line does not wait for a shell, which may be at its prompt already", async () => {
  const stand = busyStand();
  stand.front = { pid: 1, name: "bash", instance: "0" };
  expect(await sends(stand, () => (stand.reading = "polled"), 1)).toBe("session.busy");
  expect(stand.written).toEqual([]);
});

test.each(["ls", "\x03"])(
  "at a prompt %j waits until the shell reads: it may still ask about the line before",
  async (keys) => {
    const stand = busyStand();
    showPrompt(stand);
    stand.echo = "raw";
    const reads = () => {
      expect(stand.written).toEqual([]);
      stand.reading = "polled";
    };
    expect(await sends(stand, reads, 50, keys)).toBe("written");
    expect(stand.clock.monotonic()).toBeGreaterThan(900);
    expect(stand.clock.monotonic()).toBeLessThan(1_200);
    expect(stand.written).toEqual([keys]);
  },
);

test("at a prompt Ctrl+C waits until the line editor has the terminal again", async () => {
  const stand = busyStand();
  showPrompt(stand);
  stand.reading = "polled";
  stand.echo = "on";
  const edits = () => {
    expect(stand.written).toEqual([]);
    stand.echo = "raw";
  };
  expect(await sends(stand, edits, 50, "\x03")).toBe("written");
  expect(stand.clock.monotonic()).toBeLessThan(1_200);
});

test("at a prompt that never reads the keys are typed in the end", async () => {
  const stand = busyStand();
  stand.atPrompt = true;
  expect(await sends(stand, () => undefined, 0, "\x03")).toBe("written");
});

test("a command that begins meanwhile gets no line that was meant for the prompt", async () => {
  const stand = busyStand();
  stand.atPrompt = true;
  const begins = () => {
    stand.atPrompt = false;
    stand.front = { pid: 200, name: "other", instance: "1" };
  };
  expect(await sends(stand, begins, 3)).toBe("session.busy");
  expect(stand.written).toEqual([]);
});

test("a person who types meanwhile has the keyboard", async () => {
  const stand = busyStand();
  const comes = () => {
    stand.gate.submit(PERSON, Buffer.from("me"));
    stand.reading = "blocked";
  };
  expect(await sends(stand, comes, 3)).toBe("gate.held");
  expect(stand.written).toEqual(["me"]);
});

test("a yes that comes when the program no longer reads types nothing", async () => {
  const stand = new TestGate();
  stand.reading = "blocked";
  const says = () => {
    stand.reading = "no";
    stand.approvals.approve(stand.approvals.list("pending")[0]?.approval_id ?? "", {});
  };
  const keys = stand.gate.agentLane.keys({ kind: "agent", name: "a" }, Buffer.from(LINE), { timeout_ms: 1_000 });
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  says();
  expect(await keys).toMatchObject({ code: "session.busy" });
  expect(stand.written).toEqual([]);
});

test.each([
  ["comes", (stand: TestGate) => Object.assign(stand, { promptComes: true }), "written"],
  ["is seen and not told yet", showPrompt, "written"],
  ["does not come", () => undefined, "gate.held"],
])("after another agent's line, a line whose prompt %s", async (_, between, result) => {
  const stand = busyStand();
  showPrompt(stand);
  [stand.reading, stand.echo] = ["polled", "raw"];
  expect(await sends(stand, () => undefined, 0, "pwd\r", "b")).toBe("written");
  stand.atPrompt = false;
  between(stand);
  const prompted = () => {
    if (result !== "written") return;
    stand.promptComes = false;
    showPrompt(stand);
    stand.gate.lapse(stand.clock.monotonic());
  };
  expect(await sends(stand, prompted, 5, "ls\r")).toBe(result);
});

test("a line waits for no prompt that another agent's half line stands at", async () => {
  const stand = busyStand();
  showPrompt(stand);
  [stand.reading, stand.echo] = ["polled", "raw"];
  await sends(stand, () => undefined, 0, "half", "b");
  expect(await sends(stand, () => undefined, 0, "ls\r")).toBe("gate.held");
  expect(stand.written).toEqual(["half"]);
});

test.each([
  ["a person has stopped", (stand: TestGate) => stand.gate.take("stop", null), "gate.held"],
  ["a password prompt is up", (stand: TestGate) => Object.assign(stand, { echo: "off" }), "gate.echo_off"],
])("a line waits for no prompt while %s", async (_, happens, result) => {
  const stand = busyStand();
  stand.promptComes = true;
  happens(stand);
  expect(await sends(stand, () => undefined, 0, "ls\r")).toBe(result);
  expect(stand.clock.monotonic()).toBeLessThan(100);
});

test("a line that waits for another agent's is not typed when its caller has gone", async () => {
  const stand = busyStand();
  showPrompt(stand);
  [stand.reading, stand.echo] = ["polled", "raw"];
  expect(await sends(stand, () => undefined, 0, "pwd\r", "b")).toBe("written");
  [stand.atPrompt, stand.promptComes] = [false, true];
  const caller = new Cancel();
  const leaves = () => {
    caller.end();
    stand.promptComes = false;
    showPrompt(stand);
    stand.gate.lapse(stand.clock.monotonic());
  };
  expect(await sends(stand, leaves, 5, "ls\r", "a", caller)).toBe("gate.denied");
  expect(stand.written.join("")).not.toContain("ls");
});

test.each([
  ["another line runs", (stand: TestGate) => Object.assign(stand, { atPrompt: false }), "gate.held"],
  ["a person has come", (stand: TestGate) => stand.gate.take("manual", null), "gate.held"],
])("a line that waits for its turn at the prompt is not typed when %s by then", async (_, happens, result) => {
  const stand = busyStand();
  showPrompt(stand);
  [stand.reading, stand.echo] = ["polled", "raw"];
  stand.beforeEdit = () => happens(stand);
  expect(await sends(stand, () => undefined, 0, "ls\r")).toBe(result);
  expect(stand.written).toEqual([]);
});
