// One live session: joins socket, write queue and terminal. Owns: its state for the page, and the size it asks for.
// Refuses: to end by itself; its creator disposes of it.
import { untrack } from "solid-js";
import { createStore } from "solid-js/store";
import type { TerminalStream } from "../../src/client/stream.ts";
import type { ToViewer } from "../../src/protocol/stream.ts";
import { isOver } from "../sessions/labels.ts";
import type { Font } from "../text/row-height.ts";
import { openLink } from "../wire/link.ts";
import { type Size, WriteQueue } from "../wire/write-queue.ts";
import { CommandRows } from "./command-rows.ts";
import { FIRST_FACTS, type LiveFacts, type Placing, readable, type Sizing } from "./live-facts.ts";
import { LiveTerminal, type LiveTerminalEvents } from "./live-terminal.ts";
import { parking } from "./parking.ts";
import { isReport } from "./silence.ts";

/** A window that is being resized asks once it stops. */
const RESIZE_MS = 150;
/** How long "your keys are not sent" stays. */
const NUDGE_MS = 2_400;

interface LiveEvents extends Pick<LiveTerminalEvents, "links" | "bitmaps"> {
  /** Every message of the daemon, after the terminal has it. */
  onMessage(message: ToViewer): void;
  onNotice(message: string): void;
  /** The list of sessions is out of date: this one changed, or could not be reached. */
  onStale(): void;
  /** Keys were sent. */
  onTyped(): void;
  /** Why a person's keys are not sent now, or undefined when they are. */
  refuses(): string | undefined;
}

export class Live {
  readonly terminal: LiveTerminal;
  readonly facts: LiveFacts;
  /** The terminal's element. We move it, because a new terminal would have seen nothing. */
  readonly host: HTMLElement;
  #setFacts: (facts: Partial<LiveFacts>) => void;
  #link: TerminalStream;
  #writes: WriteQueue;
  #rows: CommandRows;
  #events: LiveEvents;
  #asked: Size | undefined;
  #askLater: ReturnType<typeof setTimeout> | undefined;
  #nudgeEnd: ReturnType<typeof setTimeout> | undefined;

  constructor(sessionId: string, sizing: Sizing, events: LiveEvents) {
    const [facts, setFacts] = createStore<LiveFacts>({ ...FIRST_FACTS, sizing });
    [this.facts, this.#setFacts, this.#events] = [facts, setFacts, events];
    // We connect before we make the terminal, which takes a while. Meanwhile the daemon answers.
    this.#link = openLink(sessionId, {
      onPhase: (phase) => setFacts({ phase }),
      onMessage: (message) => this.#onMessage(message),
      onBytes: (bytes, cursor) => this.#printed(bytes, cursor),
      onRepaint: (bytes, cursor, part) => this.#painted(bytes, cursor, part),
      onRefused: () => events.onStale(),
      onKept: (bytes) => setFacts({ kept: readable(bytes) }),
      onLost: (keys) => setFacts({ lost: untrack(() => facts.lost) + keys }),
    });
    this.host = document.createElement("div");
    this.host.className = "host";
    // Until the page gives it room.
    this.host.style.width = "0";
    parking().append(this.host);
    this.terminal = new LiveTerminal(this.host, {
      onTyped: (bytes) => this.#typed(bytes),
      onDrawn: () => this.#drawn(),
      links: events.links,
      bitmaps: events.bitmaps,
    });
    this.#writes = new WriteQueue(this.terminal, (cursor) => this.#link.send({ type: "ack", cursor }));
    this.#rows = new CommandRows(sessionId, this.#writes, this.terminal, () => this.#drawn());
  }

  /** The room that the page has for it. Its size does not change when it moves. */
  setRoom(width: number, height: number): void {
    const isFirst = !this.terminal.hasRoom();
    this.host.style.width = `${width}px`;
    this.host.style.height = `${height}px`;
    this.terminal.scale();
    clearTimeout(this.#askLater);
    if (isFirst) this.#ask();
    else this.#askLater = setTimeout(() => this.#ask(), RESIZE_MS);
  }

  /** A session that follows this page gets the size that these letters leave. */
  setFont(font: Font): void {
    this.terminal.setFont(font);
    this.#ask();
  }

  place(slot: HTMLElement, placing: Exclude<Placing, "parked">): void {
    const focused = this.host.contains(document.activeElement);
    slot.append(this.host);
    this.terminal.retheme();
    this.#setFacts({ placing });
    this.#drawn();
    if (focused) this.terminal.focus();
  }

  park(): void {
    parking().append(this.host);
    this.#setFacts({ placing: "parked" });
  }

  /** From now on the session has this page's size. */
  fitToMe(): void {
    this.#setFacts({ sizing: "follow" });
    this.claimSize();
  }

  /** The person works here, so the session takes this page's size. */
  claimSize(): void {
    const size = this.facts.sizing === "follow" ? this.terminal.proposed() : undefined;
    if (size) this.#link.send({ type: "resize", ...size, asks: true });
  }

  /** As if the person had typed it, e.g. by a button. */
  press(text: string): void {
    this.#typed(new TextEncoder().encode(text));
  }

  /** Asks for the half line at the shell's prompt. False when there is no connection. */
  lift(): boolean {
    return this.#link.send({ type: "lift" });
  }

  dispose(): void {
    clearTimeout(this.#askLater);
    clearTimeout(this.#nudgeEnd);
    this.#link.close();
    this.terminal.dispose();
    this.host.remove();
  }

  #drawn(): void {
    const { first, count, row_px, alt_screen } = this.terminal.span();
    const { placing, alt_screen: was } = untrack(() => ({ ...this.facts }));
    const isCropped = placing === "command";
    const rows_lost = this.#rows.areLost;
    this.#setFacts({ alt_screen, rows_lost, crop_px: isCropped ? count * row_px : undefined });
    if (alt_screen !== was) this.terminal.retheme();
    // A margin would cause a new layout with every line.
    this.host.style.transform = isCropped ? `translateY(${-first * row_px}px)` : "";
  }

  #typed(bytes: Uint8Array<ArrayBuffer>): void {
    const { state } = this.facts;
    const why = this.#events.refuses();
    // Nobody pressed a key. The window got the focus, or the mouse moved.
    if (why !== undefined && isReport(bytes)) return;
    if (why !== undefined || (state && isOver(state)) || !this.#sends(bytes)) this.#nudge(why);
    else if (!isReport(bytes)) this.#events.onTyped();
  }

  /** Without a connection keys are kept and shown. Where the mouse or the focus was then is of no use later. */
  #sends(bytes: Uint8Array<ArrayBuffer>): boolean {
    return this.facts.phase === "open" || !isReport(bytes) ? this.#link.type(bytes) : true;
  }

  /** Resolves when the daemon has all that was typed here. */
  settled(): Promise<void> {
    return this.#link.settled();
  }

  /** The person knows that keys were lost. */
  lostRead(): void {
    this.#setFacts({ lost: 0 });
  }

  /** Its machine is not here: nothing is sent, and nothing comes, until `hurry`. */
  rest(): void {
    this.#link.rest();
    this.#setFacts({ phase: "reconnecting" });
  }

  /** Connects now if there is no connection. */
  hurry(): void {
    this.#link.hurry();
  }

  /** The person does not want it typed any more. */
  discardKept(): void {
    this.#link.discard();
  }

  #nudge(why: string | undefined): void {
    clearTimeout(this.#nudgeEnd);
    this.#setFacts({ nudged: true, kept_back: why });
    this.#nudgeEnd = setTimeout(() => this.#setFacts({ nudged: false, kept_back: undefined }), NUDGE_MS);
  }

  #printed(bytes: Uint8Array, cursor: number): void {
    this.#writes.bytes(bytes);
    this.#setFacts({ cursor });
  }

  #painted(bytes: Uint8Array, cursor: number, part: "whole" | "screen"): void {
    this.#writes.repaint(bytes, cursor, part);
    this.#rows.repainted(cursor, part);
    this.#setFacts({ painted: true, cursor });
  }

  #onMessage(message: Exclude<ToViewer, { type: "snapshot" }>): void {
    switch (message.type) {
      case "hello":
        this.#setFacts({ state: message.state });
        this.#resized(message);
        this.#asked = undefined;
        this.#ask();
        break;
      case "resize":
        this.#resized(message);
        break;
      case "state":
        this.#setFacts({ state: message.state });
        break;
      case "hold":
        this.#setFacts({ hold: message.hold });
        break;
      case "exit":
        this.#setFacts({ end: { exit_code: message.exit_code, signal: message.signal } });
        break;
      case "notice":
        this.#events.onNotice(message.message);
        break;
      case "block_begin":
        this.#rows.began(message.block.cursor_begin);
        break;
      case "block_end":
        this.#rows.ended(message.block.cursor_end ?? message.block.cursor_begin);
        break;
      case "typed":
      case "mode":
      case "policy":
      case "approval":
      case "approval_settled":
      case "line":
      case "lifted":
      case "after":
      case "agent":
      case "presence":
      case "paint":
        break;
      default:
        // A newer daemon may send more. We ignore what we do not know.
        message satisfies never;
    }
    this.#events.onMessage(message);
  }

  #resized({ cols, rows }: Size): void {
    this.#writes.resize({ cols, rows });
    this.#setFacts({ size: { cols, rows } });
  }

  #ask(): void {
    const size = this.facts.sizing === "follow" ? this.terminal.proposed() : undefined;
    if (!size || (size.cols === this.#asked?.cols && size.rows === this.#asked.rows)) return;
    this.#asked = size;
    this.#link.send({ type: "resize", cols: size.cols, rows: size.rows });
  }
}
