// Noise in place of requests, frames and calls, on every socket of ours: broken at random places, from a seed. Each is refused or
// dropped, and the daemon and the holder answer the next good one.
import { connect, type Socket } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { encodeFrame } from "../../src/host/holder/wire.ts";
import { depth } from "../fixtures/depth.ts";
import { seeded } from "../fixtures/seeded.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

const SEED = Number(process.env.SEED ?? 5);
/** Of each kind: 10,000 in all in the long form. */
const CASES = depth(75, 250, 2_500);
/** At a time. */
const WIDTH = 16;

const { duetty, person, open } = sharedStand({ own: true });
let [bystander, victim] = ["", ""];
let pids: unknown;
const pidsNow = async () => {
  const { daemon, holder } = await person.status({});
  return [daemon.pid, holder.pid];
};
beforeAll(async () => {
  [bystander, victim] = [await open(["cat"]), await open(["cat"])];
  pids = await pidsNow();
});

type Random = () => number;
const pick = (random: Random, n: number) => Math.floor(random() * n);

/** Bytes of a good one, with a few changed, cut, doubled or replaced by noise. */
function broken(good: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(good);
  for (let changes = 1 + pick(random, 4); changes > 0; changes -= 1) {
    const at = pick(random, bytes.length + 1);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const noise = Buffer.from(Array.from({ length: 1 + pick(random, 8) }, () => pick(random, 256)));
    const ways = [
      () => Buffer.concat([before, noise, after]),
      () => Buffer.concat([before, noise, after.subarray(noise.length)]),
      () => before,
      () => Buffer.concat([before, after.subarray(1 + pick(random, 20))]),
      () => Buffer.concat([bytes, after]),
      () => Buffer.concat([before, Buffer.from("\r\n"), after]),
    ];
    bytes = (ways[pick(random, ways.length)] ?? (() => noise))();
  }
  return bytes;
}

/** Sends it, says that nothing more follows, and waits for the other end to do so. `first`: answered before the noise. */
function throwAt(to: () => Socket, noise: Buffer, first?: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = to();
    let answer = "";
    socket.on("data", (data) => {
      if (first && answer === "") socket.end(noise);
      answer += data.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
    if (first) socket.write(first);
    else socket.end(noise);
  });
}

async function many(each: (random: Random) => Promise<void>): Promise<void> {
  const random = seeded(SEED);
  for (let left = CASES; left > 0; left -= WIDTH)
    await Promise.all(Array.from({ length: Math.min(WIDTH, left) }, () => each(random)));
}

async function nothingHappened(): Promise<void> {
  const text = `fine ${Math.random()}`;
  const then = { any: [{ text }] };
  expect(await person.pty_send({ session_id: bystander, text: `${text}\n`, then })).toMatchObject({
    outcome: "matched",
  });
  expect(await pidsNow()).toEqual(pids);
}

const tcp = () => connect(duetty.port, "127.0.0.1");
const headOf = (start: string, ...lines: string[]) =>
  [
    `${start} HTTP/1.1`,
    `Host: 127.0.0.1:${duetty.port}`,
    `Authorization: Bearer ${duetty.token("agent")}`,
    ...lines,
    "",
    "",
  ].join("\r\n");

function call(): Buffer {
  const body = '{"all":true}';
  return Buffer.from(
    `${headOf("POST /v1/pty_list", "Content-Type: application/json", `Content-Length: ${body.length}`)}${body}`,
  );
}

function upgrade(): Buffer {
  const about = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  return Buffer.from(headOf(`GET /v1/sessions/${victim}/terminal?role=watch`, ...about, key));
}

/** Control as a viewer sends it, masked with zeros. */
function frame(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x81, 0x80 | text.length, 0, 0, 0, 0), Buffer.from(text)]);
}

it("broken requests over TCP", async () => {
  await many(async (random) => {
    const answer = await throwAt(tcp, broken(call(), random));
    // A change may leave it good; whatever is no request gets 4xx or no answer.
    expect(answer).toMatch(/^(HTTP\/1\.1 (200|4\d\d) |$)/);
  });
  await nothingHappened();
});

it("broken requests over the unix socket", async () => {
  await many(async (random) => {
    const answer = await throwAt(() => connect(duetty.home.daemonSocket), broken(call(), random));
    expect(answer).toMatch(/^(HTTP\/1\.1 (200|4\d\d) |$)/);
  });
  await nothingHappened();
});

it("broken frames of a viewer", async () => {
  const good = Buffer.concat([frame('{"type":"resize","cols":80,"rows":24}'), frame('{"type":"ack","cursor":0}')]);
  await many(async (random) => {
    const answer = await throwAt(tcp, broken(good, random), upgrade());
    expect(answer).toMatch(/^HTTP\/1\.1 101 /);
  });
  await nothingHappened();
});

it("broken frames to the holder", async () => {
  const good = encodeFrame({ kind: "request", id: 1, request: { op: "list" } });
  await many(async (random) => {
    await throwAt(() => connect(duetty.home.holderSocket), broken(good, random));
  });
  await nothingHappened();
});
