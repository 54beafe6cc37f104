// A program in a terminal, as a test drives it. Owns: its session, what was typed to it, and what is known of its end.
// Refuses: to judge (claims.ts), to find (query.ts).
import type { Client } from "../../client/client.ts";
import type { Call, Output } from "../../protocol/ops.ts";
import { Locator } from "./locator.ts";
import { type Picture, pictureOf } from "./picture.ts";
import type { RoleOptions, TextOptions } from "./query.ts";
import type { Role } from "./roles.ts";
import { type Exit, failed, type Subject, type Waiting } from "./subject.ts";
import { Trace, type TraceOptions } from "./trace.ts";

/** How long an expectation waits, as in other test kits. */
const TIMEOUT_MS = 5_000;
/** How many inputs a failure tells. */
const INPUTS_MAX = 8;
/** Colours alone are no change that a wait tells. So a quiet screen is looked at again: soon at first, then more rarely. */
const QUIET_MS = { first: 25, most: 400 };
/** A screen that did not change for so long is drawn. */
const SETTLED_MS = 200;
/** How long a command of a shell may take unless a test says otherwise. */
const RUN_MS = 60_000;

/** What a terminal shows, as text. */
export interface ScreenText {
  readonly cols: number;
  readonly rows: number;
  readonly lines: readonly string[];
  readonly text: string;
  readonly cursor: { readonly row: number; readonly col: number; readonly visible: boolean };
  readonly title: string;
  readonly altScreen: boolean;
}

interface TermParts extends TraceOptions {
  readonly client: Client;
  readonly info: Output<"pty_open">;
  readonly timeout: number | undefined;
  /** Where golden screens are kept; default: __screens__ beside the test. */
  readonly screens: string | undefined;
  /** It is over: whoever gave the client may want it back. */
  closed(): Promise<void>;
}

export class Term implements Subject, AsyncDisposable {
  readonly sessionId: string;
  readonly command: readonly string[];
  readonly timeout: number;
  readonly screens: string | undefined;
  #trace: Trace;
  #parts: TermParts;
  #inputs: string[] = [];
  #exit: Exit | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: TermParts) {
    this.#parts = parts;
    this.sessionId = parts.info.session_id;
    this.command = parts.info.command;
    this.timeout = parts.timeout ?? TIMEOUT_MS;
    this.screens = parts.screens;
    this.#trace = new Trace(parts.client, parts.info, parts);
  }

  /** Types text as it is; a line break is Enter. `secret`: no failure tells it. */
  async type(text: string, { secret = false }: { readonly secret?: boolean } = {}): Promise<void> {
    await this.#send(secret ? "type a secret" : `type ${JSON.stringify(text)}`, { text });
  }

  /** Presses keys one after the other: "Enter", "Ctrl+C", "Alt+x", "Up", "F5" … */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#send(`press ${keys.join(" ")}`, { keys: [...keys] });
  }

  /** Pastes text, in brackets when the program asks for them. */
  async paste(text: string): Promise<void> {
    await this.#send(`paste ${JSON.stringify(text)}`, { paste: text });
  }

  /** Uses the mouse, if the program does. */
  async mouse(mouse: NonNullable<Call<"pty_send">["mouse"]>): Promise<void> {
    const at = "text" in mouse.at ? JSON.stringify(mouse.at.text) : `row ${mouse.at.row}, column ${mouse.at.col}`;
    await this.#send(`${mouse.action} at ${at}`, { mouse });
  }

  async resize(cols: number, rows: number): Promise<void> {
    this.#note(`resize to ${cols}x${rows}`);
    await this.#parts.client.pty_resize({ session_id: this.sessionId, cols, rows });
  }

  /** Sends a signal to the program in front. */
  async signal(signal: string): Promise<void> {
    this.#note(`signal ${signal}`);
    await this.#parts.client.signal({ session_id: this.sessionId, signal });
  }

  /** Runs a command in a shell, and waits for its end. */
  async run(command: string, { timeout = RUN_MS }: Waiting = {}): Promise<{ exitCode: number; output: string }> {
    this.#note(`run ${JSON.stringify(command)}`);
    const call = { session_id: this.sessionId, command, mode: "pty", timeout_ms: timeout } as const;
    const { status, exit_code, output } = await this.#parts.client.run_command(call);
    if (status !== "done" || exit_code === null)
      throw new Error(
        `${JSON.stringify(command)} has not ended after ${timeout} ms: ${status}\n${output.tail || output.head}`,
      );
    const omitted = output.omitted_bytes > 0 ? `\n… ${output.omitted_bytes} bytes …\n` : "";
    return { exitCode: exit_code, output: output.head + omitted + output.tail };
  }

  getByText(text: string | RegExp, { exact = false }: TextOptions = {}): Locator {
    return new Locator(this, [{ by: "text", wanted: text, exact }]);
  }

  getByRole(role: Role, { name }: RoleOptions = {}): Locator {
    return new Locator(this, [{ by: "role", role, name }]);
  }

  async screen(): Promise<ScreenText> {
    const { cols, rows, lines, cursor, title, altScreen } = await this.look();
    return { cols, rows, lines, text: lines.join("\n").trimEnd(), cursor, title, altScreen };
  }

  /** How it ended, once that is known: an expectation or waitForExit has seen it. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  get exitCode(): number | null | undefined {
    return this.#exit?.code;
  }

  async waitForExit({ timeout = this.timeout }: Waiting = {}): Promise<Exit> {
    const { picture } = await this.until(({ isOver }) => isOver, timeout);
    if (this.#exit) return this.#exit;
    const problem = `it has not ended within ${timeout} ms`;
    throw new Error(await failed(this, { call: "term.waitForExit()", problem, facts: [], picture }));
  }

  /** Keeps the recording, if it is wanted after a failure; where it is. */
  keepTrace(): Promise<string | undefined> {
    return this.#trace.failed();
  }

  /** The last that was typed, oldest first. */
  get inputs(): readonly string[] {
    return this.#inputs;
  }

  /** What the terminal shows now. */
  async look(): Promise<Picture> {
    const picture = pictureOf(await this.#client.pty_read_screen({ ...this.#ref, format: "html", zones: true }));
    if (picture.isOver && !this.#exit) {
      const { sessions } = await this.#client.pty_list({ all: true });
      const info = sessions.find(({ session_id }) => session_id === this.sessionId);
      this.#exit = { code: info?.exit_code ?? null, signal: info?.signal ?? null };
    }
    return picture;
  }

  /** Looks whenever something changed, until it holds, the time is over or nothing can change any more. */
  async until(holds: (picture: Picture) => boolean, timeout: number): Promise<{ picture: Picture; held: boolean }> {
    const deadline = Date.now() + timeout;
    let quietMs = QUIET_MS.first;
    for (;;) {
      const picture = await this.look();
      if (holds(picture)) return { picture, held: true };
      const timeout_ms = deadline - Date.now();
      if (timeout_ms <= 0 || picture.isOver) return { picture, held: false };
      const any = [{ change: true as const }, { exit: true as const }, { settled_ms: quietMs }];
      const { matched } = await this.#client.pty_wait({ ...this.#ref, any, timeout_ms, show: "none" });
      quietMs = matched === "settled" ? Math.min(quietMs * 2, QUIET_MS.most) : QUIET_MS.first;
    }
  }

  /** The screen once it has been drawn. */
  async settled(timeout_ms: number): Promise<Picture> {
    await this.#client.pty_wait({ ...this.#ref, any: [{ settled_ms: SETTLED_MS }], timeout_ms, show: "none" });
    return this.look();
  }

  /** Ends the program and all that it started. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    try {
      await this.#client.pty_close(this.#ref);
      await this.#trace.ended();
    } finally {
      await this.#parts.closed();
    }
  }

  get #client(): Client {
    return this.#parts.client;
  }

  get #ref(): { readonly session_id: string } {
    return { session_id: this.sessionId };
  }

  async #send(what: string, input: Partial<Call<"pty_send">>): Promise<void> {
    this.#note(what);
    await this.#client.pty_send({ ...this.#ref, ...input, show: "none" });
  }

  #note(what: string): void {
    this.#inputs = [...this.#inputs, what].slice(-INPUTS_MAX);
  }
}
