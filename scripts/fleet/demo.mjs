// npm run fleet:demo: a broker and three machines of one person, all on this one: laptop, build and cloud, each with a home of its own.
// Sessions run on each, an agent of the laptop asks for something on build, and the laptop's page shows all of it. Ctrl+C ends
// everything and takes it away. Needs nats-server (Debian: apt-get install nats-server).
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const BIN = fileURLToPath(new URL("../../bin/duetty.js", import.meta.url));
const OTHERS = ["build", "cloud"];
/** A broker that does not listen by then does not start at all. */
const BROKER_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), "duetty-fleet-"));
const conf = join(folder, "nats.conf");
const homeOf = (name) => join(folder, name);
const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => ended.abort());

let broker;
try {
  await demo();
} catch (error) {
  if (!ended.signal.aborted) {
    console.error(error.stderr || error.message);
    process.exitCode = 1;
  }
} finally {
  for (const name of ["laptop", ...OTHERS]) await duetty(name, "shutdown").catch(() => undefined);
  broker?.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}

async function demo() {
  const port = await freePort();
  for (const name of ["laptop", ...OTHERS]) {
    mkdirSync(homeOf(name), { mode: 0o700 });
    writeFileSync(join(homeOf(name), "config.json"), JSON.stringify({ fleet: { name } }), { mode: 0o600 });
    await duetty(name, "ls");
  }
  say("a fleet of its own, with its root on laptop");
  await duetty("laptop", "fleet", "init", `nats://127.0.0.1:${port}`);
  await configure();
  await startBroker(port);
  for (const name of OTHERS) {
    say(`${name} is invited, and joins`);
    const { code } = JSON.parse(await duetty("laptop", "fleet", "invite", name, "--json"));
    await configure();
    broker.kill("SIGHUP");
    await duetty(name, "fleet", "join", code);
    // A new device only watches until the machine's own person says more.
    await duetty(name, "fleet", "allow", "laptop", "--level", "drive", "--agents", "drive");
  }
  await duetty("laptop", "open", "--name", "notes", "--cwd", homedir());
  await until(async () => (await hosts()).every(({ reach }) => reach === "here"), "the other machines");
  for (const [name, line] of [
    ["build", "for i in $(seq 1 9999); do echo step $i; sleep 1; done"],
    ["cloud", "top"],
  ])
    await duetty("laptop", "open", "--host", name, "--name", `${name}-shell`, "--", "/bin/bash", "-c", line);
  // It waits for a person, on the page for example.
  const { agent } = tokens("laptop");
  spawn(process.execPath, [BIN, "run", "--host", "build", "--as", "agent:claude-demo", "--", "rm -rf /tmp/old-build"], {
    env: { ...environment("laptop"), DUETTY_TOKEN: agent },
    stdio: "ignore",
  }).unref();
  await until(async () => (await hosts()).some(({ questions }) => questions > 0), "a question");
  console.log(await duetty("laptop", "hosts"));
  console.log(await duetty("laptop", "ls", "--all"));
  console.log(`the page of all three: ${JSON.parse(await login()).url}`);
  say(`try: DUETTY_HOME=${homeOf("laptop")} duetty attach build/build-shell`);
  say("Ctrl+C ends all of it");
  await new Promise((resolve) => {
    const timer = setInterval(() => undefined, 1_000);
    ended.signal.addEventListener("abort", () => {
      clearInterval(timer);
      resolve();
    });
    if (ended.signal.aborted) resolve();
  });
}

function tokens(name) {
  const read = (role) => readFileSync(join(homeOf(name), `${role}.token`), "utf8").trim();
  return { person: read("person"), agent: read("agent") };
}

function environment(name) {
  const { DUETTY_SESSION_ID: _, DUETTY_TOKEN: __, ...env } = process.env;
  return { ...env, DUETTY_HOME: homeOf(name) };
}

/** The verbs as the person of one machine. */
async function duetty(name, ...words) {
  const env = environment(name);
  try {
    env.DUETTY_TOKEN = tokens(name).person;
  } catch {
    // Its first daemon writes them.
  }
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, ...words], { env });
  return stdout.trimEnd();
}

async function hosts() {
  return JSON.parse(await duetty("laptop", "hosts", "--json")).hosts;
}

/** A link that signs a browser in once. */
async function login() {
  const { port } = JSON.parse(await duetty("laptop", "status", "--json")).http;
  const answer = await fetch(`http://127.0.0.1:${port}/v1/login_code`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens("laptop").person}`, "content-type": "application/json" },
    body: "{}",
  });
  return answer.text();
}

async function configure() {
  writeFileSync(conf, `${await duetty("laptop", "fleet", "nats-config")}\n`);
}

async function startBroker(port) {
  broker = spawn("nats-server", ["-c", conf, "-a", "127.0.0.1", "-p", `${port}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  broker.stderr.on("data", (piece) => {
    log += piece;
  });
  broker.on("error", () => {
    log += "nats-server is missing: apt-get install nats-server";
  });
  await until(
    () => log.includes("Server is ready") || broker.exitCode !== null || log.includes("missing"),
    "the broker",
  );
  if (!log.includes("Server is ready")) throw new Error(`the broker did not start: ${log}`);
}

async function until(holds, what) {
  for (const deadline = Date.now() + BROKER_MS * 3; Date.now() < deadline; ) {
    ended.signal.throwIfAborted();
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not come`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function say(text) {
  console.log(`· ${text}`);
}
