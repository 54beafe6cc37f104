// What a model has to read to edit a file in vim, answer a wizard and work in a REPL: in duetty over MCP, and in tuistory by its
// command line. With BENCH_TEXTS=1 all of it is printed.
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectMcp } from "./mcp-client.mjs";
import { tuistory } from "./peers.mjs";
import { SMOKE, table, withFolder, withStand } from "./stand.mjs";

export const question = "How many bytes does a model read for one piece of work?";

const NOTES = "alpha\nbeta\ngamma\ndelta\n";
const QUESTIONS = [
  ["Project name", "demo", "shop"],
  ["Version", "1.0.0", ""],
  ["Description", "", "a small shop"],
  ["Author", "nobody", "Ada"],
  ["Licence", "MIT", ""],
  ["Language (js, ts)", "js", "ts"],
  ["Test runner", "none", "vitest"],
  ["Use git (y/n)", "y", ""],
  ["Port", "8080", "3000"],
  ["Is this right (y/n)", "y", "y"],
];
/** Asks as `npm init` does, and says at the end what it made. */
const WIZARD = `echo "This makes a new project. Press Enter for what stands in brackets."
${QUESTIONS.map(([ask, standard], i) => `printf '%s' '${ask}: (${standard}) '; read -r a${i}; : "\${a${i}:=${standard}}"`).join("\n")}
printf 'made %s %s\\n' "$a0" "$a1"
`;

/** One step: what is typed, and the key after it. */
const TASKS = [
  {
    name: "vim, 8 steps",
    most: 1_200,
    program: ["vim", "-u", "NONE", "-n", "notes.txt"],
    ready: "notes.txt",
    reads: "screen",
    steps: [
      { text: "/gamma", key: "Enter" },
      { text: "cwGAMMA", key: "Escape" },
      { text: "onew line", key: "Escape" },
      { text: "ggdd" },
      { text: "p" },
      { text: ":w", key: "Enter" },
      { text: ":q", key: "Enter", exits: true },
    ],
  },
  {
    name: "wizard, 10 questions",
    most: 2_500,
    program: ["sh"],
    ready: /[$#]/,
    reads: "output",
    steps: [{ text: "sh wizard.sh", key: "Enter" }, ...QUESTIONS.map(([, , text]) => ({ text, key: "Enter" }))],
  },
  {
    name: "REPL, 10 lines",
    most: 900,
    program: ["python3", "-q"],
    ready: ">>>",
    reads: "output",
    steps: [
      "x = 6 * 7",
      "x",
      "import math",
      "math.isqrt(x)",
      "[i * i for i in range(5)]",
      "'abc'.upper()",
      "sum([1, 2, 3])",
      "round(x / 5, 1)",
      "{'a': 1}",
      "len('hello')",
    ].map((text) => ({ text, key: "Enter" })),
  },
];

export async function run() {
  const rows = [];
  await withFolder(async (folder) => {
    for (const [name, make] of [["duetty", inDuetty], ...(SMOKE ? [] : [["tuistory", inTuistory]])]) {
      const work = join(folder, name);
      mkdirSync(work);
      writeFileSync(join(work, "notes.txt"), NOTES);
      writeFileSync(join(work, "wizard.sh"), WIZARD);
      const answers = await make(work);
      for (const [i, { name: task, most }] of TASKS.entries()) {
        if (!answers) continue;
        // The folder's name is not the same everywhere.
        const texts = answers[i].map((text) => text.replaceAll(work, "/work"));
        if (process.env.BENCH_TEXTS) console.log(`\n### ${task}, ${name}\n${texts.join("\n---\n")}\n`);
        rows.push([task, name, texts.length, bytesOf(texts), bytesOf(texts.slice(1)), most]);
      }
    }
  });
  rows.sort(([a], [b]) => TASKS.findIndex(({ name }) => name === a) - TASKS.findIndex(({ name }) => name === b));
  table(["task", "in", "calls", "bytes of text", "without opening", "target"], rows);
}

function bytesOf(texts) {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function inDuetty(cwd) {
  return withStand(async ({ env, client }) => {
    const mcp = await connectMcp(env);
    const answers = [];
    for (const { program, ready, steps } of TASKS) {
      const opened = await mcp.call("pty_open", { command: program, cwd });
      const { session_id } = opened.data;
      // What a person allows is measured elsewhere.
      await client.policy({ session_id, level: "always_allow", safe_mode: "off" });
      const first = ready instanceof RegExp ? { regex: ready.source } : { text: ready };
      const texts = [opened.text, (await mcp.call("pty_wait", { session_id, any: [first] })).text];
      for (const { text, key, exits } of steps) {
        const keys = key ? [key] : [];
        const then = { any: [exits ? { exit: true } : { input: true }] };
        texts.push((await mcp.call("pty_send", { session_id, text, keys, then })).text);
      }
      answers.push(texts);
    }
    await mcp.close();
    return answers;
  });
}

/** As its help says: a look after each action, at new output where that is enough. */
async function inTuistory(cwd) {
  const peer = tuistory();
  if (!peer) return undefined;
  const env = { ...process.env, HOME: join(cwd, "..") };
  const call = (...args) => {
    // Its daemon keeps what it inherits: of a pipe we would not see the end.
    const file = join(cwd, "answer.txt");
    const out = openSync(file, "w");
    spawnSync(process.execPath, [peer, ...args], { cwd, env, stdio: ["ignore", out, out] });
    closeSync(out);
    return readFileSync(file, "utf8");
  };
  const answers = [];
  try {
    for (const [i, { program, reads, steps }] of TASKS.entries()) {
      const session = ["-s", `t${i}`];
      const size = ["--cols", "80", "--rows", "24", "--background"];
      const look = () => call(...(reads === "screen" ? ["snapshot"] : ["read"]), "--trim", ...session);
      const texts = [call("launch", program.join(" "), ...session, ...size), call("wait-idle", ...session), look()];
      for (const { text, key, exits } of steps) {
        if (text !== "") texts.push(call("type", text, ...session));
        if (key) texts.push(call("press", key === "Enter" ? "enter" : "esc", ...session));
        texts.push(call("wait-idle", ...session));
        if (!exits) texts.push(look());
      }
      answers.push(texts);
    }
  } finally {
    call("daemon-stop");
  }
  return answers;
}
