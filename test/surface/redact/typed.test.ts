// What a person types while nothing is echoed is a secret from then on, wherever it stands; what was echoed is none.
import { expect, test } from "vitest";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const s = sharedStand();

/** A shell whose program asks for a password without echo, and its answer to that in the variable X. */
async function asked(read = "read -rs X") {
  const { session_id } = await s.openShell("bash", { cols: 200 });
  const text = `printf 'secret%s' ': '; ${read}\n`;
  const { outcome } = await s.person.pty_send({ session_id, text, then: { any: [{ text: "secret:" }] } });
  expect(outcome).toBe("matched");
  // The words come a moment before the echo goes.
  const echo = async () => (await s.person.pty_screen_status({ session_id })).echo;
  if (read.includes("-rs")) await expect.poll(echo).toBe("off");
  return session_id;
}

/** What an agent reads after the variable was printed, as it is and in base64. */
async function printed(session_id: string): Promise<string> {
  await s.person.pty_wait({ session_id, any: [{ prompt: true }] });
  const command = 'echo "<$X>"; printf %s "$X" | base64';
  const { output } = await s.agent().run_command({ session_id, command });
  return output?.head ?? "";
}

function expectHidden(text: string, value: string): void {
  expect(text).toContain("‹redacted:typed:");
  for (const form of [value, Buffer.from(value).toString("base64").slice(0, -4)])
    for (let at = 0; at + 6 <= form.length; at += 1) expect(text).not.toContain(form.slice(at, at + 6));
}

test("typed by a person's send", async () => {
  const session_id = await asked();
  await s.person.pty_send({ session_id, text: "correct horse battery\n" });
  expectHidden(await printed(session_id), "correct horse battery");
});

test("typed on the page, key by key, with a mistake that was taken back", async () => {
  const session_id = await asked();
  const viewer = await TestViewer.open(s.duetty, session_id).hello();
  for (const key of "plumX\u007f tree éclair") viewer.type(key);
  viewer.type("\r");
  expectHidden(await printed(session_id), "plum tree éclair");
});

test("typed in attach", async () => {
  const session_id = await asked();
  const terminal = TestTerminal.open(s.duetty, ["attach", session_id]);
  await terminal.shows(/^secret:/m);
  terminal.type("nine blue lemons\r");
  expectHidden(await printed(session_id), "nine blue lemons");
});

test("it is hidden in other sessions, too", async () => {
  const session_id = await asked();
  await s.person.pty_send({ session_id, text: "seven grey owls\n" });
  expectHidden(await printed(session_id), "seven grey owls");
  const other = await s.openShell("bash", { cols: 200 });
  const { output } = await s.agent().run_command({ session_id: other.session_id, command: "echo seven grey owls" });
  expect(output?.head).toMatch(/^‹redacted:typed:/);
});

test("what was echoed is not learnt", async () => {
  const session_id = await asked("read -r X");
  await s.person.pty_send({ session_id, text: "four green apples\n" });
  expect(await printed(session_id)).toContain("<four green apples>");
});

test("an agent that opens sessions with many secrets makes nobody forget what was typed", async () => {
  const session_id = await asked();
  await s.person.pty_send({ session_id, text: "two white swans\n" });
  const env = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`TOKEN_${i}`, `made-up-value-${i}-x`]));
  await s.agent().pty_open({ command: ["true"], env, lazy: true });
  expectHidden(await printed(session_id), "two white swans");
});
