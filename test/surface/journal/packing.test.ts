// What was printed some time ago is compressed. Whoever reads it notices nothing.
import fs from "node:fs";
import { expect, test } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { type Stand, stand } from "../../fixtures/stand/stand.ts";

/** Somewhat more than the first megabyte, which is compressed by itself. */
const LINES = 90_000;

/** All that can be read of a session. */
async function all({ person }: Stand, session_id: string) {
  const { blocks } = await person.blocks({ session_id });
  const block_id = blocks.at(-1)?.block_id ?? "";
  return {
    screen: (await person.pty_read_screen({ session_id, scrollback: 50 })).rows,
    blocks,
    lines: await person.block({ block_id, lines: "77000:77003" }),
    found: (await person.search({ query: "line 4711 ", session_id })).matches,
    raw: await person.pty_read_raw({ session_id, from: 1_048_500, length: 200 }),
  };
}

test("an ended session's output is compressed and still read, played, searched and exported as before", async () => {
  await using s = await stand();
  const { session_id } = await s.openShell();
  await s.person.run_command({ session_id, command: `seq -f 'line %.0f of many' ${LINES}` });
  await s.person.pty_close({ session_id });
  const before = await all(s, session_id);
  const output = s.duetty.raw(session_id);

  await s.person.shutdown({ keep_sessions: true });
  await soon(() => expect(fs.existsSync(s.duetty.home.daemonSocket)).toBe(false));
  s.duetty.configure({ journal: { pack_after_days: 0 } });
  await s.duetty.start();
  await soon(() => expect(fs.existsSync(s.duetty.sessionFile(session_id, "output.raw"))).toBe(false));
  // Without its caches everything comes from the compressed file.
  fs.rmSync(s.duetty.sessionFile(session_id, "keyframes"), { recursive: true, force: true });
  expect(await all(s, session_id)).toEqual(before);
  expect(before.found).toHaveLength(1);
  const { stdout } = await s.duetty.cli("export", session_id, "--text");
  expect(stdout).toContain(`line ${LINES} of many`);
  expect(fs.statSync(s.duetty.sessionFile(session_id, "output.raw.gz")).size).toBeLessThan(output.length / 4);
});

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
