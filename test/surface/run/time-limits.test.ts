// Limits a person may set: how long an agent's command runs, and how long a session that an agent left stays open.
import { expect, it } from "vitest";
import { stand } from "../../fixtures/stand/stand.ts";

it("a command that outlasts its limit is interrupted, an agent's idle session is closed, a person's is not", async () => {
  await using s = await stand({ config: { command_timeout_ms: 1_500, session_timeout_ms: 3_000 } });
  const [person, agent] = [s.person, s.agent()];
  const mine = await s.openShell();
  const theirs = await agent.pty_open({ command: ["cat"] });
  const { session_id } = mine;
  const early = await agent.run_command({ session_id, command: "sleep 60", timeout_ms: 300 });
  expect(early.status).toBe("running");
  const whole = await agent.run_command({ resume: early.run_id });
  expect(whole).toMatchObject({ status: "done", exit_code: 130 });
  const stateOf = async (id: string) =>
    (await person.pty_list({})).sessions.find((info) => info.session_id === id)?.state;
  await expect.poll(() => stateOf(theirs.session_id)).toBe("done");
  expect(await stateOf(session_id)).toBe("running");
});
