// A daemon that dies, and a reader that does not read: what was typed and printed comes once and in order, streams go on by
// themselves, and nobody keeps more than a window of what nobody took.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connect } from "../../../src/client/node.ts";
import { LONG_TEST_MS, soon } from "../../fixtures/soon.ts";
import { Reader } from "../../fixtures/stand/reader.ts";
import { type Stand, sharedStand } from "../../fixtures/stand/stand.ts";

const s = sharedStand();
/** Prints each key once: what was printed tells what was typed. */
const COPIES = ["sh", "-c", "stty raw -echo; printf ready; exec cat"];
/** The server's window, a catch-up in one piece, and a picture. */
const UNREAD_BYTES_MAX = 3 << 20;

const connected = ({ duetty }: Stand) => connect({ home: duetty.home.dir, token: duetty.token("person") });

it("kill -9 while it is typed and printed: nothing is lost, nothing comes twice, and streams go on", async () => {
  await using duo = await connected(s);
  const session_id = await s.open(COPIES);
  await s.person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
  const terminal = duo.attach(session_id);
  const reader = new Reader(terminal);
  await soon(() => expect(reader.repaints).toBe(1));
  let [news, shown] = [0, ""];
  void (async () => {
    for await (const { seq } of duo.changes()) news = seq;
  })();
  void (async () => {
    for await (const { deltas } of duo.deltas(session_id)) shown += JSON.stringify(deltas);
  })();
  let typed = "";
  const type = async (words: number) => {
    for (let i = 0; i < words; i += 1) {
      const word = `<${typed.length}>`;
      typed += word;
      expect(terminal.write(word)).toBe(true);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  for (let kills = 0; kills < 2; kills += 1) {
    await type(200);
    const dead = s.duetty.killDaemon();
    await type(200);
    await dead;
    await type(200);
    await s.duetty.start();
    await terminal.settled();
  }
  await soon(() => expect(reader.printed).toBe(typed));
  expect([reader.repaints, reader.phases.includes("reconnecting")]).toEqual([1, true]);
  news = 0;
  terminal.write("\r\n\nafter all\r\n");
  await s.person.take({ session_id });
  await soon(() => expect([news > 0, shown.includes("after all")]).toEqual([true, true]));
});

it("vim over a kill: its file has every letter", { timeout: LONG_TEST_MS }, async () => {
  await using duo = await connected(s);
  const file = join(s.folder(), "letter.txt");
  const session_id = await s.open(["vim", "-u", "NONE", "-n", file]);
  // An attached terminal resizes the program, and vim then erases the name of the file.
  const { outcome } = await s.person.pty_wait({ session_id, any: [{ text: "letter.txt" }], since: 0 });
  expect(outcome).toBe("matched");
  const terminal = duo.attach(session_id, { cols: 80, rows: 24 });
  const reader = new Reader(terminal);
  terminal.write("iDear reader,\r");
  await s.duetty.killDaemon();
  terminal.write("this was written while nobody was there.\r");
  await s.duetty.start();
  terminal.write("\x1b:wq\r");
  await soon(() => expect(reader.events).toContainEqual({ type: "exit", exit_code: 0, signal: null }));
  expect(fs.readFileSync(file, "utf8")).toBe("Dear reader,\nthis was written while nobody was there.\n\n");
});

it("who does not read holds the sender back, and sees the end", async () => {
  await using duo = await connected(s);
  const session_id = await s.open(["sh", "-c", "read go; seq 1000000; printf the-end; read go"]);
  await using terminal = duo.attach(session_id);
  terminal.write("go\r");
  await s.person.pty_wait({ session_id, any: [{ text: "the-end" }], since: 0, timeout_ms: 100_000 });
  const total = s.duetty.raw(session_id).length;
  let [taken, shown] = [0, ""];
  for await (const event of terminal) {
    if (event.type !== "bytes" && event.type !== "repaint") continue;
    taken += event.bytes.length;
    shown = (event.type === "repaint" ? "" : shown) + Buffer.from(event.bytes).toString("latin1");
    if (event.cursor >= total) break;
  }
  expect(total).toBeGreaterThan(2 * UNREAD_BYTES_MAX);
  expect(taken).toBeLessThan(UNREAD_BYTES_MAX);
  expect(shown).toContain("the-end");
});
