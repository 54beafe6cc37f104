// Being told while elsewhere: `duetty watch`, the commands of a person's own, and what of it outlives a daemon.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { makeFolder, removeFolder } from "../../fixtures/folder.ts";
import { soon } from "../../fixtures/soon.ts";
import { BIN, type Installation } from "../../fixtures/stand/installation.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";

interface Line {
  readonly kind: string;
  readonly session_id: string | null;
  readonly id: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly why?: string;
  readonly exit_code?: number;
}

/** `duetty watch --json` with all that it printed. */
class Watch {
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  code: Promise<number | null>;

  constructor({ env }: Installation, ...args: string[]) {
    this.child = spawn(process.execPath, [BIN, "watch", "--json", ...args], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.code = new Promise((resolve) => this.child.once("exit", resolve));
    onTestFinished(() => void this.child.kill("SIGKILL"));
    let rest = "";
    this.child.stdout?.on("data", (part: Buffer) => {
      const all = (rest + part.toString()).split("\n");
      rest = all.pop() ?? "";
      this.lines.push(...all.map((line) => JSON.parse(line) as Line));
    });
  }

  static async began(duetty: Installation, ...args: string[]): Promise<Watch> {
    const watch = new Watch(duetty, ...args);
    await watch.has({ kind: "watch", to: "began" });
    return watch;
  }

  has(line: object): Promise<void> {
    return soon(() => expect(this.lines).toContainEqual(expect.objectContaining(line)));
  }

  /** What it told of one session, without names and times. */
  of(session_id: string, kind: string): string[] {
    return this.lines.flatMap((one) =>
      one.session_id === session_id && one.kind === kind ? `${one.from} ${one.to} ${one.why ?? ""}` : [],
    );
  }
}

const NOTE = 'cat >> "$0"; printf "%s|%s|%s\\n" "$DUETTY_EVENT" "$DUETTY_TITLE" "$DUETTY_BODY" >> "$0"; echo said';
const notes = makeFolder();
afterAll(() => removeFolder(notes));
const heard = path.join(notes, "events");
const shared = sharedStand({
  config: { on: { needs: ["sh", "-c", NOTE, heard], session: ["sh", "-c", "cat >/dev/null; sleep 60"] } },
});
const { duetty, person, agent, openGatedShell, openBash, pendingOf } = shared;

it("a line for each change of sessions, commands, questions and needs; it ends with Ctrl+C", async () => {
  const watch = await Watch.began(duetty);
  const { session_id } = await openGatedShell("bash", { name: "web" });
  const other = await openBash();
  const one = await Watch.began(duetty, "web");
  await person.run_command({ session_id, command: "false" });
  await person.run_command({ session_id: other, command: "true" });
  const asking = agent("sly").run_command({ session_id, command: "curl example.com", timeout_ms: 60_000 });
  const { approval_id } = await pendingOf(session_id);
  await watch.has({ kind: "need", session_id, name: "web", id: approval_id, from: null, to: "approval" });
  await person.deny({ approval_id });
  await asking;
  await watch.has({ kind: "need", id: approval_id, from: "approval", to: null });
  await watch.has({ kind: "approval", id: approval_id, from: "pending", to: "denied", who: "agent:sly" });
  await watch.has({
    kind: "block",
    session_id,
    from: "running",
    to: "failed",
    why: "false",
    exit_code: 1,
    who: "person",
  });
  await watch.has({ kind: "block", session_id: other, to: "done" });
  expect(watch.of(session_id, "session").slice(0, 2)).toEqual([
    expect.stringMatching(/^null provisioning /),
    expect.stringMatching(/^provisioning running /),
  ]);
  await one.has({ kind: "approval", id: approval_id, to: "denied" });
  expect(new Set(one.lines.map((line) => line.session_id))).toEqual(new Set([session_id]));
  one.child.kill("SIGINT");
  expect(await one.code).toBe(0);
  // A reader that goes away ends it, too.
  watch.child.stdout?.destroy();
  await person.run_command({ session_id, command: "true" });
  await person.run_command({ session_id, command: "true" });
  expect(await watch.code).toBe(0);
});

it("agents can neither watch nor list needs", async () => {
  expect((await duetty.agentCli("watch")).code).not.toBe(0);
  await expect(agent("sly").watch({})).rejects.toMatchObject({ code: "auth.forbidden" });
});

it("a command of the person's own hears of each need once, as text and never as an argument, and not of older ones", async () => {
  const text = "'; touch pwned #\x1b[2J ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const asks = agent("sly").ask_person({ message: text, timeout_ms: 60_000 });
  await soon(() => expect(fs.readFileSync(heard, "utf8")).toContain("needs|sly says|"));
  const [approval] = (await person.approvals({})).approvals;
  await person.approve({ approval_id: approval?.approval_id ?? "", answer: "no" });
  await asks;
  // What the command prints is logged when it has ended, so it has written all.
  await soon(() => expect(fs.readFileSync(path.join(duetty.home.run, "daemon.log"), "utf8")).toContain("said"));
  const all = fs.readFileSync(heard, "utf8");
  expect(all).not.toMatch(/\x1b|16C7e42F292c6912/);
  const line = all.split("\n").find((one) => one.includes(approval?.approval_id ?? "?")) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({ event: "needs", kind: "approval", tag: approval?.approval_id });
  expect(all.split(approval?.approval_id ?? "?")).toHaveLength(3);
});

it("after a restart nothing is told again, and nothing that changed meanwhile is lost", async () => {
  await using s = await stand({ config: { on: { needs: ["sh", "-c", 'cat >> "$0"', `${heard}-2`] } } });
  const failed = await s.open(["bash", "-c", "exit 3"]);
  const script = path.join(s.folder(), "claude.mjs");
  fs.copyFileSync(new URL("../../fixtures/agent-cli/scripted-agent.mjs", import.meta.url), script);
  const blocked = await s.open(["node", script]);
  await s.person.pty_wait({ session_id: blocked, any: [{ text: "answer" }], since: 0 });
  const msg = Buffer.from("rm z").toString("base64");
  const said = `\x1b]7501;state=blocked:app=claude:kind=permission:msg=${msg}\x1b\\Do you want to proceed?\r\n❯ 1. Yes`;
  await s.person.pty_send({ session_id: blocked, text: `${JSON.stringify(said)}\n` });
  const shell = await s.openBash();
  const ends = await s.open(["bash", "-c", "read x; exit 4"]);
  const tags = async () => (await s.person.needs({})).needs.map(({ tag }) => tag);
  await soon(async () => expect(await tags()).toHaveLength(2));
  await soon(() => expect(fs.readFileSync(s.duetty.home.needs, "utf8")).toContain(blocked));
  await soon(() => expect(fs.readFileSync(s.duetty.home.needs, "utf8")).toContain(ends));
  const before = await tags();
  const watch = await Watch.began(s.duetty);
  await s.person.pty_send({ session_id: shell, text: "sleep 1; false\n" });
  await watch.has({ kind: "block", session_id: shell, to: "running" });
  await s.person.pty_send({ session_id: ends, text: "sleep\n" });
  await s.duetty.killDaemon();
  await watch.has({ kind: "watch", from: "lost", to: "resumed" });
  await watch.has({ kind: "block", session_id: shell, from: "running", to: "failed", exit_code: 1 });
  await watch.has({ kind: "session", session_id: ends, to: "failed", exit_code: 4 });
  await soon(async () => expect(await tags()).toEqual([...before, expect.stringMatching(`^failed ${ends} `)]));
  const told = () => fs.readFileSync(`${heard}-2`, "utf8");
  for (const tag of before) await soon(() => expect(told().split(`"${tag}"`)).toHaveLength(2));
  expect(watch.lines.filter(({ kind, id }) => kind === "need" && before.includes(id))).toEqual([]);
  // It draws nothing, and nobody looks at it: its screen was read all the same.
  const states = async () => (await s.person.pty_list({})).sessions.map((one) => one.agent_state?.state);
  await soon(async () => expect(await states()).toContain("blocked"));
  await s.person.pty_read_screen({ session_id: failed });
  await soon(async () => expect(await tags()).toHaveLength(2));
});
