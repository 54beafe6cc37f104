// What a machine has to tell: one JSON object a line. An error may quote what a program or an agent wrote, and people read logs in
// terminals, so nothing invisible and no control gets in. Owns: how much is told.
import fs from "node:fs";
import { inspect } from "node:util";
import { marked } from "../core/base/invisible.ts";

const LEVELS = ["error", "info", "debug"] as const;
type LogLevel = (typeof LEVELS)[number];

/** Weeks of a quiet daemon. The one before it is kept, too. */
const LOG_BYTES_MAX = 4 << 20;

export class Log {
  #write: (line: string) => void;
  #most: LogLevel = "info";
  #hidden = (text: string): string => text;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** How much is told, and what it is told through: an error may quote a secret, and logs are passed on. */
  set(level: LogLevel, eyes: { text(text: string): string }): void {
    this.#most = level;
    this.#hidden = (text) => eyes.text(text);
  }

  say(level: LogLevel, message: string, more: object = {}): void {
    if (LEVELS.indexOf(level) > LEVELS.indexOf(this.#most)) return;
    const line = JSON.stringify({ ts: new Date().toISOString(), level, message, ...more });
    try {
      this.#write(marked(this.#hidden(line), { controls: "text" }));
    } catch {
      // The disk is full. An error of the log would be logged, and so on without end.
    }
  }

  error(error: unknown): void {
    if (!(error instanceof Error)) return this.say("error", typeof error === "string" ? error : inspect(error));
    this.say("error", error.message, { stack: inspect(error, { colors: false }) });
  }
}

/** Its writers append and keep it open, so it is copied and emptied. What comes between the two is lost. */
export function keepLogSmall(path: string): void {
  try {
    if (fs.statSync(path).size <= LOG_BYTES_MAX) return;
    fs.copyFileSync(path, `${path}.1`);
    fs.truncateSync(path);
  } catch {
    // There is none, or the disk is full: the log is the last thing to care for.
  }
}
