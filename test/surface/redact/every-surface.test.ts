// Whatever a session shows, in whatever pieces, colours and widths: no surface that an agent or a log can read has eight characters
// in a row of a secret. `SEED=7` takes other samples, `TESTS=long` more of them.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { depth } from "../../fixtures/depth.ts";
import { leaks, type Sample, samples } from "../../fixtures/redact/samples.ts";
import { seeded } from "../../fixtures/seeded.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const s = sharedStand();
const SEED = Number(process.env.SEED ?? 20_261_117);
const LONG = depth(0, 0, 1) === 1;
const random = seeded(SEED);
const upTo = (most: number) => Math.floor(random() * most);
const WIDTHS = Array.from({ length: LONG ? 10 : 3 }, (_, i) => (i === 0 ? 20 + upTo(20) : 20 + upTo(181)));
console.log(`seed ${SEED}, widths ${WIDTHS}`);

function some(count: number, fits: (sample: Sample) => boolean = () => true): Sample[] {
  const all = samples(upTo(1_000_000)).filter(fits);
  return LONG ? all : Array.from({ length: count }, () => all.splice(upTo(all.length), 1)[0] ?? missing());
}

function missing(): never {
  throw new Error("there are not so many samples");
}

/** In colours that change anywhere. */
function coloured(text: string): string {
  const painted = (char: string) => `\u001b[${[1, 3, 4, 7, 31, 32, 94, 45][upTo(8)]}m${char}\u001b[0m`;
  return [...text].map((char) => (char !== "\n" && random() < 0.08 ? painted(char) : char)).join("");
}

/** All texts in an answer, as somebody reads them: without escapes, tags and the bars between pieces of a row. */
function readable(answer: unknown): string {
  if (typeof answer === "string") return bare(answer);
  if (Array.isArray(answer)) {
    const isRow = answer.every((one) => typeof one === "object" && one !== null && "sgr" in one);
    return answer.map(readable).join(isRow ? "" : "\n");
  }
  if (typeof answer !== "object" || answer === null) return String(answer);
  const base64 = "base64" in answer ? [bare(Buffer.from(String(answer.base64), "base64").toString())] : [];
  return [...Object.values(answer).map(readable), ...base64].join("\n");
}

function bare(text: string): string {
  return text
    .replace(/\\u001b/g, "\u001b")
    .replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[\x20-\x3f]*[\x40-\x7e]|\u001b[^[\]]/g, "")
    .replace(/<[^>]*>|⟨[^⟩]*⟩/g, "")
    .replaceAll(/&(?:lt|gt|quot|amp);/g, "")
    .replaceAll("\r", "");
}

function leaking(answer: unknown, all: readonly Sample[]): string[] {
  const text = readable(answer).replaceAll("\n", "");
  return all.flatMap((sample) => {
    const part = leaks(text, sample);
    const at = part === undefined ? -1 : text.indexOf(part);
    return at < 0 ? [] : [`${sample.text} → ${text.slice(Math.max(0, at - 40), at + 40)}`];
  });
}

/** The surfaces that show something of a secret, with what they show. */
function found(answers: Readonly<Record<string, unknown>>, all: readonly Sample[]): Record<string, string[]> {
  const each = Object.entries(answers).map(([name, answer]): [string, string[]] => [name, leaking(answer, all)]);
  return Object.fromEntries(each.filter(([, leaks]) => leaks.length > 0));
}

interface Made {
  readonly session_id: string;
  readonly block_id: string;
}

const FORMATS = ["json", "text", "rows", "styled", "ansi", "html"] as const;
const BLOCKS = ["text", "ansi", "html", "runs", "raw", "screen"] as const;
const EXPORTS = ["cast", "text", "html"] as const;

async function exported(client: Client, session_id: string, format: (typeof EXPORTS)[number]): Promise<string> {
  const { content, next } = await client.export({ session_id, format });
  expect(next).toBeNull();
  if (format !== "cast") return content;
  const [head = "", ...events] = content.trimEnd().split("\n");
  return `${head}\n${events.map((line) => JSON.parse(line)[2]).join("")}`;
}

type Read = (client: Client, made: Made) => Promise<unknown>;
const READS: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(
    FORMATS.map((format): [string, Read] => [
      `the screen, ${format}`,
      (c, { session_id }) => c.pty_read_screen({ session_id, format, scrollback: 1000 }),
    ]),
  ),
  "the screen as it was": (c, { session_id }) =>
    c.pty_read_screen({ session_id, at: "1000000", format: "styled", scrollback: 1000 }),
  ...Object.fromEntries(
    BLOCKS.map((format): [string, Read] => [
      `the output, ${format}`,
      (c, { block_id }) => c.block({ block_id, format }),
    ]),
  ),
  ...Object.fromEntries(
    EXPORTS.map((format): [string, Read] => [
      `an export, ${format}`,
      (c, made) => exported(c, made.session_id, format),
    ]),
  ),
  deltas: (c, { session_id }) => c.pty_read_screen_deltas({ session_id, cursor: 0, limit: 200 }),
  "raw bytes": (c, { session_id }) => c.pty_read_raw({ session_id }),
  "a wait": (c, { session_id }) => c.pty_wait({ session_id, any: [{ regex: "\\S+ *$" }], since: 0, show: "screen" }),
  "a search": (c, { session_id }) => c.search({ session_id, query: "[^ ]", regex: true, limit: 200 }),
  commands: (c, { session_id }) => c.blocks({ session_id }),
  "a report": (c, { session_id }) => c.report({ id: session_id, format: "markdown", max_output_chars: 100_000 }),
  sessions: (c) => c.pty_list({}),
};

/** A session in which these were printed in three pieces, each cut anywhere. */
async function printed(all: readonly Sample[], cols: number): Promise<Made & { readonly command: string }> {
  const { session_id } = await s.openShell("bash", { rows: 12, cols });
  const text = all.map((sample, i) => `sample ${i}\n${coloured(sample.text)}\n`).join("");
  const [a = 0, b = 0] = [upTo(text.length), upTo(text.length)].sort((x, y) => x - y);
  const folder = s.folder({ a: text.slice(0, a), b: text.slice(a, b), c: `${text.slice(b)}the end\n` });
  const command = `cd ${folder} && for part in a b c; do cat $part; done`;
  const { block_id } = await s.person.run_command({ session_id, command });
  await s.person.pty_wait({ session_id, any: [{ prompt: true }] });
  return { session_id, block_id: block_id ?? "", command };
}

async function answersOf(client: Client, reads: Readonly<Record<string, Read>>, made: Made) {
  const answers: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(reads)) answers[name] = await read(client, made);
  return answers;
}

/** As agents watch a session: the bytes, a repaint, and rows in colour. */
function watching(session_id: string) {
  const way = { token: s.duetty.token("agent"), role: "watch" };
  return {
    live: TestViewer.open(s.duetty, session_id, way),
    composed: TestViewer.open(s.duetty, session_id, { ...way, view: "composed" }),
  };
}

function rowsOf({ messages }: TestViewer): string {
  return messages.map((one) => (one.type === "paint" ? one.rows.map(({ ansi }) => ansi).join("\n") : "")).join("\n");
}

/** What is kept on disk of what was decided and shown. The bytes and the commands themselves are kept as they were. */
function logsOf({ session_id }: Made): Record<string, string> {
  const files = ["events.jsonl", "screen.jsonl", "screen.snapshot.json"];
  const own = files.map((name) => [name, fs.readFileSync(s.duetty.sessionFile(session_id, name), "utf8")]);
  const logs = fs.readdirSync(s.duetty.home.run).filter((name) => name.endsWith(".log"));
  const shared = logs.map((name) => [name, fs.readFileSync(join(s.duetty.home.run, name), "utf8")]);
  return Object.fromEntries([...own, ...shared]);
}

test.each(WIDTHS)("what was printed, at %i columns", async (cols) => {
  const all = some(24);
  const made = await printed(all, cols);
  const { session_id } = made;
  const agent = s.agent();
  expect(found(await answersOf(agent, READS, made), all)).toEqual({});
  // Otherwise this test would show nothing: a person's answers have them.
  const shown = Object.keys(found(await answersOf(s.person, READS, made), all));
  expect(Object.keys(READS).filter((name) => !shown.includes(name))).toEqual(["deltas", "commands", "sessions"]);

  const piped = await s.person.run_command({ command: made.command, mode: "pipe" });
  const { live, composed } = watching(session_id);
  await live.hello();
  await composed.hello();
  const much = { max_output_chars: 200_000 };
  const run = await agent.run_command({ session_id, command: made.command, ...much });
  const beside = await agent.run_command({ resume: piped.run_id, ...much });
  await live.until(({ bytes }) => bytes.includes("the end"));
  await composed.until((viewer) => rowsOf(viewer).includes("the end"));
  const { live: later } = watching(session_id);
  await later.until(({ repaint }) => repaint !== undefined);
  const texts = [live, composed, later].flatMap(({ messages }) => messages.filter(({ type }) => type !== "paint"));
  const more = { run, beside, live: live.bytes.toString(), rows: rowsOf(composed), repaint: later.repaint?.toString() };
  expect(found({ ...more, texts, ...logsOf(made) }, all)).toEqual({});
});

const isName = ({ secret, text }: Sample) => /^[\w.+:@=%-]{8,200}$/.test(secret) && !/['\n\\|]/.test(text);

const NAMED: Readonly<Record<string, Read>> = {
  ...READS,
  status: (c, { session_id }) => c.pty_screen_status({ session_id }),
  timeline: (c, { session_id }) => c.timeline({ session_id }),
  agents: (c) => c.agents({}),
  approvals: (c) => c.approvals({}),
  conversation: (c, { session_id }) => c.agent_events({ session_id }),
};

test("titles, links, folders, command lines and questions", async () => {
  for (const sample of some(LONG ? 40 : 5, isName).slice(0, 40)) {
    const { session_id } = await s.openGatedShell("bash", { rows: 20, cols: 20 + upTo(181) });
    const { live, composed } = watching(session_id);
    await live.hello();
    const folder = join(s.folder(), `token=ghp_${sample.secret.replace(/[^A-Za-z0-9]/g, "x").padEnd(36, "7")}`);
    const inFolder = { ...sample, text: folder, secret: folder.slice(folder.indexOf("ghp_") + 4) };
    fs.mkdirSync(folder);
    const line = `cd '${folder}'; : '${sample.text}'; printf '\\e]2;%s\\a\\e]8;;https://x.example/?q=%s\\alink\\e]8;;\\a\\n' '${sample.text}' '${sample.text}'`;
    const { block_id } = await s.person.run_command({ session_id, command: line });
    await s.person.pty_wait({ session_id, any: [{ prompt: true }] });
    const asks = s.agent("asker").run_command({ session_id, command: `rm -rf '${sample.text}'`, timeout_ms: 600_000 });
    const { approval_id } = await s.pendingOf(session_id);
    const made = { session_id, block_id: block_id ?? "" };
    const { bundle } = await s.person.doctor({ bundle: true });
    const answers = await answersOf(s.agent("other"), NAMED, made);
    await live.until(({ messages }) => messages.some(({ type }) => type === "approval"));
    const watched = { live: live.bytes.toString(), texts: live.messages, rows: rowsOf(composed) };
    expect(found({ ...answers, ...watched, bundle, ...logsOf(made) }, [sample, inFolder]), sample.text).toEqual({});
    expect(leaking(await s.person.approvals({}), [sample])).not.toEqual([]);
    await s.person.deny({ approval_id });
    await asks;
  }
});
