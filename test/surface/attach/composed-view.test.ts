// `duetty attach` draws a session into a terminal: the program's screen unchanged, above a status line.
import { expect, it } from "vitest";
import type { Size } from "../../../src/core/pty/pty.ts";
import { rowsHtml } from "../../../src/core/screen/html.ts";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { SIZE, TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty, person, agent, open } = sharedStand();
const attach = (id: string, size: Size = SIZE, ...flags: string[]) =>
  TestTerminal.open(duetty, ["attach", id, ...flags], size);

/** Text and colours of the session's part of the terminal, and the cursor. */
async function sameAs(terminal: TestTerminal, session_id: string): Promise<void> {
  await soon(async () => {
    await person.pty_wait({ session_id, any: [{ settled_ms: 100 }] });
    const screen = await person.pty_read_screen({ session_id, format: "html" });
    const rows = terminal.engine.styled({ history: 0 }).slice(0, screen.rows_count);
    expect(terminal.above.slice(0, screen.rows_count)).toEqual(screen.rows);
    expect(rowsHtml(rows)).toBe(screen.content);
    if (screen.cursor.visible) expect(terminal.engine.cursor()).toEqual(screen.cursor);
    else expect(terminal.engine.cursor().visible).toBe(false);
  });
}

it("vim, less and a shell look the same in the view, in colour, while they are used", async () => {
  const vim = await open(["vim", "-u", "NONE", "-N", "-c", "syntax on | set number", "/etc/profile"], {
    cols: 90,
    rows: 19,
  });
  const terminal = attach(vim);
  await terminal.shows(/Shared .*Ctrl\+\\ detach/);
  await sameAs(terminal, vim);
  terminal.type("jjjVj");
  await sameAs(terminal, vim);
  terminal.type("\x1b:split\r");
  await sameAs(terminal, vim);
  terminal.type("\x1c");
  await terminal.ended();

  const less = await open(["less", "/etc/services"], { cols: 70, rows: 15 });
  const pager = attach(less);
  await pager.shows("# Network services");
  await sameAs(pager, less);
  pager.type(" /tcp\r");
  await sameAs(pager, less);
  expect(pager.statusLine).toMatch(/Shared/);
});

it("htop redraws in the view", async () => {
  const htop = await open(["htop", "-d", "100"], { cols: 90, rows: 19 });
  const terminal = attach(htop);
  await terminal.shows(/F10Quit/);
  await sameAs(terminal, htop);
  expect(terminal.engine.modes().mouse).not.toBe("none");
});

it("the view shows the part of a larger session with the cursor, without halving wide characters", async () => {
  const wide = "界".repeat(30);
  const script = `stty -echo; seq 1 60; echo x${wide}; read; printf ${wide}; read; printf '\\ra${wide}'; read`;
  const id = await open(["bash", "-c", script], { cols: 120, rows: 40 });
  const terminal = attach(id, { cols: 40, rows: 12 });
  await terminal.shows(/Shared/);
  await soon(() => expect(terminal.above.slice(-3)).toEqual(["60", `x${"界".repeat(19)}`, ""]));
  terminal.type("\r");
  // The cursor is in column 60, so the left edge in column 40.
  await soon(() => {
    expect(terminal.above.slice(-2)).toEqual([` ${"界".repeat(10)}`, "界".repeat(10)]);
    expect(terminal.engine.cursor()).toEqual({ row: 10, col: 20, visible: true });
  });
  terminal.type("\r");
  // Now in column 61: the edge does not follow each step. Of the character that it cuts, a blank is left.
  await soon(() => {
    expect(terminal.above.at(-1)).toBe(` ${"界".repeat(10)}`);
    expect(terminal.engine.cursor()).toEqual({ row: 10, col: 21, visible: true });
  });
});

it("the session follows the terminal's size minus one row", async () => {
  const opening = TestTerminal.open(duetty, "open --name sized -- vim -u NONE -N /etc/services".split(" "));
  await opening.ended();
  const terminal = attach("sized");
  await terminal.shows("# Network services");
  for (const size of [
    { cols: 60, rows: 12 },
    { cols: 101, rows: 31 },
    { cols: 30, rows: 5 },
  ]) {
    terminal.resize(size);
    await soon(async () => {
      const { session } = await person.status({ session_id: "sized" });
      expect(session).toMatchObject({ cols: size.cols, rows: size.rows - 1 });
    });
    await sameAs(terminal, "sized");
    await soon(() => expect(terminal.statusLine).toMatch(/^ S/));
  }
});

it("attach restores mouse, paste and screen of the terminal", async () => {
  const script = "printf '\\033[?1049h\\033[?1003;1006;2004;1h\\033=\\033[>5u\\033[2J\\033[Hon'; stty raw -echo; cat";
  const id = await open(["bash", "-c", script], { cols: 80, rows: 18 });
  const terminal = attach(id);
  await terminal.shows(/^on/);
  await soon(() =>
    expect(terminal.engine.modes()).toMatchObject({
      mouse: "any",
      mouse_format: "sgr",
      application_cursor: true,
      application_keypad: true,
      bracketed_paste: true,
      kitty_keyboard: 5,
    }),
  );
  // A click beside the session is nobody's; one in it arrives in its cells. A paste keeps its brackets.
  terminal.type("\x1b[<0;85;3M\x1b[<0;85;3m\x1b[<0;4;19M\x1b[<0;4;3M\x1b[<0;4;3m\x1b[200~a\x14\x1c\x1b[201~");
  await soon(() =>
    expect(duetty.raw(id).toString()).toMatch(/on\x1b\[<0;4;3M\x1b\[<0;4;3m\x1b\[200~a\x14\x1c\x1b\[201~$/),
  );
  terminal.type("\x1b[92;5u");
  await terminal.ended();
  expect(terminal.engine.rows().slice(0, 3)).toEqual(["an older line", "[detached; the session keeps running]", ""]);
  expect(terminal.engine.modes()).toMatchObject({
    alt_screen: false,
    mouse: "none",
    application_cursor: false,
    application_keypad: false,
    bracketed_paste: false,
    kitty_keyboard: 0,
  });
  expect(terminal.engine.cursor().visible).toBe(true);
});

it("the status line shows the program in front and a password prompt", async () => {
  const id = await open(["bash", "-c", "read -s -p 'Password: ' x; echo; exec cat"], { cols: 80, rows: 18 });
  const terminal = attach(id, { cols: 110, rows: 20 });
  await terminal.shows("Password:");
  await soon(() => expect(terminal.statusLine).toContain("waits for you: password"));
  terminal.type("secret\r");
  await person.pty_wait({ session_id: id, any: [{ input: true }] });
  // What happens makes it look again.
  terminal.type("hello\r");
  await soon(() => expect(terminal.statusLine).toMatch(/ cat /));
  expect(terminal.statusLine).not.toContain("password");
});

it("a flood of output does not block keys", async () => {
  const id = await open(["bash", "--norc"], { cols: 80, rows: 18 });
  const terminal = attach(id);
  await terminal.shows("$");
  terminal.type("yes flood\r");
  await terminal.shows(/flood\nflood/);
  terminal.type("\x03");
  await terminal.shows(/\^C/);
  terminal.type("echo aft$((0))er\r");
  await terminal.shows("aft0er");
  await sameAs(terminal, id);
});

it("an agent's command waits for the person's yes beside the screen", async () => {
  const { session_id } = await person.pty_open({ cols: 90, rows: 19 });
  const terminal = attach(session_id);
  await terminal.shows(/[$#]/);
  const run = agent().run_command({ session_id, command: "rm -rf ./no-such-folder; echo d''one" });
  await terminal.shows(/wants to run: rm -rf .\/no-such-folder.*May destroy data/);
  const { rows } = await person.pty_read_screen({ session_id });
  // Below are the question, where its line would run, and the status line.
  expect(terminal.engine.rows().slice(0, 16)).toEqual(rows.slice(0, 16));
  // Long enough to be read.
  await new Promise((resolve) => setTimeout(resolve, 500));
  terminal.type("\x19y");
  expect(await run).toMatchObject({ status: "done", exit_code: 0 });
  await terminal.shows(/^done$/m);
  await sameAs(terminal, session_id);
});
