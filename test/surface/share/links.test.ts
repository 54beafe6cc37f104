// A link to one session: who gets in by it, how often and how long, and what remains of it.
import fs from "node:fs";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { soon } from "../../fixtures/soon.ts";
import { Guest } from "../../fixtures/stand/guest.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";

const shared = sharedStand({ own: true });
const { duetty, person, agent, open } = shared;

describe("a link", () => {
  it("shows its session and nothing else, under the name that it was given for", async () => {
    const session_id = await open(["cat"], { name: "web" });
    const ann = await Guest.of(shared, { session_id: "web", name: "Ann Lee", role: "type" });
    expect(await ann.call("shared")).toMatchObject({
      status: 200,
      body: {
        name: "Ann Lee",
        role: "type",
        masked: true,
        machine: expect.stringContaining(hostname()),
        session: { session_id },
      },
    });
    expect(await ann.call("pty_send", { session_id, text: "hello\n" })).toMatchObject({ status: 200 });
    expect(duetty.events(session_id)).toContain('"actor":"person:Ann Lee"');
  });

  it("is told once: the home keeps a hash of it, in a private file", async () => {
    const { path, share } = await person.share({ session_id: await open(["cat"]) });
    const secret = path.split("#")[1] ?? "";
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(fs.readFileSync(duetty.home.passes, "utf8")).toContain(share.id);
    expect([...duetty.contents(duetty.home.dir)].filter(([, text]) => text.includes(secret))).toEqual([]);
    expect(fs.statSync(duetty.home.passes).mode & 0o777).toBe(0o600);
  });

  it("that may be opened once is refused the second time, and the first one stays", async () => {
    const session_id = await open(["cat"]);
    const first = await Guest.of(shared, { session_id, uses: 1 });
    expect(await first.open()).toMatchObject({ status: 403, body: { error: { code: "link.used_up" } } });
    // Who does not have the secret does not hear even that.
    expect(await first.open("x".repeat(43))).toMatchObject({
      status: 403,
      body: { error: { code: "auth.forbidden" } },
    });
    expect(await first.call("shared")).toMatchObject({ status: 200 });
  });

  it("with a wrong secret, or of another link, lets nobody in", async () => {
    const session_id = await open(["cat"]);
    const [one, other] = [await Guest.of(shared, { session_id }), await Guest.of(shared, { session_id })];
    expect(await one.open(other.secret)).toMatchObject({ status: 403 });
    expect(await one.open("")).toMatchObject({ status: 403 });
    expect(await one.call("shared", {}, one.headers(other.share.id))).toMatchObject({ status: 401 });
    const forged = { ...other.headers(), cookie: one.cookie.replace(one.share.id, other.share.id) };
    expect(await one.call("shared", {}, forged)).toMatchObject({ status: 401 });
  });

  it("that was taken back lets nobody in, and ends the calls that wait", async () => {
    const session_id = await open(["cat"]);
    const guest = await Guest.of(shared, { session_id });
    const waiting = guest.call("pty_wait", { session_id, any: [{ text: "never" }], timeout_ms: 600_000 });
    await expect.poll(async () => (await person.shares({ session_id })).shares[0]?.here).toBe(1);
    expect(await person.unshare({ id: guest.share.id })).toEqual({ id: guest.share.id, ended: 1 });
    expect(await waiting).toMatchObject({ status: 403, body: { message: expect.stringContaining("is over") } });
    expect(await guest.call("shared")).toMatchObject({ status: 401 });
    expect(await guest.open()).toMatchObject({ status: 403 });
    expect((await person.shares({ session_id })).shares).toEqual([]);
    expect(duetty.events(session_id)).toMatch(/"kind":"share","state":"made".*\n.*"state":"revoked"/s);
  });

  it("ends when its time is over", async () => {
    const session_id = await open(["cat"]);
    const guest = await Guest.of(shared, { session_id, for: "5s" });
    const waiting = guest.call("pty_wait", { session_id, any: [{ text: "never" }], timeout_ms: 600_000 });
    expect(await waiting).toMatchObject({ status: 403 });
    expect(Date.now()).toBeGreaterThanOrEqual(guest.share.expires_at);
    expect(await guest.call("shared")).toMatchObject({ status: 401 });
    expect(duetty.events(session_id)).toContain('"state":"expired"');
  });

  it("is nothing without the page's own Origin, and its cookie is nothing on the owner's page", async () => {
    const guest = await Guest.of(shared, { session_id: await open(["cat"]) });
    const { origin, ...without } = guest.headers();
    expect(await guest.call("shared", {}, without)).toMatchObject({ status: 401 });
    expect(await guest.call("shared", {}, { ...guest.headers(), origin: "http://evil.example" })).toMatchObject({
      status: 403,
    });
    const { "x-duetty-pass": _, ...owners } = guest.headers();
    expect(await guest.call("pty_list", {}, owners)).toMatchObject({ status: 401 });
    const key = guest.cookie.split("=")[1] ?? "";
    const asOwner = { ...owners, cookie: `duetty_${duetty.port}=${key}` };
    expect(await guest.call("pty_list", {}, asOwner)).toMatchObject({ status: 401 });
  });

  it("opens from another site as a page, and nothing else does", async () => {
    const { share } = await person.share({ session_id: await open(["cat"]) });
    const host = `127.0.0.1:${duetty.port}`;
    const away = { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    const opened = await duetty.request(`/s/${share.id}`, away);
    expect(opened).toMatchObject({ status: 200, headers: { "referrer-policy": "no-referrer" } });
    expect(opened.body).toContain("assets/guest-");
    expect(await duetty.request(`/s/${share.id}`, { ...away, "sec-fetch-mode": "cors" })).toMatchObject({
      status: 403,
    });
    expect(await duetty.request(`/s/${share.id}`, away, "{}")).toMatchObject({ status: 403 });
    expect(await duetty.request("/", away)).toMatchObject({ status: 403 });
  });
});

describe("the owner", () => {
  it("shares, lists and takes back from a terminal", async () => {
    const session_id = await open(["cat"]);
    const made = await duetty.cli("share", session_id, "--role", "approve", "--for", "30m", "--name", "Zoë");
    const [url = "", says] = made.stdout.split("\n");
    const id = /^http:\/\/127\.0\.0\.1:\d+\/s\/(k_\w{8})#[\w-]{43}$/.exec(url)?.[1] ?? "";
    expect(says).toMatch(/^Zoë may watch, type and answer questions until .*; secrets are hidden\./);
    expect((await duetty.cli("shares", session_id)).stdout).toMatch(new RegExp(`${id} .*Zoë .*approve .*any`));
    expect((await duetty.cli("unshare", id)).stdout).toBe(`${id} works no more\n`);
    expect((await duetty.cli("shares", session_id)).stdout).toContain("nothing is shared");
  });

  it.each([
    ["a name that is somebody else", { name: "You" }],
    ["a name with a control character", { name: "An\u001bn" }],
    ["a name that turns the direction of text", { name: "A\u202enn" }],
    ["a name that looks like another kind", { name: "agent:x" }],
    ["a time that no link has", { for: "31d" }],
    ["a time without a unit", { for: "10" }],
  ])("cannot share under %s", async (_, wrong) => {
    const session_id = await open(["cat"]);
    await expect(person.share({ session_id, ...wrong })).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("alone can: an agent makes, lists and takes back nothing", async () => {
    const session_id = await open(["cat"]);
    const { share } = await person.share({ session_id });
    const refused = { code: "auth.forbidden" };
    await expect(agent("sly").share({ session_id })).rejects.toMatchObject(refused);
    await expect(agent("sly").shares({})).rejects.toMatchObject(refused);
    await expect(agent("sly").unshare({ id: share.id })).rejects.toMatchObject(refused);
  });
});

describe("a daemon that begins again", () => {
  it("knows the links that were given, and what was opened by them", async () => {
    await using s = await stand();
    const session_id = await s.open(["cat"]);
    const guest = await Guest.of(s, { session_id, uses: 1 });
    await s.duetty.killDaemon();
    const again = await soon(() => guest.call("shared"));
    expect(again).toMatchObject({ status: 200, body: { session: { session_id } } });
    expect(await guest.open()).toMatchObject({ status: 403 });
  });

  it("lets nobody in by a damaged file, and says so", async () => {
    await using s = await stand({ daemon: "later" });
    fs.writeFileSync(s.duetty.home.passes, '[{"kind":"share","id":"k_00000000"}]', { mode: 0o600 });
    const doctor = await s.duetty.cli("doctor");
    expect(doctor.stdout).toMatch(/FAIL links and devices.*passes\.json cannot be read/);
  });
});
