// The bridge in a real box, as part of what makes the box, and as a program of its own in perl and in node: programs inside
// reach the proxy by their usual variables, and nothing else.
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BoxNetwork } from "../../../src/core/box/box-network.ts";
import { BRIDGE_OPTION, bridgeWords, PROXY_SOCKET, proxyVariables } from "../../../src/core/box/bridge.ts";
import { boxEnvironment } from "../../../src/core/box/environment.ts";
import { NetworkProxy } from "../../../src/host/sandbox/network/proxy.ts";
import { proxyFolder } from "../../../src/host/sandbox/network/session-proxies.ts";
import { boxStand } from "../../fixtures/box/box.ts";
import { soon } from "../../fixtures/soon.ts";

const script = (name: string) => fileURLToPath(new URL(`../../../shell/${name}`, import.meta.url));

/** Answers with the digest of what it was sent, or with as many bytes as the path says. */
const server = http.createServer(async (request, response) => {
  const size = Number(/^\/bytes\/(\d+)/.exec(request.url ?? "")?.[1] ?? Number.NaN);
  if (Number.isFinite(size)) return void response.end(Buffer.alloc(size, "x"));
  const hash = createHash("sha256");
  for await (const chunk of request) hash.update(chunk as Buffer);
  response.end(`served ${hash.digest("hex")}`);
});
let port = 0;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(() => void server.close());

type Bridge = readonly [string, string] | "of the box";

function boxed(bridge: Bridge) {
  const stand = boxStand();
  onTestFinished(() => stand[Symbol.dispose]());
  const rules = ["app.test", `127.0.0.1:${port}`];
  const network = new BoxNetwork(rules, () => undefined, Date.now);
  const lookup = async (host: string) => (host === "app.test" ? ["127.0.0.1"] : []);
  const folder = proxyFolder(stand.home.sessions, "s_1");
  const failed = (message: string) => {
    throw new Error(message);
  };
  const listen = () => {
    const proxy = new NetworkProxy({ network, lookup, ownAddresses: () => [], ownPorts: () => [] });
    proxy.listen(join(folder, PROXY_SOCKET), failed);
    onTestFinished(() => proxy.close());
    return proxy;
  };
  const plan = stand.sandbox.plan({ cwd: stand.workspace, proxyFolder: folder });
  const words = stand.sandbox.prefix("box", plan);
  expect(words).toEqual(expect.arrayContaining([...BRIDGE_OPTION]));
  const without = words.toSpliced(words.indexOf("--bridge"), BRIDGE_OPTION.length);
  const prefix = bridge === "of the box" ? words : [...without, ...bridgeWords(bridge, process.arch)];
  const env = { ...boxEnvironment({ PATH: process.env.PATH ?? "" }, plan.ownDir), ...proxyVariables() };
  const start = (line: string) => {
    const [file = "", ...args] = [...prefix, "/bin/bash", "--norc", "-c", line];
    const child = spawn(file, args, { cwd: stand.workspace, env });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const run = async (line: string) => {
    const child = start(line);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    await once(child, "close");
    return output;
  };
  return { listen, start, run, workspace: stand.workspace };
}

describe.each<[string, Bridge]>([
  ["the box's own process", "of the box"],
  ["perl", ["/usr/bin/perl", script("bridge.pl")]],
  ["node", [process.execPath, script("bridge.mjs")]],
])("the bridge in %s", (_, bridge) => {
  test("leads to the proxy, which decides; nothing else leads out", async () => {
    const { listen, run } = boxed(bridge);
    listen();
    const output = await run(
      [
        `curl -sS http://app.test:${port}/; echo`,
        `curl -sS http://other.test:${port}/`,
        `curl -sS -o /dev/null -w '%{http_connect}\\n' https://other.test/`,
        `curl -sS --noproxy '*' http://127.0.0.1:${port}/`,
        `curl -sS --noproxy '*' http://app.test:${port}/`,
        `(exec 3<>/dev/tcp/127.0.0.1/${port})`,
        `getent hosts app.test || echo no name`,
      ].join("\n"),
    );
    expect(output).toContain("served ");
    expect(output).toContain("refused by the box: other.test");
    expect(output).toContain("\n403\n");
    expect(output).toMatch(/Failed to connect to 127\.0\.0\.1/);
    expect(output).toContain("Could not resolve host: app.test");
    expect(output).toMatch(/\/dev\/tcp\/127\.0\.0\.1\/\d+: Connection refused/);
    expect(output).toContain("no name");
  });

  test("passes large bodies whole, both ways, on many connections at once", async () => {
    const { listen, run, workspace } = boxed(bridge);
    listen();
    const body = randomBytes(3 << 20);
    fs.writeFileSync(join(workspace, "body"), body);
    const url = `http://app.test:${port}`;
    const output = await run(
      [
        `for i in 1 2 3 4 5 6 7 8; do curl -sS --data-binary @body ${url}/ & curl -sS ${url}/bytes/3000000 | wc -c & done`,
        `wait`,
        `curl -sS -p --data-binary @body ${url}/`,
      ].join("\n"),
    );
    const digest = createHash("sha256").update(body).digest("hex");
    expect(output.match(new RegExp(`served ${digest}`, "g"))).toHaveLength(9);
    expect(output.match(/^.*3000000$/gm)).toHaveLength(8);
  });

  test("finds the socket of a new daemon", async () => {
    const { listen, start } = boxed(bridge);
    const first = listen();
    const child = start(`while read -r go; do curl -s http://app.test:${port}/ || echo none; echo " $go"; done`);
    const closed = once(child, "close");
    let output = "";
    child.stdout.on("data", (chunk) => (output += String(chunk)));
    child.stdin.write("one\n");
    await soon(() => expect(output).toMatch(/served \w+ one/));
    first.close();
    child.stdin.write("two\n");
    await soon(() => expect(output).toMatch(/ two/));
    expect(output).not.toMatch(/served \w+ two/);
    listen();
    child.stdin.end("three\n");
    await soon(() => expect(output).toMatch(/served \w+ three/));
    await closed;
  });

  test("ends with the box", async () => {
    const { listen, run } = boxed(bridge);
    listen();
    const space = (await run("readlink /proc/self/ns/pid")).trim();
    expect(space).toMatch(/^pid:\[\d+\]$/);
    const spaces = () =>
      fs.readdirSync("/proc").flatMap((pid) => {
        try {
          return /^\d+$/.test(pid) ? [fs.readlinkSync(`/proc/${pid}/ns/pid`)] : [];
        } catch {
          // It ended while we looked.
          return [];
        }
      });
    await soon(() => expect(spaces()).not.toContain(space));
  });
});
