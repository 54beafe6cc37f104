// One session of a window. Owns: its viewer, how much the window still owes, and the questions asked in it. It tells the window
// everything in order, and the exit last, once. A slow window holds back nobody else: the session drops behind for this viewer only.
import { constants } from "node:os";
import type { AttachEvent, Attachment, Connection } from "../../client/connection.ts";
import type { SessionInfo } from "../../protocol/ops/session.ts";
import { isPerson } from "../../protocol/plain/person-name.ts";
import { withoutReplies } from "../../protocol/plain/terminal-replies.ts";
import { type PtyAnswer, type Told, WINDOW_BYTES } from "./contract.ts";

const SIGNALS: Readonly<Record<string, number>> = constants.signals;
/** Nobody knows how it ended. */
const LOST = -1;
/** An agent's keys that wait, for an answer perhaps: as much as a window may write at once. */
const WAITING_CHARS_MAX = 4 << 20;

export type Tell = <C extends keyof Told>(channel: C, event: Told[C]) => void;

export class WindowSession {
  readonly id: string;
  /** Resolves when the window was told of the exit, or is not told anything any more. */
  readonly over: Promise<void>;
  #connection: Connection;
  #tell: Tell;
  #viewer: Attachment;
  #byPerson: boolean;
  #asked = new Set<string>();
  #owed = 0;
  #whenTaken: (() => void) | undefined;
  #typing: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({ session_id, actor }: SessionInfo, connection: Connection, tell: Tell) {
    this.id = session_id;
    this.#connection = connection;
    this.#tell = tell;
    this.#byPerson = isPerson(actor);
    this.#viewer = connection.attach(session_id, { cursor: 0 });
    this.over = this.#follow();
  }

  async write(data: string | Uint8Array): Promise<boolean> {
    // A page's terminal answers queries, each by a write of its own. The session has already answered.
    if (typeof data === "string" && data !== "" && withoutReplies(data) === "") return true;
    if (this.#byPerson) return this.#viewer.write(data);
    // An agent's keys are asked for one after another, and each answer is waited for.
    const text = typeof data === "string" ? data : new TextDecoder("utf-8", { fatal: true }).decode(data);
    if (this.#waiting > 0 && this.#waiting + text.length > WAITING_CHARS_MAX) return false;
    this.#waiting += text.length;
    const sent = this.#typing.then(() => this.#connection.pty_send({ session_id: this.id, text, show: "none" }));
    this.#typing = sent.catch(() => undefined);
    await sent.finally(() => {
      this.#waiting -= text.length;
    });
    return true;
  }

  async resize(cols: number, rows: number): Promise<void> {
    await this.#connection.pty_resize({ session_id: this.id, cols, rows });
  }

  /** False: no such question was asked here. Who may answer is decided where all answers are. */
  async answer({ approvalId: approval_id, answer, edit, reason }: PtyAnswer): Promise<boolean> {
    if (!this.#asked.has(approval_id)) return false;
    if (answer === "approve") await this.#connection.approve({ approval_id, edit });
    else await this.#connection.deny({ approval_id, reason });
    return true;
  }

  /** The window has taken so many bytes. */
  taken(bytes: number): void {
    this.#owed = Math.max(0, this.#owed - bytes);
    if (this.#owed < WINDOW_BYTES) this.#whenTaken?.();
  }

  /** Ends the program and all that it started. The window is told of the exit as of any other. */
  async end(): Promise<void> {
    await this.#connection.pty_close({ session_id: this.id });
    // What it still owes does not matter any more, the exit does.
    this.taken(Number.POSITIVE_INFINITY);
  }

  /** Tells the window nothing more. */
  leave(): void {
    this.#viewer.close();
    this.taken(Number.POSITIVE_INFINITY);
  }

  async #follow(): Promise<void> {
    // A stream that fails has lost its session: the window is told so.
    const exitCode = await this.#untilExit().catch(() => LOST);
    this.#viewer.close();
    this.#tell("pty:exit", { sessionId: this.id, exitCode });
  }

  async #untilExit(): Promise<number> {
    for await (const event of this.#viewer) {
      const exitCode = this.#pass(event);
      if (exitCode !== undefined) return exitCode;
      if (this.#owed < WINDOW_BYTES) continue;
      await new Promise<void>((resolve) => {
        this.#whenTaken = resolve;
      });
    }
    return LOST;
  }

  /** The exit code, when it is over. */
  #pass(event: AttachEvent): number | undefined {
    switch (event.type) {
      case "bytes":
      case "repaint":
        this.#owed += event.bytes.length;
        this.#tell("pty:data", { sessionId: this.id, data: alone(event.bytes) });
        return undefined;
      case "approval":
      case "approval_settled":
        if (event.type === "approval") this.#asked.add(event.approval.approval_id);
        else this.#asked.delete(event.approval.approval_id);
        this.#tell("pty:approval", { sessionId: this.id, approval: event.approval });
        return undefined;
      case "exit":
        return event.exit_code ?? 128 + (SIGNALS[event.signal ?? ""] ?? LOST - 128);
      case "state":
        return event.state === "lost" ? LOST : undefined;
      default:
        return undefined;
    }
  }
}

/** Cloning copies the whole buffer below a view: pooled memory has bytes of others. */
function alone(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
