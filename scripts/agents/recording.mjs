// One recording of an agent CLI: what was done to it and where its stream was then; the stream itself comes from the session's journal.
// Owns: the stages and keys so far. Refuses: to judge what the stream shows.
import fs from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { ROOT } from "./parts.mjs";

const FOLDER = join(ROOT, "test/fixtures/agent-cli/streams");
export const SIZE = { cols: 100, rows: 30 };
/** The slowest start was 45 seconds, on a busy machine. */
const STAGE_MS_MAX = 90_000;
/** A state lasts so long once its cause is there: longer than any of our own delays. */
const STAYS_MS = 3_500;
const LOOK_MS = 50;

/** What was done to an agent, and where its stream was then. */
export class Recording {
  #person;
  #session_id;
  #folder;
  #began = Date.now();
  #stages = [];
  #keys = [];

  constructor(person, session_id, folder) {
    this.#person = person;
    this.#session_id = session_id;
    this.#folder = folder;
  }

  bytes() {
    const file = join(this.#folder, "output.raw");
    return fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
  }

  async screen() {
    const { rows } = await this.#person.pty_read_screen({ session_id: this.#session_id });
    return rows.filter(Boolean).join("\n");
  }

  /** It takes pastes, shows something and has nothing more to draw. What is typed before that may be lost. */
  async isReady() {
    const bytes = this.bytes();
    if (!bytes.includes("\x1b[?2004h")) return false;
    await sleep(STAYS_MS);
    return this.bytes().length === bytes.length && (await this.screen()) !== "";
  }

  /** From here on this is or will soon be its state. */
  now(state) {
    this.#stages.push({ state, from: this.#here() });
  }

  /** What makes it so has happened, and it stays so for a while. */
  async lasts(what, happened) {
    await until(what, happened);
    await sleep(STAYS_MS);
    this.#stages.at(-1).until = this.#here();
  }

  async asks(text) {
    await this.#sends({ text });
    await until("what was typed is shown", async () => (await this.screen()).includes(text));
    // What comes right behind a text counts as pasted with it.
    await sleep(1_000);
    await this.answers("working", ["Enter"]);
  }

  async answers(state, keys) {
    this.now(state);
    await this.#sends({ keys });
  }

  async #sends(input) {
    this.#keys.push({ ...this.#here(), ...input });
    await this.#person.pty_send({ session_id: this.#session_id, ...input });
  }

  #here() {
    return { cursor: this.bytes().length, ms: Date.now() - this.#began };
  }

  /** A line of JSON, then the stream, compressed. */
  keep({ name, from }, folder) {
    const records = fs
      .readFileSync(join(this.#folder, "records.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const marks = records.flatMap(({ kind, cursor, ts }) =>
      kind === "mark" ? [[cursor, Math.max(0, ts - this.#began)]] : [],
    );
    const bytes = neutral(this.bytes().subarray(0, this.#here().cursor), folder);
    const about = { agent: name, from, ...SIZE, stages: this.#stages, keys: this.#keys, marks };
    fs.mkdirSync(FOLDER, { recursive: true });
    const packed = gzipSync(Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), bytes]), { level: 9 });
    fs.writeFileSync(join(FOLDER, `${name}.gz`), packed);
    return `${bytes.length} bytes, ${packed.length} packed, ${Math.round(this.#here().ms / 1_000)} s`;
  }
}

/** Names of this machine and its people are overwritten by as many other bytes. */
function neutral(bytes, folder) {
  const user = userInfo().username;
  const names = [folder, ROOT.replace(/\/$/, ""), userInfo().homedir, hostname(), ...(user === "root" ? [] : [user])];
  const text = names.reduce(
    (sum, name) =>
      sum.replaceAll(Buffer.from(name).toString("latin1"), "/agent".padEnd(name.length, "x").slice(0, name.length)),
    bytes.toString("latin1"),
  );
  return Buffer.from(text, "latin1");
}

async function until(what, happened) {
  for (const ends = Date.now() + STAGE_MS_MAX; Date.now() < ends; await sleep(LOOK_MS)) if (await happened()) return;
  throw new Error(`not seen: ${what}`);
}
