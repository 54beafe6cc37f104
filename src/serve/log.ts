// The daemon's log: one JSON object a line, on standard error. An error may quote what a program or an agent wrote, and people
// read logs in terminals, so nothing invisible and no control gets in. Owns: how much is told.
import fs from "node:fs";
import { inspect } from "node:util";
import { marked } from "../core/base/invisible.ts";

const LEVELS = ["error", "info", "debug"] as const;
type LogLevel = (typeof LEVELS)[number];

/** Weeks of a quiet daemon. The one before it is kept, too. */
const LOG_BYTES_MAX = 4 << 20;

let most: LogLevel = "info";
let hidden = (text: string): string => text;

/** How much is told, and what it is told through: an error may quote a secret, and logs are passed on. */
export function setLog(level: LogLevel, eyes: { text(text: string): string }): void {
  most = level;
  hidden = (text) => eyes.text(text);
}

export function log(level: LogLevel, message: string, more: object = {}): void {
  if (LEVELS.indexOf(level) > LEVELS.indexOf(most)) return;
  const line = JSON.stringify({ ts: new Date().toISOString(), level, message, ...more });
  try {
    fs.writeSync(process.stderr.fd, `${marked(hidden(line), { controls: "text" })}\n`);
  } catch {
    // The disk is full. An error of the log would be logged, and so on without end.
  }
}

export function logError(error: unknown): void {
  if (!(error instanceof Error)) return log("error", typeof error === "string" ? error : inspect(error));
  log("error", error.message, { stack: inspect(error, { colors: false }) });
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
