// Records the raw streams of real agent CLIs through two turns: idle, working, asking, working, done, working, interrupted. What the
// model and this script did says which state is the true one; nothing here asks our own judge. On demand only (`npm run
// record:agent-clis [NAME…]`): the streams in test/fixtures/agent-cli/streams are written again.
import fs from "node:fs";
import { join } from "node:path";
import { clientOver } from "../../build/client/client.js";
import { unixTransport } from "../../build/client/local.js";
import { beside } from "../../test/fixtures/model/fake-provider.mjs";
import { AGENT_CLIS, SHELL } from "./clis-known.mjs";
import { BIN, CALL_MS_MAX, install, ran } from "./parts.mjs";
import { inPlace } from "./place.mjs";
import { Recording, SIZE } from "./recording.mjs";

const FIRST = "Please run the command.";
const SECOND = "Think about it again.";
const FILE = "made-by-hand";
const DONE = "DONE: all of it ran.";

const wanted = process.argv.slice(2);
for (const agent of AGENT_CLIS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const bin = await install(agent);
  const { facts, error, left } = await inPlace(agent, bin, (place) => throughItsTurns(agent, place));
  if (error) console.error(`${agent.name}: ${error.message}`);
  if (left > 0) console.error(`${agent.name}: ${left} processes left behind`);
  if (error || left > 0) process.exitCode = 1;
  if (facts) console.log(`${agent.name}: ${facts}`);
}

/** A gate that the model waits at. */
function gate() {
  const made = { reached: false };
  made.opened = new Promise((open) => {
    made.open = open;
  });
  made.pass = () => {
    made.reached = true;
    return made.opened;
  };
  return made;
}

/** Thinks until it is let go, calls the agent's own shell, reads the result until it is let go, says that it is done. Then hangs. */
function model(agent) {
  const [thinks, reads, hangs] = [gate(), gate(), gate()];
  const script = async (request) => {
    const own = request.tools.find((name) => SHELL.test(name));
    if (!own) return beside(request);
    if (request.messages.some(({ role, text }) => role === "user" && text.includes(SECOND))) {
      await hangs.pass();
      return { hang: true };
    }
    if (!request.messages.some(({ role }) => role === "tool")) {
      await thinks.pass();
      return { text: "I run it.", calls: [{ name: own, args: agent.shell(`touch ${FILE}; ls -la`) }] };
    }
    await reads.pass();
    return { text: DONE };
  };
  return { script, thinks, reads, hangs };
}

async function throughItsTurns(agent, { env, home, work, provider, folder }) {
  await ran(process.execPath, [BIN, "status"], { env, cwd: "/", ms: CALL_MS_MAX });
  const person = clientOver(unixTransport(home, () => ({ token: env.DUETTY_TOKEN, as: undefined })));
  const { script, thinks, reads, hangs } = model(agent);
  provider.say(script);
  const args = agent.args(provider.url);
  const opened = { agent: agent.name, cwd: work, base_env: env, ...SIZE };
  const { session_id } = await person.pty_open({ ...opened, ...(args.length > 0 ? { command: args } : {}) });
  const taken = new Recording(person, session_id, join(home.sessions, session_id));
  const exists = () => fs.existsSync(join(work, FILE));
  try {
    taken.now("idle");
    await taken.lasts("it takes input", () => taken.isReady());
    await taken.asks(FIRST);
    await taken.lasts("its model is asked", () => thinks.reached);
    taken.now("blocked permission");
    thinks.open();
    await taken.lasts("its command is shown", async () => (await taken.screen()).includes(FILE));
    if (exists()) throw new Error("it asked nobody");
    await taken.answers("working", ["Enter"]);
    await taken.lasts("its model has the result", () => exists() && reads.reached);
    taken.now("done");
    reads.open();
    await taken.lasts("the answer is shown", async () => (await taken.screen()).includes(DONE));
    await taken.asks(SECOND);
    await taken.lasts("its model is asked again", () => hangs.reached);
    await taken.answers("idle", agent.interrupt ?? ["Escape"]);
    const gone = provider.hungUp(1).then(() => true);
    let isGone = false;
    gone.then(() => {
      isGone = true;
    });
    hangs.open();
    await taken.lasts("it hangs up", () => isGone);
    return taken.keep(agent, folder);
  } catch (error) {
    throw new Error(`${error.message}\n${await taken.screen()}`);
  }
}
