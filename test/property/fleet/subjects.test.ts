// The names of subjects: what we make we can read, and nothing from outside becomes a pattern or another subject.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type DeviceId,
  type HostId,
  isDeviceId,
  isHostId,
  readSubject,
  subjects,
} from "../../../src/core/fleet/subjects.ts";

const [H, D] = ["h_0a1b2c3z", "d_00000001"] as const;
const chars = [..."0123456789abcdefghijklmnopqrstuvwxyz"];
const eight = fc.array(fc.constantFrom(...chars), { minLength: 8, maxLength: 8 }).map((list) => list.join(""));
const word = fc.stringMatching(/^[0-9A-Za-z_-]{1,64}$/);

test("the names that brokers' permissions list", () => {
  expect(subjects.who).toBe("duetty.v1.all.who");
  expect([subjects.here(H), subjects.here("*"), subjects.news("*")]).toEqual([
    "duetty.v1.h_0a1b2c3z.here",
    "duetty.v1.*.here",
    "duetty.v1.*.news",
  ]);
  expect([subjects.op(H, "pty_list"), subjects.ops(H)]).toEqual([
    "duetty.v1.h_0a1b2c3z.op.pty_list",
    "duetty.v1.h_0a1b2c3z.op.*",
  ]);
  expect([subjects.in(H, D, "s1"), subjects.ins(H)]).toEqual([
    "duetty.v1.h_0a1b2c3z.in.d_00000001.s1",
    "duetty.v1.h_0a1b2c3z.in.>",
  ]);
  expect([subjects.out(H, D, "s1"), subjects.outs(D)]).toEqual([
    "duetty.v1.h_0a1b2c3z.out.d_00000001.s1",
    "duetty.v1.*.out.d_00000001.>",
  ]);
  expect(subjects.inbox(D)).toBe("_INBOX_d_00000001");
});

test("every subject that we make reads as what it was made of", () => {
  fc.assert(
    fc.property(eight, eight, word, (h, d, name) => {
      const [host, device]: [HostId, DeviceId] = [`h_${h}`, `d_${d}`];
      expect(readSubject(subjects.here(host))).toEqual({ what: "here", host });
      expect(readSubject(subjects.news(host))).toEqual({ what: "news", host });
      expect(readSubject(subjects.op(host, name))).toEqual({ what: "op", host, name });
      expect(readSubject(subjects.in(host, device, name))).toEqual({ what: "in", host, device, stream: name });
      expect(readSubject(subjects.out(host, device, name))).toEqual({ what: "out", host, device, stream: name });
    }),
  );
  expect(readSubject(subjects.who)).toEqual({ what: "who" });
});

test("patterns and foreign subjects are none of ours", () => {
  const patterns = [subjects.here("*"), subjects.ops(H), subjects.ins(H), subjects.outs(D)];
  const foreign = [
    "",
    "duetty.v1",
    "duetty.v2.all.who",
    "duetty.v1.all.who.x",
    `duetty.v1.${H}`,
    `duetty.v1.${H}.here.x`,
    `duetty.v1.${H}.op`,
    `duetty.v1.${H}.op.`,
    `duetty.v1.${H}.op.a.b`,
    `duetty.v1.${H}.in.${D}`,
    `duetty.v1.${H}.in.${D}.s.t`,
    `duetty.v1.${H}.in.${H}.s`,
    `duetty.v1.${D}.here`,
    `duetty.v1.${H}.gone`,
    `x.duetty.v1.${H}.here`,
  ];
  for (const subject of [...patterns, ...foreign]) expect(readSubject(subject), subject).toBeUndefined();
  fc.assert(fc.property(fc.string(), (text) => void expect(readSubject(text)).toBeUndefined()));
});

test("ids have one form; what has another throws before it becomes a subject", () => {
  expect([isHostId(H), isHostId(D), isDeviceId(D), isDeviceId(H)]).toEqual([true, false, true, false]);
  const bad = [
    "",
    "h_",
    "h_0000000",
    "h_000000000",
    "h_0000000A",
    "h_00000.00",
    "h_*",
    "h_0000000\n",
    "h_00000 00",
    "*",
  ];
  for (const id of bad) expect([id, isHostId(id), isDeviceId(id.replace("h", "d"))]).toEqual([id, false, false]);
  expect(() => subjects.here("h_>" as HostId)).toThrow(RangeError);
  expect(() => subjects.op("*" as HostId, "x")).toThrow(RangeError);
  expect(() => subjects.outs("d_*" as DeviceId)).toThrow(RangeError);
  expect(() => subjects.inbox("d_00000001.>" as DeviceId)).toThrow(RangeError);
  for (const name of ["", "*", ">", "a.b", "a b", "a\r\nPUB x 0"])
    expect(() => subjects.op(H, name), name).toThrow(RangeError);
});
