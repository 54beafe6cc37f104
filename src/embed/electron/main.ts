// Terminals for the windows of an Electron app: the channels pty:create, pty:write, pty:resize, pty:dispose and pty:answer. Owns:
// which window has which sessions. Every call is checked twice: the frame that asks, then what it asks for.
import type { Connection } from "../../client/connection.ts";
import { packageFile } from "../../package.ts";
import type { Call } from "../../protocol/ops.ts";
import type { Terminals, TerminalsOptions } from "../terminals.ts";
import { type Done, PORT, TAKEN } from "./contract.ts";
import { type AllowFrame, OWN_FILES, refusesFrame } from "./frames.ts";
import { Answer, Create, Dispose, Resize, read, Write } from "./input.ts";
import type { InvokeEventLike, IpcMainLike, MessageEventLike } from "./types.ts";
import { WindowSessions } from "./window-sessions.ts";

/** The path of a preload script that exposes `window.pty`, for windows without one of their own. It works in the sandbox. */
export const preloadScript = packageFile("dist/cjs/entry/electron-preload-script.cjs");

const SIZE = { cols: 80, rows: 24 };

export interface RegisterOptions extends Pick<TerminalsOptions, "home" | "config" | "env"> {
  /** Where the sessions live. Default: in this process, from the first session on until `close`. */
  readonly terminals?: Connection | Promise<Connection>;
  /** Whose windows they are, where they are not the person's: an agent's are gated and see no secrets. Not with `terminals`. */
  readonly as?: `agent:${string}`;
  /** Pages that may have terminals. Default: files, which the app brings along. Embedded frames never may. */
  readonly allowFrame?: AllowFrame;
  /** Default: what the configuration says. */
  readonly box?: Call<"pty_open">["box"];
  /** What agents may do in these sessions without asking. */
  readonly policy?: Omit<Call<"policy">, "session_id">;
  /** Is told what went wrong after a window was closed. Default: console.error. */
  readonly log?: (line: string) => void;
}

export interface Registered extends AsyncDisposable {
  /** Takes the channels away and ends the sessions of all windows. */
  close(): Promise<void>;
}

export function registerPty(ipcMain: IpcMainLike, options: RegisterOptions = {}): Registered {
  if (options.terminals && options.as) throw new Error("terminals that are given say themselves whose they are");
  const bridge = new Bridge(options);
  const handlers = Object.entries(bridge.handlers);
  for (const [channel, handler] of handlers) {
    ipcMain.handle(channel, async (event, given) => handler(bridge.windowOf(event), given).catch(withHint));
  }
  const offered = (event: MessageEventLike) => bridge.offered(event);
  const taken = (event: MessageEventLike, given: unknown) => bridge.taken(event, given);
  ipcMain.on(PORT, offered);
  ipcMain.on(TAKEN, taken);
  const close = async () => {
    for (const [channel] of handlers) ipcMain.removeHandler(channel);
    ipcMain.removeListener(PORT, offered);
    ipcMain.removeListener(TAKEN, taken);
    await bridge.close();
  };
  return { close, [Symbol.asyncDispose]: close };
}

type Handler = (window: WindowSessions, given: unknown) => Promise<object>;

class Bridge {
  #options: RegisterOptions;
  /** By the id of their WebContents. */
  #windows = new Map<number, WindowSessions>();
  #ending = new Set<Promise<void>>();
  #own: Promise<Terminals> | undefined;

  readonly handlers: Readonly<Record<string, Handler>> = {
    "pty:create": async (window, given) => {
      const { box, policy } = this.#options;
      const wish = { ...SIZE, ...read(Create, "pty:create", given), ...(box === undefined ? {} : { box }) };
      const { id } = await window.open(await this.#terminals(), wish, policy);
      return { sessionId: id };
    },
    "pty:write": async (window, given) => {
      const { sessionId, data } = read(Write, "pty:write", given);
      return done(await window.find(sessionId)?.write(data));
    },
    "pty:resize": async (window, given) => {
      const { sessionId, cols, rows } = read(Resize, "pty:resize", given);
      const session = window.find(sessionId);
      await session?.resize(cols, rows);
      return done(session !== undefined);
    },
    "pty:dispose": async (window, given) => {
      const session = window.find(read(Dispose, "pty:dispose", given).sessionId);
      await session?.end();
      return done(session !== undefined);
    },
    "pty:answer": async (window, given) => {
      const answer = read(Answer, "pty:answer", given);
      return done(await window.find(answer.sessionId)?.answer(answer));
    },
  };

  constructor(options: RegisterOptions) {
    this.#options = options;
  }

  /** The sessions of the document that asks. Throws when its frame may not ask. */
  windowOf(event: InvokeEventLike): WindowSessions {
    const refused = this.#refuses(event);
    if (refused !== undefined) throw new Error(refused);
    const { sender } = event;
    const known = this.#windows.get(sender.id);
    if (known) return known;
    const onEnd = (ended: Promise<void>) => {
      this.#windows.delete(sender.id);
      this.#follow(ended);
    };
    const window = new WindowSessions({ contents: sender, onEnd });
    this.#windows.set(sender.id, window);
    return window;
  }

  offered(event: MessageEventLike): void {
    const [port] = event.ports;
    if (!port) return;
    // Who is refused is told when it asks for a session.
    if (this.#refuses(event) !== undefined) return port.close();
    this.windowOf(event).offer(port);
  }

  taken(event: MessageEventLike, given: unknown): void {
    if (this.#refuses(event) !== undefined) return;
    this.#windows.get(event.sender.id)?.taken(given);
  }

  #refuses({ senderFrame }: Pick<InvokeEventLike, "senderFrame">): string | undefined {
    return refusesFrame(senderFrame, this.#options.allowFrame ?? OWN_FILES);
  }

  async close(): Promise<void> {
    for (const window of this.#windows.values()) this.#follow(window.end());
    this.#windows.clear();
    await Promise.all(this.#ending);
    await (await this.#own)?.close();
  }

  /** What nobody gave us is loaded and opened with the first session. */
  async #terminals(): Promise<Connection> {
    const { terminals, as, allowFrame: _, box: __, policy: ___, ...place } = this.#options;
    if (terminals) return terminals;
    this.#own ??= import("../terminals.ts").then(({ openTerminals }) => openTerminals(place));
    const own = await this.#own;
    return as ? own.as(as) : own;
  }

  #follow(ended: Promise<void>): void {
    const { log = console.error } = this.#options;
    const followed = ended
      .catch((error: unknown) => log(`a window's sessions could not be ended: ${String(error)}`))
      .finally(() => this.#ending.delete(followed));
    this.#ending.add(followed);
  }
}

/** A window is told only an error's message, so the advice has to be in it. */
function withHint(error: Error & { readonly hint?: string }): never {
  throw error.hint ? new Error(`${error.message}. ${error.hint}`) : error;
}

/** Undefined: this window has no such session. */
function done(ok: boolean | undefined): Done {
  return { ok: ok === true };
}
