// Real agent CLIs, started by `open --agent` in their box, against a model on this machine: their states at each stage, our MCP
// server, the person's home, and their screens in a page, in `attach` and in another terminal, at 20 moments or more; then a commit
// in a worktree of their own, which leaves the person's tree, git settings and hooks as they are. On demand only (`npm run test:agent-clis [NAME…]`): the agents are large.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clientOver } from "../../build/client/client.js";
import { unixTransport } from "../../build/client/local.js";
import { beside } from "../../test/fixtures/model/fake-provider.mjs";
import { AGENT_CLIS, SHELL } from "./clis-known.mjs";
import { AttachedView, PageView, replayed } from "./clis-views.mjs";
import { gitSays, makeRepository, personsOwn } from "./clis-worktree.mjs";
import { BIN, CALL_MS_MAX, install, ran } from "./parts.mjs";
import { inPlace } from "./place.mjs";

const SIZE = { cols: 100, rows: 30 };
/** The slowest start was 45 seconds, on a busy machine. */
const STAGE_MS_MAX = 60_000;
const LOOK_MS = 100;
/** Pictures move while an agent works: all views have the same one within this time. */
const EQUAL_MS_MAX = 15_000;
/** At each of three stages. */
const MOMENTS = 10;
/** Engines differ in whether they keep characters that nobody sees, which Qwen writes beside its signs. */
const UNSEEN = /\u200b|\ufe0e|\ufe0f|⟦U\+200B⟧/gu;
const DONE = "DONE: all of it ran.";
const PROMPT = "Please say it once more.";

const words = process.argv.slice(2);
const rows = [];
for (const agent of AGENT_CLIS.filter(({ name }) => words.length === 0 || words.includes(name)))
  rows.push(await tried(agent));
console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])));
process.exitCode = rows.length > 0 && rows.every(({ result }) => result === "works") ? 0 : 1;

async function tried(agent) {
  const began = Date.now();
  const row = { name: agent.name, result: "works", moments: 0, states: [] };
  try {
    const { error, left } = await inPlace(agent, await install(agent), async (place) => {
      makeRepository(place.work);
      fs.writeFileSync(place.home.config, JSON.stringify({ worktree: { root: join(place.folder, "trees") } }));
      await ran(process.execPath, [BIN, "status"], { env: place.env, cwd: "/", ms: CALL_MS_MAX });
      const before = sums(place.person);
      await throughItsTurn(agent, { ...place, row });
      await onItsBranch(agent, { ...place, row });
      expect(sums(place.person) === before, "something in the person's home was changed");
    });
    row.left = left;
    if (error) throw error;
    if (left > 0) row.result = `${left} processes left behind`;
  } catch (error) {
    row.result = "fails";
    console.error(`${agent.name}: ${error.message}`);
  }
  return { ...row, states: row.states.join(" "), seconds: Math.round((Date.now() - began) / 1_000) };
}

/** The model thinks until it is let go, calls the agent's own shell, then our server, and says that it is done. */
function model(agent) {
  const seen = { mcp: undefined, tools: [] };
  const thinks = {};
  thinks.over = new Promise((letGo) => {
    thinks.end = letGo;
  });
  const script = async (request) => {
    const { tools, messages } = request;
    const own = tools.find((name) => SHELL.test(name));
    if (!own) return beside(request);
    seen.tools = tools;
    const results = messages.filter(({ role }) => role === "tool");
    if (results.length === 0) {
      await thinks.over;
      return { calls: [{ name: own, args: agent.shell("touch made-by-hand; ls -la") }] };
    }
    const ours = tools.find((name) => /pty_list$/.test(name));
    if (results.length === 1 && ours) return { calls: [{ name: ours, args: {} }] };
    seen.mcp = JSON.stringify(results.at(-1) ?? null);
    return { text: DONE };
  };
  return { script, seen, thinks };
}

async function throughItsTurn(agent, { env, home, work, provider, row }) {
  const token = () => ({ token: env.DUETTY_TOKEN, as: undefined });
  const person = clientOver(unixTransport(home, token));
  const { script, seen, thinks } = model(agent);
  provider.say(script);
  const args = agent.args(provider.url);
  const opened = { agent: agent.name, prompt: "Please run the command.", cwd: work, base_env: env, ...SIZE };
  const { session_id } = await person.pty_open({ ...opened, ...(args.length > 0 ? { command: args } : {}) });
  const stage = { agent, person, session_id, row, home, env, provider, views: [] };
  const info = async () => (await person.status({ session_id })).session;
  try {
    expect((await info()).agent === agent.name, "the session does not name its agent");
    stage.views = [await AttachedView.open(env, session_id, SIZE), await PageView.open(person, session_id)];
    await reaches(stage, "working");
    await compared(stage);
    thinks.end();
    await reaches(stage, "blocked");
    await compared(stage);
    expect((await prompt(stage)).code !== 0, "it was prompted while it asked something");
    await answered(stage, () => fs.existsSync(join(work, "made-by-hand")));
    await answered(stage, () => seen.mcp !== undefined);
    await reaches(stage, "done", "idle");
    await compared(stage);
    expect(seen.mcp.includes(session_id), `our server did not answer: ${seen.mcp}; tools: ${seen.tools.join(" ")}`);
    if (agent.isPrompted) await prompted(stage);
    const { agent_session_id } = await info();
    row.id = agent_session_id === null ? "unknown" : "known";
  } catch (error) {
    const { rows } = await person.pty_read_screen({ session_id });
    throw new Error(`${error.message}\n${rows.filter(Boolean).join("\n")}`);
  } finally {
    for (const view of stage.views) await view.close();
  }
}

/** In its box, in a worktree of its own: the commit comes to the person's repository, and nothing else there changes. */
async function onItsBranch(agent, { env, home, work, provider, row }) {
  const person = clientOver(unixTransport(home, () => ({ token: env.DUETTY_TOKEN, as: undefined })));
  const branch = `work-of-${agent.name}`;
  const line = `echo ${agent.name} > made.txt; git add made.txt; git commit -qm 'by ${agent.name}'; touch ${work}/escaped`;
  provider.say((request) => {
    const own = request.tools.find((name) => SHELL.test(name));
    if (!own) return beside(request);
    const isFirst = request.messages.every(({ role }) => role !== "tool");
    return isFirst ? { calls: [{ name: own, args: agent.shell(line) }] } : { text: DONE };
  });
  const before = personsOwn(work);
  const args = agent.args(provider.url);
  const opened = {
    agent: agent.name,
    prompt: "Please commit.",
    cwd: work,
    base_env: env,
    worktree: { branch },
    ...SIZE,
  };
  const { session_id, box } = await person.pty_open({ ...opened, ...(args.length > 0 ? { command: args } : {}) });
  expect(box !== null, "it has no box");
  await answered(
    { person, session_id },
    () => gitSays(work, "log", "-1", "--format=%s", branch) === `by ${agent.name}`,
  );
  const { files } = await person.worktree_diff({ worktree: branch });
  expect(files.map(({ path }) => path).join() === "made.txt", `its difference is ${JSON.stringify(files)}`);
  expect(personsOwn(work) === before, "the person's tree, git settings or hooks were changed");
  row.branch = "commit";
}

/** The state that a stage must have; others may come before it. */
async function reaches({ person, session_id, row }, ...states) {
  let now;
  for (const ends = Date.now() + STAGE_MS_MAX; Date.now() < ends; await sleep(LOOK_MS)) {
    now = (await person.status({ session_id })).session.agent_state;
    const told = `${now?.state}(${now?.source})`;
    if (row.states.at(-1) !== told) row.states.push(told);
    if (states.includes(now?.state)) return;
  }
  throw new Error(`it is ${now?.state} (${now?.why}), not ${states.join(" or ")}`);
}

/** Says yes to what it asks, until something has happened. */
async function answered(stage, happened) {
  const { person, session_id } = stage;
  for (const ends = Date.now() + STAGE_MS_MAX; !happened() && Date.now() < ends; await sleep(LOOK_MS)) {
    const { session } = await person.status({ session_id });
    if (session.agent_state?.state !== "blocked") continue;
    await person.pty_send({ session_id, keys: ["Enter"], then: { any: [{ settled_ms: 300 }], timeout_ms: 3_000 } });
  }
  expect(happened(), "what was asked for did not happen");
}

function prompt({ env, session_id }) {
  const args = [BIN, "prompt", session_id, PROMPT, "--json"];
  return ran(process.execPath, args, { env, cwd: "/", ms: CALL_MS_MAX });
}

/** Its next turn begins by `duetty prompt`, and its model has the text once. */
async function prompted(stage) {
  const { code, stdout, stderr } = await prompt(stage);
  expect(code === 0 && JSON.parse(stdout).outcome === "began", `it was not prompted: ${stdout}${stderr}`);
  const asked = () => stage.provider.requests.at(-1)?.messages.filter(({ text }) => text.includes(PROMPT)).length;
  await answered(stage, () => asked() > 0);
  expect(asked() === 1, "its model was asked more than once");
  await reaches(stage, "done", "idle");
  stage.row.prompt = "began";
}

/** Every view shows what the daemon shows, each time that its picture is another one, or was still for a while. */
async function compared({ person, session_id, row, home, views }) {
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const ends = Date.now() + EQUAL_MS_MAX;
    const open = new Set(["replay", ...views]);
    while (open.size > 0 && Date.now() < ends) {
      const screen = await person.pty_read_screen({ session_id });
      const ours = text(screen.rows);
      for (const view of open) {
        const raw = join(home.sessions, session_id, "output.raw");
        const theirs = view === "replay" ? await replayed(raw, screen.cursor_bytes, SIZE) : await view.rows();
        if (text(theirs) === ours) open.delete(view);
        else if (view !== "replay") view.last = { ours, theirs: text(theirs) };
      }
      if (open.size > 0) await sleep(LOOK_MS);
    }
    const [other] = open;
    if (other) throw new Error(`${other.name ?? other} differs:\n${JSON.stringify(other.last, null, 1)}`);
    row.moments += 1;
    await person.pty_wait({ session_id, any: [{ change: true }], timeout_ms: 300 });
  }
}

function text(rows) {
  return rows
    .map((row) => row.replace(UNSEEN, "").replaceAll("\u00a0", " ").trimEnd())
    .join("\n")
    .trimEnd();
}

/** Every file of a folder and its content. */
function sums(folder) {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = files.map(({ parentPath, path, name }) => join(parentPath ?? path, name)).sort();
  const one = (path) =>
    fs.lstatSync(path).isFile() ? createHash("sha256").update(fs.readFileSync(path)).digest("hex") : "";
  return paths.map((path) => `${path} ${one(path)}`).join("\n");
}

function expect(is, what) {
  if (!is) throw new Error(what);
}
