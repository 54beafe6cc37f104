// An agent hands the keyboard to a person, and it comes back by itself: when the program has read its line and echo is on again, or
// when the program has ended. The person types and answers nothing.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty, person, agent, openShell, pendingOf } = sharedStand({ config: UNBOXED, agent: "one" });
const TRIES = join(import.meta.dirname, "../../fixtures/programs/password-tries.sh");
const SECRET = "open sesame";

const infoOf = async (session_id: string) => (await person.status({ session_id })).session;
const echoOf = async (session_id: string) => (await person.pty_screen_status({ session_id })).echo;
const pendingIn = async (session_id: string) => (await person.approvals({ session_id })).approvals.length;

/** An agent's command waits for a password, and the agent asks the person for it. */
async function asksForPassword(command: string) {
  const { session_id } = await openShell();
  const ran = await agent().run_command({ session_id, command });
  expect(ran).toMatchObject({ status: "waiting_for_input", waiting: { kind: "password" } });
  const asks = agent().ask_person({ session_id, kind: "password", message: "the password, please" });
  await pendingOf(session_id);
  expect(await infoOf(session_id)).toMatchObject({ hold: "person", hold_reason: "handed_over" });
  return { session_id, asks };
}

const refused = (session_id: string) =>
  expect(agent().pty_send({ session_id, text: "guess\n" })).rejects.toMatchObject({
    code: expect.stringMatching(/^gate\.(held|echo_off)$/),
  });

describe("a password", () => {
  it("wrong, then right: the hand-over lasts over all tries, then the agent goes on in the same call", async () => {
    const { session_id, asks } = await asksForPassword(TRIES);
    await refused(session_id);
    await person.pty_send({ session_id, text: "wrong\n", then: { any: [{ text: "Sorry" }] } });
    await expect.poll(() => echoOf(session_id)).toBe("off");
    await refused(session_id);
    expect(await pendingIn(session_id)).toBe(1);
    await person.pty_send({ session_id, text: `${SECRET}\n`, then: { any: [{ text: "Welcome" }] } });
    expect(await asks).toMatchObject({ outcome: "answered" });
    expect(await infoOf(session_id)).toMatchObject({ hold: "agent:one" });
    const named = await agent().pty_send({ session_id, text: "one\n", then: { any: [{ block_end: true }] } });
    expect(named.screen.rows.join("\n")).toContain("hello one");
    for (const [file, text] of duetty.contents(join(duetty.home.sessions, session_id)))
      expect([file, text.includes(SECRET)]).toEqual([file, false]);
  });

  it("python's getpass, typed by duetty send: the end of the command ends the hand-over", async () => {
    const { session_id, asks } = await asksForPassword(`python3 -c 'import getpass; print(len(getpass.getpass()))'`);
    expect((await duetty.cli("send", session_id, "--text", SECRET, "--keys", "Enter")).code).toBe(0);
    expect(await asks).toMatchObject({ outcome: "answered" });
    expect((await agent().run_command({ session_id, command: "echo on" })).status).toBe("done");
  });

  it("in attach: the person types it and presses nothing else", async () => {
    const { session_id, asks } = await asksForPassword(TRIES);
    const terminal = TestTerminal.open(duetty, ["attach", session_id]);
    await terminal.shows("one asks for a password");
    terminal.type(`${SECRET}\r`);
    expect(await asks).toMatchObject({ outcome: "answered" });
    await terminal.shows("one types");
  });

  it("asked at a prompt, before there is a password prompt", async () => {
    const { session_id } = await openShell();
    const asks = agent().ask_person({ session_id, kind: "password", message: "run it yourself, please" });
    await pendingOf(session_id);
    await person.pty_send({ session_id, text: `${TRIES}\n`, then: { any: [{ text: "Password:" }] } });
    await expect.poll(() => echoOf(session_id)).toBe("off");
    expect(await pendingIn(session_id)).toBe(1);
    await person.pty_send({ session_id, text: `${SECRET}\n` });
    expect(await asks).toMatchObject({ outcome: "answered" });
  });

  it("typed after the agent's call ended: asking again is answered, but not for another password", async () => {
    const { session_id } = await openShell();
    const asksFor = { session_id, kind: "password" as const, message: "please", timeout_ms: 50 };
    await agent().run_command({ session_id, command: TRIES });
    expect(await agent().ask_person(asksFor)).toMatchObject({ outcome: "pending" });
    await person.pty_send({ session_id, text: `${SECRET}\n` });
    await expect.poll(() => pendingIn(session_id)).toBe(0);
    await person.pty_send({ session_id, text: `me\n`, then: { any: [{ block_end: true }] } });
    await person.release({ session_id });
    await agent().run_command({ session_id, command: TRIES });
    expect(await agent().ask_person(asksFor)).toMatchObject({ outcome: "pending" });
    await refused(session_id);
    await person.pty_send({ session_id, text: `${SECRET}\n` });
    await expect.poll(() => pendingIn(session_id)).toBe(0);
    expect(await agent().ask_person(asksFor)).toMatchObject({ outcome: "answered" });
    expect(await infoOf(session_id)).not.toMatchObject({ hold_reason: "handed_over" });
  });
});

describe("the keyboard", () => {
  it("for a program: it comes back when the program has ended", async () => {
    const { session_id } = await openShell();
    // In front before anybody is asked: at a prompt it would not come back by itself.
    expect(await agent().run_command({ session_id, command: "cat" })).toMatchObject({ status: "waiting_for_input" });
    const asks = agent().ask_person({ session_id, kind: "take_over", message: "your turn" });
    await pendingOf(session_id);
    await person.pty_send({ session_id, text: "mine\n", then: { any: [{ text: "mine" }] } });
    expect(await pendingIn(session_id)).toBe(1);
    await person.pty_send({ session_id, keys: ["Ctrl+D"] });
    expect(await asks).toMatchObject({ outcome: "answered" });
  });

  it("at a prompt: it comes back only when the person gives it back", async () => {
    const { session_id } = await openShell();
    const asks = agent().ask_person({ session_id, kind: "take_over", message: "your turn" });
    await pendingOf(session_id);
    const then = { any: [{ block_end: true as const }] };
    await person.pty_send({ session_id, text: "echo a\n", then });
    await person.pty_send({ session_id, text: "echo b\n", then });
    expect(await pendingIn(session_id)).toBe(1);
    await person.release({ session_id });
    expect(await asks).toMatchObject({ outcome: "answered" });
  });
});
