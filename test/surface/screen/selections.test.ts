// A selection that is made of colour alone, or of a pointer, is visible to agents: over HTTP, MCP and CLI.
import { expect, it } from "vitest";
import { connectMcp } from "../../fixtures/mcp/clients.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, open } = sharedStand();

/** A menu as curses draws it: the chosen row in reverse video, no cursor, the same text before and after a key. */
const MENU = `import curses
def main(w):
    curses.curs_set(0)
    at = 1
    while True:
        w.addstr(0, 0, "Choose a framework")
        for i, name in enumerate(["React", "Vue", "Svelte"]):
            w.addstr(2 + i, 2, "[ ] " + name, curses.A_REVERSE if i == at else 0)
        w.refresh()
        key = w.getch()
        at = (at + (1 if key == curses.KEY_DOWN else -1)) % 3
curses.wrapper(main)`;

/** Rows that are drawn as they are, and a program that then waits. */
const draws = (text: string) => ["sh", "-c", `printf '${text}'; exec cat`];

async function openMenu(): Promise<string> {
  const session_id = await open(["python3", "-c", MENU], { cols: 60, rows: 12 });
  await person.pty_wait({ session_id, any: [{ input: true }] });
  return session_id;
}

async function selectedIn(text: string) {
  const session_id = await open(draws(text), { cols: 40, rows: 8 });
  await person.pty_wait({ session_id, any: [{ input: true }] });
  return (await person.pty_read_screen({ session_id })).selected;
}

it("a curses menu: the row in reverse and the hidden cursor are told, over HTTP, MCP and CLI", async () => {
  const session_id = await openMenu();
  const screen = await person.pty_read_screen({ session_id });
  expect(screen.selected).toEqual([{ row: 3, from: 2, to: 9, text: "[ ] Vue", by: "reverse" }]);
  expect(screen.cursor.visible).toBe(false);
  const header = expect.stringMatching(/^\[Terminal Screen - 60x12 - Alt Screen: Yes - Cursor: \(\d+, \d+\) hidden - /);
  const line = "\n[Selected: row 3 (reverse): [ ] Vue]\n[End Terminal Screen]";
  await using mcp = await connectMcp(duetty);
  const told = await mcp.call("pty_read_screen", { session_id });
  expect(told.text).toEqual(header);
  expect(told.text.replace(/\n\[end \w{6}\]/, "").endsWith(line)).toBe(true);
  expect(told.data.selected).toMatchObject([{ row: 3, by: "reverse" }]);
  const { stdout } = await duetty.cli("see", session_id);
  expect(stdout).toEqual(header);
  expect(stdout.endsWith(`${line}\n`)).toBe(true);
});

it("a selection that moves without any new text is a change, and the screen is another one", async () => {
  const session_id = await openMenu();
  const { hash, seq } = await person.pty_read_screen({ session_id });
  const moved = await person.pty_send({ session_id, keys: ["Down"], then: { any: [{ change: true }] } });
  expect(moved).toMatchObject({ outcome: "matched", screen: { selected: [{ row: 4, text: "[ ] Svelte" }] } });
  const again = await person.pty_read_screen({ session_id, since_hash: hash, since_seq: seq });
  expect(again.unchanged).toBeUndefined();
  const back = await person.pty_send({ session_id, keys: ["Up"], then: { any: [{ change: true }] } });
  expect(back.screen).toMatchObject({ hash, selected: [{ row: 3 }] });
});

it("a background, a pointer and a filled mark select, too; a coloured page and a list of quotes do not", async () => {
  const fzf = String.raw`  one\r\n\033[48;5;236m> two\033[m\r\n  three\r\n`;
  expect(await selectedIn(fzf)).toMatchObject([{ row: 1, text: "> two", by: "background" }]);
  const inquirer = String.raw`? Which one\r\n  React\r\n❯ Vue\r\n  Svelte\r\n\033[?25l`;
  expect(await selectedIn(inquirer)).toEqual([{ row: 2, from: 2, to: 5, text: "Vue", by: "pointer" }]);
  const clack = String.raw`│  ○ React\r\n│  ● Vue\r\n│  ○ Svelte\r\n`;
  expect(await selectedIn(clack)).toMatchObject([{ row: 1, text: "Vue", by: "pointer" }]);
  const onBlue = String.raw`\033[44m\033[2J\033[Hone\r\n\033[46mtwo\033[44m\r\nthree`;
  expect(await selectedIn(onBlue)).toMatchObject([{ row: 1, text: "two" }]);
  expect(await selectedIn(String.raw`\033[44m\033[2J\033[Hone\r\ntwo`)).toBeUndefined();
  expect(await selectedIn(String.raw`> quoted\r\n> more\r\n  plain\r\n$ `)).toBeUndefined();
  expect(await selectedIn(String.raw`total 3\r\n> `)).toBeUndefined();
  expect(await selectedIn(String.raw`\033[41m FAIL \033[m cart.test.ts\r\n`)).toBeUndefined();
});

it("format styled gives every row with its number and its styles in words, over HTTP, MCP and CLI", async () => {
  const session_id = await openMenu();
  const lines = [
    "0\\| Choose a framework  ⟨0-18 fg-7 bg-0⟩",
    "2\\|   \\[ \\] React  ⟨2-11 fg-7 bg-0⟩",
    "3\\|   \\[ \\] Vue  ⟨2-9 reverse fg-7 bg-0⟩",
  ];
  const expected = expect.stringMatching(new RegExp(`^\\[Terminal Screen .*\n${lines.join("\n+")}\n`));
  const { content } = await person.pty_read_screen({ session_id, format: "styled" });
  expect(content).toEqual(expected);
  await using mcp = await connectMcp(duetty);
  const { text } = await mcp.call("pty_read_screen", { session_id, format: "styled" });
  expect(text.replace(/^\[untrusted .*\n/, "")).toEqual(expected);
  expect((await duetty.cli("see", session_id, "--format", "styled")).stdout).toEqual(expected);
  const part = await person.pty_read_screen({ session_id, format: "styled", rows: "3:3" });
  expect(part.content?.split("\n")[1]).toBe("3|   [ ] Vue  ⟨2-9 reverse fg-7 bg-0⟩");
});
