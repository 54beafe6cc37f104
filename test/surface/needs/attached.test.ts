// What needs a person in other sessions, while they are attached to one: in the status line, by a notice of the terminal, and to a
// multiplexer around it; one key goes there.
import { expect, it } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty, person, open } = sharedStand({ config: { notify: ["osc9", "bell"] }, env: { HERDR: "1" } });

it("is counted and told once, and one key goes to the next", async () => {
  const first = await open(["bash", "-c", "exit 3"], { name: "old" });
  const cat = (name: string) => open(["sh", "-c", `echo here is ${name}; exec cat`], { name });
  await cat("desk");
  const terminal = TestTerminal.open(duetty, ["attach", "desk"]);
  await soon(() => expect(terminal.statusLine).toMatch(/1 needs you.*Ctrl\+\^ next/));
  expect(terminal.output).toContain("\x1b]2;(1) bash failed: exit code 3\x1b\\");
  expect(terminal.output).toContain("\x1b]9;4;4;100\x1b\\");
  await open(["bash", "-c", "echo 'here is vault'; read -s -p 'Password: ' x"], { name: "vault" });
  await soon(() => expect(terminal.statusLine).toContain("2 need you"));
  const told = "\x1b]9;bash waits for a password: vault\x1b\\";
  expect(terminal.output.split(told)).toHaveLength(2);
  expect(terminal.output.split("\x07")).toHaveLength(2);
  // What was there before is counted only.
  expect(terminal.output).not.toContain("\x1b]9;bash failed");
  await person.pty_read_screen({ session_id: first });
  await soon(() => expect(terminal.statusLine).toContain("1 needs you"));
  terminal.type("\x1e");
  await terminal.shows("here is vault");
  await soon(() => expect(terminal.statusLine).toContain("password"));
  terminal.type("secret\r");
  await terminal.ended();
  expect(terminal.exit).toBe(0);
  expect(terminal.output).toContain("\x1b]9;4;0;0\x1b\\");
  // Without needs elsewhere the key is the program's.
  const alone = TestTerminal.open(duetty, ["attach", "desk"]);
  await alone.shows("here is desk");
  alone.type("\x1ekey\r");
  await alone.shows(/\^\^key/);
  alone.type("\x1c");
  await alone.ended();
});
