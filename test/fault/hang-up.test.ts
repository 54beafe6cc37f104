// Every program gets a hang-up while the daemon ends, as when a machine goes down: what they printed and how they ended is recorded
// whole.
import fs from "node:fs";
import { expect, test } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { soon } from "../fixtures/soon.ts";
import { isGone } from "../fixtures/stand/installation.ts";
import { stand } from "../fixtures/stand/stand.ts";

const PROGRAMS = depth(4, 10, 40);
const COUNTER = "i=0; while :; do i=$((i+1)); printf '%09d\\n' $i; read -rt 0.05; done";

test(`${PROGRAMS} programs are hung up while the daemon ends: no record is shortened`, async () => {
  await using s = await stand();
  const opened = await Promise.all(
    Array.from({ length: PROGRAMS }, () => s.person.pty_open({ command: ["bash", "--norc", "-c", COUNTER] })),
  );
  for (const { session_id } of opened)
    await s.person.pty_wait({ session_id, any: [{ regex: "[1-9][0-9]" }], since: 0 });
  const { daemon } = await s.person.status({});
  process.kill(daemon.pid, "SIGTERM");
  for (const { pid } of opened) if (pid !== null) process.kill(pid, "SIGHUP");
  for (const { session_id } of opened) {
    const lines = () => fs.readFileSync(s.duetty.sessionFile(session_id, "records.jsonl"), "utf8").split("\n");
    await soon(() => expect(lines().some((line) => line.includes('"exit"'))).toBe(true));
    const records = lines();
    expect(records.pop()).toBe("");
    const all = records.map((line) => JSON.parse(line));
    const output = s.duetty.raw(session_id);
    expect(all.at(-1)).toMatchObject({ kind: "exit", signal: "SIGHUP", cursor: output.length });
    const numbers = (output.toString("latin1").match(/\d{9}\r\n/g) ?? []).map(Number);
    expect(numbers.every((number, i) => number === i + 1)).toBe(true);
    const events = s.duetty.events(session_id).split("\n");
    expect(events.pop()).toBe("");
    for (const line of events) JSON.parse(line);
  }
  // The next daemon tells what is on the disk.
  await soon(() => expect(isGone(daemon.pid)).toBe(true));
  const { sessions } = await s.duetty.json<{ sessions: { state: string }[] }>("ls", "--all");
  expect(sessions.map(({ state }) => state)).toEqual(opened.map(() => "failed"));
});
