// Closing a session ends children that ignore signals or leave their session.
import { expect, it } from "vitest";
import { marked, program } from "../fixtures/pty/native-sessions.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { person } = sharedStand();

it.each([
  ["ignores SIGHUP and SIGTERM", "ignore-sigterm.sh"],
  ["double-forks into a session of its own", "orphan-child.sh"],
])("close ends a child that %s", async (_, name) => {
  const { session_id } = await person.pty_open({ command: ["sh", program(name)] });
  await person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
  const marker = `DUETTY_SESSION_ID=${session_id}`;
  expect(marked(marker).length).toBeGreaterThan(0);
  await person.pty_close({ session_id });
  expect(marked(marker)).toEqual([]);
});
