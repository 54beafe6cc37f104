// The recording of a test's terminal, an asciicast that any player shows. Owns: the file.
import fs from "node:fs";
import { join } from "node:path";
import type { Client } from "../../client/client.ts";
import type { Output } from "../../protocol/ops.ts";
import { openOwn } from "./own-file.ts";

export interface TraceOptions {
  /** on: always kept. retain-on-failure: kept when an expectation failed; the default. */
  readonly trace?: "on" | "retain-on-failure" | "off" | undefined;
  /** Where traces are kept; default: test-results in the working directory. */
  readonly traces?: string | undefined;
}

export class Trace {
  readonly #client: Client;
  readonly #options: TraceOptions;
  readonly #info: Output<"pty_open">;

  constructor(client: Client, info: Output<"pty_open">, options: TraceOptions) {
    this.#client = client;
    this.#info = info;
    this.#options = options;
  }

  /** An expectation failed. Where the trace is, if there is one. */
  async failed(): Promise<string | undefined> {
    return this.#options.trace === "off" ? undefined : this.#write();
  }

  async ended(): Promise<void> {
    if (this.#options.trace === "on") await this.#write();
  }

  async #write(): Promise<string> {
    const { session_id, command } = this.#info;
    const folder = this.#options.traces ?? "test-results";
    const name = (command[0] ?? "shell").replace(/^.*\//, "").replace(/[^\w.-]/g, "_");
    const path = join(folder, `${name}-${session_id}.cast`);
    const file = openOwn(path);
    try {
      let after: string | null | undefined;
      do {
        const part = await this.#client.export({ session_id, format: "cast", ...(after ? { after } : {}) });
        fs.writeSync(file, part.content);
        after = part.next;
      } while (after !== null);
    } finally {
      fs.closeSync(file);
    }
    return path;
  }
}
