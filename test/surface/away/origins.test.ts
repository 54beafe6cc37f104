// Addresses that a tunnel shows us under: exactly those of the config count, as Host and as Origin, and links begin with the first.
import { describe, expect, it } from "vitest";
import { wrongOrigin } from "../../../src/protocol/plain/public-origins.ts";
import { Device } from "../../fixtures/stand/device.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const PUBLIC = "https://desk.example.net";
const shared = sharedStand({ config: { public_origins: [PUBLIC, "http://localhost:9123"] } });
const { duetty, person, open } = shared;

describe("a public address", () => {
  it("begins links and the address to pair at, and is told by doctor", async () => {
    expect((await person.pair({})).url).toBe(`${PUBLIC}/pair`);
    expect((await person.share({ session_id: await open(["cat"]) })).url).toMatch(
      /^https:\/\/desk\.example\.net\/s\/k_/,
    );
    expect((await duetty.cli("doctor")).stdout).toMatch(/ok +config.*desk\.example\.net/);
  });

  it("lets a device in by it, whose cookie browsers send over TLS alone", async () => {
    const device = await Device.paired(shared, "Phone", PUBLIC);
    expect(device.setCookie).toMatch(/; Secure$/);
    expect(await device.call("status")).toMatchObject({ status: 200, body: { role: "person" } });
    const session_id = await open(["cat"]);
    await TestViewer.open(duetty, session_id, { headers: device.headers() }).hello();
    const tunnel = await Device.paired(shared, "Laptop", "http://localhost:9123");
    expect(tunnel.setCookie).not.toContain("Secure");
    expect(await tunnel.call("status")).toMatchObject({ status: 200 });
    for (const name of ["Phone", "Laptop"]) await person.unpair({ device: name });
  });

  it.each([
    ["another Host", { host: "evil.example.net" }],
    ["a Host that begins like it", { host: "desk.example.net.evil.example" }],
    ["a Host that ends like it", { host: "evil-desk.example.net" }],
    ["its Host with a port", { host: "desk.example.net:8443" }],
    ["its Host in capitals", { host: "DESK.example.net" }],
    ["another Origin", { origin: "https://evil.example" }],
    ["its Origin without TLS", { origin: "http://desk.example.net" }],
    ["its Origin with a port", { origin: "https://desk.example.net:8443" }],
    ["the Origin of loopback", { origin: "http://127.0.0.1:1" }],
    ["the Origin null", { origin: "null" }],
    ["the Origin of another public address", { origin: "http://localhost:9123" }],
  ])("refuses %s", async (_, forged) => {
    const device = await Device.paired(shared, "Phone", PUBLIC);
    expect(await device.call("status", {}, { ...device.headers(), ...forged })).toMatchObject({ status: 403 });
    await person.unpair({ device: "Phone" });
  });

  it("is not the machine: who comes by it lets no device in, with the owner's cookie or token", async () => {
    const { code } = await person.login_code({});
    const host = "desk.example.net";
    const answer = await duetty.request(`/login?code=${code}`, { host });
    expect(answer.headers["set-cookie"]?.[0]).toMatch(/; Secure$/);
    const browser = new Device(duetty, PUBLIC);
    browser.cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    expect(await browser.call("status")).toMatchObject({ status: 200 });
    for (const op of ["pair", "devices"]) expect(await browser.call(op)).toMatchObject({ status: 403 });
    const { cookie, origin, ...plain } = browser.headers();
    const token = { ...plain, authorization: `Bearer ${duetty.token("person")}` };
    expect(await browser.call("pair", {}, token)).toMatchObject({ status: 403 });
    expect(await browser.call("pair", {}, { ...token, host: `127.0.0.1:${duetty.port}` })).toMatchObject({
      status: 200,
    });
  });
});

describe("config.json", () => {
  it.each([
    ["https://desk.example.net/", "exactly"],
    ["https://desk.example.net:443", "exactly"],
    ["https://Desk.example.net", "exactly"],
    ["https://desk.example.net/x", "exactly"],
    ["https://me@desk.example.net", "exactly"],
    ["http://desk.example.net", "TLS"],
    ["http://192.168.1.7:8737", "TLS"],
    ["https://*.example.net", "one host"],
    ["https://0.0.0.0:8737", "Name a host"],
    ["http://0.0.0.0", "Name a host"],
    ["https://[::]:8737", "Name a host"],
    ["desk.example.net", "https://HOST"],
    ["*", "https://HOST"],
    ["null", "https://HOST"],
    ["", "https://HOST"],
    ["file:///etc", "https://HOST"],
  ])("may not say %j", (text, why) => {
    expect(wrongOrigin(text)).toContain(why);
  });

  it.each(["https://desk.example.net", "https://desk.example.net:8443", "http://localhost:9000", "http://[::1]:9000"])(
    "may say %j",
    (text) => {
      expect(wrongOrigin(text)).toBeUndefined();
    },
  );

  it("with a wrong address stops the start, and doctor tells of one that was written since", async () => {
    await using s = await stand({ daemon: "later", config: { public_origins: ["http://desk.example.net"] } });
    const refused = await s.duetty.cli("ls");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("has no TLS");
    s.duetty.configure({});
    expect(await s.duetty.cli("ls")).toMatchObject({ code: 0 });
    s.duetty.configure({ public_origins: ["https://0.0.0.0"] });
    expect((await s.duetty.cli("doctor")).stdout).toMatch(/FAIL config.*0\.0\.0\.0.*Name a host/s);
  });
});
