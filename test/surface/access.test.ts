// Who may come in: exact Host and Origin, tokens, one-time codes. Whatever is refused reaches no PTY.

import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { duetty, person, open } = sharedStand({ own: true });
let id = "";
let ours = "";
beforeAll(async () => {
  id = await open(["cat"]);
  ours = `127.0.0.1:${duetty.port}`;
});

const bearer = (role: "person" | "agent") => ({ authorization: `Bearer ${duetty.token(role)}` });
const typing = () => JSON.stringify({ session_id: id, text: "INTRUDER\n" });

/** What every refusal must leave behind: nothing. */
async function nothingTyped(): Promise<void> {
  await person.pty_wait({ session_id: id, any: [{ settled_ms: 100 }] });
  expect(duetty.raw(id).toString()).not.toContain("INTRUDER");
}

describe("HTTP", () => {
  it.each([
    ["a forged Host", () => ({ ...bearer("person"), host: "evil.example" }), 403],
    ["our Host with another port", () => ({ ...bearer("person"), host: "127.0.0.1:1" }), 403],
    ["a Host that only begins like ours", () => ({ ...bearer("person"), host: `${ours}.evil.example` }), 403],
    ["a foreign Origin", () => ({ ...bearer("person"), host: ours, origin: "http://evil.example" }), 403],
    ["the Origin null", () => ({ ...bearer("person"), host: ours, origin: "null" }), 403],
    ["https instead of http as Origin", () => ({ ...bearer("person"), host: ours, origin: `https://${ours}` }), 403],
    ["no token", () => ({ host: ours }), 401],
    ["a wrong token", () => ({ host: ours, authorization: "Bearer 0000" }), 401],
    ["a made-up cookie", () => ({ host: ours, origin: `http://${ours}`, cookie: `duetty_${duetty.port}=abc` }), 401],
  ])("refuses %s", async (_, headers, status) => {
    const answer = await duetty.request("/v1/pty_send", { ...headers(), "content-type": "application/json" }, typing());
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).error).toMatchObject({
      code: expect.stringMatching(/^auth\./),
      hint: expect.any(String),
    });
    await nothingTyped();
  });

  it("the page's own Origin and the localhost name are accepted", async () => {
    for (const host of [ours, `localhost:${duetty.port}`]) {
      const headers = { ...bearer("agent"), host, origin: `http://${host}` };
      expect((await duetty.request("/v1/pty_list", headers, "{}")).status).toBe(200);
    }
  });

  it("answers health and describes itself", async () => {
    expect(JSON.parse((await duetty.request("/healthz", { host: ours })).body)).toMatchObject({ ok: true });
    expect(await duetty.request("/assets/", { host: ours })).toMatchObject({ status: 404 });
    for (const path of ["/%00.js", "/assets/%00", `/${"a".repeat(5_000)}.js`, "/assets/x.js/y.js"])
      expect(await duetty.request(path, { host: ours })).toMatchObject({ status: 404 });
    expect((await duetty.request("/v1/openapi.json", { host: ours })).status).toBe(401);
    const { paths } = JSON.parse((await duetty.request("/v1/openapi.json", { host: ours, ...bearer("agent") })).body);
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/v1/pty_open", "/v1/pty_send", "/v1/pty_read_screen"]));
  });

  it("invalid JSON, invalid input and unknown operations are refused with a hint", async () => {
    const headers = { ...bearer("agent"), host: ours };
    for (const [path, body] of [
      ["/v1/pty_send", "{"],
      ["/v1/pty_send", '{"session_id":5}'],
      ["/v1/nothing", "{}"],
    ]) {
      const answer = await duetty.request(path ?? "", headers, body);
      expect([400, 404]).toContain(answer.status);
      expect(JSON.parse(answer.body).error.hint).not.toBe("");
    }
  });
});

describe("roles", () => {
  it("an agent gets no login code, whatever it calls itself", async () => {
    for (const as of ["person", "agent:x"]) {
      const headers = { ...bearer("agent"), host: ours, "x-duetty-as": as };
      expect((await duetty.request("/v1/login_code", headers, "{}")).status).toBe(403);
    }
    const down = { ...bearer("person"), host: ours, "x-duetty-as": "agent:helper" };
    expect((await duetty.request("/v1/login_code", down, "{}")).status).toBe(403);
  });

  it("input is attributed to its sender", async () => {
    await person.policy({ session_id: id, level: "always_allow", safe_mode: "off" });
    await duetty.cli("send", id, "--as", "agent:helper", "--text", "hello\n", "--wait-settled", "50");
    expect((await person.pty_read_screen({ session_id: id })).hold).toBe("agent:helper");
    await person.pty_send({ session_id: id, text: "mine\n" });
    expect((await person.pty_read_screen({ session_id: id })).hold).toBe("person");
  });
});

describe("one-time codes", () => {
  it("a code signs a browser in once, by an HttpOnly same-site cookie", async () => {
    const { code } = await person.login_code({});
    const first = await duetty.request(`/login?code=${code}`, { host: ours });
    expect(first.status).toBe(200);
    const cookie = String(first.headers["set-cookie"]);
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await duetty.request(`/login?code=${code}`, { host: ours })).status).toBe(403);
    expect((await duetty.request("/login?code=guess", { host: ours })).status).toBe(403);
    const value = cookie.split(";")[0] ?? "";
    const headers = { host: ours, origin: `http://${ours}`, cookie: value };
    expect((await duetty.request("/v1/login_code", headers, "{}")).status).toBe(200);
    // Without our Origin a cookie proves nothing: any page can make a browser send it.
    expect((await duetty.request("/v1/pty_list", { host: ours, cookie: value }, "{}")).status).toBe(401);
  });
});

describe("WebSocket", () => {
  const attempt = (headers: Record<string, string>) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`ws://${ours}/v1/sessions/${id}/terminal`, { headers });
      socket.on("open", () => {
        socket.send(Buffer.from("INTRUDER\n"));
        socket.close();
        resolve(101);
      });
      socket.on("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
      socket.on("error", () => resolve(0));
    });

  it.each([
    ["a forged Host", () => ({ ...bearer("person"), host: "evil.example" }), 403],
    ["a foreign Origin", () => ({ ...bearer("person"), origin: "http://evil.example" }), 403],
    ["no token", () => ({}), 401],
    ["a wrong token", () => ({ authorization: "Bearer nope" }), 401],
  ])("refuses %s at the upgrade", async (_, headers, status) => {
    expect(await attempt(headers())).toBe(status);
    await nothingTyped();
  });
});
