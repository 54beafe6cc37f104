// Pages of other sites: those that a person named in embed_origins call operations and show terminals with a token. A cookie of
// the same browser counts for nothing there, nothing else is open to them, and nobody else gets any further than before.
import fs from "node:fs";
import http from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const APP = "https://app.example";
/** A page on another port: browsers call it the same site, and send our cookie along. */
const DEV = "http://localhost:5173";
const { duetty, person, open } = sharedStand({ config: { embed_origins: [APP, DEV] } });

let id = "";
let host = "";
let cookie = "";
beforeAll(async () => {
  id = await open(["cat"]);
  host = `localhost:${duetty.port}`;
  const { code } = await person.login_code({});
  const { headers } = await duetty.request(`/login?code=${code}`, { host });
  cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
});

type Headers = Record<string, string>;
const bearer = (role: "person" | "agent" = "agent") => ({ authorization: `Bearer ${duetty.token(role)}` });
const from = (origin: string, site = "cross-site") => ({ host, origin, "sec-fetch-site": site });
const call = (headers: Headers, path = "/v1/pty_list") => duetty.request(path, headers, "{}");

function preflight(headers: Headers, path = "/v1/pty_list"): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
    const where = { port: duetty.port, path, method: "OPTIONS", agent: false };
    const request = http.request({ ...where, headers: { ...asked, ...headers } }, (answer) => resolve(answer.resume()));
    request.on("error", reject).end();
  });
}

/** The protocol that was agreed on, or the status of the refusal. */
function upgraded(headers: Headers, protocols: string[], query = ""): Promise<string | number> {
  return new Promise((resolve) => {
    const url = `ws://127.0.0.1:${duetty.port}/v1/sessions/${id}/terminal${query}`;
    const socket = new WebSocket(url, protocols, { headers });
    socket.on("open", () => {
      resolve(socket.protocol);
      socket.close();
    });
    socket.on("unexpected-response", (_, answer) => resolve(answer.statusCode ?? 0));
    socket.on("error", () => resolve(0));
  });
}
const withToken = (role: "person" | "agent" = "agent") => ["duetty", `bearer.${duetty.token(role)}`];

describe("a page that was named", () => {
  it.each([
    [APP, "cross-site"],
    [DEV, "same-site"],
  ])("of %s asks, calls and watches with a token", async (origin, site) => {
    const asked = await preflight(from(origin, site));
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({ "access-control-allow-origin": origin, vary: "origin" });
    expect(asked.headers["access-control-allow-headers"]).toContain("authorization");
    expect(asked.headers).not.toHaveProperty("access-control-allow-credentials");
    const answer = await call({ ...from(origin, site), ...bearer() });
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    expect(await upgraded(from(origin, site), withToken())).toBe("duetty");
  });

  it("reads why it was refused", async () => {
    const answer = await call({ ...from(APP), authorization: "Bearer 0000" });
    expect(answer.status).toBe(401);
    expect(answer.headers["access-control-allow-origin"]).toBe(APP);
  });

  it("has no use of the browser's cookie", async () => {
    for (const site of ["cross-site", "same-site"]) {
      expect((await call({ ...from(DEV, site), cookie })).status).toBe(401);
      expect(await upgraded({ ...from(DEV, site), cookie }, ["duetty"])).toBe(401);
    }
    expect((await call({ ...from(`http://${host}`, "same-origin"), cookie })).status).toBe(200);
  });

  it("needs no more than one session: the token of a link counts for that alone, until it is taken back", async () => {
    const { token, share } = await person.share({ session_id: id, role: "watch" });
    const headers = { ...from(APP), authorization: `Bearer ${token}` };
    expect(await upgraded(from(APP), ["duetty", `bearer.${token}`])).toBe("duetty");
    expect((await duetty.request("/v1/blocks", headers, JSON.stringify({ session_id: id }))).status).toBe(200);
    expect((await call(headers)).status).toBe(403);
    await person.unshare({ id: share.id });
    expect(await upgraded(from(APP), ["duetty", `bearer.${token}`])).toBe(401);
  });

  it("is not the machine itself, with a person's token", async () => {
    const headers = { ...from(APP), ...bearer("person") };
    expect((await call(headers, "/v1/status")).status).toBe(200);
    expect((await call(headers, "/v1/pair")).status).toBe(403);
  });

  it.each(["/", "/healthz", "/login?code=x", "/v1/openapi.json", "/metrics", "/docs"])(
    "does not get %s",
    async (path) => {
      expect((await duetty.request(path, { ...from(APP), ...bearer("person") })).status).toBe(403);
    },
  );

  it.each(["/mcp", "/pair", "/s/k_00000000", "/v1/../mcp", "/v1/..%2fmcp", "/v1/%2e%2e/mcp", "//mcp"])(
    "does not post to %s",
    async (path) => {
      expect((await call({ ...from(APP), ...bearer("person") }, path)).status).toBe(403);
      expect((await preflight(from(APP), path)).statusCode).toBe(403);
    },
  );
});

describe("refused is", () => {
  const others = [
    "https://evil.example",
    "null",
    "https://app.example.evil.example",
    "http://app.example",
    `${APP}:8443`,
  ];
  it.each([...others, "http://localhost:5174", "http://127.0.0.1:5173", "HTTPS://APP.EXAMPLE", ""])(
    "a page of %j, asked or not, with the right token",
    async (origin) => {
      const asked = await preflight(from(origin));
      expect(asked.statusCode).toBe(403);
      expect(asked.headers).not.toHaveProperty("access-control-allow-origin");
      expect((await call({ ...from(origin), ...bearer() })).status).toBe(403);
      expect(await upgraded(from(origin), withToken())).toBe(403);
    },
  );

  it("a page that was named, under a name that is not ours: its DNS may have been turned to us", async () => {
    const turned = { ...from(APP), host: `app.example:${duetty.port}` };
    expect((await preflight(turned)).statusCode).toBe(403);
    expect((await call({ ...turned, ...bearer() })).status).toBe(403);
    expect(await upgraded(turned, withToken())).toBe(403);
  });

  it("another site's request that names no page", async () => {
    expect((await call({ host, "sec-fetch-site": "cross-site", ...bearer() })).status).toBe(403);
  });

  it("a named page on the unix socket, which no browser reaches", async () => {
    const status = await new Promise((resolve) => {
      const where = { socketPath: duetty.home.daemonSocket, path: "/v1/pty_list", method: "POST" };
      http
        .request({ ...where, headers: { ...from(APP), ...bearer() } }, (answer) => resolve(answer.resume().statusCode))
        .end();
    });
    expect(status).toBe(403);
  });

  it.each([
    ["no token", () => ["duetty"], ""],
    ["a wrong one", () => ["duetty", "bearer.0000"], ""],
    ["one in the address", () => ["duetty"], () => `?token=${duetty.token("agent")}`],
    ["one without our protocol", () => withToken().slice(1), ""],
    ["two", () => [...withToken(), "bearer.0000"], ""],
  ])("a socket with %s", async (_, protocols, query) => {
    expect(await upgraded(from(APP), protocols(), typeof query === "string" ? query : query())).toBe(401);
  });

  it("a token as a protocol of a call", async () => {
    expect((await call({ ...from(APP), "sec-websocket-protocol": withToken().join(", ") })).status).toBe(401);
  });
});

it("wrong tokens of a page are counted like any others, and no token is written down", async () => {
  let last = 0;
  for (let i = 0; i < 11; i++) last = Number(await upgraded(from(APP), ["duetty", `bearer.${i}`]));
  expect(last).toBe(429);
  expect(await upgraded(from(APP), withToken())).toBe("duetty");
  for (const name of ["audit.log", "daemon.log"]) {
    const text = fs.readFileSync(`${duetty.home.run}/${name}`, "utf8");
    for (const secret of [duetty.token("agent"), duetty.token("person"), cookie.split("=")[1] ?? ""])
      expect(text).not.toContain(secret);
  }
});

it("the addresses of pages are exact, and doctor names them", async () => {
  expect((await duetty.cli("doctor")).stdout).toMatch(/ok +config.*app\.example/);
});
