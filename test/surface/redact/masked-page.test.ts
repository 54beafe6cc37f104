// A person's page that masks secrets: the daemon does it, in answers, in the terminal's bytes and in what is read again.
import { expect, test } from "vitest";
import { Guest } from "../../fixtures/stand/guest.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const { duetty, person, openShell } = sharedStand();
const TOKEN = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8`;
const PART = TOKEN.slice(8, 20);
const STARS = "*".repeat(TOKEN.length);

async function masked(op: string, input: object): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: `Bearer ${duetty.token("person")}`,
    "content-type": "application/json",
    "x-duetty-masked": "1",
  };
  const answer = await fetch(`http://127.0.0.1:${duetty.port}/v1/${op}`, {
    method: "POST",
    headers,
    body: JSON.stringify(input),
  });
  return { status: answer.status, text: await answer.text() };
}

test("answers have dots that say what they stand for, and raw bytes have stars in the same places", async () => {
  const { session_id } = await openShell();
  const { block_id } = await person.run_command({
    session_id,
    command: `echo key ${TOKEN}; printf '\\033]0;${TOKEN}\\007'`,
  });
  for (const [op, input] of [
    ["block", { block_id }],
    ["block", { block_id, format: "runs" }],
    ["blocks", { session_id }],
    ["search", { query: "key" }],
    ["pty_read_screen", { session_id }],
    ["pty_list", {}],
  ] as const) {
    const { text } = await masked(op, input);
    expect([op, text.includes(PART)]).toEqual([op, false]);
    if (op === "block" || op === "blocks") expect(text).toContain("••••github••••");
  }
  const raw = async (base64: string) => Buffer.from(base64, "base64").toString();
  const exact = await raw((await person.pty_read_raw({ session_id })).base64);
  const starred = await raw(JSON.parse((await masked("pty_read_raw", { session_id })).text).base64);
  expect(exact).toContain(TOKEN);
  expect(starred).toContain(`key ${STARS}`);
  expect(starred).not.toContain(PART);
  expect(starred.length).toBe(exact.length);
});

test("the terminal gets as many bytes as the program printed, with stars, live and after a repaint", async () => {
  const { session_id } = await openShell();
  const viewer = TestViewer.open(duetty, session_id, { masked: true });
  await viewer.hello();
  await person.run_command({ session_id, command: `echo live-${"x".repeat(3)} ${TOKEN}` });
  await viewer.until(({ bytes }) => bytes.includes(`live-xxx ${STARS}`));
  expect(viewer.bytes.toString()).not.toContain(PART);
  const later = TestViewer.open(duetty, session_id, { masked: true, cursor: 0 });
  await later.until(({ repaint }) => repaint !== undefined);
  expect(later.repaint?.toString()).toContain(STARS);
  expect(later.repaint?.toString()).not.toContain(PART);
  const { total } = await person.pty_read_raw({ session_id });
  await viewer.until(({ cursor = 0, bytes }) => cursor + bytes.length >= total);
  expect((viewer.cursor ?? 0) + viewer.bytes.length).toBe(total);
});

test("a text with dots in it is not run: it would not be what was there", async () => {
  const { session_id } = await openShell();
  const { status, text } = await masked("run_command", { session_id, command: "curl -H ••••github••••" });
  expect(status).toBe(400);
  expect(text).toContain("a secret is masked in this text");
});

test("an agent's socket, and that of a guest, have stars as well, whatever cursor they name", async () => {
  const { session_id } = await openShell();
  const guest = await Guest.of({ duetty, person }, { session_id });
  const ways = {
    agent: { token: duetty.token("agent"), role: "watch" },
    guest: { headers: guest.headers() },
  };
  const viewers = Object.entries(ways).map(([who, way]) => [who, TestViewer.open(duetty, session_id, way)] as const);
  for (const [, viewer] of viewers) await viewer.hello();
  await person.run_command({ session_id, command: `echo both-${"x".repeat(3)} ${TOKEN}` });
  for (const [, viewer] of viewers) await viewer.until(({ bytes }) => bytes.includes(`both-xxx ${STARS}`));
  const later = Object.entries(ways).map(
    ([who, way]) => [who, TestViewer.open(duetty, session_id, { ...way, cursor: 0 })] as const,
  );
  for (const [, viewer] of later) await viewer.until(({ repaint }) => repaint?.includes(STARS) === true);
  for (const [who, { bytes, repaint, messages }] of [...viewers, ...later]) {
    const all = `${bytes}${repaint ?? ""}${JSON.stringify(messages)}`;
    expect([who, all.includes(PART)]).toEqual([who, false]);
  }
});
