// Agent mode of `duetty attach`: a conversation with a prompt below it, in a real terminal, with the built-in agent and a
// model that says what the test wants.
import { expect, it } from "vitest";
import { once } from "../../fixtures/model/replies.ts";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { SIZE, TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty, person, model } = sharedStand({ model: { text: "done" } });
const attach = (...args: string[]) => TestTerminal.open(duetty, ["attach", ...args]);

/** To talk in: nothing runs in it. */
async function talk(): Promise<{ terminal: TestTerminal; session_id: string }> {
  const known = new Set((await person.pty_list({})).sessions.map((each) => each.session_id));
  const terminal = attach();
  await terminal.shows(/Say what the agent should do[\s\S]*\n>\n Agent /);
  const { sessions } = await person.pty_list({});
  const session_id = sessions.find((each) => !known.has(each.session_id))?.session_id;
  if (session_id === undefined) throw new Error("no session was opened");
  return { terminal, session_id };
}

async function stateOf(session_id: string) {
  return (await person.status({ session_id })).session;
}

const armed = () => new Promise((resolve) => setTimeout(resolve, 450));

it("without a session a new one is opened, whose shell starts when it is needed", async () => {
  model().say({ text: "Hello. What shall I do?" });
  const { terminal, session_id } = await talk();
  terminal.type("say hello\r");
  await terminal.shows(/^> say hello\n\n {2}Hello. What shall I do\?\n\n {2}done after 0 steps/m);
  expect(await stateOf(session_id)).toMatchObject({ state: "pending", pid: null, policy: { mode: "agent" } });
  terminal.type("half a pro");
  await terminal.shows(/^> half a pro$/m);
  terminal.type("\x14");
  await terminal.shows(/^\S*[$#][\s\S]*\n Terminal /);
  await soon(async () => expect(await stateOf(session_id)).toMatchObject({ cols: SIZE.cols, rows: SIZE.rows - 1 }));
  terminal.type("echo typed $((40+2))\r");
  await terminal.shows(/^typed 42$/m);
  terminal.type("\x14");
  await terminal.shows(/Hello. What shall I do\?[\s\S]*\n> half a pro\n Agent /);
  expect(terminal.text()).not.toContain("typed 42");
});

it("!command runs in the terminal as the person", async () => {
  const { terminal, session_id } = await talk();
  terminal.type("!echo shouted $((6*7))\r");
  // What is typed at once is not lost while the shell begins.
  await soon(() => expect(terminal.statusLine).toMatch(/^ Terminal /));
  terminal.type("echo and more\r");
  await terminal.shows(/^shouted 42$[\s\S]*^and more$/m);
  expect(terminal.statusLine).toMatch(/^ Terminal /);
  const { blocks } = await person.blocks({ session_id });
  expect(blocks).toMatchObject([
    { cmd: "echo shouted $((6*7))", actor: "person" },
    { cmd: "echo and more", actor: "person" },
  ]);
  terminal.type("\x14");
  await soon(() => expect(terminal.statusLine).toMatch(/^ Agent /));
  // Up brings it back; it can be edited before it is sent again.
  terminal.type("\x1b[A");
  await terminal.shows(/^> !echo shouted/m);
  terminal.type("\x15!\r");
  await soon(() => expect(terminal.statusLine).toMatch(/^ Terminal /));
});

it("agent mode shows what the agent does and asks beside the prompt: Ctrl+Y and y allow, Ctrl+C refuses", async () => {
  model().say(
    once({ calls: [{ name: "run_command", args: { command: "rm -rf ./no-such-thing; echo gone" } }] }, "It is gone."),
  );
  const { terminal } = await talk();
  terminal.type("remove it\r");
  await terminal.shows(/→ run_command {2}rm -rf[\s\S]*! needs you: rm -rf[\s\S]*\n>\n duetty wants to run: rm -rf/);
  // Sessions of other tests may need somebody, too: then there is no room for the steps.
  await soon(() => expect(terminal.statusLine).toMatch(/agent: waiting .*Ctrl\+Y answer/));
  await armed();
  // What is written is not an answer, and nobody else is asked meanwhile.
  terminal.type("wait\r");
  await terminal.shows(/^> wait$/m);
  await soon(() => expect(terminal.statusLine).toMatch(/busy: Esc stops/));
  terminal.type("\x15");
  await terminal.shows(/^>$/m);
  terminal.type("\r\x19");
  await soon(() => expect(terminal.statusLine).toMatch(/y yes {2}n no/));
  terminal.type("\r");
  terminal.type("y");
  await terminal.shows(
    /✓ run_command {2}rm -rf[^\n]*\n {4}│ exit 0[^\n]*\n {4}│ gone\n\n {2}It is gone.\n\n {2}done after 1 step/,
  );
  expect(terminal.text()).not.toContain("! needs you");

  terminal.type("again\r");
  await terminal.shows(/! needs you: rm -rf[\s\S]*\n>\n duetty wants to run: rm -rf/);
  expect(terminal.text().match(/! needs you/g)).toHaveLength(1);
  await armed();
  terminal.type("\x03");
  await terminal.shows(/✗ run_command {2}rm -rf[^\n]*\n {4}│ denied/);
});

it("Escape stops the agent, and it can be asked again", async () => {
  model().say({ hang: true });
  const { terminal } = await talk();
  const before = model().requests.length;
  terminal.type("think for ever\r");
  await model().asked(before + 1);
  await soon(() => expect(terminal.statusLine).toMatch(/agent: thinking.*Esc stop/));
  terminal.type("\x1b");
  await terminal.shows(/stopped after 0 steps/);
  model().say({ text: "Here again." });
  terminal.type("go on\r");
  await terminal.shows(/^> go on\n\n {2}Here again./m);
});

it("Enter takes the next step", async () => {
  model().say(once({ calls: [{ name: "run_command", args: { command: "echo stepped" } }] }, "That was it."));
  const { terminal, session_id } = await talk();
  const asking = duetty.cli("ask", "--session", session_id, "--step-by-step", "slowly");
  await terminal.shows(/^> slowly[\s\S]*paused: echo stepped/m);
  await soon(() => expect(terminal.statusLine).toMatch(/agent: paused.*Enter goes on/));
  terminal.type("\r");
  await terminal.shows(/✓ run_command {2}echo stepped[\s\S]*That was it./);
  const { code, stdout, stderr } = await asking;
  expect({ code, stdout }).toEqual({ code: 0, stdout: "That was it.\n" });
  expect(stderr).toContain(`paused: echo stepped (duetty agent ${session_id} resume, step or stop)`);
});

it("agent mode suggests the terminal for a full-screen program", async () => {
  model().say(once({ calls: [{ name: "run_command", args: { command: "less /etc/services" } }] }, "It is open."));
  const { terminal, session_id } = await talk();
  await person.policy({ session_id, safe_mode: "off", level: "always_allow" });
  terminal.type("open it\r");
  await terminal.shows(/a full-screen program has the terminal: Ctrl\+T to see it[\s\S]*It is open./);
  terminal.type("\x14");
  await terminal.shows(/# Network services/);
  terminal.type("q");
  await terminal.shows(/[$#] less/);
});

it("the shell's end is in the conversation, and agent mode is back", async () => {
  model().say({ text: "Bye." });
  const { terminal } = await talk();
  terminal.type("say bye\r");
  await terminal.shows("Bye.");
  terminal.type("!exit 3\r");
  await terminal.shows(/Bye.[\s\S]*shell ended: exit 3[\s\S]*\n>\n Agent /);
  terminal.type("more\r");
  await terminal.shows(/✗ this session has ended\n {2}duetty attach opens a new one/);
  await terminal.shows(/^> more$/m);
  terminal.type("\x1c");
  await terminal.ended();
  expect(terminal.text()).toContain("[exited with 3]");
});

it("the conversation is replayed at a later attach, and scrolls", async () => {
  model().say({ text: Array.from({ length: 40 }, (_, i) => `- line ${i}`).join("\n") });
  const { terminal, session_id } = await talk();
  terminal.type("count\r");
  await terminal.shows(/- line 39\n\n {2}done after/);
  terminal.type("\x1c");
  await terminal.ended();
  const again = attach(session_id);
  await again.shows(/- line 39\n\n {2}done after/);
  expect(again.text()).not.toContain("- line 10\n");
  expect((await stateOf(session_id))?.state).toBe("pending");
  again.type("\x1b[5~\x1b[5~");
  await again.shows(/- line 10\n[\s\S]*more below: PageDown/);
  again.type("\x1b[<64;5;5M".repeat(20));
  await again.shows(/^> count\n/);
  again.type("x");
  await again.shows(/- line 39\n[\s\S]*\n> x\n/);
});

it("words are shown while they come", async () => {
  const { terminal } = await talk();
  let rest = (): void => undefined;
  const pause = new Promise<void>((resolve) => {
    rest = resolve;
  });
  model().say({ text: `begin ${"word ".repeat(60)}end`, pause });
  terminal.type("talk\r");
  await terminal.shows(/^ {2}begin word word/m);
  expect(terminal.text()).not.toContain("end");
  rest();
  await terminal.shows(/word end\n\n {2}done after/);
});

it("an unused session leaves nothing behind", async () => {
  const { terminal, session_id } = await talk();
  terminal.type("only thought about\x1c");
  await terminal.ended();
  expect((await stateOf(session_id))?.pid).toBeNull();
  expect((await person.pty_list({ all: false })).sessions.map((each) => each.session_id)).not.toContain(session_id);
});

it("pastes are taken as they are, and wide characters stand in the right columns", async () => {
  const { terminal } = await talk();
  terminal.type("\x1b[200~one\rtwo\x14\x1b[201~ 界😀e\u0301");
  await terminal.shows(/^> one\n {2}two 界😀e\u0301$/m);
  expect(terminal.engine.cursor()).toMatchObject({ row: SIZE.rows - 2, col: 11, visible: true });
  terminal.type("\x7f\x7f\x1b[D!");
  await terminal.shows(/^ {2}two !界$/m);
});

it("says what is missing when nobody can be asked", async () => {
  const { terminal } = await talk();
  model().say({ status: 401, message: "invalid x-api-key" });
  terminal.type("anyone?\r");
  await terminal.shows(/✗ [^\n]*(?:key|401)[\s\S]*failed after 0 steps/);
});
