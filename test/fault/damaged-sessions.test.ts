// A session whose files are damaged costs itself only: the daemon starts, every other session is whole, and doctor names it.
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { duetty, person } = sharedStand({ daemon: "later" });
const META = {
  session_id: "s_aaaaaaaa",
  name: null,
  command: ["cat"],
  cwd: "/",
  env_names: [],
  cols: 80,
  rows: 24,
  sizing: "pinned",
  actor: "person",
  created_at: 1,
  integration: null,
};
const EXIT = { cursor: 7, kind: "exit", code: 0, signal: null, ts: 2 };

/** Damage to meta.json, each in a session of its own. */
const DAMAGED: Readonly<Record<string, object | string>> = {
  s_bad00001: { ...META, session_id: "s_bad00001", actor: null },
  s_bad00002: { ...META, session_id: "s_bad00002", cols: 0 },
  s_bad00003: { ...META, session_id: "s_bad00003", rows: 100_000 },
  s_bad00004: { ...META, session_id: "s_bad00004", command: "cat" },
  s_bad00005: { ...META, session_id: "s_bad00005", created_at: "yesterday" },
  s_bad00006: { ...META, session_id: "s_other000" },
  s_bad00007: '{"session_id": "s_bad00007", "com',
  s_bad00008: "\0\0\0\0",
};

beforeAll(async () => {
  const lay = (id: string, meta: object | string, records: readonly object[]) => {
    const dir = join(duetty.home.sessions, id);
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(join(dir, "meta.json"), typeof meta === "string" ? meta : JSON.stringify(meta));
    fs.writeFileSync(join(dir, "output.raw"), "hello\r\n");
    fs.writeFileSync(join(dir, "records.jsonl"), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  };
  lay("s_aaaaaaaa", META, [EXIT]);
  lay("s_bbbbbbbb", { ...META, session_id: "s_bbbbbbbb" }, [
    { cursor: 3, kind: "resize", cols: 100_000, rows: 100_000, ts: 1 },
    { cursor: "3", kind: "resize", cols: 10, rows: 10, ts: 1 },
    { cursor: 3.5, kind: "gap", bytes: 1, ts: 1 },
    EXIT,
  ]);
  for (const [id, meta] of Object.entries(DAMAGED)) lay(id, meta, [EXIT]);
  await duetty.status();
});

test("the others are whole", async () => {
  const { sessions } = await person.pty_list({ all: true });
  expect(sessions.map(({ session_id }) => session_id).sort()).toEqual(["s_aaaaaaaa", "s_bbbbbbbb"]);
  expect((await person.pty_read_screen({ session_id: "s_aaaaaaaa" })).rows[0]).toBe("hello");
});

test("a size that no terminal has is passed over", async () => {
  const { rows, cols } = await person.pty_read_screen({ session_id: "s_bbbbbbbb" });
  expect([rows[0], cols]).toEqual(["hello", 80]);
});

test("the list names each damaged session", async () => {
  const { damaged = [] } = await person.pty_list({});
  expect(damaged.map(({ session_id }) => session_id).sort()).toEqual(Object.keys(DAMAGED).sort());
  const { stdout } = await duetty.cli("ls");
  for (const id of Object.keys(DAMAGED)) expect(stdout).toMatch(new RegExp(`${id} cannot be read: \\w`));
});

test("doctor names each damaged session, and so does who asks for it", async () => {
  const { checks } = await person.doctor({});
  const check = checks.find(({ name }) => name === "sessions");
  expect(check?.ok).toBe(false);
  for (const id of Object.keys(DAMAGED)) {
    expect(check?.detail).toContain(id);
    await expect(person.pty_read_screen({ session_id: id })).rejects.toThrow(/cannot be read/);
    expect(fs.readFileSync(join(duetty.home.sessions, id, "output.raw"), "utf8")).toBe("hello\r\n");
  }
});
