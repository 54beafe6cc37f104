// Ten people type into ten sessions while agents ask and are answered and the daemon is killed five times: fifty interleavings.
// Each key arrives once, in order, in its own session.
import { expect, test } from "vitest";
import { AttachSocket } from "../../src/cli/attach/socket.ts";
import { seeded } from "../fixtures/seeded.ts";
import { soon } from "../fixtures/soon.ts";
import { stand } from "../fixtures/stand/stand.ts";

const SEED = Number(process.env.SEED ?? 1);
const SESSIONS = 10;
const KILLS = 5;
const WORDS = 4;
/** Prints each key once. With echo or lines, the kernel would mix what is typed with what is printed. */
const COPIES = "stty raw -echo; printf ready; exec cat";

test(`${SESSIONS * KILLS} interleavings with kill -9, seed ${SEED}`, async () => {
  await using s = await stand();
  const random = seeded(SEED);
  const ids = await Promise.all(Array.from({ length: SESSIONS }, () => s.open(["sh", "-c", COPIES])));
  for (const session_id of ids) await s.person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
  const sockets = ids.map((id) => {
    const address = `ws+unix://${s.duetty.home.daemonSocket}:/v1/sessions/${id}/terminal?view=composed`;
    const socket = new AttachSocket(address, s.duetty.token("person"));
    socket.begin({ opened: () => undefined, message: () => undefined, away: () => undefined, failed: () => undefined });
    return socket;
  });
  const typed = ids.map((): string[] => []);
  /** Between others, in a turn of its own. */
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** What a dead daemon leaves unanswered does not matter here. */
  const tries = (call: Promise<unknown>) => void call.catch(() => undefined);
  const alongside = (session_id: string) => {
    const dice = Math.floor(random() * 4);
    if (dice === 0) tries(s.agent("a").pty_send({ session_id, text: "<agent>" }));
    if (dice === 1) tries(s.person.take({ session_id }));
    if (dice === 2) tries(s.person.stop({ session_id }));
    if (dice === 3) tries(s.person.release({ session_id }));
  };
  for (let round = 0; round < KILLS; round += 1) {
    const { pid } = (await soon(() => s.person.status({}))).daemon;
    const killAt = Math.floor(random() * SESSIONS * WORDS);
    for (let i = 0; i < SESSIONS * WORDS; i += 1) {
      const at = Math.floor(random() * SESSIONS);
      const word = `s${at}r${round}w${i}`;
      typed[at]?.push(word);
      sockets[at]?.type(Buffer.from(`${word}\r`));
      if (random() < 0.3) alongside(ids[at] ?? "");
      if (i === killAt) process.kill(pid, "SIGKILL");
      await turn();
    }
  }
  await s.duetty.status();
  for (const [at, id] of ids.entries()) {
    const all = typed[at]?.map((word) => `${word}\r`).join("");
    await soon(() => expect([id, s.duetty.raw(id).toString()]).toEqual([id, `ready${all}`]));
  }
  for (const socket of sockets) socket.terminate();
}, 120_000);
