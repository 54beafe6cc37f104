// A daemon that starts again answers at once: each session is caught up with at its first use, and none waits for another. A
// screen that is behind its program says so.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { soon } from "../fixtures/soon.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

const s = sharedStand();

/** Prints this and stays. */
async function saying(words: string): Promise<string> {
  const session_id = await s.open(["sh", "-c", `echo ${words}; exec cat`]);
  await s.person.pty_wait({ session_id, any: [{ text: words }], since: 0 });
  return session_id;
}

test("a session that takes for ever to read keeps no other from its readers, and goes on when it was read", async () => {
  const [slow, quick] = [await saying("slow one"), await saying("quick one")];
  const { pid } = (await s.person.status({})).daemon;
  // Reading a pipe without a writer never ends, as on a disk that hangs.
  const state = s.duetty.sessionFile(slow, "keyframes/0.z");
  fs.mkdirSync(dirname(state), { recursive: true });
  execFileSync("mkfifo", [state]);
  process.kill(pid, "SIGKILL");
  await soon(async () => expect((await s.person.status({})).daemon.pid).not.toBe(pid));
  expect((await s.person.pty_read_screen({ session_id: quick })).rows[0]).toBe("quick one");
  const { sessions } = await s.person.pty_list({});
  expect(sessions.map(({ state }) => state)).toEqual(["running", "running"]);

  const reading = s.person.pty_read_screen({ session_id: slow });
  await fs.promises.writeFile(state, "");
  fs.rmSync(state);
  expect((await reading).rows[0]).toBe("slow one");
  const sent = await s.person.pty_send({ session_id: slow, text: "on\n", then: { any: [{ text: "on" }] } });
  expect(sent.outcome).toBe("matched");
});

test("a screen that is behind its program says by how much, and a current one says nothing", async () => {
  const session_id = await s.open([
    "sh",
    "-c",
    "read go; yes a long line of words | head -c 8000000; echo END; exec cat",
  ]);
  await s.person.pty_send({ session_id, text: "\n" });
  const behind = async () => (await s.person.pty_screen_status({ session_id })).behind_bytes ?? 0;
  await expect.poll(behind, { interval: 1, timeout: 60_000 }).toBeGreaterThan(0);
  await s.person.pty_wait({ session_id, any: [{ text: "END" }], since: 0, timeout_ms: 60_000 });
  await soon(async () => expect(await s.person.pty_read_screen({ session_id })).not.toHaveProperty("behind_bytes"));
});
