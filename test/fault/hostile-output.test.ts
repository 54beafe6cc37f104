// Output that is made to break a terminal. Afterwards the session shows the right screen, and other sessions are not affected.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { seeded } from "../fixtures/seeded.ts";
import { BULK_MS } from "../fixtures/soon.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { duetty, person } = sharedStand();
const MB = depth(1 << 16, 1 << 18, 1 << 20);

const repeat = (text: string, bytes: number) => Buffer.alloc(bytes, text, "latin1");

function randomBytes(bytes: number): Buffer {
  const random = seeded(11);
  const out = Buffer.alloc(bytes);
  for (let i = 0; i + 4 <= bytes; i += 4) out.writeUInt32LE(Math.floor(random() * 2 ** 32), i);
  return out;
}

/** Sequences with any parameters and finals, cut short now and then. */
function escapes(bytes: number): Buffer {
  const random = seeded(12);
  const pick = (n: number) => Math.floor(random() * n);
  const parts: string[] = [];
  for (let size = 0; size < bytes; ) {
    const params = Array.from({ length: pick(5) }, () => [0, 1, 5, 40, 1049, 65535, 2147483647][pick(7)]).join(";");
    const part = `\x1b${"[[[]P_^(#"[pick(9)]}${"?>=! "[pick(9)] ?? ""}${params}${String.fromCharCode(0x40 + pick(62))}${pick(5) ? "" : "text\r\n"}`;
    parts.push(part);
    size += part.length;
  }
  return Buffer.from(parts.join(""), "latin1");
}

const INPUTS: [string, () => Buffer][] = [
  // Each pair of bytes occurs about 8 times in npm test, 31 times in test:all and 125 times in test:long.
  ["random bytes", () => randomBytes(8 * MB)],
  ["escape sequences", () => escapes(5 * MB)],
  ["an OSC without end", () => Buffer.concat([Buffer.from("\x1b]2;"), repeat("title ", 10 * MB)])],
  ["a DCS without end", () => Buffer.concat([Buffer.from("\x1bPq"), repeat("#0!200~", 10 * MB)])],
  ["hostile parameters", () => repeat([..."LMST@PXbIZ"].map((final) => `x\x1b[2147483647${final}`).join(""), MB >> 3)],
  [
    "resets, repeats and alignment tests",
    () => Buffer.concat(["\x1bc", "x\x1b[9999b", "\x1b#8"].map((text) => repeat(text, MB >> 4))),
  ],
  ["combining marks without end", () => Buffer.concat([Buffer.from("e"), Buffer.alloc(4 * MB, "\u0301")])],
];

it.each(INPUTS)("%s", async (name, make) => {
  const file = join(duetty.home.dir, "hostile.bin");
  fs.rmSync(`${file}.played`, { force: true });
  fs.writeFileSync(file, make());
  const { session_id: neighbour } = await person.pty_open({ command: ["cat"] });
  // What the engine answered to questions among the bytes lies in the input; it is read away first, and what comes later
  // is a line of its own.
  const command = [
    "bash",
    "-c",
    `stty raw -echo; head -c1 >/dev/null; cat '${file}'; printf '\\033\\\\\\030\\033c'; until [ -e '${file}.played' ]; do sleep 0.05; done; while read -r -t 0.5 -n 100000 junk; do :; done; stty sane; echo READY; exec cat`,
  ];
  const { session_id } = await person.pty_open({ command, cols: 120, rows: 40 });
  await person.pty_wait({ session_id, any: [{ idle_ms: 200 }] });
  const through = person.pty_send({ session_id, text: "x", then: { any: [{ idle_ms: 400 }], timeout_ms: 200_000 } });
  for (let i = 0; i < 5; i++) {
    const { outcome } = await person.pty_send({
      session_id: neighbour,
      text: `calm${i}\n`,
      then: { any: [{ text: `calm${i}` }] },
    });
    expect(outcome).toBe("matched");
  }
  await person.pty_resize({ session_id, cols: 100, rows: 30 });
  expect((await through).outcome).toBe("matched");
  const ready = person.pty_wait({ session_id, any: [{ regex: "^READY$" }], timeout_ms: BULK_MS });
  fs.writeFileSync(`${file}.played`, "");
  await ready;
  const after = await person.pty_send({
    session_id,
    text: "\nright again\n",
    then: { any: [{ regex: "^right again$" }] },
  });
  expect({ name, outcome: after.outcome, cols: after.screen.cols }).toEqual({ name, outcome: "matched", cols: 100 });
  const stored = duetty.raw(session_id);
  expect(stored.includes(fs.readFileSync(file).subarray(-200))).toBe(true);
  await person.pty_close({ session_id });
  await person.pty_close({ session_id: neighbour });
});
