// A session's bytes: an agent reads them with marks in place of secrets, wherever its reads are cut, until a person grants it more.
import { expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { depth } from "../../fixtures/depth.ts";
import { leaks, type Sample, samples } from "../../fixtures/redact/samples.ts";
import { seeded } from "../../fixtures/seeded.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const s = sharedStand();
const random = seeded(77);
const upTo = (most: number) => 1 + Math.floor(random() * most);
/** Short or long, each in colours that change anywhere. */
const SAMPLES = samples(23).filter((_, i) => i % depth(5, 5, 1) === 0);

function coloured(text: string): string {
  const painted = (char: string) => `\u001b[${upTo(47)}m${char}\u001b[0m`;
  return [...text].map((char) => (char !== "\n" && random() < 0.1 ? painted(char) : char)).join("");
}

/** A session that has printed these, and the command that did it. */
async function printed(texts: readonly string[]) {
  const { session_id } = await s.openShell("bash", { cols: 200 });
  const cwd = s.folder({ out: `${texts.join("\n")}\n` });
  const ran = await s.person.run_command({ session_id, command: `cat ${cwd}/out` });
  return { session_id, block_id: ran.block_id ?? "" };
}

/** All bytes in reads of these lengths; colours are left out. */
async function readInParts(client: Client, session_id: string, length: () => number) {
  const parts: string[] = [];
  for (let from = 0; ; ) {
    const { base64, next, total } = await client.pty_read_raw({ session_id, from, length: length() });
    parts.push(plain(base64));
    if (next >= total) return parts;
    from = next;
  }
}

function plain(base64: string): string {
  return Buffer.from(base64, "base64")
    .toString()
    .replace(/\u001b\[[\d;]*m/g, "")
    .replaceAll("\r", "");
}

const leaking = (text: string, all: readonly Sample[]) => all.filter((one) => leaks(text, one)).map(({ text }) => text);

test("no read of an agent has a secret, however many reads it takes; the person's have all of them", async () => {
  const { session_id, block_id } = await printed(SAMPLES.map(({ text }) => coloured(text)));
  const whole = await s.agent().pty_read_raw({ session_id });
  expect(whole).toMatchObject({
    redacted: true,
    hint: expect.stringContaining("a person can grant you the exact bytes"),
  });
  expect(leaking(plain(whole.base64), SAMPLES)).toEqual([]);
  for (const most of [4000, 700]) {
    const parts = await readInParts(s.agent(), session_id, () => upTo(most));
    expect(leaking(parts.join(""), SAMPLES)).toEqual([]);
  }
  const block = await s.agent().block({ block_id, format: "raw" });
  expect(block).toMatchObject({ redacted: true });
  expect(leaking(plain(block.base64 ?? ""), SAMPLES)).toEqual([]);
  expect(plain(block.base64 ?? "")).toContain("‹redacted:github:");
  // Otherwise this test would show nothing.
  const real = await s.person.pty_read_raw({ session_id });
  expect(real).not.toHaveProperty("redacted");
  expect(leaking(plain(real.base64), SAMPLES)).toHaveLength(SAMPLES.length);
});

test("what holds no secret comes byte for byte", async () => {
  const text = coloured("commit 3f786850e387550fdab836ed7e6dc881de23001b\npassword: ********\nünïcode ✓");
  const { session_id } = await printed([text]);
  const [agent, person] = [await s.agent().pty_read_raw({ session_id }), await s.person.pty_read_raw({ session_id })];
  expect(agent.base64).toBe(person.base64);
});

test("a person grants the exact bytes for a while, and takes that back; all of it is in the events", async () => {
  const [sample = { kind: "", text: "", secret: "" }] = SAMPLES;
  const { session_id, block_id } = await printed([sample.text]);
  const read = async () => plain((await s.agent("reader").pty_read_raw({ session_id })).base64);
  await expect(s.agent("reader").grant({ session_id, raw: true })).rejects.toMatchObject({ code: "auth.forbidden" });
  const { raw_granted_until } = await s.person.grant({ session_id, raw: true, for: "2h" });
  expect(raw_granted_until).toBeGreaterThan(Date.now() + 3_600_000);
  const infoOf = async () => (await s.person.pty_list({})).sessions.find((one) => one.session_id === session_id);
  expect(await infoOf()).toMatchObject({ raw_granted_until });
  expect(leaks(await read(), sample)).toBeDefined();
  const block = await s.agent("reader").block({ block_id, format: "raw" });
  expect(leaks(plain(block.base64 ?? ""), sample)).toBeDefined();
  await s.person.grant({ session_id, raw: true, off: true });
  expect(await infoOf()).not.toHaveProperty("raw_granted_until");
  expect(leaks(await read(), sample)).toBeUndefined();
  const events = s.duetty.events(session_id).matchAll(/"kind":"(raw_\w+)","actor":"([^"]+)"/g);
  expect(Array.from(events, ([, kind, actor]) => [kind, actor])).toEqual([
    ["raw_grant", "person"],
    ["raw_read", "agent:reader"],
    ["raw_read", "agent:reader"],
    ["raw_grant_off", "person"],
  ]);
});

test("a grant ends by itself", async () => {
  const [sample = { kind: "", text: "", secret: "" }] = SAMPLES;
  const { session_id } = await printed([sample.text]);
  await s.person.grant({ session_id, raw: true, for: "1s" });
  await expect.poll(async () => (await s.agent().pty_read_raw({ session_id })).redacted ?? false).toBe(true);
});

test("the command line grants, refuses half a grant, and says what an agent gets", async () => {
  const { session_id } = await printed(["text"]);
  expect((await s.duetty.cli("grant", session_id)).stderr).toContain("duetty grant SESSION --raw");
  expect((await s.duetty.cli("grant", session_id, "--raw", "--for", "soon")).stderr).toContain(
    "such as 30s, 10m or 2h",
  );
  expect((await s.duetty.cli("grant", session_id, "--raw", "--for", "10m")).stdout).toContain(
    "granted to agents until",
  );
  expect((await s.duetty.cli("grant", session_id, "--raw", "--off")).stdout).toContain("not granted");
  const raw = await s.duetty.cli("raw", session_id, "--as", "agent:reader");
  expect(raw.stderr).toContain("Secrets have marks here.");
});
