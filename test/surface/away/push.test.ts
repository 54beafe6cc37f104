// Notifications on paired devices: sealed for one browser, signed by us, short and without secrets; only where a person switched
// them on, only to public push services, and no longer than the device is paired.
import { createECDH } from "node:crypto";
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deliver, wrongEndpoint } from "../../../src/host/push/delivery.ts";
import { sealed } from "../../../src/host/push/sealed.ts";
import { soon } from "../../fixtures/soon.ts";
import { Device } from "../../fixtures/stand/device.ts";
import { PushService, vapidClaims } from "../../fixtures/stand/push-service.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";

const CONFIG = { push: { loopback: true, long_ms: 300 } };
const shared = sharedStand({ config: CONFIG });
const { duetty, person, agent, openGatedShell, pendingOf } = shared;
let service: PushService;
let phone: Device;
beforeAll(async () => {
  service = await PushService.start();
  phone = await Device.paired(shared, "Phone");
});
afterAll(() => service[Symbol.asyncDispose]());

const comes = (title: string, from = service) =>
  expect.poll(() => from.notices.find((one) => String(one.title).startsWith(title)));

describe("a device", () => {
  it("hears nothing until its person switches it on, and then of questions", async () => {
    const { session_id } = await openGatedShell();
    expect(await phone.call("push")).toMatchObject({ body: { on: false, key: expect.stringMatching(/^B[\w-]{86}$/) } });
    const ask = async (command: string) => {
      const asking = agent("sly").run_command({ session_id, command, timeout_ms: 60_000 });
      const { approval_id } = await pendingOf(session_id);
      return { approval_id, answer: () => person.deny({ approval_id }).then(() => asking) };
    };
    await (await ask("curl example.com")).answer();
    expect(await phone.call("push", { subscription: service.subscription })).toMatchObject({ body: { on: true } });
    const { approval_id, answer } = await ask(
      "curl -H 'Authorization: Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a' x.org",
    );
    await comes("sly wants to run").toMatchObject({
      tag: approval_id,
      session_id,
      body: expect.stringContaining("curl"),
    });
    await answer();
    expect(service.notices).toHaveLength(1);
    const [{ headers, bytes, text } = { headers: {}, bytes: 0, text: "" }] = service.arrived;
    expect(text).not.toContain("16C7e42F292c6912");
    expect(text).toContain("redacted");
    expect(bytes).toBeLessThan(4_096);
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "300", urgency: "high" });
    const { claims, key } = vapidClaims(headers.authorization ?? "");
    expect(claims.aud).toBe(new URL(service.endpoint).origin);
    expect(Number(claims.exp) - Date.now() / 1_000).toBeLessThanOrEqual(86_400);
    expect((await phone.call("push")).body.key).toBe(key);
    expect(fs.statSync(duetty.home.push).mode & 0o777).toBe(0o600);
  });

  it("hears of passwords, and of long work that is finished or has failed, once each", async () => {
    const { session_id } = await openGatedShell("bash", { name: "work" });
    await person.pty_send({ session_id, text: "read -s -p 'Password: ' x\n" });
    await comes("bash waits for a password").toMatchObject({ body: "work" });
    await person.pty_send({ session_id, text: "secret\n" });
    const short = await person.run_command({ session_id, command: "true" });
    await person.run_command({ session_id, command: "sleep 0.4" });
    await comes("Finished: sleep 0.4").toMatchObject({ body: "work", session_id });
    await person.run_command({ session_id, command: "sleep 0.4; false" });
    await comes("Failed with 1: sleep 0.4; false").toMatchObject({ body: "work" });
    const titles = service.notices.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    // On a busy machine it may have been long work.
    if (short.duration_ms < CONFIG.push.long_ms) expect(titles.join()).not.toContain("Finished: true");
    expect(service.arrived.map(({ text }) => text).join()).not.toContain("secret");
  });

  it("is told again later when its push service is in trouble, and is forgotten when that knows it no more", async () => {
    const { session_id } = await openGatedShell();
    const before = service.requests;
    service.answers.push(503);
    await person.run_command({ session_id, command: "sleep 0.5" });
    await comes("Finished: sleep 0.5").toBeDefined();
    expect(service.requests).toBe(before + 2);
    service.answers.push(410);
    // Of one session a device hears every ten seconds at most.
    const next = await openGatedShell();
    await person.run_command({ session_id: next.session_id, command: "sleep 0.6" });
    await expect.poll(async () => (await phone.call("push")).body.on).toBe(false);
  });

  it("is not followed to where a push service sends us", async () => {
    const { session_id } = await openGatedShell();
    await phone.call("push", { subscription: service.subscription });
    const before = service.requests;
    service.answers.push(302);
    await person.run_command({ session_id, command: "sleep 0.7" });
    await expect.poll(() => service.requests).toBe(before + 1);
    const next = await openGatedShell();
    await person.run_command({ session_id: next.session_id, command: "sleep 0.8" });
    await comes("Finished: sleep 0.8").toBeDefined();
    expect(service.requests).toBe(before + 2);
    expect(service.notices.some(({ title }) => title === "Finished: sleep 0.7")).toBe(false);
  });

  it("that is switched off or put out hears nothing more", async () => {
    const { session_id } = await openGatedShell();
    await using other = await PushService.start();
    const tablet = await Device.paired(shared, "Tablet");
    await tablet.call("push", { subscription: other.subscription });
    await phone.call("push", { subscription: service.subscription });
    expect(await phone.call("push", { subscription: null })).toMatchObject({ body: { on: false } });
    await person.run_command({ session_id, command: "sleep 0.31" });
    await comes("Finished: sleep 0.31", other).toBeDefined();
    expect(service.notices.some(({ title }) => title === "Finished: sleep 0.31")).toBe(false);
    await person.unpair({ device: "Tablet" });
    expect(fs.readFileSync(duetty.home.push, "utf8")).not.toContain(other.endpoint);
  });

  it("is still told after the daemon began again", async () => {
    await using s = await stand({ config: CONFIG });
    await using other = await PushService.start();
    const device = await Device.paired(s, "Phone");
    await device.call("push", { subscription: other.subscription });
    const { session_id } = await s.openGatedShell();
    await s.duetty.killDaemon();
    await soon(() => s.person.status({ session_id }));
    await s.person.run_command({ session_id, command: "sleep 0.4" });
    await comes("Finished: sleep 0.4", other).toBeDefined();
  });
});

describe("a subscription", () => {
  it("is for paired devices alone", async () => {
    expect(await person.push({})).toEqual({ key: null, on: false });
    await expect(person.push({ subscription: service.subscription })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(agent("sly").push({})).rejects.toMatchObject({ code: "auth.forbidden" });
  });

  it("with keys that are none is refused", async () => {
    const keys = { ...service.subscription.keys, p256dh: Buffer.alloc(65, 4).toString("base64url") };
    expect(await phone.call("push", { subscription: { ...service.subscription, keys } })).toMatchObject({
      status: 400,
    });
  });

  it.each([
    "http://push.example.com/x",
    "https://127.0.0.1/x",
    "http://127.0.0.1:9/x",
    "https://localhost/x",
    "https://[::1]/x",
    "https://10.0.0.1/x",
    "https://192.168.1.7/x",
    "https://169.254.169.254/latest",
    "https://[fd00::7]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://0.0.0.0/x",
    "https://2130706433/x",
    "https://me:pw@push.example.com/x",
    "file:///etc/passwd",
  ])("to %s is refused where tests do not allow loopback", async (text) => {
    expect(wrongEndpoint(new URL(text), { loopback: false })).toBeTypeOf("string");
  });

  it("to a name that leads to this machine, or to a private address, connects to nobody", async () => {
    for (const address of ["127.0.0.1", "10.0.0.1", "::1", "169.254.169.254"]) {
      const parts = { loopback: false, lookup: async () => [address] };
      expect(await deliver(new URL("https://push.example.com/x"), {}, Buffer.alloc(1), parts)).toBe("refused");
    }
    const nobody = { loopback: false, lookup: async () => [] };
    expect(await deliver(new URL("https://push.example.com/x"), {}, Buffer.alloc(1), nobody)).toBe("later");
  });
});

it("a message is sealed as the example of RFC 8291 is", () => {
  const bytes = (text: string) => Buffer.from(text, "base64url");
  const own = createECDH("prime256v1");
  own.setPrivateKey(bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
  const reader = {
    p256dh: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  };
  const text = Buffer.from("When I grow up, I want to be a watermelon");
  const body = sealed(text, reader, { salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"), own, step: 1 });
  expect(body.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});
