// A session drawn into this terminal with a status line below it, or its conversation in agent mode. Owns: what is known about
// the session and where it is on this terminal. It acts on what keys.ts decides and writes what others make.
import type { Client } from "../../client/client.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import type { FromViewer, ToViewer } from "../../protocol/stream.ts";
import { ending, TerminalState, terminalSize } from "../text/terminal-state.ts";
import { TALK_MODES } from "./agent-picture.ts";
import { fromStatus } from "./agent-status.ts";
import { AgentView } from "./agent-view.ts";
import { type Area, Clips, clipped, cursorIn, follow, type Offset, painted, rowsIn, type Shown } from "./canvas.ts";
import { type KeyAction, NOTHING_OPEN, press, type Unfinished } from "./keys.ts";
import { Elsewhere } from "./needs/elsewhere.ts";
import { type Drawing, OuterScreen } from "./outer-screen.ts";
import { lookedAt, SessionProbes } from "./probes.ts";
import { AttachedProgram } from "./program.ts";
import { type LineView, questionLines, readingOf } from "./question.ts";
import type { AttachSocket } from "./socket.ts";
import { type AttachState, afterMessage, firstState, isTalking } from "./state.ts";
import { NOTICE_MS, statusLine } from "./status-line.ts";

/** Of a notice that stands until the session greets. */
const LASTING = Number.POSITIVE_INFINITY;
/** Seconds are counted down, and notices end, at this pace. */
const TICK_MS = 1_000;
const STATUS_ROWS = 1;

interface ComposedParts {
  readonly socket: AttachSocket;
  readonly client: Client;
  readonly session_id: string;
  readonly role: AttachState["role"];
  readonly label: string;
  /** How it ended before we came. */
  readonly over: string | undefined;
  /** The person wants to be in this session instead, as soon as we are done. */
  go(session_id: string): void;
}

/** The part of this terminal that shows the session. */
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
  #probes = new SessionProbes(() => this.#probe());
  #tick: NodeJS.Timeout | undefined;
  #over = false;
  #agent: AgentView;
  #program: AttachedProgram;
  #elsewhere: Elsewhere;
  /** How the program ended, while the person still reads the conversation. */
  #ending: string | undefined;

  constructor(parts: ComposedParts, done: (code: number) => void) {
    this.#parts = parts;
    const { socket, over, session_id } = parts;
    [this.#state, this.#ending] = [firstState(parts.role, over, placeOf(session_id)?.host), over];
    this.#agent = this.#agentView();
    this.#program = new AttachedProgram({ ...parts, size: sessionArea, notice: (text) => this.#notice(text) });
    this.#elsewhere = new Elsewhere({
      ...parts,
      changed: (elsewhere) => {
        this.#state = { ...this.#state, elsewhere };
        this.#drawSoon();
      },
    });
    this.#terminal = new TerminalState(
      (code) => {
        this.#over = true;
        this.#elsewhere.stop();
        this.#probes.stop();
        clearTimeout(this.#tick);
        socket.terminate();
        done(code);
      },
      () => this.#outer.close,
    );
    socket.begin({
      opened: () => this.#begin(),
      message: (message) => this.#onMessage(message),
      away: (words) => this.#ending === undefined && this.#notice(words, LASTING),
      failed: (why) => this.#ending === undefined && this.#leave(why, EXIT.error),
    });
  }

  #agentView(): AgentView {
    const { client, session_id } = this.#parts;
    return new AgentView({
      client,
      session_id,
      state: () => this.#state,
      area: () => this.#lines().area,
      changed: () => this.#drawSoon(),
      notice: (text) => this.#notice(text),
      learned: (status) => {
        const talks = status.agent === null ? this.#state.talks : "first";
        this.#state = { ...this.#state, agent: fromStatus(status, this.#state.agent), talks };
      },
      enter: (command) => this.#enter(command),
    });
  }

  #begin(): void {
    if (this.#parts.role === "person") void Promise.all([this.#agent.load(), this.#elsewhere.follow()]);
    process.stdout.write(this.#outer.open());
    this.#terminal.take((bytes) => this.#type(bytes));
    process.stdout.on("resize", () => {
      if (this.#over) return;
      process.stdout.write(this.#outer.resized());
      // Its rows have changed, so it is read from the beginning.
      this.#state = { ...this.#state, scrolled: 0 };
      this.#send({ type: "resize", ...sessionArea() });
      this.#drawSoon();
    });
    const { host } = this.#state;
    // Until it has answered no key is sent.
    if (host !== undefined) this.#notice(`Connecting to ${host}…`, LASTING);
    this.#drawSoon();
  }

  #leave(message: string, code: number): void {
    this.#terminal.giveBack(message, code);
  }

  #notice(text: string, at = performance.now()): void {
    this.#state = { ...this.#state, notice: { text, at } };
    this.#drawSoon();
  }

  #send(message: FromViewer): void {
    if (this.#ending === undefined) return this.#parts.socket.send(message);
    // The daemon is gone and will not confirm it.
    if (message.type === "mode") this.#state = { ...this.#state, mode: message.mode };
  }

  #onMessage(message: ToViewer): void {
    if (message.type === "hello") this.#greeted();
    if (message.type === "exit" && this.#ending === undefined) this.#exited(message);
    if (message.type === "paint") this.#shown = painted(this.#shown, message);
    if (message.type === "agent") this.#agent.onEvent(message.event);
    if (message.type === "mode" && this.#ending !== undefined) return;
    this.#state = afterMessage(this.#state, message, performance.now());
    this.#program.onState(this.#state.state);
    this.#probes.soon();
    this.#drawSoon();
  }

  /** A new daemon does not know our size, and has drawn nothing for us yet. */
  #greeted(): void {
    const { lost } = this.#parts.socket;
    this.#state = { ...this.#state, notice: lost === undefined ? null : { text: lost, at: performance.now() } };
    this.#send({ type: "resize", ...sessionArea() });
  }

  /** A person who talked to the agent goes on reading. A person who only used the program is done. */
  #exited(message: Extract<ToViewer, { type: "exit" }>): void {
    const isRead = this.#state.role === "person" && (this.#agent.hasTalk || isTalking(this.#state));
    if (!isRead) return this.#leave(ending(message), EXIT.ok);
    this.#ending = ending(message);
    this.#probes.stop();
    this.#agent.exited(message);
    const state = message.exit_code === 0 ? "done" : "failed";
    this.#state = { ...this.#state, state, mode: "agent", talks: "first", command: null };
  }

  /** Goes to the terminal. A command is typed there as if by hand, unless a program would get it. */
  #enter(command: string): void {
    const { command: running } = this.#state;
    this.#send({ type: "mode", mode: "terminal" });
    if (this.#ending !== undefined) return;
    this.#program.start();
    if (command === "") return;
    if (running !== null) return this.#notice("a program is running in the terminal, so nothing was typed");
    this.#program.type(Buffer.from(`${command}\r`));
  }

  #type(bytes: Buffer): void {
    const shown = this.#shown;
    const modes = shown?.modes ?? { bracketed_paste: false, mouse_format: "sgr" as const };
    const size = { cols: shown?.cols ?? 0, rows: shown?.rows_count ?? 0 };
    const place = { area: this.#lines().area, offset: this.#offset, size };
    const keyboard = { state: this.#state, open: this.#open };
    const view = this.#view();
    const around = { now: view.at, modes, place, reading: readingOf(this.#state, view) };
    const { state, open, actions, prompt } = press(keyboard, bytes, around);
    this.#state = state;
    this.#open = open;
    this.#agent.input(prompt);
    for (const action of actions) this.#act(action);
    this.#drawSoon();
  }

  #act(action: KeyAction): void {
    switch (action.do) {
      case "type":
        return this.#ending === undefined ? this.#program.type(action.bytes) : undefined;
      case "send":
        if (action.message.type === "mode" && action.message.mode !== "agent") this.#program.start();
        return this.#send(action.message);
      case "go":
        this.#parts.go(action.session_id);
        return this.#leave("to the next that needs you", EXIT.ok);
      case "detach":
        return this.#leave(this.#ending ?? "detached; the session keeps running", EXIT.ok);
      default:
        return action satisfies never;
    }
  }

  /** Everything that came in one turn is drawn once. */
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
    const modes = isTalking(this.#state) ? TALK_MODES : this.#shown?.modes;
    const { rows, cursor } = isTalking(this.#state) ? this.#talkIn(area) : this.#sessionIn(area);
    const mirrored = modes && this.#state.role !== "watch" ? this.#outer.mirror(modes) : "";
    const bytes = mirrored + this.#outer.draw({ rows: [...rows, ...lines], cursor });
    if (bytes !== "") process.stdout.write(bytes);
    this.#tickLater();
  }

  #sessionIn(area: Area): Drawing {
    const shown = this.#shown;
    if (shown) this.#offset = follow(shown, area, this.#offset);
    this.#clips.turn();
    const rows = rowsIn(shown, area, this.#offset, this.#clips.clip);
    return { rows, cursor: cursorIn(shown, area, this.#offset) };
  }

  #talkIn(area: Area): Drawing {
    const { rows, cursor } = this.#agent.picture(area);
    return { rows: rows.map((row) => clipped(row, 0, area.cols)), cursor };
  }

  /** The rows below the session, and the room that is left for it. */
  #lines(): { area: Area; lines: string[] } {
    const view = this.#view();
    const { cols, rows } = view;
    if (rows <= STATUS_ROWS) return { area: { cols, rows }, lines: [] };
    const lines = [...questionLines(this.#state, view), statusLine(this.#state, view)];
    return { area: { cols, rows: rows - lines.length }, lines };
  }

  #view(): LineView {
    const { cols, rows } = terminalSize();
    const shown = isTalking(this.#state) ? undefined : this.#shown;
    const isCut = shown && (shown.cols > cols || shown.rows_count > rows - STATUS_ROWS);
    const clippedFrom = isCut ? { cols: shown.cols, rows: shown.rows_count } : undefined;
    return { cols, rows, now: Date.now(), at: performance.now(), clippedFrom, prompt: this.#agent.prompt };
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

  async #probe(): Promise<void> {
    const { client, session_id } = this.#parts;
    try {
      const found = await lookedAt(client, session_id);
      this.#state = { ...this.#state, ...found };
      this.#program.onState(this.#state.state);
    } catch (error) {
      // The socket tells us when the daemon is gone. Until then the line shows the last known state.
      this.#state = { ...this.#state, notice: { text: String(error), at: performance.now() } };
    }
    this.#drawSoon();
  }
}
