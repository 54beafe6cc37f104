// What one agent cannot do to others: end their sessions, or take all there is.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { expect, it } from "vitest";
import { type CallError, type Client, clientOver } from "../../../src/client/client.ts";
import { unixTransport } from "../../../src/client/local.ts";
import { type Stand, stand } from "../../fixtures/stand/stand.ts";

const LIMITS = { sessions: 3, questions: 2, runs: 2, waits: 4 };

/** A client that a person set up: its token carries its name. */
function clientOf({ duetty }: Stand, name: string): Client {
  const token = createHash("sha256").update(name).digest("hex");
  fs.writeFileSync(duetty.home.clients, JSON.stringify({ [name]: { token } }));
  return clientOver(unixTransport(duetty.home, () => ({ token, as: undefined })));
}

it("M4: agents cannot shut down, nor end or signal what they did not open", async () => {
  await using s = await stand();
  const persons = await s.open(["cat"]);
  const { session_id: adas } = await s.agent("ada").pty_open({ cwd: s.folder(), lazy: true });
  for (const name of ["bob", undefined]) {
    const bob = s.agent(name);
    for (const keep_sessions of [true, false])
      await expect(bob.shutdown({ keep_sessions })).rejects.toMatchObject({ code: "auth.forbidden" });
    for (const session_id of [persons, adas]) {
      await expect(bob.pty_close({ session_id })).rejects.toMatchObject({ code: "gate.denied" });
      await expect(bob.signal({ session_id, signal: "KILL" })).rejects.toMatchObject({ code: "gate.denied" });
    }
  }
  expect(["running", "waiting_for_input"]).toContain(await s.stateOf(persons));
  expect(await s.agent("ada").pty_close({ session_id: adas })).toMatchObject({ session_id: adas });
});

it("M8: an agent has so many sessions, pending ones too, and people always find room", async () => {
  await using s = await stand({ config: { limits: LIMITS } });
  const cwd = s.folder();
  const other = clientOf(s, "other");
  const open = (name: string) => s.agent(name).pty_open({ cwd, lazy: true });
  // The shared token says any name, and all of them count as one agent.
  for (let i = 0; i < LIMITS.sessions; i += 1) await open(`greedy${i}`);
  await expect(open("greedy")).rejects.toMatchObject({
    code: "session.limit",
    hint: expect.stringContaining("limits"),
  });
  expect((await other.pty_open({ cwd, lazy: true })).actor).toBe("agent:other");
  for (let i = 0; i <= LIMITS.sessions; i += 1) await s.person.pty_open({ cwd, lazy: true });
});

it("M8: an agent has so many questions, and others may still ask", async () => {
  await using s = await stand({ config: { limits: LIMITS } });
  const other = clientOf(s, "other");
  const ask = (client: Client, message: string) => client.ask_person({ message, timeout_ms: 0 });
  for (let i = 0; i < LIMITS.questions; i += 1) await ask(s.agent(`greedy${i}`), `question ${i}`);
  await expect(ask(s.agent("greedy"), "one more")).rejects.toMatchObject({ code: "session.limit" });
  expect((await ask(other, "may I?")).outcome).toBe("pending");
});

it("M8: an agent has so many commands beside the terminal and calls under way; people are not counted", async () => {
  await using s = await stand({ config: { limits: LIMITS, rules: { allow: ["sleep *"] } } });
  const cwd = s.folder();
  const other = clientOf(s, "other");
  const sleep = (client: Client) => client.run_command({ command: "sleep 60", mode: "pipe", cwd, timeout_ms: 50 });
  for (let i = 0; i < LIMITS.runs; i += 1) expect((await sleep(s.agent(`greedy${i}`))).status).toBe("running");
  await expect(sleep(s.agent("greedy"))).rejects.toMatchObject({ code: "session.limit" });
  expect((await sleep(other)).status).toBe("running");
  const session_id = await s.open(["cat"]);
  const wait = (i: number) =>
    s.agent(`greedy${i}`).pty_wait({ session_id, any: [{ text: "never" }], timeout_ms: 60_000 });
  const errors: CallError[] = [];
  const ended = Array.from({ length: LIMITS.waits + 1 }, (_, i) => wait(i).catch((error) => void errors.push(error)));
  await expect.poll(() => errors.length).toBe(1);
  expect(errors[0]?.code).toBe("session.limit");
  await expect(s.agent("greedy").pty_list({})).rejects.toMatchObject({ code: "session.limit" });
  expect((await other.pty_list({})).sessions).toHaveLength(1);
  await s.person.pty_close({ session_id });
  await Promise.all(ended);
  expect((await s.agent("greedy").pty_list({})).sessions).toHaveLength(1);
});
