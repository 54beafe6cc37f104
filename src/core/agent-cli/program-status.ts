// OSC 7501, program status: a program tells its terminal what it does. Reads reports out of the raw stream and keeps one record
// per id. Pure; cutting the input anywhere changes nothing. Owns: the records. Refuses: to trust them. They colour a state and
// never approve, type or run anything.
import type { BlockedKind } from "../../protocol/words/agent-state.ts";
import { marked, STRICT } from "../base/invisible.ts";
import { Utf8 } from "../base/utf8.ts";
import { Scan } from "../block/scan.ts";

/** The draft allows 4 KiB. What we show is one line, and a longer report is left out. */
const REPORT_BYTES_MAX = 2 << 10;
/** As the draft has it. The one that was updated longest ago goes. */
const RECORDS_MAX = 256;
const STATES = ["idle", "working", "done", "blocked", "error"] as const;
const KINDS: readonly string[] = ["permission", "question", "auth"] satisfies BlockedKind[];

export interface StatusRecord {
  readonly state: (typeof STATES)[number];
  readonly kind?: BlockedKind;
  readonly app?: string;
  readonly msg?: string;
}

type Report = { readonly id: string } & (StatusRecord | { readonly state: "clear" });

/** Undefined: it is no report, or breaks a rule; then nothing of it counts. */
function reportOf(body: string): Report | undefined {
  const pairs = new Map<string, string>();
  for (const pair of body.split(":")) {
    const [, key, value] = /^([a-z]{1,16})=([A-Za-z0-9_.,+/=-]*)$/.exec(pair) ?? [];
    if (key !== undefined && value !== undefined) pairs.set(key, value);
  }
  const [id = "", app, kind, encoded] = ["id", "app", "kind", "msg"].map((key) => pairs.get(key));
  if (id !== "" && !/^[\w.+-]{1,32}(?:\/[\w.+-]{1,32}){0,7}$/.test(id)) return undefined;
  const name = pairs.get("state");
  if (name === "clear") return { id, state: "clear" };
  const state = STATES.find((one) => one === name);
  const msg = encoded === undefined ? undefined : decoded(encoded);
  if (state === undefined || (encoded !== undefined && msg === undefined)) return undefined;
  const why = state === "blocked" && kind !== undefined && KINDS.includes(kind) ? { kind: kind as BlockedKind } : {};
  const isNamed = app !== undefined && /^[\w.+-]{1,32}$/.test(app);
  return { id, state, ...why, ...(isNamed ? { app } : {}), ...(msg ? { msg } : {}) };
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Base64 of UTF-8 in one line. What nobody sees in it is taken out, so that it reads in one direction. */
function decoded(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const digit of base64.replace(/=+$/, "")) {
    held = ((held << 6) | DIGITS.indexOf(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  const utf8 = new Utf8();
  const text = utf8.text(Uint8Array.from(bytes)) + utf8.end();
  if (/\p{Cc}/u.test(text)) return undefined;
  return marked(text, STRICT)
    .replace(/⟦[^⟧]*⟧/g, "")
    .trim();
}

export class ProgramStatus {
  #scan = new Scan({ prefix: "7501;", bytesMax: REPORT_BYTES_MAX });
  /** What was read before is not read again: an engine that comes back replays it. */
  #read = 0;
  /** In order of their last update. */
  #records = new Map<string, StatusRecord>();

  /** Reads these bytes. Returns what to answer: each query, as it was asked. */
  push(bytes: Uint8Array, cursor: number, changed: () => void): Uint8Array {
    const answers: number[] = [];
    const end = cursor + bytes.length;
    if (end <= this.#read) return new Uint8Array(0);
    this.#read = end;
    this.#scan.push(bytes, cursor, (found) => {
      if (found.kind !== "mark") return;
      const body = found.body.slice("7501;".length);
      if (body === "?") {
        // ESC ] 7501;? and then one byte (BEL) or two (ESC \).
        const isBel = found.end - found.begin === 9;
        answers.push(...[..."\x1b]7501;?", ...(isBel ? "\x07" : "\x1b\\")].map((char) => char.charCodeAt(0)));
      } else if (this.#apply(reportOf(body))) changed();
    });
    return Uint8Array.from(answers);
  }

  #apply(report: Report | undefined): boolean {
    if (!report) return false;
    const { id, ...record } = report;
    this.#records.delete(id);
    if (record.state === "clear") {
      for (const known of [...this.#records.keys()])
        if (id === "" || known.startsWith(`${id}/`)) this.#records.delete(known);
      return true;
    }
    this.#records.set(id, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > RECORDS_MAX && oldest !== undefined) this.#records.delete(oldest);
    return true;
  }

  /** Its program ended, or the shell shows a prompt: what it said of itself is over. */
  drop(): void {
    this.#records.clear();
  }

  /** What counts for a program that goes by these names: what blocks any part of it, else the whole of it, else the newest part. */
  of(apps: readonly string[]): StatusRecord | undefined {
    const root = this.#records.get("");
    const all = [...this.#records.values()].filter(({ app = root?.app }) => app === undefined || apps.includes(app));
    return all.findLast(({ state }) => state === "blocked") ?? all.find((record) => record === root) ?? all.at(-1);
  }
}
