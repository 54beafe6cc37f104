// A screen engine that fails costs one screen: no process ends, no byte is lost, other sessions notice nothing, and the screen
// comes back. The faults are real traps at the border to the wasm, in the built daemon.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CallError } from "../../src/client/client.ts";
import { depth } from "../fixtures/depth.ts";
import { soon } from "../fixtures/soon.ts";
import { ROOT } from "../fixtures/stand/installation.ts";
import { type Stand, stand } from "../fixtures/stand/stand.ts";

const FAULTS = join(ROOT, "test/fixtures/faults/engine-faults.mjs");

interface Scene extends AsyncDisposable {
  readonly s: Stand;
  readonly session_id: string;
  /** What fails from now on. */
  fail(what: string): void;
  /** The program prints this, and all that it printed is on disk. */
  say(words: string): Promise<void>;
  rows(): Promise<readonly string[]>;
}

/** A program that prints what it is told, beside one that nothing may happen to. */
async function scene(): Promise<Scene> {
  const s = await stand({ daemon: "later" });
  const file = join(s.duetty.folder, "fault");
  Object.assign(s.duetty.env, { NODE_OPTIONS: `--import=${FAULTS}`, FAULT_FILE: file });
  await s.duetty.start();
  const other = await s.open(["sh", "-c", "echo other; exec cat"]);
  const told = join(s.duetty.folder, "told");
  fs.writeFileSync(told, "ready\n");
  const session_id = await s.open(["tail", "-n", "+1", "-f", told]);
  await s.person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
  const begun = await s.person.status({});
  return {
    s,
    session_id,
    fail: (what) => fs.writeFileSync(file, what),
    say: async (words) => {
      fs.appendFileSync(told, `${words}\n`);
      await expect.poll(() => s.duetty.raw(session_id).toString()).toContain(`${words}\r\n`);
    },
    rows: async () => (await s.person.pty_read_screen({ session_id })).rows.filter((row) => row !== ""),
    [Symbol.asyncDispose]: async () => {
      await using _ = s;
      // Whatever failed, the same processes run, and the neighbour is as it was.
      const now = await s.person.status({});
      expect([now.daemon.pid, now.holder.pid]).toEqual([begun.daemon.pid, begun.holder.pid]);
      expect((await s.person.pty_read_screen({ session_id: other })).rows[0]).toBe("other");
      const { sessions } = await s.person.pty_list({});
      expect(sessions.map(({ state }) => state)).toEqual(["running", "running"]);
    },
  };
}

function isScreenFailed(error: unknown): void {
  expect(error instanceof CallError ? error.code : error).toBe("screen.failed");
}

test("a fault while output is fed loses the slice on the screen, and nothing in the journal", async () => {
  await using it = await scene();
  await it.say("before");
  // Until then it could be in the same slice as what fails.
  await expect.poll(it.rows).toEqual(["ready", "before"]);
  it.fail("feed");
  await it.say("POISON");
  // Until then what follows could be in the same slice.
  await soon(() => expect(it.s.duetty.events(it.session_id)).toContain("The screen engine failed"));
  await it.say("after");
  await expect.poll(it.rows).toEqual(["ready", "before", "after"]);
  expect(it.s.duetty.raw(it.session_id).toString()).toBe("ready\r\nbefore\r\nPOISON\r\nafter\r\n");
});

const FAULTY_RESIZES = [
  { kind: "resize", size: { cols: 120, rows: 12 } },
  { kind: "reflow", size: { cols: 40, rows: 40 } },
];

test.each(FAULTY_RESIZES.slice(0, depth(1, 2)))(
  "a fault in a $kind leaves an empty screen of the new size, which goes on",
  async ({ kind, size }) => {
    await using it = await scene();
    await it.say(`${"a long line ".repeat(9)}end`);
    it.fail(kind);
    await it.s.person.pty_resize({ session_id: it.session_id, ...size });
    await it.say("after");
    await expect.poll(it.rows).toEqual(["after"]);
    const { cols, rows_count } = await it.s.person.pty_read_screen({ session_id: it.session_id });
    expect({ cols, rows: rows_count }).toEqual(size);
    it.fail("");
    expect(await it.s.person.pty_resize({ session_id: it.session_id, cols: 120, rows: 40 })).toBeTruthy();
    await it.say("and on");
    await expect.poll(it.rows).toEqual(["after", "and on"]);
  },
);

test("a fault while a screen is read is told, and the next reader has the whole screen again", async () => {
  await using it = await scene();
  await it.say("before");
  it.fail("read");
  const styled = () => it.s.person.pty_read_screen({ session_id: it.session_id, format: "ansi" });
  await styled().then(() => expect.unreachable(), isScreenFailed);
  await it.say("meanwhile");
  it.fail("");
  await it.say("after");
  await expect.poll(it.rows).toEqual(["ready", "before", "meanwhile", "after"]);
});

test("where no new terminal can be made, opening is refused, what runs goes on, and later all is there", async () => {
  await using it = await scene();
  it.fail("new");
  await it.s.open(["cat"]).then(() => expect.unreachable(), isScreenFailed);
  // The engine of this one is killed, and there is no other.
  it.fail("read");
  await it.s.person.pty_read_screen({ session_id: it.session_id, format: "ansi" }).catch(isScreenFailed);
  it.fail("new");
  await it.s.person.pty_read_screen({ session_id: it.session_id }).then(() => expect.unreachable(), isScreenFailed);
  await it.say("meanwhile");
  it.fail("");
  await it.say("after");
  await expect.poll(it.rows).toEqual(["ready", "meanwhile", "after"]);
});
