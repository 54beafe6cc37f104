// Real programs in a session: `see` shows what a person would see, and sizes follow.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Call, Output } from "../../src/protocol/ops.ts";
import { Installation } from "../fixtures/installation.ts";
import { soon } from "../fixtures/soon.ts";

const duetty = new Installation();
const folder = join(duetty.home.dir, "work");
afterAll(() => duetty[Symbol.asyncDispose]());

async function open(command: string[], size: { cols: number; rows: number }): Promise<string> {
  fs.mkdirSync(folder, { recursive: true });
  const flags = ["--cwd", folder, "--cols", String(size.cols), "--rows", String(size.rows)];
  return (await duetty.json<Output<"pty_open">>("open", ...flags, "--", ...command)).session_id;
}

async function waitFor(session_id: string, any: Call<"pty_wait">["any"]): Promise<Output<"pty_read_screen">> {
  const { outcome, screen } = await duetty.client().pty_wait({ session_id, any });
  expect(outcome).toBe("matched");
  return screen;
}

/** Types and waits for what follows from it, in one call. */
async function act(session_id: string, input: Omit<Call<"pty_send">, "session_id" | "then">, regex: string) {
  const then = { any: [{ regex }] };
  const { outcome, screen } = await duetty.client().pty_send({ session_id, ...input, then });
  expect({ outcome, regex, rows: outcome === "matched" ? [] : screen.rows }).toMatchObject({ outcome: "matched" });
  return screen;
}

it("vim: insert, status line, resize, write", async () => {
  const id = await open(["vim", "-u", "NONE", "-N", "notes.txt"], { cols: 70, rows: 15 });
  await waitFor(id, [{ idle_ms: 150 }]);
  await act(id, { keys: ["i"] }, "-- INSERT --");
  const typed = await act(id, { text: "first line\nzwölf 漢字 🙂" }, "漢字 🙂");
  expect(typed.rows.slice(0, 3)).toEqual(["first line", "zwölf 漢字 🙂", "~"]);
  expect(typed).toMatchObject({ alt_screen: true, cols: 70, rows_count: 15, cursor: { row: 1, col: 13 }, echo: "raw" });
  expect(typed.foreground?.name).toBe("vim");
  await duetty.client().pty_resize({ session_id: id, cols: 40, rows: 8 });
  const small = await waitFor(id, [{ idle_ms: 200 }]);
  expect(small).toMatchObject({ cols: 40, rows_count: 8 });
  expect(small.rows[7]).toContain("-- INSERT --");
  await duetty.client().pty_send({ session_id: id, keys: ["Escape"] });
  await duetty.client().pty_send({ session_id: id, text: ":wq\n", then: { any: [{ exit: true }] } });
  expect(fs.readFileSync(join(folder, "notes.txt"), "utf8")).toBe("first line\nzwölf 漢字 🙂\n");
});

it("less: pages forward and back by keys", async () => {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(join(folder, "long.txt"), Array.from({ length: 100 }, (_, i) => `line ${i + 1}`).join("\n"));
  const id = await open(["less", "long.txt"], { cols: 60, rows: 11 });
  const first = await waitFor(id, [{ idle_ms: 200 }]);
  expect(first.rows.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, i) => `line ${i + 1}`));
  const next = await act(id, { keys: ["Space"] }, "^line 20$");
  expect(next.rows[0]).toBe("line 11");
  const end = await act(id, { keys: ["G"] }, "^line 100$");
  expect(end.rows.at(-2)).toBe("line 100");
  await duetty.client().pty_send({ session_id: id, keys: ["q"], then: { any: [{ exit: true }] } });
});

it("htop: draws its meters, follows the size, ends on q", async () => {
  const id = await open(["htop"], { cols: 100, rows: 20 });
  const see = () => duetty.client().pty_read_screen({ session_id: id });
  await soon(async () => expect((await see()).rows.join("\n")).toMatch(/Mem\[.*\][\s\S]*PID.*USER.*CPU%.*MEM%/));
  expect(await see()).toMatchObject({ alt_screen: true, rows_count: 20 });
  await duetty.client().pty_resize({ session_id: id, cols: 80, rows: 30 });
  await soon(async () => expect((await see()).rows[29]).toContain("F10Quit"));
  await duetty.client().pty_send({ session_id: id, keys: ["q"], then: { any: [{ exit: true }] } });
});

it("python3: a prompt, a value, an error, EOF", async () => {
  const id = await open(["python3", "-q"], { cols: 80, rows: 24 });
  await waitFor(id, [{ idle_ms: 400 }]);
  await act(id, { text: "6 * 7\n" }, "^42$");
  await act(id, { text: "1 / 0\n" }, "ZeroDivisionError: division by zero");
  const { outcome } = await duetty
    .client()
    .pty_send({ session_id: id, keys: ["Ctrl+D"], then: { any: [{ exit: true }] } });
  expect(outcome).toBe("matched");
});

it("git log: colours, pager, quit", async () => {
  const repo = join(folder, "repo");
  fs.mkdirSync(repo, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", repo, "-c", "user.name=A", "-c", "user.email=a@example.org", ...args]);
  git("init", "-q");
  for (let i = 1; i <= 30; i++) git("commit", "-q", "--allow-empty", "-m", `change ${i}`);
  const flags = ["--cwd", repo, "--cols", "80", "--rows", "12", "--env", "GIT_PAGER=less -R"];
  const { session_id } = await duetty.json<Output<"pty_open">>(
    "open",
    ...flags,
    "--",
    "git",
    "log",
    "--oneline",
    "--color",
  );
  const screen = await waitFor(session_id, [{ idle_ms: 300 }]);
  expect(screen.rows[0]).toMatch(/^[0-9a-f]{7,} (\(HEAD -> \w+\) )?change 30$/);
  expect(screen.rows.at(-1)).toBe(":");
  expect(duetty.raw(session_id).toString()).toContain("\x1b[33m");
  await duetty.client().pty_send({ session_id, keys: ["q"], then: { any: [{ exit: true }] } });
});
