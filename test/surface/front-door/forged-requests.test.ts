// Forged requests and upgrades, byte by byte as no client of ours would send them: each is refused, nothing of it reaches a PTY,
// and the daemon answers the next good one. All of it is written down.
import fs from "node:fs";
import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, open } = sharedStand({ own: true });
let id = "";
let ours = "";
let cookie = "";
let usedCode = "";
beforeAll(async () => {
  id = await open(["cat"]);
  ours = `127.0.0.1:${duetty.port}`;
  usedCode = (await person.login_code({})).code;
  const { headers } = await duetty.request(`/login?code=${usedCode}`, { host: ours });
  cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
});

/** What was sent, with a status line for an answer; 0: the connection was closed without one. */
function knock(text: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(duetty.port, "127.0.0.1", () => socket.write(text, "latin1"));
    socket.once("data", (data) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString("latin1"))?.[1] ?? 0));
      socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(0));
  });
}

interface Sent {
  readonly start?: string;
  readonly host?: readonly string[];
  readonly lines?: readonly string[];
}

const bearer = (role: "person" | "agent" = "person") => `Authorization: Bearer ${duetty.token(role)}`;

/** A call that types, by a person, but for what is given. */
function call({ start = "POST /v1/pty_send HTTP/1.1", host = [ours], lines = [bearer()] }: Sent): string {
  const body = JSON.stringify({ session_id: id, text: "INTRUDER\n" });
  const hosts = host.map((name) => `Host: ${name}`);
  const about = ["Content-Type: application/json", `Content-Length: ${body.length}`];
  return [start, ...hosts, ...lines, ...about, "", body].join("\r\n");
}

/** The same by a viewer, whose first frame would type. */
function upgrade({ start, host = [ours], lines = [bearer()] }: Sent): string {
  const hosts = host.map((name) => `Host: ${name}`);
  const about = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  const frame = "\x82\x89\x00\x00\x00\x00INTRUDER\n";
  return [start ?? `GET /v1/sessions/${id}/terminal HTTP/1.1`, ...hosts, ...lines, ...about, key, "", frame].join(
    "\r\n",
  );
}

const origin = (text: string) => [bearer(), `Origin: ${text}`];

const REQUESTS: [string, () => string, number][] = [
  ["a foreign Host", () => call({ host: ["evil.example"] }), 403],
  ["our Host with another port", () => call({ host: ["127.0.0.1:1"] }), 403],
  ["our Host without a port", () => call({ host: ["127.0.0.1"] }), 403],
  ["a Host that begins like ours", () => call({ host: [`${ours}.evil.example`] }), 403],
  ["a Host that ends like ours", () => call({ host: [`evil${ours}`] }), 403],
  ["a Host with a dot at its end", () => call({ host: [`localhost.:${duetty.port}`] }), 403],
  ["a Host with a user name", () => call({ host: [`evil@${ours}`] }), 403],
  ["the Host 0.0.0.0", () => call({ host: [`0.0.0.0:${duetty.port}`] }), 403],
  ["an empty Host", () => call({ host: [""] }), 403],
  ["no Host", () => call({ host: [] }), 400],
  ["no Host in HTTP/1.0", () => call({ start: "POST /v1/pty_send HTTP/1.0", host: [] }), 400],
  ["two Hosts, ours first", () => call({ host: [ours, "evil.example"] }), 400],
  ["two Hosts, ours last", () => call({ host: ["evil.example", ours] }), 400],
  ["our Host twice", () => call({ host: [ours, ours] }), 400],
  ["an absolute foreign URI", () => call({ start: "POST http://evil.example/v1/pty_send HTTP/1.1" }), 400],
  ["an absolute URI of another scheme", () => call({ start: `POST https://${ours}/v1/pty_send HTTP/1.1` }), 400],
  ["an absolute URI that begins like ours", () => call({ start: `POST http://${ours}.evil/v1/x HTTP/1.1` }), 400],
  ["the target *", () => call({ start: "OPTIONS * HTTP/1.1" }), 400],
  ["a target without a slash", () => call({ start: "POST v1/pty_send HTTP/1.1" }), 400],
  ["a foreign Origin", () => call({ lines: origin("http://evil.example") }), 403],
  ["the Origin null", () => call({ lines: origin("null") }), 403],
  ["an empty Origin", () => call({ lines: origin("") }), 403],
  ["our Origin with another scheme", () => call({ lines: origin(`https://${ours}`) }), 403],
  ["our Origin with another port", () => call({ lines: origin("http://127.0.0.1:1") }), 403],
  ["an Origin that begins like ours", () => call({ lines: origin(`http://${ours}.evil.example`) }), 403],
  ["an Origin that ends like ours", () => call({ lines: origin(`http://evil.example/http://${ours}`) }), 403],
  ["two Origins", () => call({ lines: [...origin(`http://${ours}`), "Origin: http://evil.example"] }), 400],
  ["a request from another site", () => call({ lines: [bearer(), "Sec-Fetch-Site: cross-site"] }), 403],
  ["a request from another port's page", () => call({ lines: [bearer(), "Sec-Fetch-Site: same-site"] }), 403],
  ["two words on where it began", () => call({ lines: [bearer(), ...sites("none", "cross-site")] }), 400],
  ["a frame of another site", () => call({ start: "GET / HTTP/1.1", lines: sites("cross-site") }), 403],
  [
    "another site's link to sign in",
    () => call({ start: "GET /login?code=x HTTP/1.1", lines: sites("cross-site") }),
    403,
  ],
  ["no token", () => call({ lines: [] }), 401],
  ["a wrong token", () => call({ lines: ["Authorization: Bearer 0000"] }), 401],
  ["the token in the address", () => call({ start: `POST ${inAddress("/v1/pty_send")} HTTP/1.1`, lines: [] }), 401],
  ["the token as a password", () => call({ lines: [bearer().replace("Bearer", "Basic")] }), 401],
  ["two tokens", () => call({ lines: [bearer("agent"), bearer()] }), 400],
  ["a cookie without an Origin", () => call({ lines: [`Cookie: ${cookie}`] }), 401],
  ["a made-up cookie", () => call({ lines: [`Origin: http://${ours}`, `Cookie: ${cookie.slice(0, -4)}0000`] }), 401],
  ["a cookie of another name", () => call({ lines: [`Origin: http://${ours}`, `Cookie: x${cookie}`] }), 401],
  ["a word that it is local", () => call({ lines: ["X-Forwarded-For: 127.0.0.1", "X-Real-IP: 127.0.0.1"] }), 401],
  ["a call by GET", () => call({ start: "GET /v1/pty_send HTTP/1.1" }), 404],
  ["a used code", () => call({ start: `GET /login?code=${usedCode} HTTP/1.1`, lines: [] }), 403],
  ["a made-up code", () => call({ start: "GET /login?code=guess HTTP/1.1", lines: [] }), 403],
  ["an agent who says it is a person", () => call(asPerson()), 403],
  ["two lengths", () => call({ lines: [bearer(), "Transfer-Encoding: chunked"] }), 400],
  ["a head without an end", () => call({ lines: [`X: ${"x".repeat(20_000)}`] }), 431],
];

const UPGRADES: [string, () => string, number][] = [
  ["a foreign Host", () => upgrade({ host: ["evil.example"] }), 403],
  ["two Hosts", () => upgrade({ host: [ours, "evil.example"] }), 400],
  [
    "an absolute foreign URI",
    () => upgrade({ start: `GET ws://evil.example/v1/sessions/${id}/terminal HTTP/1.1` }),
    400,
  ],
  ["a foreign Origin", () => upgrade({ lines: origin("http://evil.example") }), 403],
  ["the Origin null", () => upgrade({ lines: origin("null") }), 403],
  ["a page of another site", () => upgrade({ lines: [bearer(), ...sites("cross-site")] }), 403],
  ["no token", () => upgrade({ lines: [] }), 401],
  ["a wrong token", () => upgrade({ lines: ["Authorization: Bearer 0000"] }), 401],
  ["a cookie without an Origin", () => upgrade({ lines: [`Cookie: ${cookie}`] }), 401],
  [
    "the token in the address",
    () => upgrade({ start: `GET ${inAddress(`/v1/sessions/${id}/terminal`)} HTTP/1.1`, lines: [] }),
    401,
  ],
  ["the token as a protocol", () => upgrade({ lines: [`Sec-WebSocket-Protocol: ${duetty.token("person")}`] }), 401],
  ["an operation's path", () => upgrade({ start: "GET /v1/pty_send HTTP/1.1" }), 404],
];

function sites(...values: string[]): string[] {
  return values.map((value) => `Sec-Fetch-Site: ${value}`);
}

function inAddress(path: string): string {
  return `${path}?token=${duetty.token("person")}&access_token=${duetty.token("person")}`;
}

function asPerson(): Sent {
  return { start: "POST /v1/login_code HTTP/1.1", lines: [bearer("agent"), "X-Duetty-As: person"] };
}

const nextGoodOne = async () => expect((await duetty.request("/healthz", { host: ours })).status).toBe(200);

describe("a request is refused with", () => {
  it.each(REQUESTS)("%s", async (_, sent, status) => {
    expect(await knock(sent())).toBe(status);
    await nextGoodOne();
  });
});

describe("an upgrade is refused with", () => {
  it.each(UPGRADES)("%s", async (_, sent, status) => {
    expect(await knock(sent())).toBe(status);
    await nextGoodOne();
  });
});

describe("after all of it", () => {
  const audited = () =>
    fs
      .readFileSync(`${duetty.home.run}/audit.log`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("nothing was typed", async () => {
    await person.pty_wait({ session_id: id, any: [{ settled_ms: 100 }] });
    expect(duetty.raw(id).toString()).not.toContain("INTRUDER");
  });

  it("every refusal is written down, with no token, cookie or code in it", () => {
    const text = fs.readFileSync(`${duetty.home.run}/audit.log`, "utf8");
    for (const secret of [duetty.token("person"), duetty.token("agent"), cookie.split("=")[1] ?? "", usedCode])
      expect(text).not.toContain(secret);
    const refusals = audited().filter(({ kind }) => kind === "refusal");
    // No operation by that name or method, and a person's operation: these callers were let in.
    expect(refusals).toHaveLength(REQUESTS.length + UPGRADES.length - 3);
    expect(refusals).toContainEqual(
      expect.objectContaining({ way: "tcp", from: "127.0.0.1", what: "POST /v1/pty_send", code: "auth.forbidden" }),
    );
    expect(fs.statSync(`${duetty.home.run}/audit.log`).mode & 0o777).toBe(0o600);
  });

  it("so is every entry, once for a connection", async () => {
    const entries = () => audited().filter(({ kind }) => kind === "entry");
    expect(entries()).toContainEqual(
      expect.objectContaining({ way: "tcp", who: "person", by: "code", what: "GET /login" }),
    );
    const before = entries().length;
    await duetty.cli("ls", "--as", "agent:helper");
    expect(entries().slice(before)).toMatchObject([{ way: "unix", from: null, who: "agent:helper", by: "token" }]);
  });

  it("more than ten wrong tokens a minute are too many, and a right one is let in", async () => {
    const wrong = () => knock(call({ lines: ["Authorization: Bearer 0000"] }));
    const answers: number[] = [];
    for (let i = 0; i < 11; i++) answers.push(await wrong());
    expect(answers.at(-1)).toBe(429);
    const good = { host: ours, authorization: `Bearer ${duetty.token("person")}` };
    expect((await duetty.request("/v1/pty_list", good, "{}")).status).toBe(200);
  });
});
