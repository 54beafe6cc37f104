// Nobody reads what a program prints: its journal stays bounded. The program waits, or what it prints is dropped and told.
import fs from "node:fs";
import { expect, test } from "vitest";
import { BULK_MS, soon } from "../fixtures/soon.ts";
import { type Stand, stand } from "../fixtures/stand/stand.ts";

/** As little as can be configured. */
const MB = 4;
const LIMIT = MB * 2 ** 20;
/** One read of a terminal that came before the pause, and what a daemon that was stopped has read and not told. */
const SLACK = 3 * 2 ** 20;
/** Nine megabytes in lines of nine bytes, with what the terminal adds. */
const LINES = 1_000_000;
const LINE_BYTES = 9;
const FIRST = "0000001\r\n";

/** Stops the daemon, lets a program print numbers until its journal grows no more, and goes on with this signal. */
async function flooded(s: Stand, goOn: "SIGCONT" | "SIGKILL"): Promise<string> {
  const sign = `${s.folder()}/go`;
  const script = `echo ready; while [ ! -e ${sign} ]; do sleep 0.05; done; seq -f %07.0f ${LINES}; exec cat`;
  const session_id = await s.open(["sh", "-c", script]);
  await s.person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
  const { pid } = (await s.person.status({})).daemon;
  // Before the first byte: a daemon that has told the program to wait could not let it go on.
  process.kill(pid, "SIGSTOP");
  try {
    fs.writeFileSync(sign, "");
    const size = () => fs.statSync(s.duetty.sessionFile(session_id, "output.raw")).size;
    let last = -1;
    const rests = () => {
      const before = last;
      last = size();
      // A program that rests before the limit has only no turn.
      return last > LIMIT && last === before;
    };
    await expect.poll(rests, { interval: 300, timeout: BULK_MS }).toBe(true);
    expect(last).toBeLessThan(LIMIT + SLACK);
  } finally {
    process.kill(pid, goOn);
  }
  return session_id;
}

test.each([
  ["is stopped and goes on", "SIGCONT"],
  ["is stopped and killed", "SIGKILL"],
] as const)("a daemon that %s: the program waits at the limit, and no byte is lost", async (_, goOn) => {
  await using s = await stand({ config: { journal: { unread_mb: MB } } });
  const session_id = await flooded(s, goOn);
  await soon(() => s.person.status({}));
  await s.person.pty_wait({ session_id, any: [{ text: String(LINES) }], since: 0, timeout_ms: BULK_MS });
  const numbers =
    s.duetty
      .raw(session_id)
      .toString("latin1")
      .match(/\d{7}\r\n/g) ?? [];
  expect([numbers.length, numbers.findIndex((line, i) => Number(line) !== i + 1)]).toEqual([LINES, -1]);
});

test("drop: the program runs to its end, and told gaps have exactly what is missing", async () => {
  await using s = await stand({ config: { journal: { unread_mb: MB, unread_beyond: "drop" } } });
  const session_id = await flooded(s, "SIGCONT");
  await soon(() => expect(s.duetty.events(session_id)).toContain("Nobody read the output in time"));
  await s.person.pty_wait({ session_id, any: [{ input: true }] });
  const records = fs.readFileSync(s.duetty.sessionFile(session_id, "records.jsonl"), "utf8").trim().split("\n");
  const gaps = records.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "gap");
  expect(gaps[0]).toMatchObject({ why: "unread" });
  const raw = s.duetty.raw(session_id);
  const missing = gaps.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(raw.length - raw.indexOf(FIRST) + missing).toBe(LINES * LINE_BYTES);
});
