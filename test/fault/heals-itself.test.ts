// A daemon that dies is started again by the holder, which knows who left on purpose. Attached terminals go on.
import fs from "node:fs";
import { expect, it } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { soon, until } from "../fixtures/soon.ts";
import { isAlive } from "../fixtures/stand/installation.ts";
import { type Stand, stand } from "../fixtures/stand/stand.ts";
import { TestTerminal } from "../fixtures/stand/terminal.ts";

/** The daemon that answers, asked in a way that starts none. */
async function daemonOf({ person }: Pick<Stand, "person">): Promise<number> {
  return soon(async () => (await person.status({})).daemon.pid);
}

it("kill -9 of the daemon: another one is there by itself, again and again, with all sessions", async () => {
  await using s = await stand();
  const session_id = await s.openBash();
  for (let round = 0; round < depth(2, 2, 5); round += 1) {
    const pid = await daemonOf(s);
    process.kill(pid, "SIGKILL");
    await until(async () => !isAlive(pid), "its end");
    expect(await daemonOf(s)).not.toBe(pid);
    const text = `echo round-${round}-$((1+1))\n`;
    const sent = await s.person.pty_send({ session_id, text, then: { any: [{ text: `round-${round}-2` }] } });
    expect(sent.outcome).toBe("matched");
  }
  // The daemon is now a child of the holder, but no session's: people are people.
  expect((await s.duetty.cli("take", session_id)).code).toBe(0);
});

it("a daemon that was stopped on purpose stays away, by SIGTERM and by shutdown", async () => {
  await using s = await stand();
  const { daemon, holder } = await s.duetty.status();
  process.kill(daemon.pid, "SIGTERM");
  await until(() => !isAlive(daemon.pid) && !fs.existsSync(s.duetty.home.daemonSocket), "its end");
  // Another one would be there by now: the holder's first try comes after 50 ms.
  const log = `${s.duetty.home.run}/daemon.log`;
  const starts = () => fs.readFileSync(log, "utf8").match(/"the daemon listens"/g)?.length;
  expect(starts()).toBe(1);
  const second = await s.duetty.status();
  expect(second.holder.pid).toBe(holder.pid);
  expect((await s.duetty.cli("shutdown")).code).toBe(0);
  await until(() => !isAlive(second.daemon.pid) && !isAlive(holder.pid), "the end of both");
  expect(starts()).toBe(2);
});

it("attach: the daemon is killed while a person types; the terminal goes on and every key arrives once", async () => {
  await using s = await stand();
  const session_id = await s.open(["cat"]);
  const terminal = TestTerminal.open(s.duetty, ["attach", session_id]);
  await terminal.shows("detach");
  const words: string[] = [];
  for (let round = 0; round < depth(3, 3, 6); round += 1) {
    for (let i = 0; i < 5; i += 1) {
      words.push(`w${round}x${i}`);
      terminal.type(`${words.at(-1)}\r`);
      if (i === 2 && round % 2 === 0) process.kill(await daemonOf(s), "SIGKILL");
    }
    await terminal.shows(words.at(-1) ?? "");
  }
  await soon(async () => {
    const typed = s.duetty.raw(session_id).toString().split(/\r?\n/);
    // The terminal's echo, and what cat printed.
    expect(typed.filter((line) => line.startsWith("w")).length).toBe(2 * words.length);
  });
  const lines = s.duetty.raw(session_id).toString().split(/\r?\n/);
  for (const word of words) expect([word, lines.filter((line) => line === word).length]).toEqual([word, 2]);
});
