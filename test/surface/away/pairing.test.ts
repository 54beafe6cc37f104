// A code lets one device in, once and for a short time; what the device does is told with its name; only a person at the machine
// lets devices in and puts them out.
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { Pairing } from "../../../src/serve/pass/pairing.ts";
import { soon } from "../../fixtures/soon.ts";
import { Device } from "../../fixtures/stand/device.ts";
import { Guest } from "../../fixtures/stand/guest.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";

const shared = sharedStand({ own: true });
const { duetty, person, agent, open, openShell, openGatedShell, pendingOf } = shared;

/** One that differs in its last letter. */
const wrong = (code: string) => `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`;
const REFUSED = { status: 403, body: { code: "auth.forbidden" } };

describe("a code", () => {
  it("is eight letters that nobody mistakes, and lets a device in as the person", async () => {
    const { code, url, expires_at } = await person.pair({});
    expect(code).toMatch(/^[A-HJKMNPRSTWXYZ]{8}$/);
    expect(url).toBe(`http://127.0.0.1:${duetty.port}/pair`);
    expect(expires_at - Date.now()).toBeLessThanOrEqual(300_000);
    const device = new Device(duetty);
    const typed = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase();
    expect(await device.pair(typed, "Phone")).toEqual({ status: 200, body: { name: "Phone" } });
    expect(device.setCookie).toMatch(
      /^duetty_\d+=k_\w{8}\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/,
    );
    expect(await device.call("status")).toMatchObject({ status: 200, body: { role: "person" } });
    await person.unpair({ device: "Phone" });
  });

  it("works once", async () => {
    const { code } = await person.pair({});
    expect(await new Device(duetty).pair(code, "First")).toMatchObject({ status: 200 });
    expect(await new Device(duetty).pair(code, "Second")).toMatchObject(REFUSED);
    await person.unpair({ device: "First" });
  });

  it("is void after five wrong tries, and good after four", async () => {
    const first = (await person.pair({})).code;
    for (let i = 0; i < 4; i += 1) expect(await new Device(duetty).pair(wrong(first))).toMatchObject(REFUSED);
    expect(await new Device(duetty).pair(first, "Fifth")).toMatchObject({ status: 200 });
    await person.unpair({ device: "Fifth" });
    const second = (await person.pair({})).code;
    for (let i = 0; i < 5; i += 1) expect((await new Device(duetty).pair(wrong(second))).status).not.toBe(200);
    expect((await new Device(duetty).pair(second)).status).not.toBe(200);
    expect((await person.devices({})).devices).toEqual([]);
  });

  it("is void when another one is shown", async () => {
    const old = (await person.pair({})).code;
    await person.pair({});
    expect((await new Device(duetty).pair(old)).status).not.toBe(200);
  });

  it("is too old after five minutes", () => {
    const pairing = new Pairing();
    const { code, expires_at } = pairing.begin(1_000);
    expect(expires_at).toBe(301_000);
    expect(pairing.use(code, 301_001)).toBe(false);
    expect(pairing.use(code, 301_000)).toBe(true);
    expect(pairing.use(code, 301_000)).toBe(false);
  });

  it("stays good when the name will not do", async () => {
    const { code } = await person.pair({});
    expect(await new Device(duetty).pair(code, "A\u202enn")).toMatchObject({ status: 400 });
    expect(await new Device(duetty).pair(code, "Tablet")).toMatchObject({ status: 200 });
    await person.unpair({ device: "Tablet" });
  });

  it("is refused from another site, and the page that takes it is for everybody", async () => {
    const { code } = await person.pair({});
    const host = `127.0.0.1:${duetty.port}`;
    const evil = { host, origin: "https://evil.example", "content-type": "application/json" };
    expect(await duetty.request("/pair", evil, JSON.stringify({ code, name: "Evil" }))).toMatchObject({ status: 403 });
    const link = { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect(await duetty.request("/pair", link)).toMatchObject({ status: 200, body: expect.stringContaining("code") });
  });
});

describe("a device", () => {
  it("is kept as a hash, is listed, and its key is in no file", async () => {
    const device = await Device.paired(shared, "Phone");
    const secret = device.cookie.split(".")[1] ?? "";
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect([...duetty.contents(duetty.home.dir)].filter(([, text]) => text.includes(secret))).toEqual([]);
    expect(fs.statSync(duetty.home.passes).mode & 0o777).toBe(0o600);
    const [listed] = (await person.devices({})).devices;
    expect(listed).toMatchObject({ name: "Phone", last_from: "127.0.0.1", here: 0, last_used_at: expect.any(Number) });
    expect(JSON.stringify(listed)).not.toContain("hash");
    expect((await duetty.cli("devices")).stdout).toMatch(/k_\w{8} +Phone .*127\.0\.0\.1/);
    expect((await duetty.cli("unpair", "Phone")).stdout).toMatch(/^Phone \(k_\w{8}\) is paired no more\n$/);
    expect((await duetty.cli("devices")).stdout).toContain("no device is paired");
  });

  it("with a name that another has gets a number", async () => {
    await Device.paired(shared, "Phone");
    await Device.paired(shared, "Phone");
    expect((await person.devices({})).devices.map(({ name }) => name)).toEqual(["Phone", "Phone 2"]);
    for (const device of ["Phone", "Phone 2"]) await person.unpair({ device });
    await expect(person.unpair({ device: "Phone" })).rejects.toMatchObject({ code: "not_found" });
  });

  it("counts only on our own page: not from another Origin, without one, or as a token", async () => {
    const device = await Device.paired(shared, "Phone");
    const { origin, ...without } = device.headers();
    expect(await device.call("status", {}, { ...without, origin: "https://evil.example" })).toMatchObject({
      status: 403,
    });
    expect(await device.call("status", {}, without)).toMatchObject({ status: 401 });
    // Or 429: there were many wrong codes before.
    const refused = { code: expect.stringMatching(/^auth\.(required|too_many)$/) };
    const key = device.cookie.split("=")[1] ?? "";
    const { cookie, ...plain } = device.headers();
    expect(await device.call("status", {}, { ...plain, authorization: `Bearer ${key}` })).toMatchObject({
      body: refused,
    });
    const forged = { ...device.headers(), cookie: `${cookie?.slice(0, -1)}${cookie?.endsWith("A") ? "B" : "A"}` };
    expect(await device.call("status", {}, forged)).toMatchObject({ body: refused });
    await person.unpair({ device: "Phone" });
  });

  it("what it types and answers is told with its name", async () => {
    const device = await Device.paired(shared, "Phone");
    const { session_id } = await openGatedShell();
    expect(await device.call("pty_send", { session_id, text: "x" })).toMatchObject({ status: 200 });
    expect(duetty.events(session_id)).toMatch(/"kind":"input","actor":"person","from":"device:Phone"/);
    await device.call("pty_send", { session_id, keys: ["Ctrl+U"] });
    await person.release({ session_id });
    const asking = agent("sly").run_command({ session_id, command: "curl example.com", timeout_ms: 60_000 });
    const { approval_id } = await pendingOf(session_id);
    expect(await device.call("deny", { approval_id, reason: "no" })).toMatchObject({
      body: { state: "denied", by: "person", from: "device:Phone" },
    });
    expect(await asking).toMatchObject({ status: "denied" });
    expect(duetty.events(session_id)).toMatch(/"state":"denied".*"by":"person","from":"device:Phone"/);
    const audit = fs.readFileSync(`${duetty.home.run}/audit.log`, "utf8");
    expect(audit).toMatch(/"kind":"entry".*"who":"device:Phone","by":"pairing"/);
    await person.unpair({ device: "Phone" });
    expect(fs.readFileSync(`${duetty.home.run}/audit.log`, "utf8")).toMatch(/"state":"revoked".*"name":"Phone"/);
  });

  it("is known to a daemon that begins again, and a code is not", async () => {
    await using s = await stand();
    const device = await Device.paired(s, "Phone");
    const { code } = await s.person.pair({});
    await s.duetty.killDaemon();
    const again = await soon(() => device.call("status"));
    expect(again).toMatchObject({ status: 200, body: { role: "person" } });
    expect((await new Device(s.duetty).pair(code)).status).not.toBe(200);
  });
});

describe("letting in and putting out", () => {
  it("is not for agents, guests or devices", async () => {
    const session_id = await open(["cat"]);
    const device = await Device.paired(shared, "Phone");
    const guest = await Guest.of(shared, { session_id, role: "approve" });
    const ops = [
      ["pair", {}],
      ["devices", {}],
      ["unpair", { device: "Phone" }],
      ["login_code", {}],
      ["share", { session_id, role: "watch" }],
    ] as const;
    await expect(agent("sly").pair({})).rejects.toMatchObject({ code: "auth.forbidden" });
    for (const [op, input] of ops) {
      expect([op, await guest.call(op, input)]).toMatchObject([op, REFUSED]);
      expect([op, await device.call(op, input)]).toMatchObject([op, REFUSED]);
    }
    await expect(agent("sly").devices({})).rejects.toMatchObject({ code: "auth.forbidden" });
    await expect(agent("sly").unpair({ device: "Phone" })).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(await duetty.agentCli("pair")).toMatchObject({ code: 5, stdout: "" });
    expect((await person.devices({})).devices).toHaveLength(1);
    await person.unpair({ device: "Phone" });
  });

  it("is not for what runs inside a session: a right code is refused there, and stays good", async () => {
    const { session_id } = await openShell();
    const { code } = await person.pair({});
    const asked = `{ method: "POST", body: JSON.stringify({ code: "${code}", name: "Sly" }) }`;
    const script = `fetch("http://127.0.0.1:${duetty.port}/pair", ${asked}).then((a) => a.text()).then(console.log)`;
    const ran = await person.run_command({ session_id, command: `'${process.execPath}' -e '${script}'` });
    expect(ran.output?.head).toContain('"code":"role.inside"');
    expect(await new Device(duetty).pair(code, "Phone")).toMatchObject({ status: 200 });
    await person.unpair({ device: "Phone" });
  });

  it("prints the code, and says who reaches the address", async () => {
    const { stdout } = await duetty.cli("pair");
    const [code, where, reach] = stdout.split("\n");
    expect(code).toMatch(/^[A-Z]{8}$/);
    expect(where).toContain(`http://127.0.0.1:${duetty.port}/pair`);
    expect(reach).toContain("Only this machine");
  });
});
