// A server of one's own: who is inside is an agent there, whatever the server thinks of what it shows.
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openTerminals } from "../../../src/embed/terminals.ts";
import { testFolder } from "../../fixtures/folder.ts";
import { soon } from "../../fixtures/soon.ts";

const run = promisify(execFile);

async function served() {
  const logged: string[] = [];
  const terminals = await openTerminals({ log: (line) => logged.push(line) });
  onTestFinished(() => terminals.close());
  const { request } = terminals.listener({
    path: "/terminals",
    authorize: ({ headers }) => {
      if (headers["x-user"] === "broken") throw new Error("the key is hunter2");
      return headers["x-user"] === "me" ? "person" : null;
    },
  });
  const server = createServer((asked, answer) => request(asked, answer));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  return { terminals, logged, port: (server.address() as AddressInfo).port };
}

/** Every address of this machine, as a URL has it. */
function hosts(): string[] {
  return Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all.map(({ address, family, scopeid }) => {
      if (family === "IPv4") return address;
      return scopeid ? `[${address}%25${name}]` : `[${address}]`;
    }),
  );
}

test("a process in a session or a run is no person there, by any address and without its variables", async () => {
  const { terminals, port } = await served();
  const curl = (host: string) =>
    `curl -gsS -X POST -H "x-user: me" "http://${host}:${port}/terminals/v1/status" | grep -Eo role...[a-z]+`;
  const command = hosts().map(curl).join("; ");
  const lines = (role: string) => hosts().map(() => `role":"${role}`);
  expect((await run("sh", ["-c", command])).stdout.trim().split("\n")).toEqual(lines("person"));

  const { session_id } = await terminals.pty_open({ command: ["bash", "--norc", "-i"] });
  const inSession = await terminals.run_command({ session_id, command });
  expect(inSession.output.head.trim().split(/\r?\n/)).toEqual(lines("agent"));
  const bare = `exec env -i "PATH=$PATH" sh -c '${command}'`;
  const inRun = await terminals.run_command({ command: bare, mode: "pipe" });
  expect(inRun.output.head.trim().split("\n")).toEqual(lines("agent"));
});

test("a process that left its session, its parents and its variables is no person there either", async () => {
  const { terminals, port } = await served();
  const { session_id } = await terminals.pty_open({ command: ["bash", "--norc", "-i"] });
  const folder = testFolder();
  const ask = `curl -sS -X POST -H "x-user: me" http://127.0.0.1:${port}/terminals/v1/status`;
  /** It calls when its parents and its session are gone. */
  const leaves = (name: string) => {
    const left = `until [ -e ${folder}/go ]; do sleep 0.05; done; ${ask} > ${folder}/${name}.new; mv ${folder}/${name}.new ${folder}/${name}`;
    return `env -i "PATH=$PATH" setsid -f sh -c '(${left}) </dev/null >/dev/null 2>&1 &'`;
  };
  await terminals.run_command({ session_id, command: leaves("session") });
  await terminals.run_command({ command: leaves("run"), mode: "pipe" });
  await terminals.pty_close({ session_id });
  fs.writeFileSync(`${folder}/go`, "");
  for (const name of ["session", "run"]) {
    const answer = await soon(() => fs.readFileSync(`${folder}/${name}`, "utf8"));
    expect(JSON.parse(answer)).toMatchObject({ role: "agent" });
  }
});

test("only its own paths are ours, and what a rule of the server says when it fails is for its log", async () => {
  const { port, logged } = await served();
  const post = (path: string, user: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers: { "x-user": user } });
  expect((await post("/terminals/v1/status", "me")).status).toBe(200);
  expect((await post("/v1/status", "me")).status).toBe(404);
  const broken = await post("/terminals/v1/status", "broken");
  expect(broken.status).toBe(500);
  expect(await broken.text()).not.toContain("hunter2");
  expect(logged.join("")).toContain("hunter2");
});
