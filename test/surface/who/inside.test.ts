// Who a process is, the kernel says: what runs inside a session, a run or a hosted agent is an agent, whatever token or
// cookie it shows, over every way in and however it hides.
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeFrame } from "../../../src/host/holder/wire.ts";
import { HOLDER_PROTOCOL } from "../../../src/protocol/plain/version.ts";
import { depth } from "../../fixtures/depth.ts";
import { SOON_MS, soon } from "../../fixtures/soon.ts";
import { ROOT, run } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, openGatedShell, folder } = sharedStand({ agent: "sly" });
const CALLER = join(ROOT, "test/fixtures/programs/caller.py");

type Way = "unix" | "tcp" | "tcp6";
type Shows = "token" | "cookie";
interface Wish {
  readonly way: Way;
  readonly shows?: Shows;
  readonly op?: string;
  readonly body?: object;
  readonly typed?: string;
  readonly session_id?: string;
  readonly detached?: boolean;
  readonly hasty?: boolean;
  readonly handed?: boolean;
  readonly user?: number;
}

let cookie = "";
let out = "";
let count = 0;
beforeAll(async () => {
  out = folder();
  const { code } = await person.login_code({});
  const signedIn = await duetty.request(`/login?code=${code}`, { host: `127.0.0.1:${duetty.port}` });
  cookie = String(signedIn.headers["set-cookie"]).split(";")[0] ?? "";
});

/** A command line that makes the call, and the file that will have the answer. */
function lineFor({ way, shows = "token", ...wish }: Wish): { line: string; file: string } {
  count += 1;
  const file = join(out, `answer-${count}`);
  const origin = `http://127.0.0.1:${duetty.port}`;
  const shown =
    shows === "token" ? { Authorization: `Bearer ${duetty.token("person")}` } : { Cookie: cookie, Origin: origin };
  const headers = { ...shown, "X-Duetty-Approval-Wait": "0" };
  const spec = { way, path: duetty.home.daemonSocket, port: duetty.port, headers, out: file, body: {}, ...wish };
  return { line: `python3 '${CALLER}' '${JSON.stringify(spec)}'`, file };
}

async function answerIn(file: string): Promise<{ status: number; body: string }> {
  const text = await soon(() => fs.readFileSync(file, "utf8"));
  return { status: Number(text.split(" ")[1]), body: text.slice(text.indexOf("\r\n\r\n") + 4) };
}

/** The person types the line in this session: what it starts is inside. */
async function fromInside(session_id: string, wish: Wish) {
  const { line, file } = lineFor(wish);
  await person.pty_send({ session_id, text: `${line}\n` });
  return answerIn(file);
}

const CASES: readonly [string, Pick<Wish, "way" | "shows" | "detached" | "handed">][] = [
  ["over the unix socket", { way: "unix" }],
  ["over the unix socket, on a connection of a process that has ended", { way: "unix", handed: true }],
  ["over the unix socket, detached, without its environment", { way: "unix", detached: true }],
  ["over TCP", { way: "tcp" }],
  ["over TCP from an IPv6 socket", { way: "tcp6" }],
  ["over TCP, detached, without its environment", { way: "tcp", detached: true }],
  ["over TCP with the browser's cookie", { way: "tcp", shows: "cookie" }],
  ["over TCP with the cookie, detached", { way: "tcp", shows: "cookie", detached: true }],
];

describe("B5: with the person's token in hand, from inside a person's shell", () => {
  it.each(CASES)("%s: nothing that is a person's is done", async (_, how) => {
    const { session_id } = await openGatedShell();
    const victim = (await openGatedShell()).session_id;
    const asked = await agent().run_command({ session_id: victim, command: "rm -rf gone", timeout_ms: 100 });
    expect(asked.status).toBe("approval_pending");
    const all = [
      ["approve", { approval_id: asked.approval_id }],
      ["policy", { session_id: victim, level: "always_allow", safe_mode: "off" }],
      ["mode", { session_id: victim, mode: "terminal" }],
      ["take", { session_id: victim }],
      ["trust", { cwd: out }],
      ["login_code", {}],
      ["shutdown", {}],
    ] as const;
    // Each call is a program. Who it is does not depend on what it asks for: the plain ways try all, the others some.
    const isPlain = Object.keys(how).length === 1;
    for (const [op, body] of isPlain ? all : all.slice(0, depth(2, all.length))) {
      const { status, body: text } = await fromInside(session_id, { ...how, op, body });
      expect([op, status, JSON.parse(text).error.code]).toEqual([op, 403, "role.inside"]);
      expect(JSON.parse(text).error.hint).toMatch(/terminal|page/);
    }
    const { approvals } = await person.approvals({ session_id: victim });
    expect(approvals.map(({ state }) => state)).toEqual(["pending"]);
    expect((await person.policy({ session_id: victim })).level).toBe("ask_first");
    // What it types is an agent's.
    const typed = { session_id: victim, keys: ["Ctrl+D"] };
    const { status, body } = await fromInside(session_id, { ...how, op: "pty_send", body: typed });
    expect([status, JSON.parse(body).error.code]).toEqual([400, "approval.pending"]);
    const socket = await fromInside(session_id, { ...how, session_id: victim, typed: "exit\r" });
    expect(socket.status).toBe(403);
    expect((await person.pty_screen_status({ session_id: victim })).hold).not.toBe("person");
    await person.pty_close({ session_id });
    await person.pty_close({ session_id: victim });
  });
});

describe("B5: from elsewhere inside", () => {
  const policyOf = (session_id: string) => ({ op: "policy", body: { session_id, level: "always_allow" } });

  it("a run beside the terminal, and what it leaves behind, also after the daemon was killed", async () => {
    const { session_id } = await openGatedShell();
    const late = join(out, "go");
    const now = lineFor({ way: "unix", ...policyOf(session_id) });
    const later = lineFor({ way: "unix", ...policyOf(session_id) });
    const alone = lineFor({ way: "tcp", detached: true, ...policyOf(session_id) });
    const waits = `setsid bash -c 'until [ -e ${late} ]; do sleep 0.05; done; exec "$@"' sh`;
    const command = `${now.line}; ${alone.line}; ${waits} ${later.line} >/dev/null 2>&1 &`;
    await person.run_command({ command, mode: "pipe", cwd: out });
    for (const { file } of [now, alone]) expect(JSON.parse((await answerIn(file)).body).error.code).toBe("role.inside");
    await duetty.killDaemon();
    await duetty.status();
    fs.writeFileSync(late, "");
    expect(JSON.parse((await answerIn(later.file)).body).error.code).toBe("role.inside");
    expect((await person.policy({ session_id })).level).toBe("ask_first");
  });

  it("a hosted agent, and what it leaves behind", async () => {
    const { session_id } = await openGatedShell();
    const now = lineFor({ way: "tcp", ...policyOf(session_id) });
    const alone = lineFor({ way: "unix", detached: true, ...policyOf(session_id) });
    duetty.configure({ agents: { sneaky: { command: ["bash", "-c", `${now.line}; ${alone.line}`] } } });
    await person.ask({ session_id, text: "hello", agent: "sneaky" });
    for (const { file } of [now, alone]) expect(JSON.parse((await answerIn(file)).body).error.code).toBe("role.inside");
    expect((await person.policy({ session_id })).level).toBe("ask_first");
    fs.rmSync(duetty.home.config);
  });

  it("a call whose process has gone is nobody's, so it is not a person's", async () => {
    const { session_id } = await openGatedShell();
    for (const way of ["unix", "tcp"] as const) {
      const { line, file } = lineFor({ way, hasty: true, ...policyOf(session_id) });
      await person.run_command({ session_id, command: line });
      await answerIn(file);
    }
    // A call that is answered came after these.
    await fromInside(session_id, { way: "tcp", op: "status" });
    expect((await person.policy({ session_id })).level).toBe("ask_first");
  });

  it("a browser that left before its call was seen is not listed as an agent", async () => {
    const wishes = Array.from(
      { length: 8 },
      () => ({ way: "tcp", shows: "cookie", op: "agents", hasty: true }) as const,
    );
    for (const wish of wishes) await run("sh", ["-c", lineFor(wish).line], { env: process.env });
    const { present } = await person.agents({});
    expect(present.map(({ op }) => op)).not.toContain("agents");
  });

  it("it cannot play the daemon to the holder", async () => {
    const { session_id } = await openGatedShell();
    const file = join(out, "holder-answer");
    const hello = encodeFrame({ kind: "request", id: 1, request: { op: "hello", protocol: HOLDER_PROTOCOL } });
    const script = [
      "import socket, sys",
      "link = socket.socket(socket.AF_UNIX)",
      "link.connect(sys.argv[1])",
      "link.sendall(bytes.fromhex(sys.argv[2]))",
      "print(link.recv(65536)[5:].decode())",
    ];
    fs.writeFileSync(join(out, "holder.py"), script.join("\n"));
    const line = `python3 ${out}/holder.py ${duetty.home.holderSocket} ${hello.toString("hex")} > ${file}`;
    await person.run_command({ session_id, command: line });
    expect(fs.readFileSync(file, "utf8")).toContain("role.inside");
    // The daemon was not pushed aside.
    expect((await person.pty_screen_status({ session_id })).session_id).toBe(session_id);
  });

  it("what carries one of our markers is an agent without a name, also when it names an agent", async () => {
    const { session_id } = await agent("ada").pty_open({ cwd: out, lazy: true });
    for (const marker of [session_id, "hosted_claude_1"]) {
      const { line, file } = lineFor({ way: "unix", op: "pty_open", body: { cwd: out, lazy: true } });
      await run("bash", ["-c", line], { env: { ...duetty.env, DUETTY_SESSION_ID: marker } });
      const { status, body } = await answerIn(file);
      expect([status, JSON.parse(body).actor]).toEqual([200, "agent:unnamed"]);
    }
  });
});

describe("B5: from inside a box", () => {
  const home = () => duetty.home.dir;
  /** What gave the token away, and others of their kind. */
  const READS: readonly (() => string)[] = [
    () => `base64 ${home()}/perso?.tok*`,
    () => `cd ${home()} && cat p*`,
    () => `find ${home()} -type f -exec cat {} +`,
    () => `cat ${home()}/pers"o"n.t'oke'n`,
    () => `grep -r . ${home()}`,
    () => `tar cf - ${home()} | tr -d '\\0'`,
    () => `cat /proc/*/root${home()}/p* /proc/*/cwd/p*`,
  ];
  it("no read finds the token, in a boxed line and in a boxed session", async () => {
    const token = duetty.token("person");
    const cwd = folder();
    const { session_id: line } = await openGatedShell("bash", { cwd });
    const { session_id: whole } = await agent().pty_open({ shell: "/bin/bash", cwd });
    for (const session_id of [line, whole])
      for (const read of READS) {
        fs.writeFileSync(join(cwd, "read.sh"), `{ ${read()}; } >${cwd}/found 2>&1`);
        const ran = await agent().run_command({ session_id, command: "bash read.sh" });
        expect(ran).toMatchObject({ status: "done", boxed: true });
        const found = fs.readFileSync(join(cwd, "found"), "latin1");
        for (const secret of [token, Buffer.from(token).toString("base64").slice(0, 16)])
          expect([read(), found.includes(secret)]).toEqual([read(), false]);
      }
  });

  it("with the token in hand the daemon is not reached at all", async () => {
    const cwd = folder({ "caller.py": fs.readFileSync(CALLER, "utf8") });
    const { session_id } = await agent().pty_open({ shell: "/bin/bash", cwd });
    for (const way of ["unix", "tcp", "tcp6"] as const)
      for (const shows of ["token", "cookie"] as const) {
        const { line, file } = lineFor({ way, shows, op: "login_code" });
        const tried = { session_id, command: line.replace(CALLER, `${cwd}/caller.py`) };
        const { output, exit_code } = await person.run_command(tried);
        expect([way, exit_code]).toEqual([way, 1]);
        expect(output.head + output.tail).toMatch(/FileNotFoundError|ConnectionRefusedError|OSError/);
        expect(fs.existsSync(file)).toBe(false);
      }
  });
});

it("a process that is not inside stays what its token says, over every way in", async () => {
  for (const way of ["unix", "tcp", "tcp6"] as const)
    for (const shows of ["token", "cookie"] as const) {
      if (way === "unix" && shows === "cookie") continue;
      const { line, file } = lineFor({ way, shows, op: "login_code" });
      await run("bash", ["-c", line], { env: duetty.env });
      expect((await answerIn(file)).status).toBe(200);
    }
});

it("another user's connection is no person's, also where the daemon is root", async () => {
  // Only root can be somebody else. From another daemon the kernel hides the processes of others.
  const ways = process.getuid?.() === 0 ? (["tcp", "tcp6"] as const) : [];
  for (const way of ways)
    for (const shows of ["token", "cookie"] as const) {
      const { line, file } = lineFor({ way, shows, op: "login_code", user: 45_321 });
      await run("bash", ["-c", line], { env: duetty.env });
      expect(await answerIn(file)).toMatchObject({ status: 403, body: expect.stringContaining("role.inside") });
    }
});

it("a browser inside is not signed in, and is told why; the link stays good for another one", async () => {
  const { session_id } = await openGatedShell();
  const { code } = await person.login_code({});
  const host = `127.0.0.1:${duetty.port}`;
  const script = `import urllib.request as u; u.urlopen("http://${host}/login?code=${code}")`;
  const text = `python3 -c '${script}' 2>&1 | tail -1\n`;
  await person.pty_send({ session_id, text, then: { any: [{ text: "403" }], timeout_ms: SOON_MS } });
  expect((await duetty.request(`/login?code=${code}`, { host })).status).toBe(200);
});

it("who left its parents is reaped when it ends", async () => {
  const { session_id } = await openGatedShell();
  const { holder } = await duetty.status();
  await fromInside(session_id, { way: "unix", op: "status", detached: true });
  const children = () => fs.readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, "utf8").split(" ");
  const ended = () =>
    children().filter((pid) => pid !== "" && / Z /.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1")));
  await soon(() => expect(ended()).toEqual([]));
});
