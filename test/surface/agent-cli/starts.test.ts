// `open --agent`: agent CLIs with our server, in their box, without anything of the person's being written. The agents are scripts
// under their names.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Call } from "../../../src/protocol/ops.ts";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";

const AGENT = new URL("../../fixtures/agent-cli/started-agent.mjs", import.meta.url);
const OWN = { command: ["tool-of-mine"], args: ["--at", "{cwd}"], prompt: ["--say"], hosts: ["models.example.com"] };
const {
  duetty,
  person,
  folder,
  agent: agentClient,
} = sharedStand({
  config: { agent_starts: { mine: OWN }, rules: { allow: ["gemini"] } },
});

interface Started {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const bin = join(duetty.folder, "bin");
fs.mkdirSync(bin);
for (const name of ["claude", "gemini", "tool-of-mine"]) fs.copyFileSync(AGENT, join(bin, name));
duetty.env.PATH = `${bin}:${process.env.PATH}`;

function personsEnv(more: Record<string, string> = {}): Record<string, string> {
  const own = Object.entries(duetty.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(own), ...more };
}

async function start(agent: string, more: Partial<Call<"pty_open">> = {}, env: Record<string, string> = {}) {
  const cwd = folder();
  const info = await person.pty_open({ agent, cwd, base_env: personsEnv(env), ...more });
  const { session_id } = info;
  const file = join(cwd, "started.json");
  await soon(() => expect(fs.existsSync(file)).toBe(true));
  const started: Started = JSON.parse(fs.readFileSync(file, "utf8"));
  const answers = (): unknown[] => {
    const path = join(cwd, "answers.jsonl");
    const text = fs.existsSync(path) ? fs.readFileSync(path, "utf8").trim() : "";
    return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
  };
  const does = async (line: string): Promise<unknown> => {
    const before = answers().length;
    await person.pty_send({ session_id, text: `${line}\n` });
    await soon(() => expect(answers()).toHaveLength(before + 1));
    return answers().at(-1);
  };
  return { session_id, cwd, info, started, does };
}

const infoOf = async (session_id: string) => (await person.status({ session_id })).session;

it("a boxed agent gets its prompt by flag, our server, a clean environment; nothing of the person's is written", async () => {
  const home = duetty.env.HOME ?? "";
  fs.mkdirSync(join(home, ".claude"), { recursive: true });
  fs.writeFileSync(join(home, ".claude/.credentials.json"), '{"login":1}');
  const before = duetty.contents(home);
  const markers = { CLAUDECODE: "1", CODEX_SANDBOX: "seatbelt", GEMINI_CLI: "1" };
  const env = { ...markers, ANTHROPIC_API_KEY: "sk-ant-of-a-test", ANTHROPIC_BASE_URL: "http://gate.example.com:8080" };
  const { session_id, cwd, info, started, does } = await start("claude", { prompt: "fix it", command: ["-x"] }, env);
  expect(info).toMatchObject({
    agent: "claude",
    agent_state: { state: "starting", source: "none" },
    command: ["claude", "-x", "--", "fix it"],
    box: { roots: [cwd], network: expect.arrayContaining(["api.anthropic.com", "gate.example.com:8080"]) },
  });
  expect(started.argv.slice(-3)).toEqual(["-x", "--", "fix it"]);
  expect(info.agent_session_id).toBe(started.argv[started.argv.indexOf("--session-id") + 1]);
  expect(Object.keys(markers).filter((name) => name in started.env)).toEqual([]);
  expect(started.env).toMatchObject({ ANTHROPIC_API_KEY: env.ANTHROPIC_API_KEY, DUETTY_SESSION_ID: session_id });
  const config = started.env.CLAUDE_CONFIG_DIR ?? "";
  expect(config.startsWith(duetty.home.dir)).toBe(true);
  expect(await does(`sh grep -q login ${config}/.credentials.json && ! touch ${home}/no`)).toBe(0);
  const shown = JSON.stringify(await does('mcp run_command {"command":"pwd; touch made"}'));
  expect(shown).toContain(cwd);
  expect(fs.existsSync(join(cwd, "made"))).toBe(true);
  const elsewhere = folder();
  for (const way of [{}, { session_id, mode: "pipe" }]) {
    const asked = JSON.stringify({ command: "touch made", cwd: elsewhere, ...way });
    expect(JSON.stringify(await does(`mcp run_command ${asked}`))).toContain("outside the box that you run in");
  }
  expect(fs.readdirSync(elsewhere)).toEqual([]);
  await person.pty_close({ session_id });
  expect(fs.existsSync(duetty.sessionFile(session_id, "network"))).toBe(false);
  expect(duetty.contents(home)).toEqual(before);
});

it("a start finds its conversation and a login of an earlier one in that folder, and nothing that was planted beside them", async () => {
  const { session_id, cwd, info, started, does } = await start("claude", {}, { CLAUDE_CONFIG_DIR: folder() });
  const { CLAUDE_CONFIG_DIR: config = "", HOME: home = "" } = started.env;
  const resume = info.agent_session_id ?? "";
  const talk = `projects/p/${resume}.jsonl`;
  const planted = ["projects/p/memory/MEMORY.md", "agents/a.md", "plugins/p/hooks.json", "settings.json", "CLAUDE.md"];
  const made = [talk, ".credentials.json", "projects/p/of-another.jsonl", ...planted];
  for (const file of made) await does(`sh mkdir -p $(dirname ${config}/${file}); echo in the box > ${config}/${file}`);
  await does(`sh ln -s /etc/passwd ${config}/projects/q; echo '{"mcpServers":{}}' > ${config}/.claude.json`);
  await does(`sh mkdir -p ${home}/.agents; touch ${home}/.agents/planted ${home}/.gitconfig`);
  const again = { agent: "claude", cwd, resume, base_env: personsEnv({ CLAUDE_CONFIG_DIR: folder() }) };
  await expect(person.pty_open(again)).rejects.toThrow(`${session_id} has this conversation`);
  await person.pty_close({ session_id });
  fs.rmSync(join(cwd, "started.json"));
  const next = await person.pty_open(again);
  const { env } = await soon((): Started => JSON.parse(fs.readFileSync(join(cwd, "started.json"), "utf8")));
  expect([...duetty.contents(env.CLAUDE_CONFIG_DIR ?? "").keys()].sort()).toEqual(
    [".claude.json", ".credentials.json", talk].sort(),
  );
  expect(fs.readFileSync(join(env.CLAUDE_CONFIG_DIR ?? "", ".claude.json"), "utf8")).not.toContain("mcpServers");
  expect([".agents", ".gitconfig"].filter((name) => fs.existsSync(join(env.HOME ?? "", name)))).toEqual([]);
  await person.pty_close({ session_id: next.session_id });
  await soon(() => expect(fs.existsSync(env.HOME ?? "")).toBe(false));
});

it("an agent in a box types into no session outside of it, and its own way to the daemon leaves no box", async () => {
  const { session_id, cwd, does } = await start("claude");
  const shell = (await person.pty_open({ command: ["/bin/bash", "--norc"], cwd: folder() })).session_id;
  expect(await does(`types ${shell} x`)).toBe(400);
  expect(await does(`types ${session_id} x`)).toBe(101);
  const way = "curl -s --unix-socket /run/duetty/run/daemon.sock -H content-type:application/json http://duetty/v1/ask";
  const token = "Authorization: Bearer $(cat /run/duetty/agent.token)";
  for (const asked of [{ text: "help" }, { text: "help", session_id }]) {
    await does(`sh ${way} -H "${token}" -d '${JSON.stringify(asked)}' > asked`);
    expect(fs.readFileSync(join(cwd, "asked"), "utf8")).toContain("ask is outside the box that you run in");
  }
  await person.pty_close({ session_id });
  await using plain = await stand({ config: { box: { agents: false } } });
  plain.duetty.env.PATH = duetty.env.PATH;
  const opened = await plain.person.pty_open({ agent: "claude", cwd, base_env: personsEnv({ HOME: cwd }) });
  expect(opened.box).not.toBeNull();
  const refused = "outside the box that you run in";
  await soon(() => expect(fs.existsSync(join(cwd, "started.json"))).toBe(true));
  const asks = async (line: string) => {
    fs.writeFileSync(join(cwd, "answers.jsonl"), "");
    await plain.person.pty_send({ session_id: opened.session_id, text: `${line}\n` });
    return soon(() => {
      const answer = fs.readFileSync(join(cwd, "answers.jsonl"), "utf8");
      expect(answer).toMatch(/\n$/);
      return answer;
    });
  };
  expect(await asks(`mcp run_command {"command":"id","cwd":"${cwd}"}`)).toContain(refused);
  expect(await asks(`mcp pty_open {"cwd":"${cwd}"}`)).toContain(refused);
  expect(await asks(`mcp pty_open {"cwd":"${cwd}","box":true}`)).toContain("boxed");
  expect(await asks(`mcp pty_open {"cwd":"${cwd}","box":true,"command":["ls"]}`)).toContain("boxed");
  const { sessions } = await plain.person.pty_list({ all: true });
  expect(sessions.map(({ box }) => box?.roots)).toEqual([[cwd], [cwd], [cwd]]);
});

it("no start leads to another file of the person's than their login", async () => {
  const [home, cwd] = [duetty.env.HOME ?? "", folder()];
  fs.writeFileSync(join(home, "key"), "of the person");
  fs.symlinkSync(join(home, "key"), join(cwd, ".credentials.json"));
  const wish = { agent: "claude", cwd, env: { CLAUDE_CONFIG_DIR: cwd } };
  await expect(agentClient("sly").pty_open(wish)).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining("a person chooses CLAUDE_CONFIG_DIR"),
  });
  const { session_id, does } = await start("claude", { env: { CLAUDE_CONFIG_DIR: cwd } });
  expect(await does(`sh echo changed >> ${join(home, "key")}`)).not.toBe(0);
  expect(fs.readFileSync(join(home, "key"), "utf8")).toBe("of the person");
  await person.pty_close({ session_id });
});

it("hooks are evidence for the session in which they run, and for no other", async () => {
  const { session_id, does } = await start("claude");
  const stateOf = (wanted: object) =>
    soon(async () => expect((await infoOf(session_id))?.agent_state).toMatchObject(wanted));
  const hook = (event: object) => does(`hook ${JSON.stringify(event)}`);
  const silent = { status: 0, stdout: "" };
  expect(await hook({ hook_event_name: "SessionStart", session_id: "id-of-its-own" })).toEqual(silent);
  expect((await infoOf(session_id))?.agent_session_id).toBe("id-of-its-own");
  await hook({ hook_event_name: "UserPromptSubmit", session_id: "--not-an-id" });
  await stateOf({ state: "working", source: "hook" });
  const asks = { hook_event_name: "Notification", notification_type: "permission_prompt" };
  await hook({ ...asks, message: "may I run \u001b[2J\u202etouch z" });
  await stateOf({ state: "blocked", kind: "permission", source: "hook" });
  for (const past of [[], ["--at", "-0s"]]) {
    const { stdout } = await duetty.cli("explain", "--state", session_id, ...past);
    expect(stdout).toMatch(/^claude is blocked \(permission\) by claude\/hook, read from hook\n {2}may I run /);
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  }
  expect((await infoOf(session_id))?.agent_session_id).toBe("id-of-its-own");
  const other = await start("mine", { box: false, env: { DUETTY_SESSION_ID: session_id } });
  const forged = JSON.stringify({ event: "Stop", agent_session_id: "forged", session_id });
  const client = `curl -s --unix-socket ${duetty.home.daemonSocket} -H 'Authorization: Bearer ${duetty.token("person")}'`;
  const post = `${client} -H content-type:application/json http://duetty/v1/hook -d`;
  await other.does(`sh ${post} '${forged}' > refused`);
  await other.does(`sh ${post} '${JSON.stringify({ event: "Stop", agent_session_id: "own" })}' > own`);
  expect(fs.readFileSync(join(other.cwd, "refused"), "utf8")).toContain("no field");
  expect(JSON.parse(fs.readFileSync(join(other.cwd, "own"), "utf8"))).toMatchObject({ session_id: other.session_id });
  expect(await infoOf(session_id)).toMatchObject({
    agent_session_id: "id-of-its-own",
    agent_state: { state: "blocked" },
  });
  await other.does(`sh ${post} '${JSON.stringify({ event: "Stop", agent_session_id: "id-of-its-own" })}' > taken`);
  expect(fs.readFileSync(join(other.cwd, "taken"), "utf8")).toContain(`${session_id} has this conversation`);
  expect((await infoOf(other.session_id))?.agent_session_id).toBe("own");
  await expect(person.hook({ event: "Stop" })).rejects.toThrow("only an agent CLI in a session");
});

it("a daemon that comes back leaves the way open; files of one start are private and go with the session", async () => {
  const { session_id, started, does } = await start("gemini", { prompt: "hi", box: false });
  expect(started.argv.slice(-2)).toEqual(["-i", "hi"]);
  const settings = started.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH ?? "";
  expect(fs.statSync(settings).mode & 0o777).toBe(0o600);
  expect(JSON.parse(fs.readFileSync(settings, "utf8")).mcpServers.duetty.env).toEqual({ DUETTY_HOME: duetty.home.dir });
  const boxed = await start("claude");
  await duetty.killDaemon();
  await duetty.status();
  await soon(async () => expect(JSON.stringify(await boxed.does("mcp pty_list {}"))).toContain(boxed.session_id));
  expect((await infoOf(boxed.session_id))?.agent).toBe("claude");
  for (const id of [session_id, boxed.session_id]) await person.pty_close({ session_id: id });
  await expect(does("sh true")).rejects.toThrow();
  expect(fs.existsSync(settings)).toBe(false);
});

it("a person's own entry is started and known by its name; what cannot be started says what can", async () => {
  const { cwd, info, started } = await start("mine", { prompt: "go" });
  expect(started.argv).toEqual(["--at", cwd, "--say", "go"]);
  expect(info).toMatchObject({ agent: "mine", agent_session_id: null, box: { network: ["models.example.com"] } });
  await expect(person.pty_open({ agent: "nobody" })).rejects.toMatchObject({
    code: "input.invalid",
    hint: expect.stringMatching(/claude, codex, gemini.*mine/),
  });
  await expect(person.pty_open({ agent: "codex", base_env: personsEnv() })).rejects.toMatchObject({
    code: "command.not_found",
    hint: expect.stringContaining("npm install -g @openai/codex"),
  });
  await expect(person.pty_open({ prompt: "hi" })).rejects.toThrow("prompt is for agents");
  const helper = agentClient("helper");
  await expect(helper.pty_open({ agent: "claude", box: false })).rejects.toMatchObject({ code: "box.refused" });
});

/** The only question. */
const question = (count = 1) =>
  soon(async () => {
    const { approvals } = await person.approvals({});
    expect(approvals).toHaveLength(count);
    return approvals.at(-1);
  });

it("a question about an agent's start says all that a yes gives; a rule gives less, and no yes counts for another", async () => {
  const [helper, cwd] = [agentClient("helper"), folder()];
  const env = { ANTHROPIC_BASE_URL: "http://localhost" };
  const asks = helper.pty_open({ agent: "claude", cwd, env, resume: "old-talk", prompt: "help me" });
  const first = await question();
  expect(first).toMatchObject({
    kind: "open",
    text: "ANTHROPIC_BASE_URL=http://localhost claude --resume old-talk -- 'help me'",
    where: "box+network",
    hosts: expect.arrayContaining(["api.anthropic.com", "localhost:80"]),
  });
  expect(first?.reasons[0]).toMatchObject({ part: "claude", why: "gets your login and keys" });
  await person.approve({ approval_id: first?.approval_id ?? "" });
  const { session_id, actor, box } = await asks;
  expect({ actor, roots: box?.roots, network: box?.network }).toEqual({
    actor: "agent:helper",
    roots: [cwd],
    network: first?.hosts,
  });
  // The same words without our start are another question: it has no login, and reaches every host.
  const started = helper.pty_open({ agent: "claude", cwd }).catch(() => undefined);
  await question();
  const plain = helper.pty_open({ command: ["claude"], cwd }).catch(() => undefined);
  await question(2);
  for (const { approval_id } of (await person.approvals({})).approvals) await person.deny({ approval_id });
  await Promise.all([started, plain]);
  expect((await helper.pty_open({ agent: "gemini", cwd })).box?.network).toEqual([]);
  await helper.pty_send({ session_id, text: "of its own" });
});

it("keys of another agent into an agent CLI are asked about, though it is in a box: it has the person's login and questions", async () => {
  const { session_id } = await start("claude");
  const typed = agentClient("eve").pty_send({ session_id, text: "sh cp $CLAUDE_CONFIG_DIR/.credentials.json leak" });
  typed.catch(() => undefined);
  const asked = await question();
  expect(asked).toMatchObject({ kind: "keys", actor: "agent:eve" });
  expect(asked).not.toHaveProperty("where");
  await person.deny({ approval_id: asked?.approval_id ?? "" });
  await expect(typed).rejects.toMatchObject({ code: "gate.denied" });
});
