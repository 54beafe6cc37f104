// `duetty attach` in a real terminal: a PTY of the test's own plays the person's terminal.
import { expect, it } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { SIZE, TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty, person } = sharedStand();
const run = (...args: string[]) => TestTerminal.open(duetty, args);

async function open(...args: string[]): Promise<string> {
  return (await duetty.cli("open", ...args)).stdout.trim();
}

it("attach shows the screen, types, detaches and restores the terminal", async () => {
  const id = await open("--cols", "80", "--rows", "18", "--", "bash", "--norc");
  await duetty.cli("send", id, "--text", "echo before $((1+1))\n", "--wait-text", "before 2");
  const terminal = run("attach", id);
  await terminal.shows("before 2");
  terminal.type("echo typed $((40+2))\r");
  await terminal.shows("typed 42");
  expect((await duetty.cli("see", id)).stdout).toContain("typed 42");
  terminal.type("\x1c");
  await terminal.ended();
  expect(terminal.exit).toBe(0);
  expect(terminal.text()).toContain("[detached; the session keeps running]");
  expect((await duetty.cli("send", id, "--text", "echo alive\n", "--wait-text", "alive")).code).toBe(0);
});

it("a person's first attach sizes the session; a full-screen program and its end leave no trace", async () => {
  const terminal = run(
    "open",
    "--name",
    "mine",
    "--",
    "sh",
    "-c",
    "exec vim -u NONE -n -N -c 'set mouse=a' /etc/services",
  );
  await terminal.ended();
  const attached = run("attach", "mine");
  await attached.shows(/^# Network services/m);
  await soon(async () => {
    const { screen } = await person.pty_wait({ session_id: "mine", any: [{ settled_ms: 100 }] });
    expect(screen).toMatchObject({ cols: SIZE.cols, rows_count: SIZE.rows - 1, alt_screen: true });
    expect(attached.above).toEqual(screen.rows);
  });
  expect(attached.engine.modes()).toMatchObject({ alt_screen: true, mouse: expect.not.stringMatching("none") });
  attached.type(":q\r");
  await attached.ended();
  expect(attached.text()).toContain("[exited with 0]");
  expect(attached.engine.modes()).toMatchObject({ alt_screen: false, mouse: "none", bracketed_paste: false });
  expect(attached.engine.cursor().visible).toBe(true);
});

it.each([["--raw"], []])("attach does not type the terminal's own answers (%s)", async (...flags) => {
  const script =
    "stty raw -echo; head -c1 >/dev/null; printf '\\033[6n'; head -c 6 | od -c; timeout 0.5 cat | od -c; echo DONE; sleep 600";
  const id = await open("--cols", "80", "--rows", "18", "--", "bash", "-c", script);
  const terminal = run("attach", id, ...flags);
  await soon(async () => expect((await person.status({ session_id: id })).session?.viewers).toBe(1));
  terminal.type("x");
  await terminal.shows("DONE");
  const rows = terminal.engine.rows().join("\n");
  expect(rows).toMatch(/033\s+\[\s+1\s+;\s+1\s+R/);
  expect(rows.match(/033/g)).toHaveLength(1);
});

it("a pasted line that a program would get cut is refused, and the person is told", async () => {
  const id = await open(
    "--cols",
    "80",
    "--rows",
    "18",
    "--",
    "sh",
    "-c",
    "echo ready; while read -r x; do echo got $x; done",
  );
  const terminal = run("attach", id);
  await terminal.shows("ready");
  terminal.type(`\x1b[200~${"x".repeat(6_000)}\x1b[201~`);
  await terminal.shows(/a line of 6000 bytes would be cut/);
  terminal.type("next\r");
  await terminal.shows("got next");
});

it("a watching attach never types", async () => {
  const id = await open("--cols", "80", "--rows", "18", "--", "cat");
  const terminal = run("attach", id, "--watch");
  await soon(async () => expect((await person.status({ session_id: id })).session?.viewers).toBe(1));
  terminal.type("nothing of this\r");
  await duetty.cli("send", id, "--text", "from outside\n", "--wait-text", "from outside");
  await terminal.shows("from outside");
  expect(terminal.text()).not.toContain("nothing of this");
});

it("raw attach refuses a larger screen, but can fit the session to the terminal", async () => {
  const id = await open("--cols", "120", "--rows", "36", "--", "cat");
  const small = run("attach", id, "--raw");
  await small.ended();
  expect(small.exit).toBe(2);
  expect(small.text()).toContain("120x36");
  const fitting = run("attach", id, "--fit");
  await soon(async () => expect((await person.status({ session_id: id })).session?.viewers).toBe(1));
  fitting.type("fits\r");
  await fitting.shows("fits\nfits");
  expect((await person.status({ session_id: id })).session).toMatchObject({
    cols: SIZE.cols,
    rows: SIZE.rows - 1,
  });
});

it("an ended session shows its last screen as far as it fits, says how it ended, and any key that it names leaves", async () => {
  const id = await open("--cols", "120", "--rows", "36", "--", "bash", "-c", "echo hello; seq 5; exit 3");
  await soon(async () => expect((await person.status({ session_id: id })).session?.state).toBe("failed"));
  for (const key of ["q", "\r", "\x1c"]) {
    const terminal = run("attach", id);
    await terminal.shows("hello\n1\n2\n3\n4\n5");
    await terminal.shows(/exited with 3 .*q or Ctrl\+\\ leaves/);
    terminal.type(key);
    await terminal.ended();
    expect(terminal.text()).toContain("[exited with 3]");
  }
});

it("attach says why when there is no terminal or no session", async () => {
  expect(await duetty.cli("attach", "x")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("needs a terminal"),
  });
  const terminal = run("attach", "nobody");
  await terminal.ended();
  expect(terminal.exit).toBe(3);
});
