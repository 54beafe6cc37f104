// A machine that runs out of descriptors, disk, memory or processes: the answer is a clear fault, nothing that runs is lost, and all\ngoes on when there is enough.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CallError } from "../../src/client/client.ts";
import { BIN, run } from "../fixtures/stand/installation.ts";
import { type Stand, stand } from "../fixtures/stand/stand.ts";

/** What a call was refused with. */
async function refusal(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => (error instanceof CallError ? error.code : String(error)),
  );
}

/** A daemon and a holder with a limit of `ulimit` each. */
async function standWith(limit: string): Promise<Stand> {
  const s = await stand({ daemon: "later" });
  const start = `ulimit ${limit}; exec "${process.execPath}" "${BIN}" status`;
  expect((await run("bash", ["-c", start], { env: s.duetty.env })).code).toBe(0);
  return s;
}

test("a home that cannot be written is still read: a daemon starts, shows what is there and refuses the rest", async () => {
  await using s = await stand();
  const session_id = await s.open(["sh", "-c", "echo before"]);
  await s.person.pty_wait({ session_id, any: [{ exit: true }] });
  expect((await s.duetty.cli("shutdown")).code).toBe(0);
  // No file may grow, as on a full disk.
  const see = `trap "" XFSZ; ulimit -f 0; exec "${process.execPath}" "${BIN}" see --json ${session_id}`;
  const { stdout, stderr } = await run("bash", ["-c", see], { env: s.duetty.env });
  expect([stderr, JSON.parse(stdout || "{}").rows?.[0]]).toEqual(["", "before"]);
  expect(await refusal(s.open(["cat"]))).toBe("disk.refused");
  expect(await refusal(s.person.run_command({ command: "true", mode: "pty" }))).toBe("disk.refused");
  // The holder cannot write down what went wrong, either, and lives on.
  const { pid } = (await s.person.status({})).holder;
  for (let times = 0; times < 3; times += 1) {
    const socket = net.connect(s.duetty.home.holderSocket).on("error", () => undefined);
    socket.write("GET / HTTP/1.1\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
  }
  expect((await s.person.status({})).holder.pid).toBe(pid);
});

/** An engine reserves 8 GB of it, which it does not use. */
const ADDRESS_SPACE_KB = 160 << 20;

test("too little memory for another screen: opening is refused, what runs goes on, and later there is room again", async () => {
  await using s = await standWith(`-v ${ADDRESS_SPACE_KB}`);
  await opensUntil(s, "screen.failed", 100);
});

/** Root has no such limit, so the daemon runs as a user of its own there; otherwise as ours, who has other processes. */
const USER = process.getuid?.() === 0 ? { uid: 54_321, gid: 54_321, spare: 70 } : { spare: 200 };

test("too few processes: opening is refused, what runs goes on, and later there is room again", async () => {
  await using s = await stand({ daemon: "later" });
  const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0, spare } = USER;
  for (const path of ["", ...fs.readdirSync(s.duetty.folder, { recursive: true, encoding: "utf8" })])
    fs.chownSync(join(s.duetty.folder, path), uid, gid);
  const env = { ...s.duetty.env, PATH: "/usr/local/bin:/usr/bin:/bin" };
  const start = `ulimit -u ${threadsOf(uid) + spare}; exec "${process.execPath}" "${BIN}" status`;
  execFileSync("/bin/bash", ["-c", start], { uid, gid, env, cwd: "/" });
  await opensUntil(s, "machine.full", 2 * spare);
});

async function opensUntil(s: Stand, expected: string, most: number): Promise<void> {
  const { daemon, holder } = await s.person.status({});
  const opened: string[] = [];
  const open = () => refusal(s.open(["/bin/cat"]).then((session_id) => opened.push(session_id)));
  let why: string | undefined;
  while (!why && opened.length < most) why = await open();
  expect(why).toBe(expected);
  for (const session_id of opened) {
    await s.person.pty_send({ session_id, text: "still here\n", then: { any: [{ text: "still here" }] } });
    await s.person.pty_close({ session_id });
  }
  await expect.poll(open).toBeUndefined();
  const now = await s.person.status({});
  expect([now.daemon.pid, now.holder.pid]).toEqual([daemon.pid, holder.pid]);
}

/** What counts against the limit. */
function threadsOf(uid: number): number {
  const own = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name) && ownerOf(name) === uid);
  return own.reduce(
    (sum, pid) => sum + (fs.existsSync(`/proc/${pid}/task`) ? fs.readdirSync(`/proc/${pid}/task`).length : 0),
    0,
  );
}

function ownerOf(pid: string): number | undefined {
  return fs.statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
}
