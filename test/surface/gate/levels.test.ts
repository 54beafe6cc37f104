// Keys to running programs from outside: levels of sessions and of single agents, and what a yes is good for.
import { expect, it } from "vitest";
import { SOON_MS } from "../../fixtures/soon.ts";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, openGatedShell, pendingOf, stateOf, foregroundOf } = sharedStand({
  config: UNBOXED,
  agent: "one",
});
/** A person starts a program that reads, and leaves the keyboard. */
const personRuns = async (line: string, safe_mode: "on" | "off" = "on") => {
  const { session_id } = await openGatedShell();
  await person.policy({ session_id, safe_mode });
  await person.pty_send({ session_id, text: `${line}\n` });
  await expect.poll(() => stateOf(session_id)).toBe("waiting_for_input");
  await person.release({ session_id });
  return session_id;
};

it("the first key to a program is asked, later ones are not, until a person types or the program ends", async () => {
  const session_id = await personRuns("cat");
  const first = agent().pty_send({ session_id, text: "one\n" });
  const asked = await pendingOf(session_id);
  expect(asked).toMatchObject({ kind: "keys", text: "one⏎", program: "cat", rule: "level.ask_first" });
  await person.approve({ approval_id: asked.approval_id });
  await first;
  expect((await agent().pty_send({ session_id, text: "two\n", then: { any: [{ text: "two" }] } })).outcome).toBe(
    "matched",
  );
  await person.pty_send({ session_id, text: "me\n" });
  await person.release({ session_id });
  const later = agent().pty_send({ session_id, text: "three", then: { any: [{ text: "three" }], timeout_ms: 300 } });
  await expect(later).rejects.toMatchObject({ code: "approval.pending" });
});

it("people can set, see and remove a level for one agent", async () => {
  const session_id = await personRuns("cat");
  const set = (...args: string[]) => duetty.json("policy", session_id, ...args);
  const own = { level: "ask_first", agent_levels: { "agent:one": "always_allow" } };
  expect(await set("--agent", "one", "--level", "always_allow")).toMatchObject(own);
  expect((await duetty.cli("policy", session_id)).stdout).toMatch(/^agent:one +always_allow$/m);
  expect((await agent().pty_send({ session_id, text: "a" })).outcome).toBe("matched");
  await person.release({ session_id });
  const asked = (name: string) =>
    agent(name).pty_send({ session_id, text: "b", then: { any: [{ text: "b" }], timeout_ms: 300 } });
  await expect(asked("two")).rejects.toMatchObject({ code: "approval.pending" });
  expect(await set("--agent", "agent:one", "--level", "session")).toMatchObject({ agent_levels: {} });
  await expect(asked("one")).rejects.toMatchObject({ code: "approval.pending" });
  const invalid = [
    ["--level", "session"],
    ["--agent", "one"],
    ["--agent", "one", "--level", "ask_first", "--safe-mode", "off"],
  ];
  for (const args of invalid) expect((await duetty.cli("policy", session_id, ...args)).code).toBe(2);
  const mine = agent().policy({ session_id, agent: "one", level: "always_allow" });
  await expect(mine).rejects.toMatchObject({ code: "auth.forbidden" });
});

it("a program that became another in the same process is asked again", async () => {
  const session_id = await personRuns(`bash -c 'read x; exec bash -c "echo n\\"ow\\"; read y; read z"'`, "off");
  const first = agent().pty_send({ session_id, text: "one\n", then: { any: [{ text: "now" }], timeout_ms: SOON_MS } });
  await person.approve({ approval_id: (await pendingOf(session_id)).approval_id });
  expect((await first).outcome).toBe("matched");
  await expect.poll(() => stateOf(session_id)).toBe("waiting_for_input");
  const second = agent().pty_send({ session_id, text: "two\n" });
  expect(await pendingOf(session_id)).toMatchObject({ program: "bash", rule: "level.ask_first" });
  await person.approve({ approval_id: (await pendingOf(session_id)).approval_id });
  await second;
  await expect.poll(() => stateOf(session_id)).toBe("waiting_for_input");
  await agent().pty_send({ session_id, text: "three\n", then: { any: [{ block_end: true }], timeout_ms: SOON_MS } });
});

it("Ctrl+C to what the agent began itself is not asked; to what a person began it is", async () => {
  const { session_id } = await openGatedShell();
  const sleeps = async () => expect.poll(async () => await foregroundOf(session_id)).toBe("sleep");
  const interrupt = { session_id, keys: ["Ctrl+C"], then: { any: [{ prompt: true as const }] } };
  await agent().run_command({ session_id, command: "sleep 600", timeout_ms: 0 });
  await sleeps();
  expect(await agent().pty_send(interrupt)).toMatchObject({ outcome: "matched" });
  await person.pty_send({ session_id, text: "sleep 600\n" });
  await sleeps();
  await person.release({ session_id });
  await expect(agent().pty_send({ ...interrupt, then: { ...interrupt.then, timeout_ms: 100 } })).rejects.toMatchObject({
    code: "approval.pending",
  });
  await expect(agent().signal({ session_id })).rejects.toMatchObject({ code: "gate.denied" });
  await person.signal({ session_id });
});
