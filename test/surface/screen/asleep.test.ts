// The engine of a quiet session is let go, and nobody notices: the screen, its revision, commands, sizes and the end are the same.
import fs from "node:fs";
import { expect, test } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const s = sharedStand({ config: { sleep_after_ms: 100 } });

/** Resolves when all running sessions are asleep. */
const asleep = () =>
  soon(async () => {
    const { live, asleep } = (await s.person.status({})).sessions;
    expect([live > 0, asleep]).toEqual([true, live]);
  });

/** Prints this, and the rest when a file appears. A line that ends in a newline may be seen before its newline. */
async function printing(first: string, then: string): Promise<{ session_id: string; goOn(): void }> {
  const sign = `${s.folder()}/go`;
  const script = `${first}; while [ ! -e ${sign} ]; do sleep 0.05; done; ${then}`;
  const session_id = await s.open(["sh", "-c", script], { cols: 40, rows: 10 });
  return { session_id, goOn: () => fs.writeFileSync(sign, "") };
}

test("a reader sees the same screen, history and revision as before", async () => {
  const { session_id } = await printing("seq 1 30; printf '\\033[31mred\\033[m\\033[?1h'; printf END", "true");
  await s.person.pty_wait({ session_id, any: [{ text: "END" }], since: 0 });
  const before = await s.person.pty_read_screen({ session_id, scrollback: 50 });
  await asleep();
  const { ts: _, ...after } = await s.person.pty_read_screen({ session_id, scrollback: 50 });
  expect(before).toMatchObject(after);
  await asleep();
  expect(await s.person.pty_read_screen({ session_id, since_seq: before.seq })).toMatchObject({ unchanged: true });
  await s.person.pty_close({ session_id });
});

test("much output before the sleep: the engine is back from a kept state", async () => {
  const { session_id } = await printing("seq 1 60000; printf END", "true");
  await s.person.pty_wait({ session_id, any: [{ text: "END" }], since: 0 });
  const { hash, seq } = await s.person.pty_read_screen({ session_id });
  await asleep();
  // It is written while the session sleeps.
  const kept = () =>
    fs.readdirSync(s.duetty.sessionFile(session_id, "keyframes")).filter((name) => name.endsWith(".z"));
  await soon(() => expect(kept().length).toBeGreaterThan(0));
  expect(await s.person.pty_read_screen({ session_id })).toMatchObject({ hash, seq });
  await s.person.pty_close({ session_id });
});

test("output wakes it without a reader, and is told as a change", async () => {
  const { session_id, goOn } = await printing("echo first", "echo second; exec cat");
  await s.person.pty_wait({ session_id, any: [{ text: "first" }], since: 0 });
  await asleep();
  const { resume_cursor } = await s.person.pty_read_screen_deltas({ session_id });
  await asleep();
  goOn();
  const newest = () => fs.readFileSync(s.duetty.sessionFile(session_id, "screen.snapshot.json"), "utf8");
  await soon(() => expect(newest()).toContain("second"));
  const { deltas } = await s.person.pty_read_screen_deltas({ session_id, cursor: resume_cursor });
  expect(deltas.flatMap(({ rows }) => rows)).toEqual([{ row: 1, text: "second" }]);
  await s.person.pty_close({ session_id });
});

test("a size that is given meanwhile, and a size from before, are right when it wakes", async () => {
  const session_id = await s.open(["cat"], { cols: 40, rows: 10 });
  await s.person.pty_resize({ session_id, cols: 50, rows: 12 });
  const { seq } = await s.person.pty_read_screen({ session_id });
  await asleep();
  expect(await s.person.pty_read_screen({ session_id })).toMatchObject({ cols: 50, rows_count: 12, seq });
  await asleep();
  await s.person.pty_resize({ session_id, cols: 60, rows: 15 });
  expect(await s.person.pty_read_screen({ session_id })).toMatchObject({ cols: 60, rows_count: 15 });
  await s.person.pty_close({ session_id });
});

test("a program that ends meanwhile leaves its last words and its exit code", async () => {
  const { session_id, goOn } = await printing("echo first", "echo bye; exit 3");
  await s.person.pty_wait({ session_id, any: [{ text: "first" }], since: 0 });
  await asleep();
  goOn();
  const { outcome } = await s.person.pty_wait({ session_id, any: [{ exit: true }] });
  expect(outcome).toBe("matched");
  const { sessions } = await s.person.pty_list({});
  expect(sessions.find((one) => one.session_id === session_id)).toMatchObject({ state: "failed", exit_code: 3 });
  expect((await s.person.pty_read_screen({ session_id })).rows.slice(0, 2)).toEqual(["first", "bye"]);
});

test("a shell runs commands after each sleep, and after a daemon that was killed meanwhile", async () => {
  const session_id = await s.openBash();
  for (const n of [1, 2]) {
    await asleep();
    const ran = await s.person.run_command({ session_id, command: `echo number ${n}; (exit ${n})` });
    expect([ran.exit_code, ran.output.head.trim()]).toEqual([n, `number ${n}`]);
  }
  await asleep();
  await s.duetty.killDaemon();
  await soon(() => s.person.status({}));
  await asleep();
  expect((await s.person.run_command({ session_id, command: "(exit 7)" })).exit_code).toBe(7);
  const { blocks } = await s.person.blocks({ session_id });
  expect(blocks.map(({ exit_code }) => exit_code)).toEqual([1, 2, 7]);
  await s.person.pty_close({ session_id });
});
