// Long output is cut to its beginning and end. A secret over the cut is hidden as a whole: it is looked for before anything is cut.
import { expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { seeded } from "../../fixtures/seeded.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const s = sharedStand();
const random = seeded(1912);
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const word = (length: number) => Array.from({ length }, () => LETTERS[Math.floor(random() * 62)]).join("");

/** The smallest answer has 40 characters of the beginning and 60 of the end. */
const SMALLEST = 100;
const SECRET = word(36);
const TOKEN = `ghp_${SECRET}`;
const KEY = Array.from({ length: 24 }, () => word(64));
const PEM = `-----BEGIN PRIVATE KEY-----\n${KEY.join("\n")}\n-----END PRIVATE KEY-----`;
const MUCH = Array.from({ length: 6000 }, (_, i) => `line ${i} ${"of many ".repeat(5)}`).join("\n");

/** What is random in each, and the outputs that have it over both cuts. */
const OUTPUTS: Readonly<Record<string, readonly [secret: string, output: string]>> = {
  "a token": [SECRET, `${"a ".repeat(10)}${TOKEN}\n${"and more ".repeat(20)}\n${TOKEN} ${"z ".repeat(20)}`],
  "a token in much output": [SECRET, `${"a ".repeat(10)}${TOKEN}\n${MUCH}\n${TOKEN} ${"z ".repeat(20)}`],
  "a private key": [KEY.join(""), `key:\n${PEM}\n${"and more ".repeat(20)}\n${PEM}\nend`],
  "a private key in much output": [KEY.join(""), `key:\n${PEM}\n${MUCH}\n${PEM}\nend`],
};

/** No eight letters in a row of it. */
function expectNothingOf(secret: string, answer: object): void {
  const text = JSON.stringify(answer).replaceAll("\\n", "");
  const parts = Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8));
  expect(parts.filter((part) => text.includes(part))).toEqual([]);
}

type Ran = { readonly session_id: string; readonly command: string };
type Way = (client: Client, ran: Ran, max_output_chars: number) => Promise<object>;

const WAYS: Readonly<Record<string, Way>> = {
  "a run in a session": (client, { session_id, command }, max_output_chars) =>
    client.run_command({ session_id, command, max_output_chars }),
  "a run beside the terminal": async (client, { command }, max_output_chars) => {
    const { run_id } = await s.person.run_command({ command: `${command}; ${command} >&2`, mode: "pipe" });
    return client.run_command({ resume: run_id, max_output_chars });
  },
  "a report": async (client, { session_id, command }, max_output_chars) => {
    await client.run_command({ session_id, command });
    return client.report({ id: session_id, max_output_chars, format: "markdown" });
  },
};

test.each(
  Object.entries(WAYS).flatMap(([way, read]) => Object.keys(OUTPUTS).map((what) => [way, what, read] as const)),
)("%s does not show a part of %s at the cut", async (_, what, read) => {
  const [secret, output] = OUTPUTS[what] ?? ["", ""];
  const command = `cat ${s.folder({ out: `${output}\n` })}/out`;
  const { session_id } = await s.openShell("bash", { cols: 120 });
  for (const chars of [SMALLEST + 17, 2000]) {
    const answer = await read(s.agent(), { session_id, command }, chars);
    expectNothingOf(secret, answer);
    expect(JSON.stringify(answer)).toContain("‹redac");
  }
  // Otherwise this test would show nothing.
  const told = JSON.stringify(await read(s.person, { session_id, command }, SMALLEST + 17));
  expect([0, 8, 16, 24].some((at) => told.includes(secret.slice(at, at + 8)) || told.includes(secret.slice(-9)))).toBe(
    true,
  );
});

test("a run beside the terminal keeps more than any answer shows, so that its own cut is not seen", async () => {
  const line = `${"x".repeat(63)}\n`;
  const parts = [
    line.repeat(6_553),
    "x".repeat(12),
    ` ${TOKEN} `,
    line.repeat(30_000),
    ` ${TOKEN} `,
    line.repeat(9_830),
  ];
  const command = `cat ${s.folder({ out: parts.join("") })}/out`;
  const { run_id } = await s.person.run_command({ command, mode: "pipe" });
  for (const max_output_chars of [1 << 20, (1 << 20) - 11])
    expectNothingOf(SECRET, await s.agent().run_command({ resume: run_id, max_output_chars }));
});

test("figures of what was left out are true for output without secrets", async () => {
  const command = `cat ${s.folder({ out: `${MUCH}\n` })}/out`;
  const bytes = MUCH.length + 1;
  const { run_id } = await s.person.run_command({ command, mode: "pipe" });
  for (const client of [s.agent(), s.person]) {
    const { output } = await client.run_command({ resume: run_id, max_output_chars: 1000 });
    expect((output?.head.length ?? 0) + (output?.tail.length ?? 0) + (output?.omitted_bytes ?? 0)).toBe(bytes);
  }
});

test("the message of a failed test is cut behind its secrets", async () => {
  const { session_id } = await s.openShell("bash", { cols: 120 });
  const tap = `TAP version 13\nnot ok 1 - signs in\n  ---\n  message: '${"and so on ".repeat(197)}${TOKEN} was refused'\n  ...\n1..1\n`;
  const command = `cat ${s.folder({ test: tap })}/test`;
  await s.person.run_command({ session_id, command });
  const failuresFor = async (client: Client) => {
    const { report } = await client.report({ id: session_id });
    return report.entries.flatMap(({ summary }) => summary?.failures ?? []);
  };
  expect(JSON.stringify(await failuresFor(s.person))).toContain(TOKEN.slice(0, 12));
  const seen = await failuresFor(s.agent());
  expect(seen).toHaveLength(1);
  expectNothingOf(SECRET, seen);
});
