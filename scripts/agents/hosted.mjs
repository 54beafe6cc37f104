// Real agents from npm, hosted end to end: each is asked through `duetty ask`, calls our MCP server, and its command is a
// block that people see. Models are a local fake; nothing leaves the machine but the installation. On demand only
// (`npm run test:agents [NAME…]`): the agents are large. Exits 1 when none works, or one leaves a process behind.
import fs from "node:fs";
import { join } from "node:path";
import { beside } from "../../test/fixtures/model/fake-provider.mjs";
import { AGENTS } from "./hosted-known.mjs";
import { BIN, CALL_MS_MAX, install, ran } from "./parts.mjs";
import { inPlace } from "./place.mjs";

/** Time for one agent's turn. The slowest takes ten seconds. */
const TURN_MS_MAX = 120_000;
const DONE = "DONE: the command ran.";
const NO_TOOL = "there is no such tool";
/** codex does not wait for the servers it was given: on a busy machine its first turns have no tools of ours. */
const TURNS_MAX = 5;

const wanted = process.argv.slice(2);
const chosen = AGENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const rows = [];
for (const agent of chosen) rows.push(await tried(agent));
console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])));
const isGood = rows.some(({ result }) => result === "works") && rows.every(({ left_behind }) => left_behind === 0);
process.exitCode = isGood ? 0 : 1;

async function tried(agent) {
  const began = Date.now();
  let [installed, left_behind] = [false, 0];
  const seconds = () => Math.round((Date.now() - began) / 100) / 10;
  try {
    const bin = await install(agent);
    installed = true;
    console.log(`${agent.name}: ${agent.from} …`);
    const use = ({ env, work, provider }) => endToEnd(agent.name, { env, cwd: work }, provider);
    const { facts, error, left } = await inPlace(agent, bin, use);
    left_behind = left;
    if (error) throw error;
    return { name: agent.name, result: "works", ...facts, left_behind, seconds: seconds() };
  } catch (error) {
    console.error(`${agent.name}: ${error.message}`);
    return { name: agent.name, result: installed ? "fails" : "not installed", left_behind, seconds: seconds() };
  }
}

/** Has the agent's model make one call, and then say that it is done. */
function oneCall(tool, argsOf) {
  let called = false;
  return ({ protocol, tools, messages, system }) => {
    if (protocol === "gemini" && tools.length === 0) return beside({ protocol });
    const name = tools.find((each) => tool.test(each));
    if (called || !name) return { text: called ? DONE : `${NO_TOOL} among ${tools.join(", ")}` };
    called = true;
    const text = [system, ...messages.map((message) => message.text)].join("\n");
    return { calls: [{ name, args: argsOf(name, /session_id "(s_\w+)"/.exec(text)?.[1]) }] };
  };
}

async function endToEnd(name, place, provider) {
  const command = `echo hosted-${name}`;
  provider.say(oneCall(/run_command$/, (_tool, session_id) => ({ command, session_id })));
  let turn = await asked(["--agent", name, "Please run the command."], place);
  let turns = 1;
  for (; turn.said.includes(NO_TOOL) && turns < TURNS_MAX; turns += 1)
    turn = await asked(["--session", turn.status.session_id, "--agent", name, "Please run the command."], place);
  const { events, status, said, expect } = turn;
  expect(status?.outcome === "done", "the turn did not end well");
  expect(said.includes(DONE), "the last word is missing");
  const { blocks } = JSON.parse((await duetty(place, "blocks", "--json", status.session_id)).stdout);
  const block = blocks.find(({ cmd }) => cmd === command);
  expect(block?.exit_code === 0 && block.actor === `agent:${name}`, "its command is no block of the session");
  const output = await duetty(place, "block", block.block_id);
  expect(output.stdout.includes(`hosted-${name}`), "the block has no output");
  const step = events.find(({ type }) => type === "step");
  expect(step?.kind === "terminal" && step.tool === "run_command", "the step was not told as one of ours");
  const own_tool = await denied(name, status.session_id, place, provider);
  return { block: block.cmd, by: block.actor, turns, own_tool };
}

/** Its own shell is asked for, and what a person denies is not run. */
async function denied(name, session_id, place, provider) {
  const command = "touch by-its-own-hands; curl -s http://127.0.0.1:9/";
  const escalated = { cmd: command, sandbox_permissions: "require_escalated", justification: "for a test" };
  const args = (tool) => (tool === "exec_command" ? escalated : { command, description: "for a test" });
  provider.say(oneCall(/^(?:Bash|bash|exec_command|run_shell_command)$/, args));
  const turn = asked(["--session", session_id, "--agent", name, "Please make the file."], place);
  let over = false;
  const ended = turn.finally(() => {
    over = true;
  });
  let card;
  while (!card && !over) {
    const { stdout } = await duetty(place, "approvals", "--json");
    card = stdout === "" ? undefined : JSON.parse(stdout).approvals[0];
  }
  if (card) await duetty(place, "deny", card.approval_id);
  const { events, expect } = await ended;
  expect(card?.kind === "tool" && card.text.includes(command), "nobody was asked for its own shell");
  expect(!fs.existsSync(join(place.cwd, "by-its-own-hands")), "what was denied was run");
  expect(
    events.some(({ type, ok }) => type === "observation" && ok === false),
    "the denial was not told",
  );
  return `${card.class}: denied`;
}

function duetty({ env, cwd }, ...args) {
  return ran(process.execPath, [BIN, ...args], { env, cwd, ms: CALL_MS_MAX });
}

async function asked(words, { env, cwd }) {
  const { stdout, stderr } = await ran(process.execPath, [BIN, "ask", "--json", ...words], {
    env,
    cwd,
    ms: TURN_MS_MAX,
  });
  const events = stdout.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  const expect = (is, what) => {
    const words = events.flatMap(({ type, message, text }) => (/trouble|message/.test(type) ? [message ?? text] : []));
    if (!is) throw new Error([what, ...words, stderr.slice(-1_000)].join("\n"));
  };
  const said = events.findLast(({ type }) => type === "message")?.text ?? "";
  return { events, said, status: events.findLast(({ session_id }) => session_id !== undefined), expect };
}
