// Line editors and full-screen programs draw parts of a line again, in which nothing tells any more that they are of a secret: fish
// suggests the rest of an old line, vim and readline draw what stands behind an inserted letter, zsh wraps in its own way. No byte
// that an agent or a guest gets has eight characters in a row of it, and no line that an agent's search finds.
import { expect, test } from "vitest";
import { leaks } from "../../fixtures/redact/samples.ts";
import { Guest } from "../../fixtures/stand/guest.ts";
import { SHELLS, type ShellKind } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const s = sharedStand();
const COLS = 60;

/** A shell in which a person types, while an agent and a guest watch. */
async function watched(kind: ShellKind, more: { cwd?: string } = {}) {
  const { session_id } = await s.openShell(kind, { cols: COLS, ...more });
  const guest = await Guest.of(s, { session_id, role: "watch" });
  const person = TestViewer.open(s.duetty, session_id);
  const watchers = {
    agent: TestViewer.open(s.duetty, session_id, { token: s.duetty.token("agent"), role: "watch" }),
    guest: TestViewer.open(s.duetty, session_id, { headers: guest.headers(), role: "watch" }),
  };
  for (const viewer of [person, ...Object.values(watchers)]) await viewer.hello();
  return { session_id, person, watchers };
}

type Watched = Awaited<ReturnType<typeof watched>>;

/** Key by key, each when the one before is on the screen. */
async function type({ person }: Watched, keys: readonly string[] | string): Promise<void> {
  for (const key of keys) {
    const { length } = person.bytes;
    person.type(key);
    await person.until(({ bytes }) => bytes.length > length);
  }
}

async function shows({ session_id }: Watched, wanted: RegExp): Promise<void> {
  const rows = async () => (await s.person.pty_read_screen({ session_id })).rows.join("");
  await expect.poll(rows).toMatch(wanted);
}

/** What agents and guests get of it in bytes and lines, when they have all of it. */
async function seen({ session_id, watchers }: Watched): Promise<Record<string, string>> {
  const { total, base64: exact } = await s.person.pty_read_raw({ session_id });
  for (const viewer of Object.values(watchers))
    await viewer.until(({ cursor = 0, bytes }) => cursor + bytes.length >= total);
  const agent = s.agent();
  const { content } = await agent.export({ session_id, format: "cast" });
  const events = content.trimEnd().split("\n").slice(1);
  const { matches } = await agent.search({ session_id, query: ".", regex: true, limit: 200 });
  const { blocks } = await agent.blocks({ session_id });
  const outputs = blocks.map(({ block_id }) => agent.block({ block_id, format: "raw" }));
  return {
    person: text(exact),
    raw: text((await agent.pty_read_raw({ session_id })).base64),
    blocks: (await Promise.all(outputs)).map(({ base64 = "" }) => text(base64)).join(""),
    cast: coloursOff(events.map((line) => JSON.parse(line)[2]).join("")),
    search: matches.map((match) => match.text).join("\n"),
    socket: coloursOff(watchers.agent.bytes.toString()),
    guest: coloursOff(watchers.guest.bytes.toString()),
    frames: JSON.stringify([watchers.agent.messages, watchers.guest.messages]),
  };
}

function text(base64: string): string {
  return coloursOff(Buffer.from(base64, "base64").toString());
}

function coloursOff(output: string): string {
  return output.replace(/\u001b\[[\d;:]*m/g, "");
}

/** The surfaces that have a part of the secret, with it. The person's own bytes have to, or the test would show nothing. */
function leaking(all: Record<string, string>, secret: string): Record<string, string> {
  const found = Object.entries(all).map(([name, one]) => [name, leaks(one, { kind: "", text: "", secret })]);
  expect(found.shift()?.[1], "the person's bytes").toBeDefined();
  return Object.fromEntries(found.filter(([, part]) => part !== undefined));
}

test("fish suggests the rest of a line that was entered before", async () => {
  const secret = "Rm4vTulipX83wKq9zz";
  const w = await watched("fish");
  await type(w, `export API_KEY=${secret}\r`);
  await shows(w, /KEY=.*>$/s);
  await type(w, "export API_K");
  await shows(w, new RegExp(`${secret}.*export API_KEY=${secret}`, "s"));
  await type(w, ["E", "\u0003"]);
  expect(leaking(await seen(w), secret)).toEqual({});
});

test("vim draws what stands behind an inserted letter", async () => {
  const secret = "Tk5harbourQw31mmx8";
  const w = await watched("bash", { cwd: s.folder({ ".env": `A=1\nDB_PASSWORD=${secret}\nB=2\n` }) });
  await type(w, "vim -u NONE .env\r");
  await shows(w, /B=2/);
  w.person.type("jf=a");
  await type(w, "b");
  await shows(w, new RegExp(`=b${secret}`));
  await type(w, ["c", "\u001b"]);
  w.person.type(":q!\r");
  await s.person.pty_wait({ session_id: w.session_id, any: [{ prompt: true }] });
  expect(leaking(await seen(w), secret)).toEqual({});
});

test.each(SHELLS)("%s wraps a line that is typed", async (kind) => {
  const secret = "pW8nB3kR6tY2uI9oP4aS7dF1gH5jK0lZ3xCq";
  const w = await watched(kind);
  await type(w, `: some words that come before it ghp_${secret} end`);
  await shows(w, / end/);
  await type(w, "\r");
  await s.person.pty_wait({ session_id: w.session_id, any: [{ prompt: true }] });
  expect(leaking(await seen(w), secret)).toEqual({});
});

test.each(SHELLS)("%s draws what stands behind a letter that is inserted", async (kind) => {
  const secret = "Yp6meadowLane44kkQ2vv";
  const w = await watched(kind);
  await type(w, `export DB_PASSWORD=${secret}`);
  await type(w, Array(12).fill("\u001b[D"));
  await type(w, "x");
  await shows(w, /Yp6meadowxLane/);
  await type(w, "\r");
  await shows(w, />$/);
  expect(leaking(await seen(w), secret)).toEqual({});
});

test("a line that is being typed is told without what may become a secret", async () => {
  const [token, password] = ["ghp_q7Wm2Ns9Bv4Cx1Zl8Kj5Hg3Fd6Sa0Po9Iu", "wintergardenteapot"];
  const w = await watched("bash");
  const told = (part: string) => w.person.until((one) => one.message("line")?.text.includes(part) === true);
  await type(w, `: ${token}`);
  await told(token.slice(0, 30));
  await type(w, ["\u0015", ...`git clone https://bob:${password}`]);
  await told(password);
  await type(w, "@localhost/x");
  await told("@localhost");
  await type(w, "\u0003");
  const all = await seen(w);
  const { deltas } = await s.agent().pty_read_screen_deltas({ session_id: w.session_id, cursor: 0, limit: 200 });
  for (const secret of [token, password])
    expect(leaking({ ...all, deltas: JSON.stringify(deltas) }, secret)).toEqual({});
  expect(w.watchers.agent.messages.some((one) => one.type === "line" && one.text.includes("git clone"))).toBe(true);
});
