// History: which past commands are found, in which order, for a search, the arrow keys and a suggestion.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block } from "../../../src/core/block/block.ts";
import { type HistoryQuery, historyOf, type SessionRuns } from "../../../src/core/block/history.ts";
import { TypedLines } from "../../../src/core/gate/line/typed-lines.ts";
import { fitOf } from "../../../src/protocol/plain/fuzzy.ts";

let clock = 0;
function ran(cmd: string | null, more: Partial<Block> = {}): Block {
  clock += 1;
  const exit_code = more.exit_code ?? 0;
  return {
    block_id: `b_00000000_${clock}`,
    cmd,
    cwd: "/home/me",
    actor: "person",
    ...(more.actor === undefined ? { entered: true as const } : {}),
    ts_begin: clock,
    ts_end: clock,
    duration_ms: 1,
    cursor_begin: 0,
    cursor_end: 1,
    alt_screen_used: false,
    run_id: null,
    state: exit_code === 0 ? "done" : "failed",
    ...more,
    exit_code,
  };
}
const HERE = { session_id: "s_here", cwd: "/app" };
const found = (sessions: readonly SessionRuns[], query: Partial<HistoryQuery>) =>
  historyOf(sessions, { text: "", use: "search", only: [], ...query }, HERE, 100).best.map(({ cmd }) => cmd);
const one = (blocks: readonly Block[], session_id = "s_here", isOwn = true) => [{ session_id, blocks, isOwn }];

describe("a search", () => {
  test("each command once; people's own first, then agents', the newest first", () => {
    const blocks = [
      ran("make"),
      ran("make test"),
      ran("rm -r x", { actor: "agent:a" }),
      ran("make", { actor: "agent:a" }),
      ran(null),
      ran("ls"),
    ];
    expect(found(one(blocks), { only: ["session"] })).toEqual(["ls", "make test", "make", "rm -r x"]);
    expect(found(one(blocks), {})).toEqual(["ls", "make test", "make"]);
    const [first] = historyOf(one(blocks), { text: "make", use: "search", only: [] }, HERE, 100).best.filter(
      ({ cmd }) => cmd === "make",
    );
    expect(first?.actor).toBe("person");
  });

  test("a better kind of match comes first; scattered letters only when little else fits", () => {
    const blocks = [ran("git push"), ran("legit push"), ran("sudo git pull"), ran("golint all"), ran("git status")];
    expect(found(one(blocks), { text: "git" })).toEqual(["git status", "git push", "sudo git pull", "legit push"]);
    expect(found(one(blocks), { text: "glall" })).toEqual(["golint all"]);
    expect(found(one(blocks), { text: "push git" })).toEqual(["git push"]);
    expect(found(one(blocks), { text: "nothing like it" })).toEqual([]);
  });

  test("filters: this folder, this session, failed", () => {
    const sessions = [
      ...one([ran("a", { cwd: "/app" }), ran("b", { exit_code: 1 }), ran("stopped", { exit_code: 148 })]),
      ...one([ran("c", { cwd: "/app", exit_code: 2 }), ran("d")], "s_other"),
    ];
    expect(found(sessions, { only: ["folder"] })).toEqual(["c", "a"]);
    expect(found(sessions, { only: ["session"] })).toEqual(["stopped", "b", "a"]);
    expect(found(sessions, { only: ["failed"] })).toEqual(["c", "b"]);
    expect(found(sessions, { only: ["session", "failed"] })).toEqual(["b"]);
  });

  test("whatever is found has the letters of every word, and what has the text in it is found", () => {
    const text = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), fc.string({ maxLength: 6 }), (commands, query) => {
        const all = found(one(commands.map((cmd) => ran(cmd))), { text: query });
        expect(new Set(all).size).toBe(all.length);
        for (const cmd of all) expect(fitOf(query, cmd)).toBeDefined();
        const wanted = query.trim().toLowerCase();
        for (const cmd of commands) if (cmd.toLowerCase().startsWith(wanted)) expect(all).toContain(cmd);
      }),
    );
  });
});

test("the arrow keys: what begins so, of this session first", () => {
  const sessions = [
    ...one([ran("echo a1"), ran("printf b"), ran("echo a2")]),
    ...one([ran("echo far"), ran("echo a1")], "s_other"),
  ];
  expect(found(sessions, { use: "recall", text: "echo" })).toEqual(["echo a2", "echo a1", "echo far"]);
  expect(found(sessions, { use: "recall", text: "echo a1" })).toEqual([]);
  expect(found(sessions, { use: "recall" })).toEqual(["echo a2", "printf b", "echo a1", "echo far"]);
});

test("what only marks claim is for its own session, and never suggested; an agent's session tells no folder", () => {
  const sessions = [
    ...one([ran("git claimed", { entered: undefined }), ran("git agent", { actor: "agent:a" })]),
    ...one([ran("git far", { entered: undefined }), ran("git mine", { cwd: "/app" })], "s_box", false),
  ];
  expect(found(sessions, { text: "git" })).toEqual(["git mine"]);
  expect(found(sessions, { text: "git", only: ["folder"] })).toEqual([]);
  expect(found(sessions, { text: "git", only: ["session"] })).toEqual(["git claimed", "git agent"]);
  expect(found(sessions, { text: "git", use: "recall" })).toEqual(["git claimed", "git mine"]);
  expect(found(sessions, { text: "git", use: "suggest" })).toEqual(["git mine"]);
});

test("lines that keys alone tell are known; what the shell read otherwise, and a second guess, are not", () => {
  const keys = (...typed: string[]) => {
    const lines = new TypedLines();
    for (const text of typed) lines.typed(new TextEncoder().encode(text));
    return lines;
  };
  const known: readonly [string, string][] = [
    ["ls -l\r", "ls -l"],
    ["lsé\x7f -l \n", "ls -l"],
    ["rm x\x03ls\r", "ls"],
    ["\x1b[200~a\rb\x1b[201~\r", "a\nb"],
  ];
  for (const [typed, line] of known) expect(keys(typed).isOne(line)).toBe(true);
  for (const typed of ["l\t\r", "\x1b[A\r", "ls\x1b[Dx\r", "ls", "ls\x15\r"])
    expect(keys(typed).isOne("ls")).toBe(false);
  const ahead = keys("one\rtwo\r");
  expect([ahead.isOne("one"), ahead.isOne("guess"), ahead.isOne("two")]).toEqual([true, false, false]);
  const mixed = keys("l");
  mixed.mixed(Uint8Array.of(0x73));
  mixed.typed(Uint8Array.of(0x0d));
  expect(mixed.isOne("ls")).toBe(false);
});

test("a suggestion: this folder's before newer ones; never an agent's or a guest's, unfound or deceptive one", () => {
  const sessions = [
    ...one([ran("git pull --rebase", { cwd: "/app" }), ran("git push --force", { actor: "agent:a", cwd: "/app" })]),
    ...one([ran("git log"), ran("git stauts", { exit_code: 127 })], "s_other"),
    ...one(
      ["git a\nrm -r x", "git b\u202eevil", "git c\x1b[2J", "git d\u200b"].map((cmd) => ran(cmd)),
      "s_odd",
    ),
    ...one([ran("git guest", { actor: "person:Eve" })], "s_shared"),
  ];
  expect(found(sessions, { use: "suggest", text: "git" })).toEqual(["git pull --rebase", "git log"]);
  expect(found(sessions, { use: "suggest", text: "git pull --rebase" })).toEqual([]);
});
