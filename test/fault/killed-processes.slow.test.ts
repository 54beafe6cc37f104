// What a killed holder or daemon leaves behind in rarer cases: unanswered queries, lost sessions, programs that ignore the hang-up,\na removed home and a torn line.
import fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { DAEMON_MAIN } from "../../src/package.ts";
import type { Output } from "../../src/protocol/ops.ts";
import { until } from "../fixtures/soon.ts";
import { type Installation, isAlive, isGone, run } from "../fixtures/stand/installation.ts";
import { stand } from "../fixtures/stand/stand.ts";

let duetty: Installation;
let person: Client;
beforeEach(async () => {
  ({ duetty, person } = await stand({ daemon: "later" }));
});
afterEach(() => duetty[Symbol.asyncDispose]());

const open = (...command: string[]) => duetty.json<Output<"pty_open">>("open", "--", ...command);
const wait = (id: string, ...flags: string[]) =>
  duetty.json<Output<"pty_wait">>("wait", id, "--timeout", "60000", ...flags);

it("a query printed without a daemon is answered once when a daemon starts", async () => {
  const script =
    "stty raw -echo; read go; sleep 0.3; printf '\\033[6n'; dd bs=1 count=6 2>/dev/null; echo ANSWERED; exec sleep 600";
  const { session_id } = await open("bash", "-c", script.replace("read go", "head -c1 >/dev/null"));
  await wait(session_id, "--input");
  const { daemon } = await duetty.status();
  await person.pty_send({ session_id, text: "x" });
  await duetty.killDaemon(daemon.pid);
  const output = join(duetty.home.sessions, session_id, "output.raw");
  while (!fs.readFileSync(output).includes("\x1b[6n")) await new Promise((resolve) => setTimeout(resolve, 20));
  await duetty.cli("status");
  await wait(session_id, "--text", "ANSWERED", "--since", "0");
  // A second answer would come in this time.
  await wait(session_id, "--idle", "1000");
  expect(
    duetty
      .raw(session_id)
      .toString("latin1")
      .match(/\x1b\[1;1R/g),
  ).toHaveLength(1);
});

it("sessions that ran when the holder died are lost, say so, and stay readable", async () => {
  const { session_id } = await open("sh", "-c", "echo before the end; exec cat");
  await wait(session_id, "--text", "the end", "--since", "0");
  const { daemon, holder } = await duetty.status();
  process.kill(holder.pid, "SIGKILL");
  // The daemon ends with it, and who asks it meanwhile may get no answer.
  await until(() => isGone(daemon.pid), "the daemon's end");
  const see = () => duetty.json<Output<"pty_read_screen">>("see", session_id);
  await expect.poll(async () => (await see()).state).toBe("lost");
  const screen = await see();
  expect(screen.rows[0]).toBe("before the end");
  expect((await duetty.cli("send", session_id, "--text", "x")).code).toBe(4);
  expect((await duetty.cli("open", "--", "echo", "new")).code).toBe(0);
});

it("programs that ignore the hang-up do not outlive a killed holder", async () => {
  const { session_id, pid } = await open("bash", "-c", "trap '' HUP TERM; echo ready; while :; do sleep 1000; done");
  await wait(session_id, "--text", "ready", "--since", "0");
  process.kill((await duetty.status()).holder.pid, "SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it("a daemon that is started again after its home was removed ends, and the home stays removed", async () => {
  await duetty.cli("shutdown");
  fs.rmSync(duetty.home.dir, { recursive: true });
  const { code } = await run(process.execPath, [DAEMON_MAIN, "again"], { env: duetty.env });
  expect([code, fs.existsSync(duetty.home.dir)]).toEqual([0, false]);
  fs.mkdirSync(duetty.home.dir);
  fs.writeFileSync(duetty.home.personToken, "");
});

it("shutdown ends every process and leaves the sessions readable for the next start", async () => {
  const { session_id, pid } = await open("sh", "-c", "echo kept; exec sleep 600");
  await wait(session_id, "--text", "kept", "--since", "0");
  const { daemon, holder } = await duetty.status();
  expect((await duetty.cli("shutdown")).stdout).toContain("1 session closed");
  for (const gone of [pid ?? 0, holder.pid]) expect(state(gone)).toBe("gone");
  await expect.poll(() => state(daemon.pid)).toBe("gone");
  expect((await duetty.cli("shutdown")).stdout).toBe("nothing is running\n");
  const screen = await duetty.json<Output<"pty_read_screen">>("see", session_id);
  expect(screen).toMatchObject({ state: "done" });
  expect(screen.rows[0]).toBe("kept");
});

it("a torn last line is cut off and kept aside", async () => {
  const { session_id } = await open("sh", "-c", "echo whole; exit 4");
  await wait(session_id, "--exit");
  await duetty.cli("shutdown");
  const events = join(duetty.home.sessions, session_id, "events.jsonl");
  const records = join(duetty.home.sessions, session_id, "records.jsonl");
  for (const file of [events, records]) fs.appendFileSync(file, '{"kind":"res');
  const screen = await duetty.json<Output<"pty_read_screen">>("see", session_id);
  expect(screen).toMatchObject({ state: "failed", rows: expect.arrayContaining(["whole"]) });
});

/** A killed process whose parent does not reap it (an init that is none) is as gone as any. */
function state(pid: number): "gone" | "alive" {
  const stat = `/proc/${pid}/stat`;
  return fs.existsSync(stat) && !/\) Z /.test(fs.readFileSync(stat, "utf8")) ? "alive" : "gone";
}
