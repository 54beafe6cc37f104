// What `duetty fleet nats-config` prints, against a real broker: each machine says and hears what is its own, and nothing else.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import type { Bus } from "../../../src/core/fleet/bus.ts";
import { asHost } from "../../../src/core/fleet/permissions.ts";
import { type DeviceId, type HostId, subjects } from "../../../src/core/fleet/subjects.ts";
import { openNats } from "../../../src/host/bus/nats.ts";
import { makeNkey } from "../../../src/host/bus/nkey.ts";
import { natsConfig, userLine } from "../../../src/serve/fleet/members/nats-config.ts";
import { natsServer } from "../../fixtures/fleet/nats.ts";
import { SOON_MS, until } from "../../fixtures/soon.ts";

const DATA = Buffer.from("hello");
const WAIT = { timeoutMs: SOON_MS };

interface Machine {
  readonly name: string;
  readonly device: DeviceId;
  readonly host: HostId;
  readonly login: ReturnType<typeof makeNkey>;
}

function machine(name: string, letter: string): Machine {
  return { name, device: `d_${letter.repeat(8)}`, host: `h_${letter.repeat(8)}`, login: makeNkey() };
}

const [root, desk, guest, server] = [
  machine("laptop", "a"),
  machine("desk", "b"),
  machine("new", "c"),
  machine("s", "e"),
];
const code = makeNkey();

function configOf(members: readonly Machine[]): string {
  const loginOf = ({ login, ...one }: Machine) => ({ ...one, nkey: login.publicKey, isRoot: one.name === root.name });
  const invitees = [{ ...loginOf(guest), joinNkey: code.publicKey, until: Date.now() + 600_000 }];
  const text = natsConfig({ url: "nats://127.0.0.1:4222", members: members.map(loginOf), invitees });
  // One that only serves: what a host may do, without a device's rights beside it.
  return text
    .replace("users: [", `users: [\n${userLine(server.login.publicKey, asHost(server.host))}`)
    .replace(/^port.*$/m, "");
}

const complaints = new Map<Bus, string[]>();

async function connect(url: string, seed: string, inboxPrefix: string): Promise<Bus> {
  const heard: string[] = [];
  const onComplaint = (message: string) => void heard.push(message);
  const bus = await openNats({ url, nkeySeed: seed, inboxPrefix, name: "test", onComplaint });
  complaints.set(bus, heard);
  await until(() => bus.status === "connected", "the connection");
  return bus;
}

const complained = (bus: Bus, subject: string) =>
  until(() => (complaints.get(bus) ?? []).some((one) => one.includes(subject)), `a complaint about ${subject}`);

async function mayNotSay(bus: Bus, subject: string): Promise<void> {
  bus.publish(subject, DATA);
  await complained(bus, subject);
}

async function mayNotHear(bus: Bus, pattern: string): Promise<void> {
  const listening = bus.subscribe(pattern, () => undefined);
  await complained(bus, pattern);
  listening.close();
}

/** What `from` says on it, `to` hears. */
async function carries(from: Bus, to: Bus, subject: string): Promise<void> {
  let heard = 0;
  const listening = to.subscribe(subject, () => (heard += 1));
  await until(() => {
    from.publish(subject, DATA);
    return heard > 0;
  }, subject);
  listening.close();
}

describe("the broker's permissions", () => {
  let broker: Awaited<ReturnType<typeof natsServer>>;
  let [a, b, onlyHost, invitee]: Bus[] = [];
  const all = () => {
    if (!a || !b || !onlyHost || !invitee) throw new Error("not connected");
    return { a, b, onlyHost, invitee };
  };

  beforeAll(async () => {
    broker = await natsServer(configOf([root, desk]));
    const { url } = broker;
    a = await connect(url, root.login.seed, subjects.inbox(root.device));
    b = await connect(url, desk.login.seed, subjects.inbox(desk.device));
    onlyHost = await connect(url, server.login.seed, "_INBOX_nobody");
    invitee = await connect(url, code.seed, subjects.joinInbox(guest.device));
  });
  beforeEach(() => {
    for (const heard of complaints.values()) heard.length = 0;
  });
  afterAll(async () => {
    for (const bus of complaints.keys()) await bus.close();
    await broker[Symbol.asyncDispose]();
  });

  test("let machines see each other, ask, answer and stream", async () => {
    const { a, b } = all();
    await carries(b, a, subjects.here(desk.host));
    await carries(b, a, subjects.news(desk.host));
    await carries(a, b, subjects.who);
    await carries(b, a, subjects.out(desk.host, root.device, "s1"));
    await carries(a, b, subjects.in(desk.host, root.device, "s1"));
    const serving = b.subscribe(subjects.ops(desk.host), ({ reply }) => void reply?.(DATA));
    await until(async () => !isFault(await a.request(subjects.op(desk.host, "pty_list"), DATA, WAIT)), "an answer");
    serving.close();
    expect([...complaints.values()].flat()).toEqual([]);
  });

  test("a host asks no operations, and hears no answers and no cards", async () => {
    const { onlyHost } = all();
    await mayNotSay(onlyHost, subjects.op(desk.host, "pty_list"));
    await mayNotSay(onlyHost, subjects.who);
    await mayNotSay(onlyHost, subjects.in(desk.host, desk.device, "s1"));
    await mayNotHear(onlyHost, subjects.here("*"));
    await mayNotHear(onlyHost, `${subjects.inbox(desk.device)}.>`);
  });

  test("a host speaks for no other, and hears nothing that is for another", async () => {
    for (const bus of [all().b, all().onlyHost]) {
      await mayNotSay(bus, subjects.here(root.host));
      await mayNotSay(bus, subjects.news(root.host));
      await mayNotSay(bus, subjects.out(root.host, desk.device, "s1"));
      await mayNotHear(bus, subjects.ops(root.host));
      await mayNotHear(bus, subjects.ins(root.host));
      await mayNotHear(bus, "duetty.v1.*.op.*");
    }
  });

  test("a host answers once, and nobody whom it was not asked by", async () => {
    const { a, b } = all();
    const second = Buffer.from("again");
    const serving = b.subscribe(subjects.ops(desk.host), ({ reply }) => {
      reply?.(DATA);
      reply?.(second);
    });
    let heard = "";
    // Between two connections nothing is in step: whoever serves is heard soon.
    await until(async () => {
      const answer = await a.request(subjects.op(desk.host, "pty_list"), DATA, WAIT);
      if (!isFault(answer)) heard = Buffer.from(answer.data).toString();
      return heard !== "";
    }, "an answer");
    expect(heard).toBe("hello");
    await complained(b, subjects.inbox(root.device));
    serving.close();
    complaints.get(b)?.splice(0);
    await mayNotSay(b, `${subjects.inbox(root.device)}.any.1`);
  });

  test("a device hears no other's streams, inbox or input, and speaks in no other's", async () => {
    const { b } = all();
    await mayNotHear(b, subjects.outs(root.device));
    await mayNotHear(b, "duetty.v1.*.out.>");
    await mayNotHear(b, `${subjects.inbox(root.device)}.>`);
    await mayNotHear(b, "_INBOX.>");
    await mayNotHear(b, ">");
    await mayNotSay(b, subjects.in(root.host, root.device, "s1"));
    await mayNotSay(b, subjects.join(guest.device));
    // Only the root's machine lets others in.
    await mayNotHear(b, subjects.joins);
    await mayNotHear(b, subjects.join(guest.device));
  });

  test("whoever has a code asks to join, and nothing else", async () => {
    const { a, invitee } = all();
    const letting = a.subscribe(subjects.joins, ({ reply }) => void reply?.(DATA));
    await until(async () => !isFault(await invitee.request(subjects.join(guest.device), DATA, WAIT)), "an answer");
    letting.close();
    await mayNotSay(invitee, subjects.join(desk.device));
    await mayNotSay(invitee, subjects.who);
    await mayNotSay(invitee, subjects.op(desk.host, "pty_list"));
    await mayNotSay(invitee, subjects.here(guest.host));
    for (const pattern of [subjects.here("*"), subjects.joins, subjects.outs(guest.device), subjects.ops(guest.host)])
      await mayNotHear(invitee, pattern);
    await mayNotHear(invitee, `${subjects.inbox(guest.device)}.>`);
  });

  test("a login that is taken out is cut by the reload, and stays out", async () => {
    const { a, b } = all();
    await broker.reload(configOf([root]));
    await until(() => b.status === "closed", "the end of a revoked login");
    expect(b.reason).toMatch(/refuses us/);
    expect(a.status).toBe("connected");
  });
});
