// Many viewers that vanish without a word, and sizes that change faster than anybody looks: nothing is left open, and in the end
// everybody has the same size.
import { expect, test } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { BULK_MS } from "../fixtures/soon.ts";
import { stand } from "../fixtures/stand/stand.ts";
import { TestViewer } from "../fixtures/stand/viewer.ts";

const VIEWERS = depth(100, 100, 1_000);
const AT_A_TIME = 20;
const RESIZES = depth(300, 300, 3_000);

test(`${VIEWERS} viewers that vanish leave nothing open`, async () => {
  await using s = await stand();
  const session_id = await s.open(["sh", "-c", "while :; do echo busy; sleep 0.01; done"]);
  const open = async () => Number(/^process_open_fds (\d+)$/m.exec((await s.person.metrics({})).text)?.[1]);
  const before = await open();
  for (let done = 0; done < VIEWERS; done += AT_A_TIME) {
    const some = Array.from({ length: AT_A_TIME }, () => new TestViewer(s.duetty, session_id));
    await Promise.all(some.map((viewer) => viewer.hello()));
    // No goodbye: the connection is gone.
    for (const viewer of some) viewer.close();
  }
  await expect.poll(async () => (await s.person.status({})).load.viewers, { timeout: BULK_MS }).toBe(0);
  await expect.poll(open, { timeout: BULK_MS }).toBeLessThanOrEqual(before + 2);
});

test(`${RESIZES} resizes at once: the last one counts, for the program, too`, async () => {
  await using s = await stand();
  const session_id = await s.openBash();
  const sizes = Array.from({ length: RESIZES }, (_, i) => ({ cols: 2 + ((i * 37) % 400), rows: 1 + ((i * 11) % 150) }));
  await Promise.all(sizes.map((size) => s.person.pty_resize({ session_id, ...size })));
  await s.person.pty_resize({ session_id, cols: 91, rows: 31 });
  const { output } = await s.person.run_command({ session_id, command: "stty size" });
  expect(output.head).toBe("31 91");
  expect(await s.person.pty_read_screen({ session_id })).toMatchObject({ cols: 91, rows_count: 31 });
});
