// Nothing is lost when a process is killed: the daemon comes back to its sessions, and sessions say so when the holder died.
import fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { Output } from "../../src/protocol/ops.ts";
import { until } from "../fixtures/soon.ts";
import { type Installation, isGone } from "../fixtures/stand/installation.ts";
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

/** Three megabytes: the daemon is killed at the first bytes of them. */
const FLOOD_LINES = 500_000;

it("kill -9 of the daemon during a flood: the command finishes, every byte is there, the screen is right", async () => {
  const { session_id } = await open("sh", "-c", `read go; seq 1 ${FLOOD_LINES}; exec cat`);
  const { daemon, holder } = await duetty.status();
  await person.pty_send({ session_id, text: "\n", then: { any: [{ change: true }] } });
  await duetty.killDaemon(daemon.pid);
  const seen = await duetty.cli("see", session_id);
  expect(seen.code).toBe(0);
  const after = await duetty.status();
  expect(after.daemon.pid).not.toBe(daemon.pid);
  expect(after.holder.pid).toBe(holder.pid);
  await wait(session_id, "--text", String(FLOOD_LINES), "--since", "0");
  const want = Array.from({ length: FLOOD_LINES }, (_, i) => `${i + 1}\r\n`).join("");
  // A line may be seen before its end.
  const rows = async () => (await person.pty_read_screen({ session_id })).rows.slice(0, 35);
  await expect.poll(rows).toEqual(Array.from({ length: 35 }, (_, i) => String(FLOOD_LINES - 34 + i)));
  expect(duetty.raw(session_id).toString("latin1").replace(/^\r\n/, "") === want).toBe(true);
  const sent = await duetty.json<Output<"pty_send">>(
    "send",
    session_id,
    "--text",
    "still here\n",
    "--wait-text",
    "still here",
  );
  expect(sent.outcome).toBe("matched");
});

it("a restarted daemon shows the same screen, history and size, and the session goes on", async () => {
  const { session_id } = await duetty.json<Output<"pty_open">>(
    "open",
    "--cols",
    "60",
    "--rows",
    "12",
    "--",
    "bash",
    "--norc",
  );
  await person.pty_send({
    session_id,
    text: "seq 1 40; printf '\\033[31mred\\033[m\\n'; echo E''ND\n",
    then: { any: [{ text: "END" }] },
  });
  await person.pty_resize({ session_id, cols: 50, rows: 10 });
  await person.pty_wait({ session_id, any: [{ idle_ms: 150 }] });
  const before = await person.pty_read_screen({ session_id, scrollback: 100 });
  await duetty.killDaemon();
  const after = await duetty.json<Output<"pty_read_screen">>("see", session_id, "--scrollback", "100");
  const same = ({ rows, cursor, hash, cols, rows_count, scrollback, foreground }: typeof after) => ({
    rows,
    cursor,
    hash,
    cols,
    rows_count,
    scrollback,
    foreground,
  });
  expect(same(after)).toEqual(same(before));
  expect(after.seq).toBeGreaterThan(before.seq);
});

it("shutdown answers when the last screen is written, and nothing is written later", async () => {
  const { session_id } = await open("bash", "--norc");
  const then = { any: [{ text: "END" }] };
  await person.pty_send({ session_id, text: "seq 1 40; echo E''ND\n", then });
  await person.shutdown({});
  const dir = join(duetty.home.sessions, session_id);
  expect(JSON.parse(fs.readFileSync(join(dir, "screen.snapshot.json"), "utf8")).rows).toContain("END");
  const files = () => fs.readdirSync(dir).map((name) => `${name} ${fs.statSync(join(dir, name)).mtimeMs}`);
  const before = files();
  await expect.poll(() => fs.existsSync(duetty.home.daemonSocket)).toBe(false);
  expect(files()).toEqual(before);
});

it("what anybody has seen is on disk, byte by byte, when both processes are killed at once", async () => {
  const count = "i=0; while :; do i=$((i+1)); printf '%09d\\n' $i; read -rt 0.01; done";
  const { session_id } = await open("bash", "--norc", "-c", count);
  await wait(session_id, "--text", "000000050", "--since", "0");
  const { daemon, holder } = await duetty.status();
  const { rows } = await person.pty_read_screen({ session_id });
  for (const { pid } of [holder, daemon]) process.kill(pid, "SIGKILL");
  await until(() => isGone(holder.pid) && isGone(daemon.pid), "the end of both");
  const numbers = (
    duetty
      .raw(session_id)
      .toString("latin1")
      .match(/\d{9}\r\n/g) ?? []
  ).map(Number);
  expect(numbers.every((number, i) => number === i + 1)).toBe(true);
  expect(numbers.length).toBeGreaterThanOrEqual(Math.max(...rows.map(Number)));
  expect((await duetty.json<Output<"pty_read_screen">>("see", session_id)).state).toBe("lost");
});

it("ten CLIs on a cold machine start one daemon and one holder", async () => {
  const statuses = await Promise.all(Array.from({ length: 10 }, () => duetty.status()));
  expect(new Set(statuses.map(({ daemon }) => daemon.pid)).size).toBe(1);
  expect(new Set(statuses.map(({ holder }) => holder.pid)).size).toBe(1);
});
