// Compression of a session that runs, and the removal of large sessions by their size.
import fs from "node:fs";
import { expect, test } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { stand } from "../../fixtures/stand/stand.ts";

test("the old output of a session that runs is compressed, and it goes on", async () => {
  await using s = await stand();
  const session_id = await s.open(["sh", "-c", "seq -f 'line %.0f of many' 200000; exec cat"]);
  await s.person.pty_wait({ session_id, any: [{ text: "line 200000 of many" }], since: 0 });
  const output = s.duetty.raw(session_id);
  const path = s.duetty.sessionFile(session_id, "output.raw");
  await s.person.shutdown({ keep_sessions: true });
  await soon(() => expect(fs.existsSync(s.duetty.home.daemonSocket)).toBe(false));
  s.duetty.configure({ journal: { pack_after_days: 0 } });
  await s.duetty.start();
  await soon(() => expect(fs.statSync(path).blocks * 512).toBeLessThan(output.length / 2));
  await s.person.pty_send({ session_id, text: "and on\n" });
  await s.person.pty_wait({ session_id, any: [{ text: "and on" }], since: 0 });
  const { base64 } = await s.person.pty_read_raw({ session_id, from: 1_048_500, length: 200 });
  expect(Buffer.from(base64, "base64").equals(output.subarray(1_048_500, 1_048_700))).toBe(true);
  expect((await s.person.search({ query: "line 4711 ", session_id })).matches).toHaveLength(1);
  const { stdout } = await s.duetty.cli("raw", session_id);
  expect(stdout.startsWith(output.toString())).toBe(true);
  expect(stdout).toContain("and on");
});

test("gc by the size of one session names the large one", async () => {
  await using s = await stand();
  const [small, large] = [await s.open(["true"]), await s.open(["head", "-c", "3000000", "/dev/zero"])];
  for (const session_id of [small, large]) await s.person.pty_wait({ session_id, any: [{ exit: true }] });
  expect((await s.person.gc({ session_mb: 2 })).leaves).toMatchObject([
    { session_id: large, why: "it takes more than 2 MB" },
  ]);
});
