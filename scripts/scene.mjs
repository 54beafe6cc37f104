// A made-up day of work for screenshots: a project with a failing test, a server, a password prompt, an editor, an agent that
// asks. Owns: its home folder and its model.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeProvider } from "../test/fixtures/model/fake-provider.mjs";
import { environmentIn, install, SOON_MS, until } from "./installation.mjs";

/** `tests`: how many lines the tests print. */
const filesOf = ({ tests }) => ({
  ".bashrc": "PS1='\\[\\e[34m\\]\\w\\[\\e[0m\\] $ '\n",
  "work/api/package.json": JSON.stringify(
    { name: "api", version: "1.4.0", scripts: { test: "node test.mjs" } },
    null,
    2,
  ),
  "work/api/notes.md": "# Session 500\n\n- cookie 0.4 throws on expired cookies\n- ask before the upgrade\n",
  "work/api/test.mjs": [
    "const [g, r, d, o] = ['\\x1b[32m', '\\x1b[31m', '\\x1b[2m', '\\x1b[0m'];",
    "console.log(' ' + g + '✓' + o + ' src/session/store.test.ts ' + d + '(14 tests)' + o);",
    `for (let i = 1; i <= ${tests}; i += 1) console.log('   ' + g + '✓' + o + ' keeps session ' + i + d + ' 2 ms' + o);`,
    "console.log(' ' + r + '✗ src/session/route.test.ts > returns 401 when cookie expired' + o);",
    "console.log('   AssertionError: expected ' + r + '500' + o + ' to be ' + g + '401' + o);",
    "console.log('\\n Tests  ' + r + '1 failed' + o + ' | ' + g + '104 passed' + o);",
    "process.exit(1);",
  ].join("\n"),
  "work/api/server.mjs": [
    "console.log('\\n  \\x1b[32mVITE v8.3\\x1b[0m  ready in \\x1b[1m312 ms\\x1b[0m\\n');",
    "console.log('  ➜  \\x1b[1mLocal\\x1b[0m:   \\x1b[36mhttp://localhost:5173/\\x1b[0m');",
    "console.log('  ➜  press \\x1b[1mh + enter\\x1b[0m to show help');",
    "console.log('14:04:02 [server] GET /session \\x1b[31m500\\x1b[0m 12 ms');",
    "setInterval(() => undefined, 1000);",
  ].join("\n"),
});

const plan = (done) => ({
  name: "plan",
  args: {
    plan: ["Reproduce the 500", "Find the failing path", "Upgrade cookie parsing", "Run session tests", "Report"].map(
      (text, i) => ({ text, status: i < done ? "completed" : i === done ? "in_progress" : "pending" }),
    ),
  },
});

/** Looks, finds the cause, and wants to install something. */
function model({ messages }) {
  const results = messages.filter(({ role }) => role === "tool").length;
  if (results === 0)
    return { text: "I run the tests first.", calls: [plan(0), { name: "run_command", args: { command: "npm test" } }] };
  if (results === 2) return { calls: [plan(2)] };
  const command = "npm install cookie@^1.0.2 --save";
  const text = "The cookie parser throws on expired cookies. I need `cookie ≥ 1.0`; asking to install it.";
  if (results === 3) return { text, calls: [{ name: "run_command", args: { command } }] };
  return { text: "Done." };
}

/** `place`: a new folder of this name, for pictures that look the same each time. */
export async function openScene({ place, tests = 90 } = {}) {
  if (place) mkdirSync(place);
  const dir = place ?? mkdtempSync(join(tmpdir(), "me-"));
  const fake = await FakeProvider.start(model);
  const env = { ...environmentIn(dir), ANTHROPIC_API_KEY: "sk-ant-made-up", ANTHROPIC_BASE_URL: fake.url };
  writeProject(dir, filesOf({ tests }));
  const duetty = await install(env);
  const { person } = duetty;
  const ids = {};
  return {
    ids,
    link: async () => (await person.login_code({})).url,
    address: duetty.address,
    work: () => work(person, duetty.agent("fixer"), join(dir, "work/api"), ids),
    async ask() {
      await person.ask({
        session_id: ids.api,
        text: "Fix the 500 on /session, tests must pass.",
        model: "anthropic/m",
      });
      await until("the agent's question", async () => (await person.approvals({})).approvals.length > 0);
    },
    async leave() {
      await person.shutdown({ keep_sessions: true });
    },
    async close() {
      await duetty.close();
      await fake[Symbol.asyncDispose]();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function writeProject(dir, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, name, ".."), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@localhost", ...args], {
      cwd: join(dir, "work/api"),
    });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
  chmodSync(dir, 0o700);
}

async function work(person, agent, cwd, ids) {
  const open = async (name, command) => {
    ids[name] = (await person.pty_open({ name, cwd, ...(command && { command }) })).session_id;
    return ids[name];
  };
  const api = await open("api");
  await open("web", [process.execPath, "server.mjs"]);
  await open("migrate", ["/bin/bash", "-c", "read -rsp '[sudo] password for me: ' word"]);
  await open("scratch", ["vim", "-u", "NONE", "-N", "notes.md"]);
  for (const [name, code] of [
    ["lint-run", 0],
    ["e2e", 1],
  ]) {
    const session_id = await open(name, [
      "/bin/sh",
      "-c",
      `echo '${code ? "3 of 41 failed" : "no problems"}'; exit ${code}`,
    ]);
    await person.pty_wait({ session_id, any: [{ exit: true }], timeout_ms: SOON_MS });
  }
  await person.pty_wait({ session_id: api, any: [{ prompt: true }], timeout_ms: SOON_MS });
  const run = (who, command) => who.run_command({ session_id: api, command, timeout_ms: SOON_MS });
  await run(person, "git switch -c fix/session-500 && git status -sb");
  await run(person, "ls -la --color");
  await run(agent, "git log --oneline");
  await run(agent, "cat package.json");
  await run(person, "npm test");
}
