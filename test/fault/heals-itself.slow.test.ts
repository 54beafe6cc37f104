// What a daemon that dies leaves to the holder in rarer cases: certificates, concurrent starts, giving up, a terminal without a daemon.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { expect, it } from "vitest";
import { DAEMON_MAIN } from "../../src/package.ts";
import { depth } from "../fixtures/depth.ts";
import { marked } from "../fixtures/pty/native-sessions.ts";
import { BULK_MS, soon, until } from "../fixtures/soon.ts";
import { isAlive } from "../fixtures/stand/installation.ts";
import { type Stand, stand } from "../fixtures/stand/stand.ts";
import { TestTerminal } from "../fixtures/stand/terminal.ts";

/** The daemon that answers, asked in a way that starts none. */
async function daemonOf({ person }: Pick<Stand, "person">): Promise<number> {
  return soon(async () => (await person.status({})).daemon.pid);
}

it("the holder does without a company's certificates; sessions and the daemon that it starts again have them", async () => {
  const has = "NODE_EXTRA_CA_CERTS=/nowhere/company.pem";
  await using s = await stand({ env: { NODE_EXTRA_CA_CERTS: "/nowhere/company.pem" } });
  const { daemon, holder } = await s.person.status({});
  const environment = (pid: number) => fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  expect([environment(daemon.pid).includes(has), environment(holder.pid).includes(has)]).toEqual([true, false]);
  process.kill(daemon.pid, "SIGKILL");
  await until(() => !isAlive(daemon.pid), "its end");
  expect(environment(await daemonOf(s))).toContain(has);
  const session_id = await s.open(["printenv", "NODE_EXTRA_CA_CERTS"]);
  await s.person.pty_wait({ session_id, any: [{ exit: true }] });
  expect((await s.person.pty_read_screen({ session_id })).rows[0]).toBe("/nowhere/company.pem");
});

it("of many that start at once after a kill -9, one is the daemon, each time", async () => {
  await using s = await stand();
  const log = `${s.duetty.home.run}/daemon.log`;
  const listened = () => fs.readFileSync(log, "utf8").match(/"the daemon listens"/g)?.length ?? 0;
  for (let round = 1; round <= depth(1, 2, 6); round += 1) {
    process.kill(await daemonOf(s), "SIGKILL");
    const output = fs.openSync(log, "a");
    const started = Array.from({ length: 8 }, () =>
      spawn(process.execPath, [DAEMON_MAIN], { env: s.duetty.env, stdio: ["ignore", output, output] }),
    );
    fs.closeSync(output);
    const living = () => started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await until(() => living().length <= 1 && listened() > round, "the end of all but one");
    const pid = await daemonOf(s);
    // None of them, if the holder was first. The last of them may not know yet.
    await soon(() => expect(living().filter((one) => one.pid !== pid)).toEqual([]));
    expect(listened()).toBe(round + 1);
  }
});

it("one that was started beside another does not begin after the other's end", async () => {
  await using s = await stand({ daemon: "later" });
  for (let round = 1; round <= depth(1, 2, 5); round += 1) {
    await s.duetty.start();
    // It listens already, so nobody waits for this one.
    await s.duetty.start();
    await s.person.shutdown({});
    await soon(() => expect(marked(`DUETTY_HOME=${s.duetty.home.dir}`)).toEqual([]));
  }
});

it("a daemon that dies each time is given up after some tries, and the log says so", async () => {
  await using s = await stand();
  const { daemon } = await s.duetty.status();
  // A folder in the place of its socket: it cannot start.
  const { daemonSocket } = s.duetty.home;
  process.kill(daemon.pid, "SIGSTOP");
  fs.rmSync(daemonSocket);
  fs.mkdirSync(daemonSocket);
  process.kill(daemon.pid, "SIGKILL");
  const log = () => fs.readFileSync(`${s.duetty.home.run}/holder.log`, "utf8");
  await until(() => log().includes("it is not started again"), "giving up", BULK_MS);
  fs.rmdirSync(daemonSocket);
  expect((await s.duetty.status()).daemon.pid).not.toBe(daemon.pid);
});

it("attach: without a daemon it says what to type, keeps the keys, and goes on when there is one", async () => {
  await using s = await stand();
  const session_id = await s.open(["cat"]);
  const terminal = TestTerminal.open(s.duetty, ["attach", session_id], { cols: 160, rows: 20 });
  await terminal.shows("detach");
  await s.person.shutdown({ keep_sessions: true });
  await terminal.shows("Reconnecting…");
  terminal.type("kept\r");
  await terminal.shows("duetty is not running. Start it again with: duetty. Your 5 keys are kept.");
  await s.duetty.status();
  await terminal.shows(/kept\s+kept/);
  expect(s.duetty.raw(session_id).toString().match(/kept/g)).toHaveLength(2);
});
