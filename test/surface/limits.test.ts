// Limits a person may set: how long an agent's command runs, and how long a session that an agent left stays open.
import fs from "node:fs";
import { expect, it } from "vitest";
import { Installation } from "../fixtures/installation.ts";
import { openShell } from "../fixtures/shells.ts";

it("a command that outlasts its call is interrupted, a quiet session of an agent is closed, a person's are not", async () => {
  await using duetty = new Installation();
  fs.writeFileSync(duetty.home.config, JSON.stringify({ command_timeout_ms: 1_500, session_timeout_ms: 3_000 }));
  await duetty.cli("status");
  const [person, agent] = [duetty.client("person"), duetty.client("agent")];
  const mine = await openShell(duetty, "bash");
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
