// A terminal in twenty lines: a shell, a command with its exit code, and an agent that has to ask.
import assert from "node:assert/strict";
import { openTerminals } from "duetty";

const terminals = await openTerminals();
try {
  const { session_id } = await terminals.pty_open({ command: ["bash", "--norc", "-i"] });
  const ran = await terminals.run_command({ session_id, command: "echo hello; exit_code() { return 3; }; exit_code" });
  console.log(ran.output.head, ran.exit_code); // hello 3
  assert.equal(ran.exit_code, 3);

  const agent = terminals.as("agent:helper");
  const asked = agent.run_command({ session_id, command: "git push --force" });
  for await (const _ of terminals.changes()) {
    const [question] = (await terminals.approvals({})).approvals;
    if (question) await terminals.deny({ approval_id: question.approval_id, reason: "not today" });
    if (question) break;
  }
  console.log((await asked).status); // denied
} finally {
  await terminals.close();
}
