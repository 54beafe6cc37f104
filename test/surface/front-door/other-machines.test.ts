// Other machines: without TLS nothing listens for them, with it only the certificate's names count, and everybody has a token.
// An address of loopback's that is not 127.0.0.1 stands for the network.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import https from "node:https";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAEMON_MAIN } from "../../../src/package.ts";
import { homeOf } from "../../../src/protocol/plain/home.ts";
import { remoteOf } from "../../../src/serve/http/tls.ts";
import { BIN, run } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const HOST = "127.0.0.2";
const { duetty, person, folder } = sharedStand({ daemon: "later" });

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

describe("without TLS", () => {
  it.each([
    ["no certificate", ["--host", "0.0.0.0"]],
    ["a certificate without its key", ["--host", "0.0.0.0", "--tls-cert", "cert.pem"]],
    ["another port alone", ["--port", "8000"]],
    ["no address", ["--host", "", "--self-signed"]],
    ["no such port", ["--host", "0.0.0.0", "--self-signed", "--port", "99999"]],
  ])("nothing starts: %s", async (_, words) => {
    expect(await duetty.cli("serve", ...words)).toMatchObject({ code: 2 });
    expect(fs.existsSync(duetty.home.run)).toBe(false);
  });

  it("the daemon itself refuses, too", async () => {
    const { code, stderr } = await run(process.execPath, [DAEMON_MAIN, "--host", "0.0.0.0"], { env: duetty.env });
    expect(code).toBe(1);
    expect(stderr).toContain("only with TLS");
  });

  it("a certificate that is not there stops the start", async () => {
    const words = ["--host", HOST, "--port", String(await freePort()), "--tls-cert", "/none", "--tls-key", "/none"];
    const { code, stderr } = await duetty.cli("serve", ...words);
    expect(code).toBe(1);
    expect(stderr).toContain("/none");
    expect(fs.existsSync(duetty.home.holderSocket)).toBe(false);
  });
});

describe("with a certificate of its own", () => {
  let [port, log]: [number, string] = [0, ""];
  let serving: ChildProcess;
  beforeAll(async () => {
    port = await freePort();
    const words = ["serve", "--host", HOST, "--port", String(port), "--self-signed"];
    serving = spawn(process.execPath, [BIN, ...words], { env: duetty.env, stdio: ["ignore", "ignore", "pipe"] });
    await new Promise<void>((resolve, reject) => {
      serving.stderr?.on("data", (part) => {
        log += part;
        if (log.includes("the daemon listens")) resolve();
      });
      serving.on("exit", () => reject(new Error(log)));
    });
  });
  afterAll(() => void serving.kill("SIGTERM"));

  interface Answer {
    readonly status: number;
    readonly body: string;
    readonly cookie: string;
  }
  /** As a browser that trusts this certificate and no other. */
  const ask = (path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const ca = fs.readFileSync(duetty.home.tlsCert);
      const method = body === undefined ? "GET" : "POST";
      // Node would look for a forged Host in the certificate.
      const forged = headers.host === undefined ? {} : { checkServerIdentity: () => undefined };
      const options = { host: HOST, port, path, method, headers, ca, agent: false, ...forged };
      const request = https.request(options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => {
          text += part;
        });
        const cookie = String(response.headers["set-cookie"] ?? "");
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, cookie }));
      });
      request.on("error", reject);
      request.end(body);
    });
  const bearer = () => ({ authorization: `Bearer ${duetty.token("person")}` });

  it("the certificate is good for its address, and its key is private", async () => {
    expect(await ask("/healthz")).toMatchObject({ status: 200 });
    expect(fs.statSync(duetty.home.tlsKey).mode & 0o777).toBe(0o600);
    expect(
      JSON.parse(
        log
          .trim()
          .split("\n")
          .find((line) => line.includes("listens")) ?? "",
      ).remote,
    ).toMatchObject({
      url: `https://${HOST}:${port}`,
      sha256: expect.stringMatching(/^([\dA-F]{2}:){31}/),
    });
  });

  it("nobody comes in without a token, and plain HTTP not at all", async () => {
    expect((await ask("/v1/pty_list", {}, "{}")).status).toBe(401);
    expect((await ask("/v1/pty_list", bearer(), "{}")).status).toBe(200);
    const plain = await fetch(`http://${HOST}:${port}/healthz`).catch(() => "closed");
    expect(plain).toBe("closed");
  });

  it.each([
    ["a Host that the certificate does not name", () => ({ host: `localhost:${port}` })],
    ["its own Host with another port", () => ({ host: `${HOST}:1` })],
    ["its own Host without a port", () => ({ host: HOST })],
    ["the Origin of plain HTTP", () => ({ origin: `http://${HOST}:${port}` })],
    ["the Origin of loopback", () => ({ origin: `http://127.0.0.1:${duetty.port}` })],
    ["another site", () => ({ "sec-fetch-site": "cross-site" })],
  ])("refuses %s", async (_, headers) => {
    expect((await ask("/v1/pty_list", { ...bearer(), ...headers() }, "{}")).status).toBe(403);
  });

  it("a browser's cookie goes over TLS alone, and loopback's is another", async () => {
    const { code } = await person.login_code({});
    const { status, cookie } = await ask(`/login?code=${code}`);
    expect(status).toBe(200);
    expect(cookie).toMatch(new RegExp(`^__Host-duetty_${port}=\\w+; HttpOnly; SameSite=Strict; Path=/; .*Secure$`));
    const [value = ""] = cookie.split(";");
    const origin = `https://${HOST}:${port}`;
    expect((await ask("/v1/login_code", { origin, cookie: value }, "{}")).status).toBe(200);
    const renamed = value.replace("__Host-", "");
    expect((await ask("/v1/login_code", { origin, cookie: renamed }, "{}")).status).toBe(401);
  });

  it("a device is paired over TLS, with a cookie for TLS alone, and only the machine itself shows codes", async () => {
    const { code, url } = await person.pair({});
    const origin = `https://${HOST}:${port}`;
    expect(url).toBe(`${origin}/pair`);
    const { status, cookie } = await ask("/pair", { origin }, JSON.stringify({ code, name: "Phone" }));
    expect(status).toBe(200);
    expect(cookie).toMatch(new RegExp(`^__Host-duetty_${port}=k_\\w{8}\\..*; HttpOnly; SameSite=Strict; .*Secure$`));
    const device = { origin, cookie: cookie.split(";")[0] ?? "" };
    expect((await ask("/v1/pty_list", device, "{}")).status).toBe(200);
    expect((await ask("/v1/login_code", device, "{}")).status).toBe(403);
    expect((await ask("/v1/pair", bearer(), "{}")).status).toBe(403);
    await person.unpair({ device: "Phone" });
    expect((await ask("/v1/pty_list", device, "{}")).status).toBe(401);
  });

  it("an address that means all of them is printed as the name of the host", () => {
    for (const host of ["0.0.0.0", "::"])
      expect(
        remoteOf({ host, port: 8737, tls: "self-signed" }, homeOf({ DUETTY_HOME: folder() }), Date.now()).url,
      ).toBe(`https://${hostname()}:8737`);
  });

  it("a second one for others says that there is one already", async () => {
    const { code, stderr } = await duetty.cli("serve", "--host", HOST, "--self-signed");
    expect(code).toBe(1);
    expect(stderr).toContain("another daemon is running");
  });

  it("a daemon that died listens there again, with the same certificate", async () => {
    await duetty.killDaemon();
    const again = () =>
      ask("/healthz").then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(again).toBe(200);
  });
});
