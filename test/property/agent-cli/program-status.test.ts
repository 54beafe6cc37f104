// OSC 7501: reports are read whatever the cuts, within limits, and nothing in them is trusted.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ProgramStatus } from "../../../src/core/agent-cli/program-status.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const osc = (body: string, end = "\x1b\\") => `\x1b]7501;${body}${end}`;
const encoded = (text: string) => Buffer.from(text).toString("base64");

function after(text: string, sizes: readonly number[] = [1_000_000]) {
  const status = new ProgramStatus();
  const all = bytesOf(text);
  let [answers, changes] = ["", 0];
  for (let at = 0, piece = 0; at < all.length; piece += 1) {
    const part = all.subarray(at, at + (sizes[piece % sizes.length] ?? 1));
    answers += Buffer.from(status.push(part, at, () => (changes += 1))).toString();
    at += part.length;
  }
  return { status, answers, changes };
}

test("a report is read, whatever stands around it and wherever it is cut", () => {
  const text = `ab\x1b[31m${osc("state=working:app=codex")}]7501;state=idle ${osc("state=blocked:app=codex:kind=permission")}\x1b[0m`;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
      const { status, changes } = after(text, sizes);
      expect(changes).toBe(2);
      expect(status.of(["codex"])).toEqual({ state: "blocked", kind: "permission", app: "codex" });
    }),
  );
});

test("a query is answered with the same bytes, once, and a replay is not answered", () => {
  for (const end of ["\x07", "\x1b\\"]) expect(after(`x${osc("?", end)}y`, [2]).answers).toBe(osc("?", end));
  const { status } = after(osc("?"));
  expect(status.push(bytesOf(osc("?")), 0, () => undefined)).toHaveLength(0);
});

test("controls refuse a report, and what turns or hides text is taken out of it", () => {
  const says = (msg: string) => after(osc(`state=blocked:msg=${encoded(msg)}`)).status.of([])?.msg;
  expect(says("approve Bash: touch z && git add -A")).toBe("approve Bash: touch z && git add -A");
  expect(says("safe\u202e evil\u2066\u200b")).toBe("safe evil");
  for (const bad of ["a\nb", "a\x1b[2J", "a\x9bm"]) expect(says(bad)).toBeUndefined();
  expect(after(osc("state=blocked:msg=%%%:app=codex")).status.of([])?.msg).toBeUndefined();
});

test.each([
  ["no state", "app=codex"],
  ["an unknown state", "state=sleeping"],
  ["a bad id", "state=idle:id=a//b"],
  ["nine levels", "state=idle:id=1/2/3/4/5/6/7/8/9"],
  ["bad base64", "state=idle:msg=A=A"],
  ["too long", `state=idle:msg=${"A".repeat(2_100)}`],
])("a report with %s does not count", (_, body) => {
  expect(after(osc(body)).changes).toBe(0);
});

test("what blocks a part counts before the whole, clear takes parts away, and 256 records are kept", () => {
  const parts = osc("state=working:app=codex") + osc("state=blocked:id=a/b:kind=question");
  expect(after(parts).status.of(["codex"])?.kind).toBe("question");
  expect(after(parts + osc("state=clear:id=a")).status.of(["codex"])?.state).toBe("working");
  expect(after(parts).status.of(["gemini"])).toBeUndefined();
  const many = Array.from({ length: 300 }, (_, at) => osc(`state=idle:id=n${at}`)).join("");
  // The first was updated longest ago.
  expect(after(osc("state=blocked:id=first") + many).status.of([])?.state).toBe("idle");
  const { status } = after(parts);
  status.drop();
  expect(status.of(["codex"])).toBeUndefined();
});
