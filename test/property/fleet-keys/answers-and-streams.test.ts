import { expect, test } from "vitest";
import { type StreamSeals, sealAnswer } from "../../../src/host/fleet/exchange.ts";
import { asked, Fleet, type Host, unfaulted } from "../../fixtures/fleet/fleet.ts";

async function stage() {
  const fleet = new Fleet();
  return { fleet, host: await fleet.host(), who: fleet.device() };
}

interface Ends extends Awaited<ReturnType<Host["exchanged"]>> {
  readonly host: StreamSeals;
  readonly device: StreamSeals;
}

async function streams(stream = "s1"): Promise<Ends> {
  const { host, who } = await stage();
  const { request, answer } = await host.exchanged(who);
  const device = unfaulted(request.answered(answer.bytes)).seals(stream);
  return { host: answer.seals(stream), device, request, answer };
}

const body = Buffer.from("echo hello\n");

test("an answer arrives, and only there", async () => {
  const { host, who } = await stage();
  const { request, answer } = await host.exchanged(who, 404, '{"error":1}');
  const came = unfaulted(request.answered(answer.bytes));
  expect([came.status, Buffer.from(came.body).toString()]).toEqual([404, '{"error":1}']);
  expect(Buffer.from(answer.bytes).toString("latin1")).not.toContain("error");
});

test("answers swapped between two requests", async () => {
  const { host, who } = await stage();
  const [a, b] = [await host.exchanged(who), await host.exchanged(who)];
  expect(a.request.answered(b.answer.bytes)).toMatchObject({ code: "fleet.forged" });
  expect(b.request.answered(a.answer.bytes)).toMatchObject({ code: "fleet.forged" });
});

test("an answer forged by another host", async () => {
  const { fleet, host, who } = await stage();
  const other = await fleet.host("h_bbbbbbbb");
  const request = await host.ask(who);
  const elsewhere = asked(await other.verifier.open((await other.ask(who)).bytes));
  expect(request.answered(elsewhere.answer(200, body).bytes)).toMatchObject({ code: "fleet.forged" });
  const guessed = sealAnswer({ secret: Buffer.alloc(32), enc: request.bytes.slice(-32) }, 200, body);
  expect(request.answered(guessed.bytes)).toMatchObject({ code: "fleet.forged" });
});

test("frames arrive both ways", async () => {
  const { host, device } = await streams();
  for (const number of [0, 1, 2, 70_000, 0xff_ff_ff_ff]) {
    expect(device.out.open(0, number, host.out.seal(0, number, body))).toEqual(body);
    expect(host.in.open(3, number, device.in.seal(3, number, body))).toEqual(body);
  }
});

test("a frame of another number", async () => {
  const { host, device } = await streams();
  const frame = host.out.seal(0, 5, body);
  for (const number of [4, 6, 5 + 2 ** 24]) expect(device.out.open(0, number, frame)).toBeUndefined();
});

test("a frame of another kind", async () => {
  const { host, device } = await streams();
  const frame = device.in.seal(2, 5, body);
  for (const kind of [0, 1, 3, 4]) expect(host.in.open(kind, 5, frame)).toBeUndefined();
});

test("a frame of the other direction", async () => {
  const { host, device } = await streams();
  expect(host.in.open(1, 5, host.out.seal(1, 5, body))).toBeUndefined();
  expect(device.out.open(1, 5, device.in.seal(1, 5, body))).toBeUndefined();
});

test("a frame of another stream", async () => {
  const { host, request, answer } = await streams("s1");
  const frame = host.out.seal(0, 5, body);
  // Of the same answer, of another request, and of the same request answered again.
  expect(unfaulted(request.answered(answer.bytes)).seals("s2").out.open(0, 5, frame)).toBeUndefined();
  expect((await streams("s1")).device.out.open(0, 5, frame)).toBeUndefined();
});

test("streams of one request answered twice have keys of their own", async () => {
  const { host, who } = await stage();
  const request = await host.ask(who);
  const taken = asked(await host.verifier.open(request.bytes));
  const [a, b] = [taken.answer(200, body), taken.answer(200, body)];
  expect(b.seals("s1").out.open(0, 1, a.seals("s1").out.seal(0, 1, body))).toBeUndefined();
});

test("no number of a kind is sealed twice", async () => {
  const { host } = await streams();
  host.out.seal(0, 5, body);
  host.out.seal(1, 5, body);
  for (const number of [5, 4, -1, 2 ** 32, Number.NaN]) {
    expect(() => host.out.seal(0, number, body)).toThrow();
  }
});

test("each kind and number has an IV of its own", async () => {
  const { host } = await streams();
  const nothing = Buffer.alloc(32);
  const frames = [0, 1, 2, 3, 4, 255].flatMap((kind) =>
    [1, 2, 256, 2 ** 31].map((n) => host.out.seal(kind, n, nothing)),
  );
  expect(new Set(frames.map((frame) => Buffer.from(frame.subarray(0, 32)).toString("hex"))).size).toBe(frames.length);
});
