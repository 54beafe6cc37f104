// What leaves the disk: one session by a person's word, ended ones by rules. What a person opened is announced before it goes.
import fs from "node:fs";
import { expect, test } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { type Stand, stand, UNBOXED } from "../../fixtures/stand/stand.ts";

/** A session that has printed this and ended. */
async function ended(who: Stand["person"], words: string): Promise<string> {
  const { session_id } = await who.pty_open({ command: ["echo", words] });
  await who.pty_wait({ session_id, any: [{ exit: true }] });
  return session_id;
}

const ids = async (s: Stand) => (await s.person.pty_list({})).sessions.map(({ session_id }) => session_id);
const isOnDisk = (s: Stand, id: string) => fs.existsSync(`${s.duetty.home.sessions}/${id}`);

test("rm deletes an ended session with its files, refuses a running one, and is a person's verb", async () => {
  await using s = await stand();
  const [gone, runs] = [await ended(s.person, "old"), await s.open(["cat"])];
  expect((await s.duetty.agentCli("rm", gone)).stderr).toContain("person");
  expect((await s.duetty.cli("rm", runs)).stderr).toContain("still runs");
  expect((await s.duetty.cli("rm", gone)).stdout).toContain(gone);
  expect([await ids(s), isOnDisk(s, gone), isOnDisk(s, runs)]).toEqual([[runs], false, true]);
});

test("gc tells what would go and why, and deletes it only with --yes; what runs stays", async () => {
  await using s = await stand();
  const [oldest, older] = [await ended(s.person, "one"), await ended(s.person, "two")];
  const [newest, runs] = [await ended(s.person, "three"), await s.open(["cat"])];
  expect((await s.duetty.cli("gc")).stdout).toContain("no ended session is to leave");
  const shown = (await s.duetty.cli("gc", "--sessions", "1")).stdout;
  expect(
    shown
      .split("\n")
      .slice(0, 2)
      .map((text) => text.split(" ")[0]),
  ).toEqual([oldest, older]);
  expect(shown).toContain("1 newer ones are kept");
  expect(await ids(s)).toHaveLength(4);
  expect((await s.duetty.cli("gc", "--sessions", "1", "--yes")).stdout).toContain("2 sessions");
  expect((await ids(s)).sort()).toEqual([newest, runs].sort());
  expect((await s.person.gc({ total_mb: 0, yes: true })).leaves).toMatchObject([{ session_id: newest }]);
  expect([await ids(s), isOnDisk(s, newest)]).toEqual([[runs], false]);
});

test("by configured rules an agent's session leaves at once; a person's is announced and leaves at its time", async () => {
  await using s = await stand({ config: UNBOXED });
  const [mine, theirs] = [await ended(s.person, "mine"), await ended(s.agent(), "theirs")];
  const runs = await s.open(["cat"]);
  const restart = async () => {
    await s.person.shutdown({ keep_sessions: true });
    await soon(() => expect(fs.existsSync(s.duetty.home.daemonSocket)).toBe(false));
    await s.duetty.start();
  };
  s.duetty.configure({ ...UNBOXED, journal: { keep: { sessions: 0 } } });
  await restart();
  await soon(() => expect(isOnDisk(s, theirs)).toBe(false));
  await soon(async () => expect((await s.duetty.cli("ls")).stdout).toContain(`${mine} leaves the disk on`));
  expect((await s.person.pty_read_screen({ session_id: mine })).rows[0]).toBe("mine");

  const meta = s.duetty.sessionFile(mine, "meta.json");
  const kept = JSON.parse(fs.readFileSync(meta, "utf8"));
  expect(kept.leaves_at).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  fs.writeFileSync(meta, JSON.stringify({ ...kept, leaves_at: Date.now() - 1 }));
  await restart();
  await soon(() => expect(isOnDisk(s, mine)).toBe(false));
  expect(await ids(s)).toEqual([runs]);
});

test("ls and doctor tell what sessions take on disk", async () => {
  await using s = await stand();
  const session_id = await s.open(["sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x"]);
  await s.person.pty_wait({ session_id, any: [{ exit: true }] });
  // What a program left there may lead to the whole disk.
  fs.symlinkSync("/usr", s.duetty.sessionFile(session_id, "link"));
  const { sessions } = await s.person.pty_list({ disk: true });
  expect(sessions[0]?.disk_bytes).toBeGreaterThan(2_900_000);
  expect(sessions[0]?.disk_bytes).toBeLessThan(4_000_000);
  expect((await s.duetty.cli("ls")).stdout).toMatch(/DISK[\s\S]*\d MB/);
  const { checks } = await s.person.doctor({});
  expect(checks.find(({ name }) => name === "journals")?.detail).toContain(session_id);
});
