// Random work for a long time: sessions that print, come and go, viewers that vanish, kills of the daemon, a full disk twice. Every
// byte of every journal is accounted for, and nothing grows. Run by `npm run soak`.
import fs from "node:fs";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { seeded } from "../fixtures/seeded.ts";
import { BULK_MS, soon } from "../fixtures/soon.ts";
import { type SmallDisk, smallDisk } from "../fixtures/stand/small-disk.ts";

const MINUTES = Number(process.env.SOAK_MINUTES ?? 0.25);
const SHORT = MINUTES < 1;
const SESSIONS = SHORT ? 8 : 50;
const DISK_BYTES = SHORT ? 64 << 20 : 1 << 30;
const KILL_EVERY_MS = SHORT ? 6_000 : 60_000;
/** Short enough that the holder keeps what is printed meanwhile. */
const FULL_MS = 2_000;
const ROOM_BYTES = 256 << 10;
const LINES_MAX = 4_000;
/** For each session the holder keeps both ends of its terminal, its output and its records. */
const HELD_DESCRIPTORS = 4;
/** The daemon shares so many open files among all sessions. */
const SHARED_DESCRIPTORS = 64;
/** Sockets, logs and what Node itself needs. */
const SPARE_DESCRIPTORS = 60;
/** What a long life may cost the holder. */
const GROWTH_BYTES_MAX = 64 << 20;
/** Prints so many further numbers whenever it is asked, and shows nothing of what is typed. */
const WORKER =
  "stty -echo; echo ready; i=0; while read count; do seq -f %09.0f $((i+1)) $((i+count)); i=$((i+count)); done";

interface Worker {
  readonly session_id: string;
  /** How many lines it was surely asked for. */
  asked: number;
}

class Soak {
  readonly #disk: SmallDisk;
  readonly #random = seeded(20_261);
  readonly workers: Worker[] = [];
  readonly ended: Worker[] = [];

  constructor(disk: SmallDisk) {
    this.#disk = disk;
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  async open(): Promise<void> {
    const { session_id } = await this.#disk.person.pty_open({ command: ["bash", "--norc", "-c", WORKER] });
    await this.#disk.person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
    this.workers.push({ session_id, asked: 0 });
  }

  /** One thing at random. The daemon may be dead or the disk full: then nothing was asked for, as far as we know. */
  async step(): Promise<void> {
    const { person } = this.#disk;
    const worker = this.workers[this.below(this.workers.length)];
    const dice = this.below(20);
    if (!worker || (dice === 0 && this.workers.length < SESSIONS)) return this.open();
    const { session_id } = worker;
    if (dice === 1 && this.workers.length > SESSIONS / 2) {
      // Closing ends it in the middle of its work. What it was asked for comes first.
      await soon(() => expect(this.#printed(worker)).toMatchObject({ isAll: true }));
      await person.pty_close({ session_id });
      this.ended.push(...this.workers.splice(this.workers.indexOf(worker), 1));
    } else if (dice < 5) await this.#look(session_id);
    else if (dice < 8) await person.pty_read_screen({ session_id });
    else if (dice === 8) await person.search({ query: "000000777", session_id });
    else {
      const count = 1 + this.below(LINES_MAX);
      await person.pty_send({ session_id, text: `${count}\n` });
      worker.asked += count;
    }
  }

  /** Looks at a session and is gone without a word. */
  async #look(session_id: string): Promise<void> {
    const { http } = await this.#disk.person.status({});
    const token = fs.readFileSync(this.#disk.file("person.token"), "utf8").trim();
    const url = `ws://127.0.0.1:${http.port}/v1/sessions/${session_id}/terminal`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    await new Promise<void>((resolve) => {
      socket.once("message", () => resolve());
      socket.once("error", () => resolve());
    });
    socket.terminate();
  }

  /** The numbers that it printed, and whether all are there that it was asked for; a gap may have swallowed the last ones. */
  #printed({ session_id, asked }: Worker) {
    const read = (name: string) => fs.readFileSync(this.#disk.file("sessions", session_id, name), "latin1");
    const gaps = read("records.jsonl")
      .split("\n")
      .filter((line) => line.includes('"gap"')).length;
    const numbers = (read("output.raw").match(/\d{9}\r\n/g) ?? []).map(Number);
    return { numbers, gaps, isAll: gaps > 0 || (numbers.at(-1) ?? 0) >= asked };
  }

  /** What it printed is one number after the other, but for what a gap tells. */
  check(worker: Worker): void {
    const { numbers, gaps, isAll } = this.#printed(worker);
    const jumps = numbers.filter((number, i) => number !== (numbers[i - 1] ?? 0) + 1).length;
    const last = numbers.at(-1);
    expect({ ...worker, last, jumps, isAll }).toEqual({ ...worker, last, jumps: Math.min(jumps, gaps), isAll: true });
  }
}

const memory = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;
/** What a process has open. */
function descriptors(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return fs.readdirSync(folder).flatMap((fd) => {
    try {
      return [fs.readlinkSync(`${folder}/${fd}`)];
    } catch {
      return [];
    }
  });
}

test(`${MINUTES} minutes of random work`, { timeout: MINUTES * 60_000 + 10 * BULK_MS }, async () => {
  await using disk = await smallDisk(DISK_BYTES);
  const { person } = disk;
  const soak = new Soak(disk);
  for (let i = 0; i < SESSIONS; i++) await soak.open();
  const begun = await person.status({});
  const held = memory(begun.holder.pid);
  const from = Date.now();
  const over = () => (Date.now() - from) / (MINUTES * 60_000);
  const again = () => expect.poll(() => person.status({}).then(() => true, String), { timeout: BULK_MS }).toBe(true);
  let [killed, fills, failures] = [0, 0, 0];
  while (over() < 1) {
    if ((Date.now() - from) / KILL_EVERY_MS > killed + 1) {
      killed += 1;
      process.kill((await person.status({})).daemon.pid, "SIGKILL");
      await again();
    }
    if (over() > (fills + 1) / 3) {
      fills += 1;
      disk.fill(ROOM_BYTES);
      setTimeout(() => disk.free(), FULL_MS);
    }
    await soak.step().catch(() => {
      failures += 1;
    });
  }
  expect([killed > 0, fills]).toEqual([true, 2]);
  // The daemon was dead, or the disk full; otherwise it works.
  console.log({ killed, failures, sessions: soak.workers.length + soak.ended.length });
  expect(soak.workers.some(({ asked }) => asked > 0)).toBe(true);
  await again();
  for (const { session_id } of soak.workers)
    await person.pty_wait({ session_id, any: [{ settled_ms: 500 }], timeout_ms: BULK_MS });
  for (const worker of [...soak.workers, ...soak.ended]) soak.check(worker);
  const now = await person.status({});
  expect(now.holder.pid).toBe(begun.holder.pid);
  expect(now.sessions.live).toBe(soak.workers.length);
  const [shared, kept] = [descriptors(now.daemon.pid), descriptors(now.holder.pid)];
  expect(shared.length, shared.join("\n")).toBeLessThan(SHARED_DESCRIPTORS + SPARE_DESCRIPTORS);
  const most = HELD_DESCRIPTORS * soak.workers.length + SPARE_DESCRIPTORS;
  expect(kept.length, kept.join("\n")).toBeLessThan(most);
  console.log({ daemon: shared.length, holder: kept.length, sessions: soak.workers.length });
  expect(memory(now.holder.pid) - held).toBeLessThan(GROWTH_BYTES_MAX);
});
