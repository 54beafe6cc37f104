// What only a real broker has: keys, permissions, TLS, a configuration that changes, and reasons that people can read.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import type { Bus } from "../../../src/core/fleet/bus.ts";
import { type NatsOptions, openNats } from "../../../src/host/bus/nats.ts";
import { makeNkey, openNkey } from "../../../src/host/bus/nkey.ts";
import { selfSigned } from "../../../src/host/certificate.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { SOON_MS, until } from "../../fixtures/soon.ts";

const NOTHING = new Uint8Array();
const INBOX = "_INBOX_d_0000000a";

async function open(options: Partial<NatsOptions> & { readonly url: string }): Promise<Bus> {
  const bus = await openNats({ name: "test", ...options });
  onTestFinished(() => bus.close());
  return bus;
}

const connected = (bus: Bus) => until(() => bus.status === "connected", "the connection");
const closed = (bus: Bus) => until(() => bus.status === "closed", "the end of the connection");

function usersOf(...users: readonly { readonly publicKey: string; readonly permissions?: string }[]): string {
  const lines = users.map(({ publicKey, permissions }) =>
    permissions === undefined ? `{ nkey: ${publicKey} }` : `{ nkey: ${publicKey}, permissions: ${permissions} }`,
  );
  return `authorization { users = [\n${lines.join("\n")}\n] }`;
}

test("a key of ours is the same key to the client's own library, and signs what it verifies", () => {
  for (let n = 0; n < 50; n += 1) {
    const { seed, publicKey } = makeNkey();
    const theirs = nkeys.fromSeed(new TextEncoder().encode(seed));
    expect(publicKey).toBe(theirs.getPublicKey());
    expect([seed.slice(0, 2), publicKey[0], publicKey.length]).toEqual(["SU", "U", 56]);
    const key = openNkey(seed);
    expect(key.publicKey).toBe(publicKey);
    if (n > 1) continue;
    expect(theirs.verify(Buffer.from("a nonce"), Buffer.from(key.signNonce("a nonce"), "base64url"))).toBe(true);
  }
});

test("a key of theirs is one of ours; what is none is refused", () => {
  const theirs = nkeys.createUser();
  const seed = new TextDecoder().decode(theirs.getSeed());
  expect(openNkey(seed).publicKey).toBe(theirs.getPublicKey());
  const wrong = seed.at(-1) === "A" ? "B" : "A";
  const account = new TextDecoder().decode(nkeys.createAccount().getSeed());
  for (const bad of ["", "SU", seed.slice(0, -1), `${seed}AA`, `${seed.slice(0, 20)}${wrong}${wrong}${seed.slice(22)}`])
    expect(() => openNkey(bad), bad).toThrow("not the seed");
  expect(() => openNkey(account)).toThrow("not the seed");
  expect(() => openNkey(theirs.getPublicKey())).toThrow("not the seed");
});

test("the broker knows us by our key; another key is refused for good, with the reason", async () => {
  const [ours, foreign] = [makeNkey(), makeNkey()];
  await using server = await natsServer(usersOf(ours));
  const bus = await open({ url: server.url, nkeySeed: ours.seed });
  await connected(bus);
  const refused = await open({ url: server.url, nkeySeed: foreign.seed });
  const nobody = await open({ url: server.url });
  for (const other of [refused, nobody]) {
    await closed(other);
    expect(other.reason).toMatch(/^the broker refuses us: .*authorization/i);
    expect(other.publish("x", NOTHING)).toBe("away");
    expect(await other.request("x", NOTHING, { timeoutMs: SOON_MS })).toMatchObject({ code: "bus.away" });
  }
  expect(bus.status).toBe("connected");
});

test("a key that is taken out of the configuration is out at once, and stays out", async () => {
  const [one, two] = [makeNkey(), makeNkey()];
  await using server = await natsServer(usersOf(one, two));
  const [kept, revoked] = [
    await open({ url: server.url, nkeySeed: one.seed }),
    await open({ url: server.url, nkeySeed: two.seed }),
  ];
  await connected(kept);
  await connected(revoked);
  await server.reload(usersOf(one));
  await closed(revoked);
  expect(revoked.reason).toMatch(/authorization/i);
  expect(kept.status).toBe("connected");
});

test("one refusal is not the end: the broker may read its configuration again", async () => {
  const [ours, foreign] = [makeNkey(), makeNkey()];
  await using server = await natsServer(usersOf(foreign));
  // The pause before the second try is what the test makes of it.
  let goOn = (): void => undefined;
  const clock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    soon: (run: () => void) => void setImmediate(run),
    idle: (run: () => void) => void setImmediate(run),
    after(_: number, run: () => void) {
      goOn = run;
      return () => undefined;
    },
  };
  const bus = await openNats({ url: server.url, name: "test", nkeySeed: ours.seed }, { clock });
  onTestFinished(async () => {
    const end = bus.close();
    goOn();
    await end;
  });
  await until(() => bus.reason !== undefined, "the first refusal");
  expect(bus.status).toBe("away");
  await server.reload(usersOf(ours));
  goOn();
  await connected(bus);
});

test("answers arrive under the prefix of the device, and complaints of the broker are told", async () => {
  const [device, host] = [makeNkey(), makeNkey()];
  const permissions = `{ publish: ["op.>"], subscribe: ["${INBOX}.>"] }`;
  await using server = await natsServer(usersOf({ ...device, permissions }, host));
  const complaints: string[] = [];
  const onComplaint = (message: string) => void complaints.push(message);
  const asking = await open({ url: server.url, nkeySeed: device.seed, inboxPrefix: INBOX, onComplaint });
  const answering = await open({ url: server.url, nkeySeed: host.seed });
  await connected(asking);
  await connected(answering);
  answering.subscribe("op.echo", ({ data, reply }) => void reply?.(data));
  const ask = (subject: string, timeoutMs: number) => asking.request(subject, new Uint8Array(3), { timeoutMs });
  await until(async () => !isFault(await ask("op.echo", SOON_MS)), "an answer");
  expect(complaints).toEqual([]);
  // The broker drops what it does not permit, and says so to the connection.
  expect(await ask("other.subject", 200)).toMatchObject({ code: "host.quiet" });
  expect(asking.publish("other.subject", NOTHING)).toBe("sent");
  asking.subscribe("other.>", () => undefined);
  await until(() => complaints.length === 3, "three complaints");
  expect(complaints.join("\n")).toMatch(/publish to "?other\.subject[\s\S]*subscription to "?other\.>/i);
  expect(asking.status).toBe("connected");
  // A device without the prefix that its permissions name would wait for ever.
  const lost = await open({ url: server.url, nkeySeed: device.seed, inboxPrefix: "_INBOX_d_0000000b", onComplaint });
  await connected(lost);
  expect(await lost.request("op.echo", NOTHING, { timeoutMs: 200 })).toMatchObject({ code: "host.quiet" });
});

test("TLS: the broker's certificate must come from ours, and a broker without TLS is refused", async () => {
  const [right, wrong] = [selfSigned(["127.0.0.1"], Date.now()), selfSigned(["127.0.0.1"], Date.now())];
  await using server = await natsServer();
  const plain = await open({ url: server.url, ca: right.cert });
  const plainByUrl = await open({ url: server.url.replace("nats:", "tls:") });
  for (const bus of [plain, plainByUrl]) await until(() => bus.reason !== undefined, "a reason");
  const at = (name: string) => join(server.folder, name);
  writeFileSync(at("cert.pem"), right.cert);
  writeFileSync(at("key.pem"), right.key);
  await server.stop();
  expect([plain.status, plainByUrl.status]).toEqual(["away", "away"]);
  await using secure = await natsServer(`tls { cert_file: "${at("cert.pem")}", key_file: "${at("key.pem")}" }`);
  const bus = await open({ url: secure.url, ca: right.cert });
  const byUrl = await open({ url: secure.url.replace("nats:", "tls:"), ca: right.cert });
  await connected(bus);
  await connected(byUrl);
  const refusing = [await open({ url: secure.url, ca: wrong.cert }), await open({ url: secure.url })];
  for (const one of refusing) {
    await until(() => one.reason !== undefined, "a reason");
    expect([one.status, one.reason]).toEqual(["away", expect.stringMatching(/certificate|self/i)]);
  }
});

test("a broker that is not there yet: away, with the reason, until it comes", async () => {
  const nothing = await open({ url: `nats://127.0.0.1:${await freePort()}` });
  await until(() => nothing.reason !== undefined, "a reason");
  expect([nothing.status, nothing.reason]).toEqual(["away", expect.stringMatching(/refused/)]);
  await using server = await natsServer();
  await server.kill();
  const bus = await open({ url: server.url });
  const got: Uint8Array[] = [];
  bus.subscribe("early", ({ data }) => void got.push(data));
  expect(bus.publish("x", NOTHING)).toBe("away");
  await server.start();
  await connected(bus);
  const other = await open({ url: server.url });
  await connected(other);
  await until(() => {
    other.publish("early", NOTHING);
    return got.length > 0;
  }, "a message for who listened before there was a broker");
});

test("who closes while there is no broker leaves nothing behind", async () => {
  await using server = await natsServer();
  await server.kill();
  const bus = await openNats({ url: server.url, name: "test" });
  await bus.close();
  await server.start();
  const other = await open({ url: server.url });
  await connected(other);
  await until(async () => (await server.varz()).connections === 1, "one connection");
  expect(bus.status).toBe("closed");
});

test("a frozen broker does not hold up who closes", async () => {
  await using server = await natsServer();
  const bus = await open({ url: server.url });
  await connected(bus);
  server.freeze();
  expect(bus.publish("x", NOTHING)).toBe("sent");
  await bus.close();
  expect(bus.status).toBe("closed");
  server.thaw();
});

test("the server tells its memory and its slow consumers", async () => {
  await using server = await natsServer();
  expect(await server.memoryBytes()).toBeGreaterThan(1 << 20);
  expect(await server.slowConsumers()).toBe(0);
  await expect(server.reload("no_such_setting: 1")).rejects.toThrow("did not reload");
});
