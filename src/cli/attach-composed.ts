// A session drawn into this terminal, with a status line below it. Owns: what is known of the session and where on this
// terminal it stands; acts on what attach-keys decides and writes what status-line and attach-canvas make.
import type { WebSocket } from "ws";
import type { Client } from "../client/client.ts";
import { EXIT } from "../protocol/exit.ts";
import type { FromViewer, ToViewer } from "../protocol/stream.ts";
import { type Area, Clips, follow, type Offset, painted, rowsIn, type Shown } from "./attach-canvas.ts";
import { type KeyAction, NOTHING_OPEN, press, type Unfinished } from "./attach-keys.ts";
import { OuterScreen } from "./attach-screen.ts";
import { type AttachState, firstState, heard } from "./attach-state.ts";
import { isReadable, type LineView, NOTICE_MS, proposalLines, statusLine } from "./status-line.ts";
import { ending, TerminalState, terminalSize } from "./terminal-state.ts";

/** The program in front is asked for at most this often, and only when something happened. */
const ASK_MS = 1_000;
/** Seconds are counted down, and notices end, at this pace. */
const TICK_MS = 1_000;
const STATUS_ROWS = 1;

export interface ComposedParts {
  readonly socket: WebSocket;
  readonly client: Client;
  readonly session_id: string;
  readonly role: AttachState["role"];
}

/** What of this terminal is the session's. */
export function sessionArea(): Area {
  const { cols, rows } = terminalSize();
  return { cols, rows: Math.max(1, rows - STATUS_ROWS) };
}

export function attachComposed(parts: ComposedParts): Promise<number> {
  return new Promise((resolve) => new ComposedView(parts, resolve));
}

class ComposedView {
  #parts: ComposedParts;
  #terminal: TerminalState;
  #outer = new OuterScreen();
  #clips = new Clips();
  #state: AttachState;
  #open: Unfinished = NOTHING_OPEN;
  #shown: Shown | undefined;
  #offset: Offset = { top: 0, left: 0 };
  #isDrawing = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  #over = false;

  constructor(parts: ComposedParts, done: (code: number) => void) {
    this.#parts = parts;
    this.#state = firstState(parts.role);
    const { socket } = parts;
    this.#terminal = new TerminalState(
      (code) => {
        this.#over = true;
        clearTimeout(this.#asking);
        clearTimeout(this.#tick);
        socket.terminate();
        done(code);
      },
      () => this.#outer.close,
    );
    socket.on("open", () => this.#begin());
    socket.on("message", (data: Buffer) => this.#hear(JSON.parse(data.toString()) as ToViewer));
    socket.on("error", (error) => this.#leave(`connection failed: ${error.message}`, EXIT.error));
    socket.on("close", () => this.#leave("the daemon went away; duetty attach comes back to the session", EXIT.error));
  }

  #begin(): void {
    process.stdout.write(this.#outer.open());
    this.#terminal.take((bytes) => this.#type(bytes));
    process.stdout.on("resize", () => {
      if (this.#over) return;
      process.stdout.write(this.#outer.resized());
      this.#send({ type: "resize", ...sessionArea() });
      this.#drawSoon();
    });
    this.#send({ type: "resize", ...sessionArea() });
    this.#drawSoon();
  }

  #leave(message: string, code: number): void {
    this.#terminal.giveBack(message, code);
  }

  #send(message: FromViewer): void {
    this.#parts.socket.send(JSON.stringify(message));
  }

  #hear(message: ToViewer): void {
    if (message.type === "exit") return this.#leave(ending(message), EXIT.ok);
    if (message.type === "paint") {
      this.#shown = painted(this.#shown, message);
      if (this.#state.role !== "watch") process.stdout.write(this.#outer.mirror(message.modes));
    }
    this.#state = heard(this.#state, message, performance.now());
    this.#askSoon();
    this.#drawSoon();
  }

  #type(bytes: Buffer): void {
    const shown = this.#shown;
    const modes = shown?.modes ?? { bracketed_paste: false, mouse_format: "sgr" as const };
    const size = { cols: shown?.cols ?? 0, rows: shown?.rows_count ?? 0 };
    const place = { area: this.#lines().area, offset: this.#offset, size };
    const keyboard = { state: this.#state, open: this.#open };
    const view = this.#view();
    const around = { now: view.at, modes, place, isReadable: isReadable(this.#state, view) };
    const { state, open, actions } = press(keyboard, bytes, around);
    this.#state = state;
    this.#open = open;
    for (const action of actions) this.#act(action);
    this.#drawSoon();
  }

  #act(action: KeyAction): void {
    switch (action.do) {
      case "type":
        return this.#parts.socket.send(action.bytes);
      case "send":
        return this.#send(action.message);
      case "detach":
        return this.#leave("detached; the session goes on", EXIT.ok);
      default:
        return action satisfies never;
    }
  }

  /** What came in one turn is drawn once. */
  #drawSoon(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    setImmediate(() => {
      this.#isDrawing = false;
      if (!this.#over) this.#draw();
    });
  }

  #draw(): void {
    const { area, lines } = this.#lines();
    const shown = this.#shown;
    if (shown) this.#offset = follow(shown, area, this.#offset);
    this.#clips.turn();
    const bytes = this.#outer.draw({
      rows: [...rowsIn(shown, area, this.#offset, this.#clips.clip), ...lines],
      cursor: cursorIn(shown, area, this.#offset),
    });
    if (bytes !== "") process.stdout.write(bytes);
    this.#tickLater();
  }

  /** What stands below the session, and what is left for it. */
  #lines(): { area: Area; lines: string[] } {
    const view = this.#view();
    const { cols, rows } = view;
    if (rows <= STATUS_ROWS) return { area: { cols, rows }, lines: [] };
    const lines = [...proposalLines(this.#state, view), statusLine(this.#state, view)];
    return { area: { cols, rows: rows - lines.length }, lines };
  }

  #view(): LineView {
    const { cols, rows } = terminalSize();
    const shown = this.#shown;
    const isCut = shown && (shown.cols > cols || shown.rows_count > rows - STATUS_ROWS);
    const clippedFrom = isCut ? { cols: shown.cols, rows: shown.rows_count } : undefined;
    return { cols, rows, now: Date.now(), at: performance.now(), clippedFrom };
  }

  #tickLater(): void {
    const { approvals, notice } = this.#state;
    const isRead = notice === null || performance.now() - notice.at > NOTICE_MS + TICK_MS;
    if (approvals.length === 0 && isRead) return;
    this.#tick ??= setTimeout(() => {
      this.#tick = undefined;
      this.#drawSoon();
    }, TICK_MS);
  }

  #askSoon(): void {
    if (this.#asking || this.#over) return;
    const wait = Math.max(0, this.#askedAt + ASK_MS - performance.now());
    this.#asking = setTimeout(() => void this.#ask(), wait);
  }

  async #ask(): Promise<void> {
    this.#askedAt = performance.now();
    const { client, session_id } = this.#parts;
    try {
      const { foreground, echo, state } = await client.pty_screen_status({ session_id });
      this.#state = { ...this.#state, program: foreground?.name ?? null, echo, state };
    } catch (error) {
      // The socket says when the daemon is gone; until then the line tells what it knew.
      this.#state = { ...this.#state, notice: { text: String(error), at: performance.now() } };
    }
    this.#asking = undefined;
    this.#drawSoon();
  }
}

function cursorIn(
  shown: Shown | undefined,
  area: Area,
  { top, left }: Offset,
): { row: number; col: number } | undefined {
  if (!shown?.cursor.visible) return undefined;
  const [row, col] = [shown.cursor.row - top, shown.cursor.col - left];
  return row >= 0 && row < area.rows && col >= 0 && col < area.cols ? { row, col } : undefined;
}
