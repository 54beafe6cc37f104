// Who came in and who was refused: one JSON object a line in run/audit.log, whatever the log level is. Owns: that file, and how
// much of it one minute may fill. Refuses: to write down tokens, codes, cookies or what was asked.
import fs from "node:fs";
import type { Socket } from "node:net";
import { marked } from "../core/base/invisible.ts";
import { appendPrivately } from "../host/disk/private.ts";
import type { Log } from "./log.ts";

/** Whoever knocks more often fills no disk: the rest of the minute is counted. */
const REFUSALS_A_MINUTE_MAX = 600;
const MINUTE_MS = 60_000;
/** A path or a Host that is longer says no more. */
const WORD_CHARS_MAX = 200;

interface Passage {
  readonly way: "unix" | "tcp" | "tls";
  /** An address, or null on the unix socket. */
  readonly from: string | null;
  /** Method and path, never the query: a link to sign in has its code there. */
  readonly what: string;
}

export class Audit {
  #fd: number | undefined;
  #log: Log;
  #known = new WeakMap<Socket, string>();
  #minute = { begun: 0, refusals: 0 };

  constructor(path: string, log: Log) {
    this.#fd = appendPrivately(path);
    this.#log = log;
  }

  /** Once for each caller on a connection: what it does there is in the sessions' own events. */
  entry(socket: Socket, passage: Passage, who: string, by: "token" | "cookie" | "code" | "link" | "pairing"): void {
    if (this.#known.get(socket) === who) return;
    this.#known.set(socket, who);
    this.#write({ kind: "entry", ...passage, who, by });
  }

  /** A link or a device lets nobody in any more. */
  pass(state: string, { id, name }: { readonly id: string; readonly name: string }): void {
    this.#write({ kind: "pass", state, id, name });
  }

  /** A request that could not be parsed. */
  unread(way: Passage["way"], socket: Socket, code: string): void {
    this.refusal({ way, from: socket.remoteAddress ?? null, what: "?" }, "request.invalid", code);
  }

  refusal(passage: Passage, code: string, message: string, now = Date.now()): void {
    if (now - this.#minute.begun >= MINUTE_MS) {
      const left_out = this.#minute.refusals - REFUSALS_A_MINUTE_MAX;
      if (left_out > 0) this.#write({ kind: "refusals", left_out });
      this.#minute = { begun: now, refusals: 0 };
    }
    this.#minute.refusals += 1;
    if (this.#minute.refusals > REFUSALS_A_MINUTE_MAX) return;
    this.#write({ kind: "refusal", ...passage, code, message: message.slice(0, WORD_CHARS_MAX) });
  }

  close(): void {
    if (this.#fd !== undefined) fs.closeSync(this.#fd);
    this.#fd = undefined;
  }

  #write(event: object): void {
    if (this.#fd === undefined) return;
    const line = marked(JSON.stringify({ ts: new Date().toISOString(), ...event }), { controls: "text" });
    try {
      fs.writeSync(this.#fd, `${line}\n`);
    } catch (error) {
      // A disk that is full locks nobody out.
      this.#log.error(error);
    }
  }
}

export function pathIn(url: string | undefined): string {
  return (url ?? "").split(/[?#]/, 1)[0]?.slice(0, WORD_CHARS_MAX) ?? "";
}
