// Who may do what on another machine: an agent here no more than an agent there, a guest nothing, a caller in a box nothing that
// writes; nobody becomes a person by a header, a name or a socket; and the other machine's token is nowhere to be read.
import fs from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Client } from "../../../src/client/client.ts";
import { sharedPair } from "../../fixtures/fleet/machines.ts";
import { soon, until } from "../../fixtures/soon.ts";
import { Guest } from "../../fixtures/stand/guest.ts";

const AGENT = new URL("../../fixtures/agent-cli/started-agent.mjs", import.meta.url);
const s = sharedPair();
let far = "";
beforeAll(async () => {
  far = (await s.hub.person.pty_open({ host: "box", command: ["/bin/bash", "--norc", "-i"] })).session_id;
  await s.hub.person.pty_wait({ session_id: far, any: [{ prompt: true }] });
});
const ID = () => far.slice("box/".length);

const codeOf = (done: Promise<unknown>) =>
  done.then(
    () => "done",
    (error: { code: string }) => error.code,
  );

/** As somebody might write it who is not this client. */
async function posted(op: string, body: unknown, headers: Record<string, string>, of = s.hub) {
  const { duetty } = of;
  const ours = { host: `127.0.0.1:${duetty.port}`, "content-type": "application/json" };
  const answer = await duetty.request(`/v1/${op}`, { ...ours, ...headers }, JSON.stringify(body));
  return { status: answer.status, body: answer.body };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("an agent", () => {
  const TRIES: Readonly<Record<string, (client: Client, session_id: string) => Promise<unknown>>> = {
    approve: (client) => client.approve({ approval_id: "box/a_00000000" }),
    take: (client, session_id) => client.take({ session_id }),
    stop: (client, session_id) => client.stop({ session_id }),
    release: (client, session_id) => client.release({ session_id }),
    policy: (client, session_id) => client.policy({ session_id, level: "always_allow" }),
    mode: (client, session_id) => client.mode({ session_id, mode: "agent" }),
    grant: (client, session_id) => client.grant({ session_id, raw: true }),
    raw: (client, session_id) => client.pty_read_raw({ session_id }),
    remove: (client, session_id) => client.remove({ session_id }),
    close: (client, session_id) => client.pty_close({ session_id }),
    share: (client, session_id) => client.share({ session_id }),
    undo: (client, session_id) => client.undo({ session_id }),
    rename: (client, session_id) => client.rename({ session_id, name: "x" }),
    integrate: (client, session_id) => client.integrate({ session_id }),
  };

  /** What it has not got, and bytes without secrets. */
  const FREE = ["release", "raw"];

  test.each(Object.entries(TRIES))("may %s there no more than an agent there", async (what, tries) => {
    const here = await codeOf(tries(s.hub.agent("bot"), far));
    expect(here).toBe(await codeOf(tries(s.far.there.agent("other"), ID())));
    if (!FREE.includes(what)) expect(here).not.toBe("done");
  });

  test("sees there what an agent there sees, in lists of all machines, too", async () => {
    const secret = "hunter2-hunter2-hunter2";
    const command = ["/bin/sh", "-c", `: ${secret}; sleep 1000`];
    const { session_id } = await s.hub.person.pty_open({ host: "box", env: { DB_PASSWORD: secret }, command });
    await until(
      async () => (await s.hub.person.pty_list({ hosts: "all" })).sessions.some((one) => one.session_id === session_id),
      "the list",
    );
    const commandIn = (sessions: readonly { session_id: string; command: string[] }[], id: string) =>
      sessions.find((one) => one.session_id === id)?.command;
    const agents = await s.hub.agent("bot").pty_list({ hosts: "all" });
    const there = await s.far.there.agent("bot").pty_list();
    expect(commandIn(agents.sessions, session_id)).toEqual(commandIn(there.sessions, session_id.slice(4)));
    expect(agents.missing).toEqual([]);
  });
});

test("a guest names no other machine: by a name, by host, by hosts, by a socket", async () => {
  const own = await s.hub.openBash();
  const guest = await Guest.of(s.hub, { session_id: own, role: "approve", name: "Bob" });
  for (const [op, body] of [
    ["pty_read_screen", { session_id: far }],
    ["pty_read_screen", { session_id: own, host: "box" }],
    ["blocks", { session_id: own, before: "box/b_00000000_1" }],
    ["approvals", { session_id: own, hosts: "all" }],
    ["approvals", { session_id: own, host: "box" }],
    ["approve", { approval_id: "box/a_00000000" }],
    ["block", { block_id: "box/b_00000000_1" }],
    ["pty_send", { session_id: far, text: "x" }],
    ["pty_wait", { session_id: [own, far], any: [{ exit: true }] }],
    ["hosts", {}],
    ["search", { query: "x", hosts: "all" }],
  ] as const)
    expect([op, body, (await guest.call(op, body)).status]).toEqual([op, body, 403]);
  for (const path of [encodeURIComponent(far), `${own}?host=box`, `${ID()}?host=box`]) {
    const [id, query = ""] = path.split("?");
    const address = `ws://127.0.0.1:${s.hub.duetty.port}/v1/sessions/${id}/terminal?pass=${guest.share.id}&${query}`;
    expect([path, await refusalOf(new WebSocket(address, { headers: guest.headers() }))]).toEqual([path, 403]);
  }
});

function refusalOf(socket: WebSocket): Promise<number | undefined> {
  return new Promise((resolve) => {
    socket.on("unexpected-response", (_, response) => {
      resolve(response.statusCode);
      socket.terminate();
    });
    socket.on("open", () => {
      resolve(undefined);
      socket.terminate();
    });
    socket.on("error", () => undefined);
  });
}

test("a caller in a box does nothing on another machine that writes", async () => {
  const { duetty, person, folder } = s.hub;
  const bin = folder();
  fs.copyFileSync(AGENT, join(bin, "claude"));
  const env = Object.entries(duetty.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const base_env = { ...Object.fromEntries(env), PATH: `${bin}:${process.env.PATH}` };
  const cwd = folder();
  const { session_id, box } = await person.pty_open({ agent: "claude", cwd, base_env });
  expect(box).not.toBeNull();
  const file = join(cwd, "answers.jsonl");
  const does = async (line: string): Promise<unknown> => {
    const linesOf = () => (fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").length : 1);
    const before = linesOf();
    await person.pty_send({ session_id, text: `${line}\n` });
    await soon(() => expect(linesOf()).toBe(before + 1));
    return JSON.parse(fs.readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "");
  };
  await soon(() => expect(fs.existsSync(join(cwd, "started.json"))).toBe(true));
  const way = "curl -s --unix-socket /run/duetty/run/daemon.sock -H content-type:application/json";
  const token = "Authorization: Bearer $(cat /run/duetty/agent.token)";
  for (const [op, body] of [
    ["run_command", { host: "box", command: "id" }],
    ["pty_open", { host: "box" }],
    ["run_tests", { host: "box" }],
    ["task", { host: "box", text: "x" }],
    ["pty_send", { session_id: far, text: "x" }],
    ["run_command", { session_id: far, command: "id" }],
    ["run_command", { session_id: [far], command: "id" }],
    ["run_command", { resume: "box/r_00000000" }],
    ["pty_prompt", { session_id: far, text: "x" }],
    ["ask_person", { host: "box", question: "x" }],
    ["ask_person", { session_id: far, question: "x" }],
    ["signal", { session_id: far }],
    ["pty_close", { session_id: far }],
  ] as const) {
    await does(`sh ${way} -H "${token}" -d '${JSON.stringify(body)}' http://duetty/v1/${op} > asked`);
    expect([op, body, fs.readFileSync(join(cwd, "asked"), "utf8")]).toEqual([
      op,
      body,
      expect.stringContaining("outside the box that you run in"),
    ]);
  }
  expect(await does(`types ${encodeURIComponent(far)} x`)).toBe(400);
  expect(await does(`types ${ID()}/terminal?host=box x`)).not.toBe(101);
  // It may look, and no more.
  const looks = `${encodeURIComponent(far)}/terminal?role=watch&x=`;
  for (const type of ["take", "stop", "lift"])
    expect(await does(`types ${looks} {"type":"${type}"}`)).toContain("outside of your box");
  await person.pty_close({ session_id });
});

describe("x-duetty-for", () => {
  const there = () => s.far.there;
  const FOR = "x-duetty-for";
  /** Whoever fails too often is told so. */
  const REFUSED = [401, 429];

  test("counts with the person's token from outside, and nothing else", async () => {
    const person = bearer(there().duetty.token("person"));
    const asked = (headers: Record<string, string>) => statusOver(there().duetty.home.daemonSocket, headers);
    expect(await asked({ ...person, [FOR]: "person@laptop" })).toBe(200);
    expect(JSON.parse((await posted("status", {}, { ...person, [FOR]: "agent:bot@laptop" }, there())).body).role).toBe(
      "agent",
    );
    expect(await asked({ ...bearer(there().duetty.token("agent")), [FOR]: "person@laptop" })).toBe(401);
    expect(await asked({ ...bearer("x".repeat(64)), [FOR]: "person@laptop" })).toBe(401);
    for (const malformed of [
      "",
      "person",
      "person@",
      "@laptop",
      "person@a@b",
      "agent:@a",
      "agent:a b@c",
      "guest@a",
      "person:Bob@a",
    ])
      expect([malformed, REFUSED.includes((await asked({ ...person, [FOR]: malformed })) ?? 0)]).toEqual([
        malformed,
        true,
      ]);
    for (const malformed of [
      "person@laptop, person@laptop",
      `person@${"a".repeat(41)}`,
      "person@a\u00a0b",
      "person@-a",
    ])
      expect([malformed, REFUSED.includes((await asked({ ...person, [FOR]: malformed })) ?? 0)]).toEqual([
        malformed,
        true,
      ]);
  });

  test("counts with no cookie and no link", async () => {
    const { code } = await there().person.login_code({});
    const host = `127.0.0.1:${there().duetty.port}`;
    const signedIn = await there().duetty.request(`/login?code=${code}`, { host });
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] ?? "";
    const browser = { cookie, origin: `http://${host}` };
    expect((await posted("status", {}, browser, there())).status).toBe(200);
    expect((await posted("status", {}, { ...browser, [FOR]: "person@laptop" }, there())).status).toBeOneOf(REFUSED);
    const guest = await Guest.of(there(), { session_id: ID(), role: "watch" });
    expect((await guest.call("shared", {}, { ...guest.headers(), [FOR]: "person@laptop" })).status).not.toBe(401);
    expect((await guest.call("pty_list", {}, { ...guest.headers(), [FOR]: "person@laptop" })).status).toBe(403);
  });

  test("counts from nowhere inside a session", async () => {
    const out = there().folder();
    const token = there().duetty.token("person");
    // In a file: what is typed stands on the screen.
    const call = `curl -s -o ${out}/answer --unix-socket ${there().duetty.home.daemonSocket} -H content-type:application/json -H 'Authorization: Bearer ${token}' -H '${FOR}: person@laptop' -d '{}' http://duetty/v1/status; touch ${out}/done`;
    fs.writeFileSync(join(out, "call.sh"), call);
    await there().person.pty_send({ session_id: ID(), text: `sh ${out}/call.sh\r` });
    await soon(() => expect(fs.existsSync(join(out, "done"))).toBe(true));
    expect(fs.readFileSync(join(out, "answer"), "utf8")).toMatch(/auth\.(?:required|too_many)/);
  });
});

test("the other machine's token is in no answer, file, log or process list of this one", async () => {
  const { hub } = s;
  const token = s.far.there.duetty.token("person");
  const { person } = hub;
  const answers = [
    await person.hosts(),
    await person.status(),
    await person.status({ session_id: far }),
    await person.pty_list({ hosts: "all" }),
    await person.doctor({ bundle: true }),
    await person.metrics(),
    await person.pty_read_screen({ session_id: "box/s_00000000" }).catch((error: unknown) => [String(error), error]),
  ];
  expect(answers.map((answer) => JSON.stringify(answer).includes(token))).toEqual(answers.map(() => false));
  for (const [name, text] of hub.duetty.contents(hub.duetty.home.dir))
    expect([name, text.includes(token)]).toEqual([name, false]);
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const shown = ["cmdline", "environ"].map((name) => readIf(`/proc/${pid}/${name}`));
    // The tests' own programs have it in their environment; ssh, and what it starts, does not.
    if (shown[0]?.includes("ssh")) expect([shown[0], shown.join("").includes(token)]).toEqual([shown[0], false]);
    expect(shown[0]?.includes(token)).toBe(false);
  }
});

function statusOver(socketPath: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const all = { host: "localhost", "content-type": "application/json", ...headers };
    const request = http.request({ socketPath, path: "/v1/status", method: "POST", headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
    request.end("{}");
  });
}

function readIf(file: string): string {
  try {
    return fs.readFileSync(file, "latin1");
  } catch {
    // It has ended, or is somebody else's.
    return "";
  }
}

describe("names", () => {
  test("of a machine are no names of sessions here; others may have a slash", async () => {
    const { person } = s.hub;
    const plain = await person.pty_open({ name: "web/server", command: ["/bin/cat"] });
    const { session_id } = plain;
    expect((await person.pty_screen_status({ session_id: "web/server" })).session_id).toBe(session_id);
    for (const name of [far, "box/work"]) {
      const told = { code: "input.invalid", message: expect.stringContaining("on the machine box") };
      await expect(person.pty_open({ name, command: ["/bin/cat"] })).rejects.toMatchObject(told);
      await expect(person.rename({ session_id, name })).rejects.toMatchObject(told);
    }
    const box = await person.pty_open({ name: "box", command: ["/bin/cat"] });
    expect((await person.pty_screen_status({ session_id: "box" })).session_id).toBe(box.session_id);
    const mine = await person.pty_open({ host: "laptop", command: ["/bin/cat"] });
    expect(mine.session_id).toMatch(/^s_/);
    for (const { session_id } of [plain, box, mine]) await person.pty_close({ session_id });
    const address = s.far.sshd.address;
    for (const name of ["laptop", "Laptop", "box", "BOX", "a/b", "a@b", "-a", "", "a".repeat(41), "b\u200box", "bоx"])
      expect([name, await codeOf(person.hosts_add({ name, address: `${address}/` }))]).toEqual([name, "input.invalid"]);
  });

  test("that are found nowhere are told as what they mean", async () => {
    const { person } = s.hub;
    const told = (done: Promise<unknown>) =>
      done.then(
        () => expect.fail("it was found"),
        ({ code, message, hint }: { code: string; message: string; hint: string }) => [code, message, hint],
      );
    const hosts = "List the machines with hosts.";
    expect(await told(person.pty_read_screen({ session_id: "nope/work" }))).toEqual([
      "host.unknown",
      'no session is called "nope/work", and no machine "nope"',
      hosts,
    ]);
    expect((await told(person.block({ block_id: "nope/b_00000000_1" })))[0]).toBe("host.unknown");
    expect((await told(person.approve({ approval_id: "nope/a_00000000" })))[0]).toBe("host.unknown");
    // What is no place, and what is one here.
    expect((await told(person.pty_read_screen({ session_id: "nope" })))[0]).toBe("session.not_found");
    expect((await told(person.pty_read_screen({ session_id: "laptop/work" })))[0]).toBe("session.not_found");
  });

  test("that mean two machines, unknown fields, invisible and endless names are refused", async () => {
    const person = bearer(s.hub.duetty.token("person"));
    for (const [op, body, code] of [
      ["restore", { sessions: [far, "s_00000000"] }, "input.invalid"],
      ["pty_read_screen", { session_id: [far, "s_00000000"] }, "input.invalid"],
      ["run_command", { session_id: far, host: "laptop", command: "id" }, "input.invalid"],
      ["run_command", { session_id: far, resume: "other/r_00000000" }, "run.not_found"],
      ["pty_send", { session_id: far, host: "other", text: "" }, "input.invalid"],
      ["pty_send", { session_id: "s_00000000", host: "box", text: "x" }, "input.invalid"],
      ["run_command", { command: "id", before: "box/b_00000000_1" }, "input.invalid"],
      ["pty_read_screen", { session_id: "b\u200box/s_00000000" }, "host.unknown"],
      ["pty_read_screen", { session_id: `box/${"s".repeat(100_000)}` }, "input.invalid"],
      ["pty_read_screen", { session_id: `${"b".repeat(100_000)}/s_00000000` }, "input.invalid"],
      ["pty_list", { host: "bоx" }, "host.unknown"],
      ["pty_list", { host: ["box"] }, "input.invalid"],
      ["pty_list", { host: "BOX" }, "host.unknown"],
      ["pty_list", { host: "box", hosts: "all" }, "input.invalid"],
      ["pty_list", { host: "laptop", hosts: "all" }, "input.invalid"],
      ["search", { query: "x", session_id: far, hosts: "all" }, "input.invalid"],
      ["pty_list", { host: "__proto__" }, "host.unknown"],
      ["pty_list", { host: "constructor" }, "host.unknown"],
    ] as const) {
      const { body: answer } = await posted(op, body, person);
      expect([op, JSON.stringify(body).slice(0, 80), JSON.parse(answer).error?.code]).toEqual([
        op,
        JSON.stringify(body).slice(0, 80),
        code,
      ]);
    }
    const shown = await s.hub
      .agent("bot")
      .pty_read_screen({ session_id: "box/\u202es_0" })
      .catch((error: Error) => error);
    expect(String(shown)).not.toContain("\u202e");
  });

  test("lead to no third machine", async () => {
    const person = bearer(s.far.there.duetty.token("person"));
    const asks = { ...person, "x-duetty-for": "person@laptop" };
    await s.far.there.person.hosts_add({ name: "third", address: "ssh://127.0.0.1:9" });
    for (const body of [{ host: "third" }, { session_id: "third/s_00000000" }])
      for (const op of ["run_command", "pty_open", "search"]) {
        const answer = await posted(
          op,
          { ...body, command: op === "pty_open" ? ["id"] : "id", query: "x" },
          asks,
          s.far.there,
        );
        expect([op, answer.body]).toEqual([
          op,
          expect.stringMatching(/no machine is reached through another|no field/),
        ]);
      }
    expect((await posted("pty_list", { host: "third" }, asks, s.far.there)).body).toMatch(
      "no machine is reached through another",
    );
    expect((await posted("pty_list", { hosts: "all" }, asks, s.far.there)).body).not.toMatch("third");
    expect(await codeOf(s.hub.person.pty_read_screen({ session_id: "box/third/s_00000000" }))).toBe("host.refused");
    expect(await codeOf(s.hub.agent("bot").pty_read_screen({ session_id: "box/third/s_00000000" }))).toBe(
      "host.refused",
    );
    await s.far.there.person.hosts_remove({ name: "third" });
  });
});
