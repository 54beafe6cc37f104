// What was printed some time ago is compressed. Whoever reads it notices nothing.
import fs from "node:fs";
import { expect, test } from "vitest";
import { removeFolder } from "../../fixtures/folder.ts";
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
  removeFolder(s.duetty.sessionFile(session_id, "keyframes"));
  expect(await all(s, session_id)).toEqual(before);
  expect(before.found).toHaveLength(1);
  const { stdout } = await s.duetty.cli("export", session_id, "--text");
  expect(stdout).toContain(`line ${LINES} of many`);
  expect(fs.statSync(s.duetty.sessionFile(session_id, "output.raw.gz")).size).toBeLessThan(output.length / 4);
});
