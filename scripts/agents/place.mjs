// A place for one real agent: a person's home, a work tree, an installation of duetty and a model on this machine, all of its own.
// What one agent leaves cannot help another. Owns: the folder, the environment and the end of all of it.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { homeOf } from "../../build/protocol/plain/home.js";
import { FakeProvider } from "../../test/fixtures/model/fake-provider.mjs";
import { CALL_MS_MAX, ROOT, ran, shutDown } from "./parts.mjs";

/** Accounts, addresses and folders of the agents that are on this machine. */
const THEIRS = /^(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE|CODEX|CLAUDE|OPENCODE|QWEN|DASHSCOPE|COPILOT|GITHUB|GH|XDG)_/;

/** Uses the place, and ends it. Tells what came of it, and how many processes were left behind. */
export async function inPlace(agent, bin, use) {
  const folder = fs.mkdtempSync(join(tmpdir(), "dta-"));
  const [person, work] = ["home", "work"].map((name) => join(folder, name));
  for (const each of [person, work]) fs.mkdirSync(each);
  await ran("git", ["init", "--quiet", work], { env: process.env, cwd: folder, ms: CALL_MS_MAX });
  const home = homeOf({ DUETTY_HOME: join(folder, "d") });
  const provider = await FakeProvider.start();
  agent.settings(person, provider.url);
  const env = environment(agent, { bin, person, home, url: provider.url });
  const came = {};
  try {
    came.facts = await use({ folder, person, work, home, provider, env });
  } catch (error) {
    came.error = error;
  }
  const left = await shutDown(env, home);
  await provider[Symbol.asyncDispose]();
  fs.rmSync(folder, { recursive: true, force: true });
  return { ...came, left };
}

function environment(agent, { bin, person, home, url }) {
  const node22 = resolve(ROOT, `test/peers/node_modules/node-linux-${process.arch}/bin`);
  const { DUETTY_SESSION_ID, ...all } = process.env;
  const env = Object.fromEntries(Object.entries(all).filter(([name]) => !THEIRS.test(name)));
  fs.mkdirSync(home.dir, { recursive: true, mode: 0o700 });
  for (const file of [home.personToken, home.agentToken])
    fs.writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  return {
    ...env,
    ...agent.env(url),
    HOME: person,
    // Some need Node 22; where it is not installed, they have the one that runs us.
    PATH: [bin, ...(fs.existsSync(node22) ? [node22] : []), env.PATH].join(delimiter),
    SHELL: "/bin/bash",
    DUETTY_HOME: home.dir,
    DUETTY_TOKEN: fs.readFileSync(home.personToken, "utf8").trim(),
  };
}
