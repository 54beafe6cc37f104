// The contract of the Bus port, for any adapter: a broker with many connections, which can be killed and come back.
import { describe, expect, test } from "vitest";
import { Cancel } from "../../../src/core/base/cancellation.ts";
import { isFault } from "../../../src/core/base/fault.ts";
import type { Bus, BusMessage, BusStatus } from "../../../src/core/fleet/bus.ts";
import { SOON_MS, until } from "../../fixtures/soon.ts";

export interface Broker extends AsyncDisposable {
  /** A connection that stands. */
  connect(): Promise<Bus>;
  /** As kill -9 would. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

const BYTES_MAX = 4_096;
/** Much shorter than any test waits, and longer than an answer needs. */
const SHORT_MS = 50;

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (data: Uint8Array) => new TextDecoder().decode(data);

/** Everything that came on a pattern, as "subject text". */
function heard(bus: Bus, pattern: string): { readonly all: string[]; close(): void } {
  const all: string[] = [];
  const { close } = bus.subscribe(pattern, ({ subject, data }) => void all.push(`${subject} ${textOf(data)}`));
  return { all, close };
}

/** Resolves when what `to` listens to reaches it from `from`. Words of a broker are in order per connection. */
async function inStep(from: Bus, to: Bus): Promise<void> {
  const subject = `step.${crypto.randomUUID()}`;
  let arrived = false;
  const step = to.subscribe(subject, () => {
    arrived = true;
  });
  await until(() => {
    from.publish(subject, bytes(""));
    return arrived;
  }, "a first message");
  step.close();
}

function answering(bus: Bus, subject: string, answer: (asked: string) => string): { close(): void } {
  return bus.subscribe(subject, ({ data, reply }) => void reply?.(bytes(answer(textOf(data)))));
}

async function ask(bus: Bus, subject: string, text: string, timeoutMs = SOON_MS): Promise<string> {
  const answer = await bus.request(subject, bytes(text), { timeoutMs });
  return isFault(answer) ? answer.code : textOf(answer.data);
}

const becomes = (bus: Bus, status: BusStatus) => until(() => bus.status === status, `status ${status}`);

export function busContract(name: string, make: (bytesMax: number) => Promise<Broker>): void {
  const pair = async () => {
    const broker = await make(BYTES_MAX);
    const [here, there] = [await broker.connect(), await broker.connect()];
    await inStep(here, there);
    return { broker, here, there, [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose]() };
  };

  describe(`bus contract: ${name}`, () => {
    test("a message reaches everybody who listens, with its bytes and its subject", async () => {
      await using broker = await make(BYTES_MAX);
      const [from, one, two] = [await broker.connect(), await broker.connect(), await broker.connect()];
      const got: BusMessage[] = [];
      for (const bus of [one, two]) bus.subscribe("some.subject", (message) => void got.push(message));
      await inStep(from, one);
      await inStep(from, two);
      const data = Uint8Array.from({ length: 256 }, (_, i) => i);
      expect(from.publish("some.subject", data.slice())).toBe("sent");
      await until(() => got.length === 2, "two messages");
      expect(got.map(({ subject, reply }) => [subject, reply])).toEqual(Array(2).fill(["some.subject", undefined]));
      for (const message of got) expect([...message.data]).toEqual([...data]);
      // Each has bytes of its own.
      got[0]?.data.fill(0);
      expect([...(got[1]?.data ?? [])]).toEqual([...data]);
    });

    test("wildcards: one word, a rest of one word or more, and nothing else", async () => {
      await using pairOf = await pair();
      const { here, there } = pairOf;
      const patterns = ["a.*", "a.>", "*.*.c", "a.*.c", ">", "a.b", "a"];
      const lists = new Map(patterns.map((pattern) => [pattern, heard(there, pattern).all]));
      await inStep(here, there);
      const subjects = ["a", "a.b", "a.b.c", "b.b.c", "a.b.c.d", "ab.c"];
      for (const subject of subjects) here.publish(subject, bytes("!"));
      await until(() => lists.get(">")?.at(-1) === "ab.c !", "the last message");
      const got = (pattern: string) => lists.get(pattern)?.filter((one) => !one.startsWith("step")) ?? [];
      const marked = (...names: readonly string[]) => names.map((subject) => `${subject} !`);
      expect(got("a.*")).toEqual(marked("a.b"));
      expect(got("a.>")).toEqual(marked("a.b", "a.b.c", "a.b.c.d"));
      expect(got("*.*.c")).toEqual(marked("a.b.c", "b.b.c"));
      expect(got("a.*.c")).toEqual(marked("a.b.c"));
      expect(got(">")).toEqual(marked(...subjects));
      expect(got("a.b")).toEqual(marked("a.b"));
      expect(got("a")).toEqual(marked("a"));
    });

    test("order holds, and after close nothing more is heard", async () => {
      await using pairOf = await pair();
      const { here, there } = pairOf;
      const [closed, open] = [heard(there, "n.*"), heard(there, "n.*")];
      await inStep(here, there);
      for (let n = 0; n < 200; n += 1) here.publish("n.x", bytes(String(n)));
      await until(() => open.all.length === 200, "200 messages");
      expect(open.all).toEqual(Array.from({ length: 200 }, (_, n) => `n.x ${n}`));
      closed.close();
      closed.close();
      await inStep(here, there);
      here.publish("n.x", bytes("late"));
      await until(() => open.all.length === 201, "the last message");
      expect(closed.all).toHaveLength(200);
    });

    test("a connection does not hear itself, and cannot ask itself", async () => {
      await using pairOf = await pair();
      const { here, there } = pairOf;
      const [own, other] = [heard(here, "x"), heard(there, "x")];
      answering(here, "ask.me", () => "me");
      await inStep(here, there);
      here.publish("x", bytes("1"));
      await until(() => other.all.length === 1, "the message");
      expect(await ask(here, "ask.me", "")).toBe("host.gone");
      expect(own.all).toEqual([]);
    });

    test("a request gets the first answer; the second is heard by nobody", async () => {
      await using pairOf = await pair();
      const { here, there } = pairOf;
      there.subscribe("twice", ({ reply }) => {
        reply?.(bytes("first"));
        reply?.(bytes("second"));
      });
      answering(there, "echo", (text) => `${text}!`);
      await inStep(here, there);
      expect(await ask(here, "twice", "")).toBe("first");
      expect(await ask(here, "echo", "hello")).toBe("hello!");
      expect(await ask(here, "twice", "")).toBe("first");
    });

    test("many requests at once, answered in any order, each get their own answer", async () => {
      await using pairOf = await pair();
      const { here, there } = pairOf;
      const waiting: BusMessage[] = [];
      there.subscribe("many", (message) => {
        waiting.push(message);
        if (waiting.length < 300) return;
        for (const { data, reply } of waiting.reverse()) reply?.(bytes(`re ${textOf(data)}`));
      });
      await inStep(here, there);
      const asked = Array.from({ length: 300 }, (_, n) => ask(here, "many", String(n)));
      expect(await Promise.all(asked)).toEqual(asked.map((_, n) => `re ${n}`));
    });

    test("nobody listens: the request fails at once, not at its deadline", async () => {
      await using pairOf = await pair();
      const { here, there } = pairOf;
      const answer = await here.request("nobody.there", bytes("?"), { timeoutMs: 24 * 3_600_000 });
      expect(answer).toMatchObject({
        fault: true,
        code: "host.gone",
        message: "its daemon is not connected to the broker",
      });
      // Also after somebody did.
      const { close } = answering(there, "somebody", () => "yes");
      await inStep(here, there);
      expect(await ask(here, "somebody", "")).toBe("yes");
      close();
      await inStep(here, there);
      expect(await ask(here, "somebody", "")).toBe("host.gone");
    });

    test("somebody listens and says nothing: quiet at the deadline; a late answer is nobody's", async () => {
      await using pairOf = await pair();
      const { here, there } = pairOf;
      const asked: BusMessage[] = [];
      there.subscribe("silent", (message) => void asked.push(message));
      await inStep(here, there);
      const sinceMs = performance.now();
      const answer = await here.request("silent", bytes("?"), { timeoutMs: SHORT_MS });
      expect(answer).toMatchObject({ fault: true, code: "host.quiet" });
      expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(SHORT_MS - 2);
      await until(() => asked.length === 1, "the request");
      asked[0]?.reply?.(bytes("late"));
      answering(there, "echo", (text) => text);
      await inStep(here, there);
      expect(await ask(here, "echo", "next")).toBe("next");
    });

    test("a caller who leaves ends the request; one who had left before sends nothing", async () => {
      await using pairOf = await pair();
      const { here, there } = pairOf;
      const { all } = heard(there, "silent");
      await inStep(here, there);
      const cancelled = new Cancel();
      const request = () => here.request("silent", bytes("?"), { timeoutMs: SOON_MS * 100, cancelled });
      const asked = request();
      await until(() => all.length === 1, "the request");
      cancelled.end();
      expect(await asked).toMatchObject({ code: "host.quiet" });
      expect(await request()).toMatchObject({ code: "host.quiet" });
      await inStep(here, there);
      expect(all).toHaveLength(1);
    });

    test("bytesMax is what the broker permits: that much passes, one byte more is refused here", async () => {
      await using pairOf = await pair();
      const { here, there } = pairOf;
      expect(here.bytesMax).toBe(BYTES_MAX);
      const { all } = heard(there, "large");
      there.subscribe("sizes", ({ data, reply }) => {
        expect(() => reply?.(new Uint8Array(BYTES_MAX + 1))).toThrow(RangeError);
        reply?.(data);
      });
      await inStep(here, there);
      const [fits, tooLarge] = [new Uint8Array(BYTES_MAX), new Uint8Array(BYTES_MAX + 1)];
      expect(await here.request("sizes", tooLarge, { timeoutMs: SOON_MS })).toMatchObject({ code: "bus.too_large" });
      expect(() => here.publish("large", tooLarge)).toThrow(RangeError);
      const answer = await here.request("sizes", fits.slice(), { timeoutMs: SOON_MS });
      expect(isFault(answer) ? answer : answer.data.length).toBe(BYTES_MAX);
      here.publish("large", fits);
      await until(() => all.length === 1, "the message");
      expect([here.status, there.status]).toEqual(["connected", "connected"]);
    });

    test("the broker is killed: away at once for publish and requests, and alive again when it is back", async () => {
      await using pairOf = await pair();
      const { broker, here, there } = pairOf;
      const told: BusStatus[] = [];
      here.onStatus((status) => void told.push(status));
      const end = here.onStatus(() => void told.push("closed"));
      end();
      const { all } = heard(there, "n");
      answering(there, "echo", (text) => text);
      there.subscribe("silent", () => undefined);
      await inStep(here, there);
      for (const round of [1, 2, 3]) {
        const pending = here.request("silent", bytes("?"), { timeoutMs: SOON_MS * 100 });
        await broker.kill();
        expect(await pending).toMatchObject({ code: "host.quiet" });
        await becomes(here, "away");
        await becomes(there, "away");
        expect(here.reason).toBeTruthy();
        expect(here.publish("n", bytes("lost"))).toBe("away");
        const away = await here.request("echo", bytes("?"), { timeoutMs: SOON_MS * 100 });
        expect(away).toMatchObject({ fault: true, code: "bus.away" });
        // Listening may begin and end meanwhile.
        const meanwhile = heard(there, "n");
        heard(there, "n").close();
        await broker.start();
        await becomes(here, "connected");
        await becomes(there, "connected");
        expect(here.reason).toBeUndefined();
        await inStep(here, there);
        expect(await ask(here, "echo", `round ${round}`)).toBe(`round ${round}`);
        here.publish("n", bytes(String(round)));
        await until(() => all.length === round && meanwhile.all.length === 1, "a message after the return");
        expect(told).toEqual(Array(round).fill(["away", "connected"]).flat());
        meanwhile.close();
      }
      // Nothing was kept: not what was published while it was away, and none twice.
      expect(all).toEqual(["n 1", "n 2", "n 3"]);
    });

    test("keeps nothing that was published without a broker, however soon it is back", async () => {
      await using pairOf = await pair();
      const { broker, here, there } = pairOf;
      const { all } = heard(there, "n");
      await inStep(here, there);
      await broker.kill();
      const said: string[] = [];
      // What is handed over before the loss is noticed is lost; after that nothing is taken.
      const noticed = until(() => {
        said.push(here.publish("n", bytes("lost")));
        return said.at(-1) === "away";
      }, "away");
      await noticed;
      await broker.start();
      await until(() => here.publish("n", bytes("kept")) === "sent", "the return");
      await inStep(here, there);
      here.publish("n", bytes("end"));
      await until(() => all.at(-1) === "n end", "the end");
      expect(all).not.toContain("n lost");
    });

    test("close sends what was published before, ends requests, and is final", async () => {
      await using pairOf = await pair();
      const { broker, here, there } = pairOf;
      const told: BusStatus[] = [];
      here.onStatus((status) => void told.push(status));
      const { all } = heard(there, "n");
      const own = heard(here, "own");
      there.subscribe("silent", () => undefined);
      await inStep(here, there);
      await inStep(there, here);
      const pending = here.request("silent", bytes("?"), { timeoutMs: SOON_MS * 100 });
      for (let n = 0; n < 50; n += 1) here.publish("n", bytes(String(n)));
      await here.close();
      await here.close();
      expect(await pending).toMatchObject({ code: "host.quiet" });
      await until(() => all.length === 50, "what was published before");
      expect([here.status, told]).toEqual(["closed", ["closed"]]);
      expect(here.publish("n", bytes("late"))).toBe("away");
      expect(await ask(here, "n", "")).toBe("bus.away");
      // Who is asked now is gone.
      await until(async () => (await ask(there, "own", "", SHORT_MS)) === "host.gone", "nobody there");
      await broker.kill();
      await becomes(there, "away");
      await there.close();
      await broker.start();
      expect([here.status, there.status, own.all.filter((one) => one !== "own ")]).toEqual(["closed", "closed", []]);
    });
  });
}
