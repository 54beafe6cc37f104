// Real programs in a session: `see` shows what a person would see, and sizes follow.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Call, Output } from "../../../src/protocol/ops.ts";
import { git } from "../../fixtures/git.ts";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, folder, open } = sharedStand();

async function waitFor(session_id: string, any: Call<"pty_wait">["any"]): Promise<Output<"pty_read_screen">> {
  const { outcome, screen } = await person.pty_wait({ session_id, any });
  expect(outcome).toBe("matched");
  return screen;
}

/** Types and waits for what follows from it, in one call. */
async function act(session_id: string, input: Omit<Call<"pty_send">, "session_id" | "then">, regex: string) {
  const then = { any: [{ regex }] };
  const { outcome, screen } = await person.pty_send({ session_id, ...input, then });
  expect({ outcome, regex, rows: outcome === "matched" ? [] : screen.rows }).toMatchObject({ outcome: "matched" });
  return screen;
}

it("vim inserts, shows its status line, follows the size and writes", async () => {
  const cwd = folder();
  const id = await open(["vim", "-u", "NONE", "-N", "notes.txt"], { cwd, cols: 70, rows: 15 });
  await waitFor(id, [{ idle_ms: 150 }]);
  await act(id, { keys: ["i"] }, "-- INSERT --");
  const typed = await act(id, { text: "first line\nzwölf 漢字 🙂" }, "漢字 🙂");
  expect(typed.rows.slice(0, 3)).toEqual(["first line", "zwölf 漢字 🙂", "~"]);
  expect(typed).toMatchObject({ alt_screen: true, cols: 70, rows_count: 15, cursor: { row: 1, col: 13 }, echo: "raw" });
  expect(typed.foreground?.name).toBe("vim");
  await person.pty_resize({ session_id: id, cols: 40, rows: 8 });
  const small = await waitFor(id, [{ idle_ms: 200 }]);
  expect(small).toMatchObject({ cols: 40, rows_count: 8 });
  expect(small.rows[7]).toContain("-- INSERT --");
  await person.pty_send({ session_id: id, keys: ["Escape"] });
  await person.pty_send({ session_id: id, text: ":wq\n", then: { any: [{ exit: true }] } });
  expect(fs.readFileSync(join(cwd, "notes.txt"), "utf8")).toBe("first line\nzwölf 漢字 🙂\n");
});

it("less pages forward and back by keys", async () => {
  const cwd = folder({ "long.txt": Array.from({ length: 100 }, (_, i) => `line ${i + 1}`).join("\n") });
  const id = await open(["less", "long.txt"], { cwd, cols: 60, rows: 11 });
  const first = await waitFor(id, [{ idle_ms: 200 }]);
  expect(first.rows.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, i) => `line ${i + 1}`));
  const next = await act(id, { keys: ["Space"] }, "^line 20$");
  expect(next.rows[0]).toBe("line 11");
  const end = await act(id, { keys: ["G"] }, "^line 100$");
  expect(end.rows.at(-2)).toBe("line 100");
  await person.pty_send({ session_id: id, keys: ["q"], then: { any: [{ exit: true }] } });
});

it("htop draws its meters, follows the size and ends on q", async () => {
  const id = await open(["htop"], { cols: 100, rows: 20 });
  const see = () => person.pty_read_screen({ session_id: id });
  await soon(async () => expect((await see()).rows.join("\n")).toMatch(/Mem\[.*\][\s\S]*PID.*USER.*CPU%.*MEM%/));
  expect(await see()).toMatchObject({ alt_screen: true, rows_count: 20 });
  await person.pty_resize({ session_id: id, cols: 80, rows: 30 });
  await soon(async () => expect((await see()).rows[29]).toContain("F10Quit"));
  await person.pty_send({ session_id: id, keys: ["q"], then: { any: [{ exit: true }] } });
});

it("python3 shows a prompt, a value and an error, and ends at EOF", async () => {
  const id = await open(["python3", "-q"], { cols: 80, rows: 24 });
  await waitFor(id, [{ idle_ms: 400 }]);
  await act(id, { text: "6 * 7\n" }, "^42$");
  await act(id, { text: "1 / 0\n" }, "ZeroDivisionError: division by zero");
  const { outcome } = await person.pty_send({ session_id: id, keys: ["Ctrl+D"], then: { any: [{ exit: true }] } });
  expect(outcome).toBe("matched");
});

it("git log shows colours in a pager that can be quit", async () => {
  const cwd = folder();
  git(cwd, "init", "-q");
  for (let i = 1; i <= 30; i++) git(cwd, "commit", "-q", "--allow-empty", "-m", `change ${i}`);
  const env = { GIT_PAGER: "less -R" };
  const session_id = await open(["git", "log", "--oneline", "--color"], { cwd, cols: 80, rows: 12, env });
  const screen = await waitFor(session_id, [{ idle_ms: 300 }]);
  expect(screen.rows[0]).toMatch(/^[0-9a-f]{7,} (\(HEAD -> \w+\) )?change 30$/);
  expect(screen.rows.at(-1)).toBe(":");
  expect(duetty.raw(session_id).toString()).toContain("\x1b[33m");
  await person.pty_send({ session_id, keys: ["q"], then: { any: [{ exit: true }] } });
});
