// An agent that guesses at a secret which it may not see, letter by letter, hears the same for right and wrong guesses.
import { expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { seeded } from "../../fixtures/seeded.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const s = sharedStand();
const random = seeded(815);
const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
const word = (length: number) => Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join("");

const SECRET = word(36);
const TOKEN = `ghp_${SECRET}`;
/** Each right guess with a wrong one of the same length. */
const GUESSES = [
  [SECRET.slice(0, 5), word(5)],
  [TOKEN.slice(0, 12), `ghp_${word(8)}`],
  [TOKEN, `ghp_${word(36)}`],
  [SECRET.slice(-6), word(6)],
] as const;

async function shown(): Promise<string> {
  const { session_id } = await s.openShell("bash", { rows: 24, cols: 32 });
  await s.person.run_command({ session_id, command: `clear; echo "the token is ${TOKEN}, keep it"` });
  await s.person.pty_wait({ session_id, any: [{ prompt: true }] });
  return session_id;
}

const MOMENT = { timeout_ms: 0, since: 0 } as const;

type Probe = readonly [string, (client: Client, session_id: string, guess: string) => Promise<object>];
const PROBES: readonly Probe[] = [
  ["a wait for text", (c, session_id, guess) => c.pty_wait({ session_id, any: [{ text: guess }], ...MOMENT })],
  ["a wait for a pattern", (c, session_id, guess) => c.pty_wait({ session_id, any: [{ regex: guess }], ...MOMENT })],
  [
    "a wait for either",
    (c, session_id, guess) => c.pty_wait({ session_id, any: [{ regex: `${guess}|keep it` }], ...MOMENT }),
  ],
  [
    "a wait for text that is gone",
    (c, session_id, guess) => c.pty_wait({ session_id, any: [{ gone: guess }], ...MOMENT }),
  ],
  [
    "a wait that stops",
    (c, session_id, guess) => c.pty_wait({ session_id, any: [{ exit: true }], stop: [{ text: guess }], ...MOMENT }),
  ],
  [
    "the other case",
    (c, session_id, guess) => c.pty_wait({ session_id, any: [{ text: guess.toUpperCase() }], ...MOMENT }),
  ],
  ["a search", (c, session_id, guess) => c.search({ session_id, query: guess })],
  ["a search in any case", (c, session_id, guess) => c.search({ session_id, query: guess, case: "insensitive" })],
  ["a search for a pattern", (c, session_id, guess) => c.search({ session_id, query: `is .*${guess}`, regex: true })],
  ["a click", (c, session_id, guess) => c.pty_send({ session_id, click: guess }).catch(String) as Promise<object>],
];

/** Without what differs from call to call, and without the guess itself or the mark of it. */
function told(answer: object, guess: string): string {
  const { screen, ...rest } = answer as { screen?: { rows: unknown; hash: unknown; seq: unknown } };
  const seen = screen && { rows: screen.rows, hash: screen.hash, seq: screen.seq };
  const said = JSON.stringify(rest).replace(new RegExp(`${guess}|‹redacted:github:\\w{4}›`, "gi"), "GUESS");
  return said + JSON.stringify(seen);
}

test.each(PROBES)("%s tells nothing", async (_, probe) => {
  const session_id = await shown();
  for (const [right, wrong] of GUESSES)
    expect(told(await probe(s.agent(), session_id, right), right)).toBe(
      told(await probe(s.agent(), session_id, wrong), wrong),
    );
});

test("people's waits and searches find it, over two rows as well", async () => {
  const session_id = await shown();
  const { outcome, matched } = await s.person.pty_wait({ session_id, any: [{ text: TOKEN }], ...MOMENT });
  expect([outcome, matched]).toEqual(["matched", TOKEN]);
  expect((await s.person.search({ session_id, query: TOKEN })).matches.length).toBeGreaterThan(0);
});

test("an agent's wait matches the words around a secret, and its mark", async () => {
  const session_id = await shown();
  for (const text of ["keep it", "the token is", "redacted:github"]) {
    const { outcome } = await s.agent().pty_wait({ session_id, any: [{ text }], ...MOMENT });
    expect([text, outcome]).toEqual([text, "matched"]);
  }
});

test("the hash of a screen is one of what its reader sees", async () => {
  const session_id = await shown();
  const [mine, theirs] = [
    await s.agent().pty_read_screen({ session_id }),
    await s.person.pty_read_screen({ session_id }),
  ];
  expect(mine.seq).toBe(theirs.seq);
  expect(mine.hash).not.toBe(theirs.hash);
  expect((await s.agent().pty_read_screen({ session_id, since_hash: mine.hash })).unchanged).toBe(true);
  expect((await s.agent().pty_read_screen({ session_id, since_hash: theirs.hash })).unchanged).toBeUndefined();
});

test("what an agent typed itself is no result of it, when a secret stands in it", async () => {
  const { session_id } = await s.openShell("bash", { cols: 60 });
  const typed = `T=${TOKEN}; read -r X; echo fin""ished`;
  const { outcome, matched } = await s.agent().pty_send({
    session_id,
    text: `${typed}\n`,
    then: { any: [{ text: "ished" }, { input: true }], timeout_ms: 20_000 },
  });
  expect([outcome, matched]).toEqual(["matched", "input"]);
});
