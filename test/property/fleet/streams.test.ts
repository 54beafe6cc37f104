// Each rule of a stream between two machines by itself. test/sim/fleet has them all at once.
import { expect, test } from "vitest";
import type { SocketLike } from "../../../src/client/connection.ts";
import { isFault } from "../../../src/core/base/fault.ts";
import { type Kind, kindByte, readFrame, type Seal, unknownFrame, writeFrame } from "../../../src/core/fleet/frame.ts";
import { type DeviceEnd, DeviceStream, type DeviceStreamParts } from "../../../src/core/fleet/stream/device.ts";
import { UnknownHints } from "../../../src/core/fleet/stream/hints.ts";
import { HostStream } from "../../../src/core/fleet/stream/host.ts";
import { StreamLimits } from "../../../src/core/fleet/stream/limits.ts";
import type { Seals, StreamEnd } from "../../../src/core/fleet/stream/side.ts";
import { LateSocket } from "../../../src/serve/fleet/nats/late-socket.ts";
import type { ViewerSocket } from "../../../src/serve/viewing/viewer-socket.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";

const TAG = 0x5a;
const plain: Seal = {
  seal: (kind, number, body) => Uint8Array.from([...body, TAG, kind, number & 0xff]),
  open(kind, number, sealed) {
    const [tag, ofKind, ofNumber] = sealed.subarray(-3);
    return tag === TAG && ofKind === kind && ofNumber === (number & 0xff) ? sealed.subarray(0, -3) : undefined;
  },
};
const SEALS: Seals = { in: plain, out: plain };

/** Both ends and what is between them, by hand. */
class Pair {
  readonly clock = new FakeClock();
  readonly toDevice: Uint8Array[] = [];
  readonly toHost: Uint8Array[] = [];
  readonly ends: { host?: StreamEnd; device?: DeviceEnd } = {};
  readonly heard: (string | number[])[] = [];
  readonly typed: string[] = [];
  isAway = false;
  readonly host: HostStream<Buffer>;
  readonly device: DeviceStream;

  constructor(parts: { window?: number; flow?: DeviceStreamParts["flow"]; lost?: "told" | "sent_again" } = {}) {
    const send = (frames: Uint8Array[]) => (frame: Uint8Array) => {
      if (this.isAway) return "away" as const;
      frames.push(frame);
      return "sent" as const;
    };
    const common = { seals: SEALS, clock: this.clock };
    const { window = 512 << 10, flow = "at_once", lost = "told" } = parts;
    this.host = new HostStream<Buffer>({
      ...{ ...common, window, lost, send: send(this.toDevice) },
      bytesOf: (data) => Buffer.from(data.buffer),
      onEnd: (end) => {
        this.ends.host = end;
      },
    });
    this.host.onMessage((data, binary) => this.typed.push(`${binary ? "keys" : "text"} ${data.toString()}`));
    this.device = new DeviceStream({
      ...{ ...common, flow, send: send(this.toHost) },
      onEnd: (end) => {
        this.ends.device = end;
      },
    });
    this.device.onmessage = ({ data }) => this.heard.push(typeof data === "string" ? data : [data.byteLength]);
  }

  /** Carries everything, again and again, until nothing moves. */
  carry(): void {
    while (this.toDevice.length + this.toHost.length > 0) {
      for (const frame of this.toDevice.splice(0)) this.device.heard(frame);
      for (const frame of this.toHost.splice(0)) this.host.heard(frame);
    }
    while (this.clock.turn());
  }

  pass(ms: number, carries: "carried" | "lost" = "carried"): void {
    for (let at = 0; at < ms; at += 50) {
      this.clock.pass(50);
      if (carries === "carried") this.carry();
      else [this.toDevice.length, this.toHost.length] = [0, 0];
      while (this.clock.turn());
    }
  }
}

const kinds = (frames: readonly Uint8Array[]) => frames.map((frame) => readFrame(frame)?.kind);

test("the ends are what a viewer's socket and a client's socket are", () => {
  const { host, device } = new Pair();
  const viewer: ViewerSocket = host;
  const socket: SocketLike = device;
  expect([viewer.isOpen, socket.readyState]).toEqual([true, 1]);
});

test("a frame is its kind, its number and its sealed body; anything else is none", () => {
  const frame = writeFrame({ kind: "input", part: "middle", number: 0x01020304, sealed: Uint8Array.of(9) });
  expect([...frame]).toEqual([3 | 0xc0, 1, 2, 3, 4, 9]);
  expect(readFrame(frame)).toEqual({ kind: "input", part: "middle", number: 0x01020304, sealed: Uint8Array.of(9) });
  for (const bytes of [[], [0], [0, 0, 0, 0], [7, 0, 0, 0, 1], [63, 0, 0, 0, 1]])
    expect(readFrame(Uint8Array.from(bytes)), `${bytes}`).toBeUndefined();
  const all: Kind[] = ["bytes", "text", "ack", "input", "beat", "close", "unknown"];
  expect(all.map((kind) => kindByte(kind, "whole"))).toEqual([0, 1, 2, 3, 4, 5, 9]);
});

test("messages arrive whole and in order, also long ones", () => {
  const pair = new Pair({ window: 64 << 10 });
  const long = "ü€😀".repeat(40_000);
  pair.host.send("hello");
  pair.host.send(new Uint8Array(1 << 20));
  pair.host.send(long);
  pair.host.send(new Uint8Array(0));
  pair.carry();
  pair.pass(1_000);
  expect(pair.heard).toEqual(["hello", [1 << 20], long, [0]]);
  pair.device.send(new TextEncoder().encode("x".repeat(200_000)));
  pair.device.send("{}");
  pair.pass(1_000);
  expect(pair.typed).toEqual([`keys ${"x".repeat(200_000)}`, "text {}"]);
  expect([pair.host.bufferedAmount, pair.device.unconfirmed]).toEqual([0, { frames: 0, bytes: 0 }]);
});

test("no more than the window is on its way, and only what was taken gives credit", () => {
  const pair = new Pair({ window: 128 << 10, flow: "taken" });
  for (let n = 0; n < 8; n += 1) pair.host.send(new Uint8Array(64 << 10));
  expect([pair.toDevice.length, pair.host.inFlight, pair.host.bufferedAmount]).toEqual([2, 128 << 10, 512 << 10]);
  pair.pass(6_000);
  expect(pair.heard.length).toBe(2);
  pair.device.taken(64 << 10);
  pair.pass(100);
  expect([pair.heard.length, pair.host.bufferedAmount]).toEqual([3, 448 << 10]);
});

test("words need credit, too: a drawn screen is words", () => {
  const pair = new Pair({ window: 128 << 10, flow: "taken" });
  for (let n = 0; n < 8; n += 1) pair.host.send("x".repeat(64 << 10));
  pair.pass(6_000);
  expect([pair.heard.length, pair.host.bufferedAmount]).toEqual([2, 512 << 10]);
  pair.device.taken(64 << 10);
  pair.pass(100);
  expect([pair.heard.length, pair.host.bufferedAmount]).toEqual([3, 448 << 10]);
});

test("keys that did not arrive are no notice where their page sends them again", () => {
  const told = new Pair({ lost: "told" });
  const silent = new Pair({ lost: "sent_again" });
  for (const pair of [told, silent]) {
    pair.device.send(new Uint8Array([120]));
    pair.toHost.length = 0;
    pair.device.send(new Uint8Array([121]));
    pair.pass(1_000);
    expect(pair.typed).toEqual([]);
  }
  expect(told.heard).toEqual([expect.stringContaining("2 keys were not typed")]);
  expect([silent.heard, silent.ends.device?.why]).toEqual([[], "closed"]);
  expect(silent.ends.device?.unconfirmed).toEqual({ frames: 2, bytes: 2 });
});

test("beats: one second after the last frame, and as the answer to each lease", () => {
  const pair = new Pair();
  pair.pass(50);
  pair.host.send("a");
  pair.toDevice.length = 0;
  pair.clock.pass(999);
  expect(kinds(pair.toDevice)).toEqual([]);
  pair.clock.pass(1);
  expect(kinds(pair.toDevice)).toEqual(["beat"]);
  // The device sees by it that a frame is missing.
  pair.carry();
  expect([pair.ends.device?.why, pair.ends.device?.code]).toEqual(["missing", 1006]);
  expect(pair.ends.host?.why).toBe("closed");

  const quiet = new Pair();
  quiet.clock.pass(0);
  expect(kinds(quiet.toHost)).toEqual(["ack"]);
  quiet.host.heard(quiet.toHost.splice(0)[0] ?? new Uint8Array());
  expect(kinds(quiet.toDevice)).toEqual(["beat"]);
  quiet.pass(60_000);
  expect([quiet.host.isOpen, quiet.device.readyState]).toEqual([true, 1]);
});

const LOSSES: readonly [name: string, spoil: (pair: Pair) => void, why: string][] = [
  ["a gap", (pair) => void pair.toDevice.shift(), "missing"],
  ["another order", (pair) => void pair.toDevice.reverse(), "missing"],
  ["a changed body", (pair) => void pair.toDevice[0]?.fill(7, 5), "broken"],
  ["a changed number", (pair) => void pair.toDevice[0]?.fill(9, 4, 5), "broken"],
  ["no frame at all", (pair) => void pair.toDevice.splice(0, 1, Uint8Array.of(1)), "broken"],
  ["a frame for the other side", (pair) => void pair.toDevice[0]?.fill(3, 0, 1), "broken"],
];

for (const [name, spoil, why] of LOSSES)
  test(`${name} ends the stream, and nothing after it is heard`, () => {
    const pair = new Pair();
    pair.host.send("a");
    pair.host.send("b");
    spoil(pair);
    pair.carry();
    expect([pair.ends.device?.why, pair.heard]).toEqual([why, []]);
  });

test("a doubled frame counts once, on both sides", () => {
  const pair = new Pair();
  pair.host.send("a");
  pair.device.send(Buffer.from("k"));
  pair.toDevice.push(...pair.toDevice.map((frame) => frame.slice()));
  pair.toHost.push(...pair.toHost.map((frame) => frame.slice()));
  pair.pass(1_000);
  expect([pair.heard, pair.typed]).toEqual([["a"], ["keys k"]]);
  expect([pair.host.isOpen, pair.device.readyState]).toEqual([true, 1]);
});

test("keys that were lost are told with their number, and what came after them is not typed", () => {
  const pair = new Pair();
  for (const keys of ["ab", "cde", "f"]) pair.device.send(Buffer.from(keys));
  pair.toHost.splice(1, 1);
  pair.carry();
  expect(pair.typed).toEqual(["keys ab"]);
  expect(pair.ends.host).toMatchObject({ why: "keys", reason: "4 keys were not typed" });
  expect(pair.heard).toEqual([expect.stringContaining("4 keys were not typed: the connection lost them")]);
  expect(pair.ends.device).toMatchObject({ reason: "4 keys were not typed", unconfirmed: { frames: 3, bytes: 6 } });
});

test("the last key may be lost, too: the next lease tells", () => {
  const pair = new Pair();
  pair.pass(50);
  pair.device.send(Buffer.from("ab"));
  pair.pass(200);
  pair.device.send(Buffer.from("c"));
  pair.toHost.length = 0;
  pair.pass(5_000);
  expect(pair.ends.host?.reason).toBe("1 key was not typed");
  expect(pair.ends.device?.unconfirmed).toEqual({ frames: 1, bytes: 1 });
});

test("silence: the host waits fifteen seconds, the device ten", () => {
  const pair = new Pair();
  pair.pass(9_900, "lost");
  expect(pair.ends).toEqual({});
  pair.pass(200, "lost");
  expect([pair.ends.device?.why, pair.ends.host]).toEqual(["silent", undefined]);
  pair.pass(4_800, "lost");
  expect(pair.ends.host).toBeUndefined();
  pair.pass(200, "lost");
  expect(pair.ends.host?.why).toBe("silent");
});

test("without a broker both end at once, and what was typed is told", () => {
  const pair = new Pair();
  pair.isAway = true;
  pair.device.send(Buffer.from("abc"));
  pair.host.send("a");
  expect([pair.host.isOpen, pair.device.readyState]).toEqual([false, 3]);
  while (pair.clock.turn());
  expect([pair.ends.host?.why, pair.ends.device?.why]).toEqual(["away", "away"]);
  expect(pair.ends.device?.unconfirmed).toEqual({ frames: 1, bytes: 3 });
});

test("that a stream is unknown is a hint: it is believed when the host does not answer", () => {
  const forged = new Pair();
  forged.pass(100);
  for (let n = 0; n < 50; n += 1) forged.device.heard(unknownFrame());
  expect(kinds(forged.toHost)).toEqual(["ack"]);
  forged.pass(10_000);
  expect(forged.device.readyState).toBe(1);

  const gone = new Pair();
  gone.pass(100);
  gone.device.heard(unknownFrame());
  gone.pass(1_900, "lost");
  expect(gone.ends.device).toBeUndefined();
  gone.pass(200, "lost");
  expect(gone.ends.device?.why).toBe("unknown");
});

test("a host hints once a second for each stream", () => {
  const clock = new FakeClock();
  const hints = new UnknownHints(clock);
  const given = () => ["a", "a", "b"].filter((stream) => hints.of(stream) !== undefined);
  expect(given()).toEqual(["a", "b"]);
  expect(given()).toEqual([]);
  clock.pass(1_000);
  expect(given()).toEqual(["a", "b"]);
  expect(Array.from({ length: 1_000 }, (_, n) => hints.of(`${n}`)).filter(Boolean).length).toBe(254);
});

test("an orderly close is heard as on a WebSocket, after what was sent before it", () => {
  const pair = new Pair({ window: 64 << 10 });
  pair.host.send(new Uint8Array(300_000));
  pair.host.send("last");
  pair.host.close(4403, "it is over");
  expect(pair.host.isOpen).toBe(false);
  pair.pass(1_000);
  expect(pair.heard).toEqual([[300_000], "last"]);
  expect(pair.ends.device).toMatchObject({ why: "closed", code: 4403, reason: "it is over" });
  expect(pair.ends.host).toMatchObject({ why: "closed", code: 4403 });
  expect(pair.clock.turn()).toBe(false);
});

test("who takes nothing is not waited for, and sees the code nevertheless", () => {
  const pair = new Pair({ window: 64 << 10, flow: "taken" });
  pair.host.send(new Uint8Array(60_000));
  pair.host.send(new Uint8Array(60_000));
  pair.host.close(4403);
  pair.pass(4_900);
  expect(pair.ends).toEqual({});
  pair.pass(200);
  expect([pair.ends.device?.code, pair.ends.host?.code, pair.heard]).toEqual([4403, 4403, [[60_000]]]);
});

test("the device closes: its keys go first", () => {
  const pair = new Pair();
  pair.device.send(new Uint8Array(600_000).fill(120));
  pair.device.close();
  expect(pair.device.readyState).toBe(2);
  pair.pass(500);
  expect([pair.typed.length, pair.ends.host?.code, pair.ends.device?.unconfirmed.bytes]).toEqual([1, 1000, 0]);
});

test("too long a message, and too much that waits, end the stream with words for it", () => {
  const long = new Pair();
  long.host.send("x".repeat((4 << 20) + 1));
  long.carry();
  expect(long.ends.device?.code).toBe(1009);
  const frozen = new Pair();
  for (let n = 0; frozen.host.isOpen && n < 100; n += 1) frozen.host.send(new Uint8Array(1 << 20));
  frozen.carry();
  expect([frozen.ends.host?.why, frozen.ends.device?.code]).toEqual(["full", 1013]);
});

test("limits: 32 streams a device, 256 a host, 16 MiB toward one device", () => {
  const limits = new StreamLimits();
  const begun = Array.from({ length: 33 }, () => limits.begin("d_a"));
  expect(begun.map(isFault)).toEqual([...Array(32).fill(false), true]);
  const [first] = begun;
  if (typeof first === "function") for (let n = 0; n < 2; n += 1) first();
  expect([isFault(limits.begin("d_a")), isFault(limits.begin("d_a"))]).toEqual([false, true]);
  expect(isFault(limits.begin("d_b", 16 << 20))).toBe(false);
  expect(isFault(limits.begin("d_b", 1))).toBe(true);
  for (let n = 33; n < 256; n += 1) expect(isFault(limits.begin(`d_${n}`))).toBe(false);
  expect(limits.begin("d_last")).toMatchObject({ message: expect.stringContaining("256") });
});

test("whoever says goodbye while a key is lost hears of it, though the other side's notice comes too late for them", async () => {
  const pair = new Pair();
  const socket = new LateSocket(async () => ({ stream: pair.device }), "told");
  const told: unknown[] = [];
  socket.onmessage = ({ data }) => told.push(data);
  await Promise.resolve();
  socket.send(Uint8Array.from([65]));
  // The key is lost, and shows as lost by the lease.
  pair.toHost.length = 0;
  socket.close();
  pair.pass(6_000);
  expect(pair.ends.host?.why).toBe("keys");
  expect(told).toEqual([expect.stringMatching(/"1 key may not have been typed: /)]);
});
