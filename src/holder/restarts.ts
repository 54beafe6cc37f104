// Starts the daemon again after it died. Owns: how soon and how often. A daemon that said goodbye stays away, and one that dies again
// and again is given up: a person's next verb starts one, and shows why it fails.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { appendPrivately } from "../host/disk/private.ts";
import type { DaemonStart } from "../host/holder/wire.ts";

/** The first try comes at once, then each waits twice as long as the one before. */
const WAIT_MS_MIN = 50;
const WAIT_MS_MAX = 5_000;
/** A daemon that dies this often, each time before it has lived for long, would die for ever. */
const TRIES_MAX = 6;
/** Far more than any start takes. One that is killed every minute does not die of itself. */
const LIVED_LONG_MS = 30_000;

interface RestartsParts {
  /** Where what it says goes. */
  readonly log: string;
  /** Whether its home is still there. */
  isWanted(): boolean;
}

export class Restarts {
  #parts: RestartsParts;
  #start: DaemonStart | undefined;
  #child: ChildProcess | undefined;
  #tries = 0;
  #connectedAt = 0;
  #isConnected = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: RestartsParts) {
    this.#parts = parts;
  }

  /** The daemon that we started, while it lives. It may be our child and no session's. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** A daemon is there. `start`: how to start it again. */
  connected(start: DaemonStart | undefined): void {
    [this.#start, this.#isConnected, this.#connectedAt] = [start, true, Date.now()];
    this.#cancel();
  }

  /** It leaves on purpose, or we do. */
  expectNone(): void {
    this.#start = undefined;
    this.#cancel();
  }

  /** The daemon is gone. */
  lost(): void {
    this.#isConnected = false;
    if (Date.now() - this.#connectedAt > LIVED_LONG_MS) this.#tries = 0;
    this.#later();
  }

  #later(): void {
    this.#cancel();
    if (!this.#start || this.#isConnected) return;
    if (this.#tries >= TRIES_MAX) return console.error(`the daemon died ${TRIES_MAX} times; it is not started again`);
    this.#timer = setTimeout(() => this.#again(), Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** this.#tries));
    this.#tries += 1;
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #again(): void {
    this.#timer = undefined;
    if (!this.#start || !this.#parts.isWanted()) return;
    const { file, args, env } = this.#start;
    const log = appendPrivately(this.#parts.log);
    const child = spawn(file, args, { detached: true, stdio: ["ignore", log, log], env, cwd: "/" });
    fs.closeSync(log);
    this.#child = child;
    child.unref();
    child.on("error", console.error);
    child.on("exit", () => {
      if (this.#child === child) this.#child = undefined;
      // It died before it came to us. The loss of one that was connected is counted by its socket.
      if (!this.#isConnected && !this.#timer) this.#later();
    });
  }
}
