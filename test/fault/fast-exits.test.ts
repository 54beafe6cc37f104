// Fast exits and many sessions: no byte, process or descriptor is lost or left.
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { Output } from "../../src/protocol/ops.ts";
import { depth } from "../fixtures/depth.ts";
import { soon } from "../fixtures/soon.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { duetty, person } = sharedStand();
let holder = 0;
beforeAll(async () => {
  holder = (await duetty.status()).holder.pid;
});

/** A tail that can be lost at the exit is lost by chance: each megabyte goes through holder, journal and engine. */
const FAST_EXITS = depth(5, 15, 120);
/** In tens at once. What each of them leaves behind adds up. */
const CLOSINGS = depth(50, 100, 300);
/** Hundreds of programs: half a minute at rest. */
const MANY_MS = 600_000;

const sha = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const openFds = () => fs.readdirSync(`/proc/${holder}/fd`).length;

async function ended(session_id: string): Promise<Output<"pty_list">["sessions"][number] | null> {
  await person.pty_wait({ session_id, any: [{ exit: true }] });
  return (await person.status({ session_id })).session;
}

it(
  `${FAST_EXITS} runs that print 1 MB of random bytes in raw mode and exit at once: every byte, every exit code`,
  async () => {
    const file = join(duetty.home.dir, "random.bin");
    for (let run = 0; run < FAST_EXITS; run++) {
      const bytes = randomBytes(1_000_000);
      fs.writeFileSync(file, bytes);
      const code = run % 256;
      const command = ["sh", "-c", `stty raw; cat '${file}'; exit ${code}`];
      const { session_id } = await person.pty_open({ command });
      const session = await ended(session_id);
      expect({ run, sha: sha(duetty.raw(session_id)), code: session?.exit_code }).toEqual({
        run,
        sha: sha(bytes),
        code,
      });
      fs.rmSync(join(duetty.home.sessions, session_id, "output.raw"));
    }
  },
  MANY_MS,
);

it(
  `${CLOSINGS} times open and close: no process, no descriptor, no zombie is left in the holder`,
  async () => {
    for (let i = 0; i < 10; i++) await openAndClose();
    const before = openFds();
    for (let i = 10; i < CLOSINGS; i += 10) await Promise.all(Array.from({ length: 10 }, openAndClose));
    await soon(() => expect(openFds()).toBeLessThanOrEqual(before));
    await soon(() => expect(children(holder)).toEqual([]));
  },
  MANY_MS,
);

async function openAndClose(): Promise<void> {
  const { session_id } = await person.pty_open({ command: ["cat"] });
  await person.pty_close({ session_id });
}

function processes(): string[] {
  return fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
}

function read(path: string): string {
  try {
    return fs.readFileSync(path, "latin1");
  } catch {
    // It ended between the listing and the look.
    return "";
  }
}

function children(parent: number): string[] {
  return processes().filter((pid) => read(`/proc/${pid}/stat`).match(/\) . (\d+) /)?.[1] === String(parent));
}
