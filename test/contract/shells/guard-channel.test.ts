// The daemon's end of the guard's channel. Whatever is written into it, it answers the right caller or none.

import fs from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GuardAnswer, GuardQuestion } from "../../../src/core/block/shells.ts";
import { openGuard } from "../../../src/host/shell/guard.ts";
import { testFolder } from "../../fixtures/folder.ts";
import { openDescriptors } from "../../fixtures/pty/native-sessions.ts";
import { soon } from "../../fixtures/soon.ts";

let dir: string;
let asked: GuardQuestion[];
let judge: (question: GuardQuestion) => GuardAnswer | Promise<GuardAnswer>;
let guard: { close(): void };
let verdict: number;

beforeEach(() => {
  dir = testFolder();
  asked = [];
  judge = () => "allow";
  guard = openGuard(dir, (question) => {
    asked.push(question);
    return judge(question);
  });
  verdict = listen();
});

afterEach(() => {
  fs.closeSync(verdict);
  guard.close();
});

const listen = (): number => fs.openSync(join(dir, "verdict"), fs.constants.O_RDWR | fs.constants.O_NONBLOCK);

function ask(bytes: string | Buffer): void {
  const fd = fs.openSync(join(dir, "ask"), fs.constants.O_RDWR);
  fs.writeSync(fd, Buffer.from(bytes));
  fs.closeSync(fd);
}

function read(fd: number): string {
  const into = Buffer.alloc(65_536);
  try {
    return into.toString("utf8", 0, fs.readSync(fd, into));
  } catch {
    return "";
  }
}

async function heard(): Promise<string> {
  let text = "";
  await soon(() => {
    text += read(verdict);
    expect(text).toMatch(/\n$/);
  });
  return text;
}

/** What those who wait for their turn would read. */
function waiting(): string {
  const fd = fs.openSync(join(dir, "turn"), fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  const found = read(fd);
  fs.writeSync(fd, found);
  fs.closeSync(fd);
  return found;
}

/** How many may ask now. */
const turns = (): number => waiting().replaceAll("w", "").length;

function takeTurn(): void {
  const fd = fs.openSync(join(dir, "turn"), fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  expect(read(fd)).toBe(".");
  fs.closeSync(fd);
}

test.each([
  ["1.2 command r1 echo a\n", "=1.2 allow\n", { kind: "command", run_id: "r1", text: "echo a" }],
  ["1.2 line - \n", "=1.2 allow\n", { kind: "line", run_id: "-", text: "" }],
  ["1.2 line - é\\x3b\\\\x3b\\x0a\\x1b \n", "=1.2 allow\n", { kind: "line", run_id: "-", text: "é;\\x3b\n\x1b " }],
])("%j is understood", async (question, answer, is) => {
  ask(question);
  expect(await heard()).toBe(answer);
  expect(asked).toEqual([is]);
});

test.each([
  ["1.2 command r1 bad\\escape\n", "=1.2 deny malformed\n"],
  ["1.2 command r1 bad\\x3\n", "=1.2 deny malformed\n"],
  ["1.2 command r1 a\x07b\n", "=1.2 deny malformed\n"],
  [`1.2 command r1 ${"x".repeat(5_000)}\n`, "=1.2 deny too long\n"],
])("%j is denied without asking", async (question, answer) => {
  ask(question);
  expect(await heard()).toBe(answer);
  expect(asked).toEqual([]);
});

test.each([
  "\n",
  "garbage\n",
  "1.2\n",
  "1.2 command\n",
  "1.2 order r1 x\n",
  " 1.2 command r1 x\n",
  "1.2 command  x\n",
  "\0\xff\n",
  "../x command r1 x\n",
])("%j gets no answer, and the next question does", async (question) => {
  ask(question);
  ask("3.4 command r1 next\n");
  expect(await heard()).toBe("=3.4 allow\n");
  expect(asked.map(({ text }) => text)).toEqual(["next"]);
});

test("a reason is one short line; a judge that fails denies", async () => {
  judge = () => ({ deny: `two\nlines\x1b${"x".repeat(1_000)}` });
  ask("1.1 command r x\n");
  expect(await heard()).toMatch(/^=1\.1 deny two lines x{50,100}\n$/);
  judge = () => {
    throw new Error("bug");
  };
  ask("1.2 command r x\n");
  expect(await heard()).toBe("=1.2 deny the judge failed\n");
  judge = () => Promise.reject(new Error("bug"));
  ask("1.3 command r x\n");
  expect(await heard()).toBe("=1.3 deny the judge failed\n");
});

test("a flood of questions neither stops the channel nor makes it grow", async () => {
  const fd = fs.openSync(join(dir, "ask"), fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  const pieces = [Buffer.alloc(65_536, "x"), Buffer.alloc(65_536, "1.1 command r x\n")] as const;
  const before = process.memoryUsage().arrayBuffers;
  for (let sent = 0; sent < 20_000_000; ) {
    try {
      sent += fs.writeSync(fd, pieces[(sent >> 20) & 1 ? 1 : 0]);
    } catch {
      await new Promise<void>((resolve) => setImmediate(resolve));
      read(verdict);
    }
  }
  // What was read is garbage; only what is kept counts.
  await soon(() => {
    collectGarbage();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20);
  });
  // EAGAIN until the rest is read, and left out while it is read.
  await soon(() => {
    fs.writeSync(fd, "\n9.9 command r last\n");
    expect(read(verdict)).toContain("=9.9 allow\n");
  });
  fs.closeSync(fd);
});

test("at most a few questions are open", async () => {
  judge = () => new Promise(() => undefined);
  for (let i = 0; i < 20; i += 1) ask(`1.${i} command r x\n`);
  await soon(() => expect(asked).toHaveLength(16));
  expect(await heard()).toContain("=1.16 deny too many questions\n");
});

test("a lost turn comes back once", async () => {
  expect(turns()).toBe(1);
  takeTurn();
  // Killed before it asked.
  ask("2.2 lost\n");
  await soon(() => expect(turns()).toBe(1));
  ask("2.3 lost\n2.4 command r x\n");
  await heard();
  expect(turns()).toBe(1);
});

test("a turn stays with its owner while it may still ask, and waiting shells are told that the daemon lives", async () => {
  takeTurn();
  ask("1.1 command r x\n");
  expect(await heard()).toBe("=1.1 allow\n");
  // 1.1 passes the turn on, and the next one is slow to ask.
  ask("2.2 lost\n");
  await soon(() => expect(waiting()).toBe("w"));
  await soon(() => {
    ask("2.2 lost\n");
    expect(turns()).toBe(1);
  });
});

test("after an answer that took long the turn is on its way, and no second one is given", async () => {
  // Longer than the channel takes for a sign that the turn is lost.
  judge = () => new Promise((resolve) => setTimeout(() => resolve("allow"), 1_100));
  takeTurn();
  ask("1.1 command r x\n");
  expect(await heard()).toBe("=1.1 allow\n");
  ask("2.2 lost\n");
  await soon(() => expect(waiting()).toBe("w"));
});

test("a turn that is lost while the judge decides comes back with the answer or before it", async () => {
  let answer = (_: GuardAnswer): void => undefined;
  judge = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  for (const tell of [() => answer("allow"), () => ask("2.2 lost\n")]) {
    takeTurn();
    ask("1.1 command r x\n");
    await soon(() => expect(asked.splice(0)).toHaveLength(1));
    fs.closeSync(verdict);
    tell();
    await soon(() => expect(turns()).toBe(1));
    verdict = listen();
    answer("allow");
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(read(verdict)).toBe("");
  }
});

test("a process that still waits keeps the turn", async () => {
  judge = () => new Promise(() => undefined);
  takeTurn();
  ask("1.1 command r x\n2.2 lost\n");
  ask("3.3 command r y\n");
  await soon(() => expect(asked).toHaveLength(2));
  expect(turns()).toBe(0);
});

test("close leaves no files; opening over a dead daemon's files works", async () => {
  guard.close();
  guard.close();
  expect(fs.readdirSync(dir)).toEqual([]);
  fs.closeSync(verdict);
  const before = openDescriptors();
  fs.writeFileSync(join(dir, "verdict"), "left");
  guard = openGuard(dir, () => "allow guarded");
  verdict = listen();
  ask("1.1 line - x\n");
  expect(await heard()).toBe("=1.1 allow guarded\n");
  guard.close();
  await soon(() => expect(openDescriptors()).toBeLessThanOrEqual(before + 1));
});

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
