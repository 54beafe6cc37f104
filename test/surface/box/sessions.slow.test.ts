// A session that is pending when its daemon ends is boxed by the next daemon.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stand } from "../../fixtures/stand/stand.ts";

test("a pending session is boxed when another daemon starts it", async () => {
  await using s = await stand();
  const cwd = s.folder();
  const { session_id } = await s.person.pty_open({
    command: ["sh", "-c", "read x; echo no >/etc/no; echo yes >yes"],
    cwd,
    box: true,
    lazy: true,
  });
  await s.duetty.killDaemon();
  await s.duetty.status();
  await s.person.pty_send({ session_id, text: "x\r" });
  await s.person.pty_wait({ session_id, any: [{ exit: true }] });
  expect(fs.existsSync(join(cwd, "yes"))).toBe(true);
  expect(fs.existsSync("/etc/no")).toBe(false);
});
