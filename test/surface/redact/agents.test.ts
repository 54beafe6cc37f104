// What stands on a person's screen and is a secret: the person reads it, and no answer to an agent has it.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { seeded } from "../../fixtures/seeded.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const s = sharedStand();
const random = seeded(4711);
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const word = (length: number) => Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join("");

/** No eight letters in a row of it. */
function expectNothingOf(secret: string, answer: object): void {
  const text = JSON.stringify(answer);
  for (let at = 0; at + 8 <= secret.length; at += 1) expect(text).not.toContain(secret.slice(at, at + 8));
}

/** A session in which a person's command printed a token, and what was random in it. */
async function printed(more: { cols?: number; env?: Record<string, string> } = {}) {
  const { session_id } = await s.openShell("bash", { rows: 24, ...more });
  const secret = word(36);
  const line = `printf '\\033]2;a title with ghp_${secret}\\007'; echo "the token is ghp_${secret}, keep it"`;
  const ran = await s.person.run_command({ session_id, command: line });
  await s.person.pty_wait({ session_id, any: [{ prompt: true }] });
  return { session_id, secret, block_id: ran.block_id ?? "" };
}

const READS: readonly [string, (client: Client, made: Awaited<ReturnType<typeof printed>>) => Promise<object>][] = [
  ["the screen", (c, { session_id }) => c.pty_read_screen({ session_id, scrollback: 100 })],
  ["the screen as text", (c, { session_id }) => c.pty_read_screen({ session_id, format: "text" })],
  ["the screen as rows", (c, { session_id }) => c.pty_read_screen({ session_id, format: "rows" })],
  ["the screen as ANSI", (c, { session_id }) => c.pty_read_screen({ session_id, format: "ansi" })],
  ["the screen with styles", (c, { session_id }) => c.pty_read_screen({ session_id, format: "styled" })],
  ["the screen as HTML", (c, { session_id }) => c.pty_read_screen({ session_id, format: "html" })],
  ["a wait", (c, { session_id }) => c.pty_wait({ session_id, any: [{ text: "the token is" }], since: 0 })],
  ["the list of commands", (c, { session_id }) => c.blocks({ session_id })],
  ["a command's output", (c, { block_id }) => c.block({ block_id })],
  ["a search", (c, { session_id }) => c.search({ session_id, query: "the token is" })],
  ["a report", (c, { session_id }) => c.report({ id: session_id })],
  ["a recording", (c, { session_id }) => c.export({ session_id, format: "text" })],
  ["a recording as a page", (c, { session_id }) => c.export({ session_id, format: "html" })],
  ["the screen as it was", (c, { session_id }) => c.pty_read_screen({ session_id, at: 1_000_000, format: "styled" })],
];

test("no answer to an agent has a token that stands on the screen, and the person's have it", async () => {
  const made = await printed({ cols: 200 });
  const told: string[] = [];
  for (const [name, read] of READS) {
    expectNothingOf(made.secret, await read(s.agent(), made));
    if (JSON.stringify(await read(s.person, made)).includes(made.secret)) told.push(name);
  }
  // Otherwise this test would show nothing.
  expect(READS.map(([name]) => name).filter((name) => !told.includes(name))).toEqual([]);
});

test("what is kept of changes on disk has no secret, whoever reads it", async () => {
  const { session_id, secret } = await printed({ cols: 50 });
  for (const client of [s.person, s.agent()]) {
    const { deltas } = await client.pty_read_screen_deltas({ session_id, cursor: 0 });
    expect(JSON.stringify(deltas)).toContain("keep it");
    expectNothingOf(secret, deltas);
  }
});

const FORMATS = ["json", "text", "rows", "styled", "ansi", "html"] as const;

/** Without the escapes, styles and tags between its letters. */
function bareOf(content: string): string {
  return content.replace(/(?:\\u001b|\u001b)\[[\d;]*m|<[^>]*>|⟨[^⟩]*⟩|\\n|\n/g, "");
}

test.each([20, 33, 77])("a token in many colours that goes on in the next row, at %i columns", async (cols) => {
  const { session_id } = await s.openShell("bash", { rows: 24, cols });
  const secret = word(36);
  const colours = [...`ghp_${secret}`].map((char, i) => `\\033[3${i % 8}m${char}`).join("");
  await s.person.run_command({ session_id, command: `clear; printf 'the token is ${colours}\\033[0m, keep it\\n'` });
  await s.person.run_command({ session_id, command: "true" });
  const now = { session_id, cursor: (await s.person.pty_screen_status({ session_id })).cursor_bytes };
  for (const at of [undefined, String(now.cursor)])
    for (const format of FORMATS) {
      const read = { session_id, format, scrollback: 50, ...(at === undefined ? {} : { at }) };
      const screen = await s.agent().pty_read_screen(read);
      const bare = bareOf(JSON.stringify({ ...screen, content: "" }) + bareOf(screen.content ?? ""));
      expectNothingOf(secret, { bare });
      expect(bare).toContain("•");
    }
});

test("the end of a token whose beginning has left the screen is hidden, and so is a private key's middle", async () => {
  const { session_id } = await s.openShell("bash", { rows: 5, cols: 20 });
  const secret = word(60);
  const key = Array.from({ length: 30 }, () => word(64));
  const file = join(s.folder(), "key");
  fs.writeFileSync(file, `-----BEGIN PRIVATE KEY-----\n${key.join("\n")}\n-----END PRIVATE KEY-----\n`);
  await s.person.run_command({ session_id, command: `PS1=; clear; printf 'token=ghp_${secret}\\n\\n\\n'` });
  const see = (format: (typeof FORMATS)[number]) => s.agent().pty_read_screen({ session_id, format });
  for (const format of FORMATS) expectNothingOf(secret, { bare: bareOf(JSON.stringify(await see(format))) });
  await s.person.pty_resize({ session_id, cols: 80, rows: 5 });
  const { block_id } = await s.person.run_command({ session_id, command: `head -20 ${file}` });
  for (const format of FORMATS) expectNothingOf(key.join(""), { bare: bareOf(JSON.stringify(await see(format))) });
  const { content } = await s.agent().block({ block_id: block_id ?? "", lines: "5:8" });
  expectNothingOf(key.join(""), { content });
  for (const line of key.slice(0, 19)) {
    const { matches } = await s.agent().search({ session_id, query: line.slice(4, 20) });
    expect(matches).toEqual([]);
  }
});

test("what an agent runs itself is answered without the secret, which has the same mark everywhere", async () => {
  const { session_id } = await s.openShell("bash", { cols: 200 });
  const secret = word(36);
  const command = `echo ghp_${secret}; echo "again: ghp_${secret}"`;
  const ran = await s.agent().run_command({ session_id, command });
  expectNothingOf(secret, ran);
  const marks = ran.output?.head?.match(/‹redacted:github:[0-9a-f]{4}›/g) ?? [];
  expect([marks.length, new Set(marks).size]).toEqual([2, 1]);
});

test("the value of a session's variable is hidden wherever it stands, also in base64", async () => {
  const value = word(24);
  const { session_id } = await s.openShell("bash", { cols: 200, env: { DEPLOY_TOKEN: value } });
  const ran = await s
    .agent()
    .run_command({ session_id, command: 'echo "x"$DEPLOY_TOKEN"x"; printf %s "$DEPLOY_TOKEN" | base64' });
  expectNothingOf(value, ran);
  expectNothingOf(Buffer.from(value).toString("base64").slice(0, -4), ran);
});

test("text without secrets comes as it is", async () => {
  const { session_id } = await s.openShell("bash", { cols: 200 });
  const text = "commit 3f786850e387550fdab836ed7e6dc881de23001b sha256:9f86d081884c7d65 password: ******** key=value";
  const { output } = await s.agent().run_command({ session_id, command: `echo '${text}'` });
  expect(output?.head).toBe(text);
});
