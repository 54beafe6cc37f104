// What a full-screen program last showed, kept in its block: whole, however the program tidied up before it left.
import { expect, it } from "vitest";
import { writeFiles } from "../../fixtures/folder.ts";
import { SOON_MS } from "../../fixtures/soon.ts";
import type { ShellKind } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { person, openShell, stateOf } = sharedStand();

const CURSES = `import curses
def main(screen):
    for i in range(10): screen.addstr(i, 0, f"row {i + 1}")
    screen.getch()
curses.wrapper(main)
`;

async function shellWithFiles(shell: ShellKind = "bash"): Promise<string> {
  const { session_id, cwd } = await openShell(shell, { cols: 60, rows: 12 });
  const rows = Array.from({ length: 100 }, (_, i) => `row ${i + 1}\n`).join("");
  writeFiles(cwd, { "rows.txt": rows, "rows.py": CURSES });
  return session_id;
}

/** Starts it, and says what it shows when it is quiet. */
async function begun(session_id: string, line: string) {
  const then = { any: [{ regex: "row 7|PID" }], timeout_ms: SOON_MS };
  // With the screen, which says so when the program is not found.
  expect(await person.pty_send({ session_id, text: `${line}\n`, then })).toMatchObject({ outcome: "matched" });
  await expect.poll(() => stateOf(session_id)).toBe("waiting_for_input");
  await person.pty_wait({ session_id, any: [{ settled_ms: 300 }], timeout_ms: SOON_MS });
  return person.pty_read_screen({ session_id });
}

const ended = { any: [{ block_end: true as const }], timeout_ms: SOON_MS };
/** htop's meters go on every ten seconds; its headings and keys stay. */
const still = (rows: readonly string[]) => rows.filter((row) => !/PID|F1/.test(rows.join()) || /PID|F1/.test(row));

async function kept(session_id: string): Promise<string[]> {
  const { runs } = await person.block({ block_id: `${session_id}:last`, format: "screen" });
  return (runs ?? []).map((row) =>
    row
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
}

it.each([
  ["vim -u NONE -i NONE -n -N rows.txt", ":q!\r"],
  ["vim -u NONE -i NONE -n -N rows.txt", ":wq\r"],
  ["less rows.txt", "q"],
  ["man -P less ./rows.txt", "q"],
  ["nano -R rows.txt", "\x18"],
  ["htop -d 100", "q"],
  ["python3 rows.py", "q"],
])("%s keeps its last screen when it is left with %j", async (line, keys) => {
  const id = await shellWithFiles();
  const { rows } = await begun(id, line);
  await person.pty_send({ session_id: id, text: keys, then: ended });
  const last = await kept(id);
  expect(last.length).toBe(rows.length);
  expect(still(last.slice(0, -1))).toEqual(still(rows.slice(0, -1)));
  // In vim's last row stands what was typed.
  if (!line.startsWith("vim")) expect(last.at(-1)).toBe(rows.at(-1));
});

it("a program that ends before anybody saw it keeps its screen", async () => {
  const id = await shellWithFiles();
  await person.pty_send({ session_id: id, text: "less rows.txt\nq", then: ended });
  expect((await kept(id)).slice(0, -1)).toEqual(Array.from({ length: 11 }, (_, i) => `row ${i + 1}`));
});

it.each([
  ["bash", "vim -u NONE -i NONE -n -N rows.txt", "SIGTERM"],
  ["bash", "vim -u NONE -i NONE -n -N rows.txt", "SIGKILL"],
  ["zsh", "less rows.txt", "SIGKILL"],
  ["fish", "htop -d 100", "SIGKILL"],
] as const)("%s: %s keeps its last screen when it is ended by %s", async (shell, line, signal) => {
  const id = await shellWithFiles(shell);
  const { rows, foreground, cursor_bytes } = await begun(id, line);
  process.kill(foreground?.pid ?? 0, signal);
  await person.pty_wait({ session_id: id, ...ended, since: cursor_bytes });
  expect(still(await kept(id))).toEqual(still(rows));
});
