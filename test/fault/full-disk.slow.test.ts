// A disk that is really full, made of a small tmpfs. What a session printed is there byte
// for byte, or a told gap has exactly what is missing; nothing that runs ends, and all goes on when there is room.
import fs from "node:fs";
import { expect, test } from "vitest";
import { BULK_MS } from "../fixtures/soon.ts";
import { type SmallDisk, smallDisk } from "../fixtures/stand/small-disk.ts";

const DISK_BYTES = 24 << 20;
/** What is left when the disk is nearly full: less than the program prints. */
const ROOM_BYTES = 1 << 20;
/** Lines of nine bytes, with what the terminal adds; together less than the holder keeps in memory. */
const LINES = 500_000;
const LINE_BYTES = 9;

async function flood(disk: SmallDisk): Promise<string> {
  const { session_id } = await disk.person.pty_open({
    command: ["sh", "-c", `read go; seq -f %07.0f ${LINES}; echo OVER; exec cat`],
  });
  await disk.person.pty_wait({ session_id, any: [{ input: true }] });
  disk.fill(ROOM_BYTES);
  await disk.person.pty_send({ session_id, text: "\n" });
  const size = () => fs.statSync(disk.file("sessions", session_id, "output.raw")).size;
  await expect.poll(size, { timeout: BULK_MS }).toBeGreaterThan(ROOM_BYTES / 2);
  await expect.poll(() => fs.statfsSync(disk.file()).bavail, { timeout: BULK_MS }).toBe(0);
  return session_id;
}

/** The lines that were printed, and how many bytes the gaps between them have. */
function kept(disk: SmallDisk, session_id: string) {
  const file = (name: string) => fs.readFileSync(disk.file("sessions", session_id, name));
  const records = file("records.jsonl").toString().trim().split("\n");
  const gaps = records.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "gap");
  const raw = file("output.raw");
  return { raw, gaps, from: raw.indexOf("0000001\r\n"), to: raw.indexOf("OVER\r\n") };
}

test("room comes soon: every byte is there, and the session goes on", async () => {
  await using disk = await smallDisk(DISK_BYTES);
  const session_id = await flood(disk);
  const refused = disk.person.pty_open({ command: ["cat"] });
  await expect(refused).rejects.toMatchObject({ code: "disk.full" });
  disk.free();
  await disk.person.pty_wait({ session_id, any: [{ text: "OVER" }], since: 0, timeout_ms: BULK_MS });
  const { raw, gaps, from, to } = kept(disk, session_id);
  expect(gaps).toEqual([]);
  const lines = raw.subarray(from, to).toString().split("\r\n").slice(0, -1);
  expect([lines.length, lines.findIndex((line, i) => Number(line) !== i + 1)]).toEqual([LINES, -1]);
  expect((await disk.person.pty_open({ command: ["cat"] })).state).toBe("running");
});

test("no room for long: a told gap has exactly the bytes that are missing, and the rest is true", async () => {
  await using disk = await smallDisk(DISK_BYTES);
  const session_id = await flood(disk);
  const { daemon, holder } = await disk.person.status({});
  // The holder goes on without the bytes.
  const dropped = async () => (await disk.person.status({})).load.dropped_output_bytes;
  await expect.poll(dropped, { timeout: BULK_MS }).toBeGreaterThan(0);
  disk.free();
  await disk.person.pty_send({ session_id, text: "after\n", then: { any: [{ text: "after" }], timeout_ms: BULK_MS } });
  const { raw, gaps, from } = kept(disk, session_id);
  const missing = gaps.reduce((sum, { bytes }) => sum + bytes, 0);
  const printed = LINES * LINE_BYTES + "OVER\r\n".length;
  const first = gaps[0].cursor;
  expect(raw.subarray(from, first).toString()).toBe(numbers(first - from));
  expect(raw.subarray(first).toString()).toContain("after");
  const echoed = raw.length - from + missing - printed;
  expect(echoed).toBe("after\r\nafter\r\n".length);
  const now = await disk.person.status({});
  expect([now.daemon.pid, now.holder.pid]).toEqual([daemon.pid, holder.pid]);
});

/** The first bytes of what the program prints. */
function numbers(bytes: number): string {
  const count = Math.ceil(bytes / LINE_BYTES);
  const lines = Array.from({ length: count }, (_, i) => `${String(i + 1).padStart(7, "0")}\r\n`);
  return lines.join("").slice(0, bytes);
}
