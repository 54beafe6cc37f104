// Doors that are shut: a device that is put out, and all of them at once. Sockets and waiting calls end, sessions go on.
import fs from "node:fs";
import http from "node:http";
import { describe, expect, it } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { Device } from "../../fixtures/stand/device.ts";
import { Guest } from "../../fixtures/stand/guest.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const shared = sharedStand({ own: true });
const { duetty, person, agent, open } = shared;

/** The owner's own browser: its cookie, as /login gives it. */
async function signedIn(): Promise<Device> {
  const browser = new Device(duetty);
  const { code } = await person.login_code({});
  const answer = await duetty.request(`/login?code=${code}`, { host: `127.0.0.1:${duetty.port}` });
  browser.cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return browser;
}

/** A call whose head has come in, and whose body has not: `finish` sends it, and tells the answer's status. */
async function begun(door: Pick<Device, "headers">, op: string, input: object): Promise<() => Promise<number>> {
  const audit = () => fs.readFileSync(`${duetty.home.run}/audit.log`, "utf8").split(`POST /v1/${op}"`).length;
  const before = audit();
  const options = { port: duetty.port, host: "127.0.0.1", path: `/v1/${op}`, method: "POST", headers: door.headers() };
  const request = http.request({ ...options, agent: false });
  request.flushHeaders();
  await expect.poll(audit).toBeGreaterThan(before);
  return () =>
    new Promise((resolve, reject) => {
      request.on("response", (response) => resolve(response.resume().statusCode ?? 0));
      request.on("error", reject);
      request.end(JSON.stringify(input));
    });
}

const WAIT = { any: [{ text: "never" }], timeout_ms: 600_000 };

describe("a device that is put out", () => {
  it("loses its socket and its calls at once, types nothing more, and leaves others alone", async () => {
    const session_id = await open(["cat"]);
    const [device, other] = [await Device.paired(shared, "Phone"), await Device.paired(shared, "Tablet")];
    const viewer = await TestViewer.open(duetty, session_id, { headers: device.headers() }).hello();
    const stays = await TestViewer.open(duetty, session_id, { headers: other.headers() }).hello();
    viewer.type("from the phone\r");
    await viewer.until(({ bytes }) => bytes.includes("from the phone"));
    const waiting = device.call("pty_wait", { session_id, ...WAIT });
    await expect.poll(async () => (await person.devices({})).devices[0]?.here).toBe(2);
    expect(await person.unpair({ device: "Phone" })).toMatchObject({ name: "Phone", ended: 2 });
    viewer.type("INTRUDER\r");
    await expect.poll(() => viewer.closed?.code).toBe(4403);
    expect(await waiting).toMatchObject({ status: 401, body: { message: "you were signed out" } });
    expect(await device.call("status")).toMatchObject({ status: 401 });
    stays.type("still here\r");
    await stays.until(({ bytes }) => bytes.includes("still here"));
    expect(duetty.raw(session_id).toString()).not.toContain("INTRUDER");
    await person.unpair({ device: "Tablet" });
  });
});

it("a device that looks at a session changes no size, and one that says so does", async () => {
  const session_id = await open(["cat"]);
  const size = async () => {
    const { cols, rows } = (await person.status({ session_id })).session ?? {};
    return [cols, rows];
  };
  const phone = await Device.paired(shared, "Phone");
  const owner = await TestViewer.open(duetty, session_id).hello();
  owner.tell({ type: "resize", cols: 90, rows: 30, asks: true });
  await expect.poll(size).toEqual([90, 30]);
  const viewer = await TestViewer.open(duetty, session_id, { headers: phone.headers() }).hello();
  viewer.tell({ type: "resize", cols: 40, rows: 20 });
  viewer.tell({ type: "visible", visible: true });
  // Answered after the frames before it.
  viewer.tell({ type: "lift" });
  await viewer.until(({ messages }) => messages.some(({ type }) => type === "lifted"));
  expect(await size()).toEqual([90, 30]);
  viewer.tell({ type: "resize", cols: 40, rows: 20, asks: true });
  await expect.poll(size).toEqual([40, 20]);
  await person.unpair({ device: "Phone" });
});

it("a call that began before the door was shut and was sent after it does nothing", async () => {
  const session_id = await open(["cat"]);
  const device = await Device.paired(shared, "Phone");
  const guest = await Guest.of(shared, { session_id, role: "type" });
  const late = [];
  for (const door of [device, guest, await signedIn()])
    late.push(await begun(door, "pty_send", { session_id, text: "INTRUDER\n" }));
  await person.stop({ all_devices: true });
  for (const finish of late) expect([401, 403]).toContain(await finish());
  await person.pty_send({ session_id, text: "after\n" });
  await person.pty_wait({ session_id, any: [{ settled_ms: 50 }] });
  expect(duetty.raw(session_id).toString()).not.toContain("INTRUDER");
});

describe("stop --all-devices", () => {
  it("shuts every door: devices, links and browsers; sessions, agents and the terminal's own viewers go on", async () => {
    const session_id = await open(["cat"]);
    const device = await Device.paired(shared, "Phone");
    const guest = await Guest.of(shared, { session_id, role: "type", unmasked: true });
    const browser = await signedIn();
    const { code } = await person.login_code({});
    const pairing = (await person.pair({})).code;
    const doors = [device, guest, browser];
    const sockets = [];
    for (const door of doors)
      sockets.push(await TestViewer.open(duetty, session_id, { headers: door.headers() }).hello());
    const waits = doors.map((door) => door.call("pty_wait", { session_id, ...WAIT }));
    const attached = await TestViewer.open(duetty, session_id).hello();
    const here = async () => [(await person.devices({})).devices[0]?.here, (await person.shares({})).shares[0]?.here];
    await expect.poll(here).toEqual([2, 2]);
    const { stdout } = await soon(() => duetty.cli("stop", "--all-devices"));
    expect(stdout).toMatch(/^1 devices \(Phone\) and 1 links work no more; 6 open pages and calls ended\n/);
    for (const socket of sockets) await expect.poll(() => socket.closed?.code).toBe(4403);
    for (const answer of await Promise.all(waits)) expect([401, 403]).toContain(answer.status);
    for (const door of doors) expect(await door.call("shared")).toMatchObject({ status: 401 });
    expect((await guest.open()).status).not.toBe(200);
    expect((await new Device(duetty).pair(pairing)).status).not.toBe(200);
    expect((await duetty.request(`/login?code=${code}`, { host: `127.0.0.1:${duetty.port}` })).status).not.toBe(200);
    attached.type("goes on\r");
    await attached.until(({ bytes }) => bytes.includes("goes on"));
    expect(await agent("helper").pty_read_screen({ session_id })).toMatchObject({ state: "running" });
    expect(await (await signedIn()).call("status")).toMatchObject({ status: 200 });
  });

  it("stays so when the daemon begins again", async () => {
    await using s = await stand();
    const device = await Device.paired(s, "Phone");
    const session_id = await s.open(["cat"]);
    expect(await s.person.stop({ all_devices: true })).toMatchObject({ doors: { devices: ["Phone"], links: 0 } });
    await s.duetty.killDaemon();
    expect(await soon(() => device.call("status"))).toMatchObject({ status: 401 });
    expect((await s.person.status({ session_id })).session).toMatchObject({ state: "running" });
  });

  it("has no session, and is not for agents", async () => {
    const session_id = await open(["cat"]);
    await expect(person.stop({ session_id, all_devices: true })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(agent("sly").stop({ all_devices: true })).rejects.toMatchObject({ code: "auth.forbidden" });
  });

  it("MCP is not for browsers, so nothing of theirs stays open there", async () => {
    const device = await Device.paired(shared, "Phone");
    for (const browser of [device, await signedIn()])
      expect((await duetty.request("/mcp", browser.headers(), "{}")).status).toBe(403);
    await person.unpair({ device: "Phone" });
  });
});
