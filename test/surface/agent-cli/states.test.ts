// What an agent CLI in a session is doing, as every surface tells it: a scripted program under an agent's name.
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { connectMcp } from "../../fixtures/mcp/clients.ts";
import { SOON_MS, soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const {
  duetty,
  person,
  open,
  folder,
  openBash,
  agent: agentClient,
} = sharedStand({
  config: { agent_states: { mine: { rules: [{ state: "idle", screen: ["^ready$"] }] } } },
});
const SCRIPT = new URL("../../fixtures/agent-cli/scripted-agent.mjs", import.meta.url);
const ST = "\x1b\\";

async function agent(name: string): Promise<{ session_id: string; prints: (text: string) => Promise<unknown> }> {
  const file = path.join(folder(), `${name}.mjs`);
  fs.copyFileSync(SCRIPT, file);
  const session_id = await open(["node", file]);
  await person.pty_wait({ session_id, any: [{ text: "answer" }], since: 0 });
  return { session_id, prints: (text) => person.pty_send({ session_id, text: `${JSON.stringify(text)}\n` }) };
}

const infoOf = async (session_id: string) => (await person.status({ session_id })).session;
const stateOf = (session_id: string, wanted: object) =>
  soon(async () => expect((await infoOf(session_id))?.agent_state).toMatchObject(wanted));

it("the question is answered first, and what the agent says of itself is told everywhere", async () => {
  const { session_id, prints } = await agent("codex");
  const { screen } = await person.pty_wait({ session_id, any: [{ settled_ms: 100 }] });
  expect(screen.rows[0]).toMatch(/^answer "\\u001b\]7501;\?\\u0007\\u001b\[\?62;/);
  await stateOf(session_id, { state: "starting", source: "none" });
  await prints(`\x1b]7501;state=working:app=codex${ST}`);
  await stateOf(session_id, { state: "working", why: "codex says working", source: "status" });
  expect(await infoOf(session_id)).toMatchObject({ state: "running", agent: "codex" });
  const msg = Buffer.from("approve Bash: touch z").toString("base64");
  await prints(`\x1b]7501;state=blocked:app=codex:kind=permission:msg=${msg}${ST}`);
  await stateOf(session_id, { state: "blocked", kind: "permission", why: "approve Bash: touch z" });
  await soon(async () => expect((await infoOf(session_id))?.state).toBe("waiting_for_input"));
  expect((await duetty.cli("ls")).stdout).toContain("codex blocked (permission)");
  await using mcp = await connectMcp(duetty);
  expect((await mcp.call("pty_list", {})).text).toMatch(/codex is blocked \(permission\)(?!: approve)/);
  const { cursor: blockedAt } = (await infoOf(session_id)) ?? { cursor: 0 };
  const { state } = await person.explain({ state: session_id });
  expect(state).toMatchObject({ agent: "codex", state: "blocked", rule: "osc-7501", source: "status" });
  const need = { kind: "blocked", session_id, who: "codex", why: "permission: approve Bash: touch z" };
  const needed = async () => (await person.needs({})).needs;
  await soon(async () => expect(await needed()).toMatchObject([need]));
  await person.pty_send({ session_id, text: "exit\n" });
  await stateOf(session_id, { state: "done", why: "exit code 0" });
  await soon(async () => expect(await needed()).toMatchObject([{ kind: "done", session_id, why: "exit code 0" }]));
  await person.pty_read_screen({ session_id });
  await soon(async () => expect(await needed()).toEqual([]));
  const then = await duetty.cli("explain", "--state", session_id, "--at", String(blockedAt));
  expect(then.stdout).toBe("codex is blocked (permission) by osc-7501, read from status\n  approve Bash: touch z\n");
  const { state: ended } = await person.explain({ state: session_id, at: "-0s" });
  expect(ended).toMatchObject({ state: "done", rule: "exit", evidence: "exit code 0" });
});

it("what an agent asks is told without a secret that it has wrapped over two rows", async () => {
  const { session_id, prints } = await agent("claude");
  const secret = `ghp_${"x7Kq2LmN9pRs4TvW6yZa1BcD3eFgH5iJkQ0w"}`;
  const { cols = 0 } = (await infoOf(session_id)) ?? {};
  const wrapped = [`  curl -H token:${secret.slice(0, 25)}`.padStart(cols, "x"), secret.slice(25)];
  const rows = ["", "Bash command", ...wrapped, "Do you want to proceed?", "❯ 1. Yes", "  2. No", "Esc to cancel"];
  await prints(`\x1b[H\x1b[2J${rows.join("\r\n")}`);
  await stateOf(session_id, { state: "blocked", kind: "permission", source: "screen" });
  const { sessions } = await agentClient("helper").pty_list({});
  const { needs } = await person.needs({});
  const told = [sessions.find((one) => one.session_id === session_id)?.agent_state, needs];
  expect(JSON.stringify(told)).not.toContain("ghp_");
  expect(needs).toMatchObject([{ session_id, why: expect.stringMatching(/^permission: x+ curl/) }]);
  await person.pty_close({ session_id });
});

it("passwords, questions and failed ends need a person, the oldest first; agents do not get the list", async () => {
  const secret = await open(["bash", "-c", "read -s -p 'Password: ' x"]);
  await soon(async () =>
    expect((await person.needs({})).needs).toMatchObject([{ kind: "password", session_id: secret }]),
  );
  const failed = await open(["bash", "-c", "exit 3"]);
  await soon(async () => expect((await person.needs({})).needs).toHaveLength(2));
  const asks = agentClient("helper").ask_person({ message: "Which region?", timeout_ms: 60_000 });
  const kinds = async () => (await person.needs({})).needs.map(({ kind, why }) => `${kind} ${why}`);
  await soon(async () =>
    expect(await kinds()).toEqual(["password asks for a password", "failed exit code 3", "approval Which region?"]),
  );
  await expect(agentClient("helper").needs({})).rejects.toThrow();
  const [approval] = (await person.approvals({})).approvals;
  await person.approve({ approval_id: approval?.approval_id ?? "", answer: "eu" });
  expect(await asks).toMatchObject({ answer: "eu" });
  await person.pty_read_screen({ session_id: failed });
  await person.pty_close({ session_id: secret });
});

it("a person's own rules count; a shell has no agent, and one that ran in it leaves nothing", async () => {
  const mine = await agent("mine");
  await mine.prints("\x1b[2J\x1b[Hready\r\n");
  await stateOf(mine.session_id, { state: "idle" });
  const shell = await openBash();
  expect((await infoOf(shell))?.agent).toBeNull();
  const file = path.join(folder(), "gemini.mjs");
  fs.copyFileSync(SCRIPT, file);
  const then = { any: [{ text: "answer" }], timeout_ms: SOON_MS };
  await person.pty_send({ session_id: shell, text: `node ${file}\n`, then });
  const ready = JSON.stringify("\x1b]0;◇  Ready (work)\x07");
  await person.pty_send({ session_id: shell, text: `${ready}\n` });
  await stateOf(shell, { state: "idle", why: "◇ Ready (work)" });
  await person.pty_send({ session_id: shell, text: "exit\n", then: { any: [{ prompt: true }] } });
  await soon(async () => expect((await infoOf(shell))?.agent).toBeNull());
});

it("waits end at a state: one that is there counts, but not as the result of an input; other programs have none", async () => {
  const { session_id, prints } = await agent("copilot");
  const says = (state: string) => `\x1b]7501;state=${state}:app=copilot${ST}`;
  const [idle, timeout_ms] = [{ any: [{ state: "idle" as const }] }, 60_000];
  const first = person.pty_wait({ session_id, ...idle, timeout_ms });
  await prints(says("idle"));
  expect(await first).toMatchObject({ outcome: "matched", matched: "idle", matched_at_entry: false });
  expect(await person.pty_wait({ session_id, ...idle })).toMatchObject({ matched: "idle", matched_at_entry: true });
  const text = `${JSON.stringify("nothing new\r\n")}\n`;
  const late = await person.pty_send({ session_id, text, then: { ...idle, timeout_ms: 300 } });
  expect(late).toMatchObject({ outcome: "deadline", hint: "copilot is idle." });
  const sent = duetty.cli("wait", session_id, "--state", "blocked", "--state", "done", "--timeout", "60000");
  await prints(says("working"));
  await prints(says("done"));
  expect(await sent).toMatchObject({ code: 0, stdout: "matched: done\n" });
  const end = person.pty_wait({ session_id, all: [{ state: "done" }, { exit: true }], timeout_ms });
  await person.pty_send({ session_id, text: "exit\n" });
  expect(await end).toMatchObject({ outcome: "matched", matched: "done and exit" });
  const none = await person.pty_wait({ session_id: await openBash(), ...idle, timeout_ms: 50 });
  expect(none).toMatchObject({ outcome: "deadline", hint: expect.stringContaining("No agent CLI is in front") });
  const skill = await duetty.cli("--skill");
  expect(skill.stdout).toBe(fs.readFileSync(new URL("../../../skills/duetty/SKILL.md", import.meta.url), "utf8"));
});
