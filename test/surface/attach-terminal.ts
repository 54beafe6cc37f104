// A terminal as a person has one, with `duetty` in it: a PTY of the test's own. It shows what it gets and answers what it
// is asked.
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import type { Pty, Size } from "../../src/core/pty/pty.ts";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { spawnPty } from "../../src/host/pty/pty.ts";
import type { Installation } from "../fixtures/installation.ts";
import { soon } from "../fixtures/soon.ts";

const BIN = fileURLToPath(new URL("../../bin/duetty.js", import.meta.url));
export const SIZE = { cols: 90, rows: 20 };
let count = 0;

export class AttachTerminal {
  readonly engine;
  readonly pty: Pty;
  output = "";
  exit: number | null | undefined;

  constructor(duetty: Installation, args: readonly string[], size: Size = SIZE) {
    this.engine = makeGhostty({ ...size, scrollback: 500 });
    // What stood there before.
    this.engine.feed(Buffer.from("an older line\r\n"));
    const env = Object.fromEntries(Object.entries(duetty.env).map(([key, value]) => [key, value ?? ""]));
    // Whoever closes a PTY ends all that carry its marker.
    count += 1;
    const marker = `DT_TEST=attach-${process.pid}-${count}`;
    const command = { file: process.execPath, args: [BIN, ...args], cwd: "/", env, ...size, marker };
    const pty = spawnPty(command, {
      bytes: (chunk) => {
        this.output += Buffer.from(chunk).toString("latin1");
        this.engine.feed(chunk);
        const replies = this.engine.takeReplies();
        if (replies.length > 0) this.type(replies);
      },
      exit: ({ code }) => {
        this.exit = code;
      },
    });
    if (isFault(pty)) throw new Error(pty.message);
    this.pty = pty;
  }

  type(input: string | Uint8Array): void {
    this.pty.write(typeof input === "string" ? Buffer.from(input) : input);
  }

  resize(size: Size): void {
    this.engine.resize(size);
    this.pty.resize(size);
  }

  text(): string {
    return this.engine.rows().join("\n");
  }

  /** The session's part of the terminal: everything but the status line. */
  get above(): string[] {
    return this.engine.rows().slice(0, -1);
  }

  get statusLine(): string {
    return this.engine.rows().at(-1) ?? "";
  }

  shows(text: string | RegExp): Promise<void> {
    return soon(() => expect(this.text()).toMatch(text));
  }

  ended(): Promise<void> {
    return soon(() => expect(this.exit).not.toBeUndefined());
  }
}
