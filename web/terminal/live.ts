// The one live session: joins socket, feed and terminal. Owns: what the page says about it and whose size it asks for.
// Refuses: to exist twice; whoever makes one disposes of it.
import { type Accessor, createSignal, untrack } from "solid-js";
import { createStore } from "solid-js/store";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { ToViewer } from "../../src/protocol/stream.ts";
import { type End, isOver } from "../sessions/labels.ts";
import { Link, type LinkPhase } from "../wire/link.ts";
import { type Size, WriteQueue } from "../wire/write-queue.ts";
import { CommandRows } from "./command-rows.ts";
import { LiveTerminal } from "./live-terminal.ts";

/** A window being dragged asks once it rests. */
const RESIZE_MS = 150;
/** How long "your keys are not sent" stays. */
const NUDGE_MS = 2_400;

export interface LiveFacts {
  readonly phase: LinkPhase;
  readonly cursor: number;
  readonly painted: boolean;
  readonly size: Size | undefined;
  readonly state: SessionInfo["state"] | undefined;
  readonly hold: string | undefined;
  readonly end: End | undefined;
}

/** follow: the session takes the size of this page. watch: this page takes what it gets (phones). */
export type Sizing = "follow" | "watch";

/** whole: the screen as it is. command: only the rows of the command that runs. parked: nowhere in sight. */
export type Placing = "whole" | "command" | "parked";

/** The part of the screen that is in sight, in pixels. */
export interface Crop {
  readonly top: number;
  readonly height: number;
}

export interface LiveEvents {
  /** Whatever the daemon says, after the terminal has heard it. */
  message(message: ToViewer): void;
  notice(message: string): void;
  /** The list of sessions is out of date: this one changed, or could not be reached. */
  stale(): void;
  /** Why a person's keys are not sent now; undefined: they are. */
  refuses(): string | undefined;
}

export class Live {
  readonly terminal: LiveTerminal;
  readonly facts: LiveFacts;
  readonly sizing: Accessor<Sizing>;
  readonly nudged: Accessor<boolean>;
  /** Why the last keys were not sent; for a moment, and only where the page keeps them back. */
  readonly keptBack: Accessor<string | undefined>;
  readonly placing: Accessor<Placing>;
  readonly crop: Accessor<Crop | undefined>;
  readonly altScreen: Accessor<boolean>;
  /** What the terminal stands in; moved from place to place, because a terminal that is made anew has seen nothing. */
  readonly host: HTMLElement;
  #setCrop: (crop: Crop | undefined) => void;
  #setAltScreen: (alt: boolean) => void;
  #setPlacing: (placing: Placing) => void;
  #setKeptBack: (why: string | undefined) => void;
  #setFacts: (facts: Partial<LiveFacts>) => void;
  #setSizing: (sizing: Sizing) => void;
  #setNudged: (nudged: boolean) => void;
  #link: Link;
  #writes: WriteQueue;
  #rows: CommandRows;
  #on: LiveEvents;
  #asked: Size | undefined;
  #askLater: ReturnType<typeof setTimeout> | undefined;
  #nudgeEnd: ReturnType<typeof setTimeout> | undefined;

  constructor(sessionId: string, sizing: Sizing, on: LiveEvents) {
    const [facts, setFacts] = createStore<LiveFacts>({
      phase: "connecting",
      cursor: 0,
      painted: false,
      size: undefined,
      state: undefined,
      hold: undefined,
      end: undefined,
    });
    [this.facts, this.#setFacts] = [facts, setFacts];
    [this.sizing, this.#setSizing] = createSignal<Sizing>(sizing);
    [this.nudged, this.#setNudged] = createSignal(false);
    [this.keptBack, this.#setKeptBack] = createSignal<string | undefined>();
    [this.placing, this.#setPlacing] = createSignal<Placing>("parked");
    [this.crop, this.#setCrop] = createSignal<Crop | undefined>(undefined, { equals: sameCrop });
    [this.altScreen, this.#setAltScreen] = createSignal(false);
    this.#on = on;
    // Before the terminal, which takes a while to make: meanwhile the daemon answers.
    this.#link = new Link(sessionId, {
      phase: (phase) => setFacts({ phase }),
      message: (message) => this.#message(message),
      bytes: (bytes) => this.#writes.bytes(bytes),
      repaint: (bytes, cursor) => this.#painted(bytes, cursor),
      cursor: (cursor) => setFacts({ cursor }),
      refused: () => on.stale(),
    });
    this.host = document.createElement("div");
    this.host.className = "host";
    parking().append(this.host);
    this.terminal = new LiveTerminal(this.host, {
      typed: (bytes) => this.#typed(bytes),
      drawn: () => this.#drawn(),
    });
    this.#writes = new WriteQueue(this.terminal, (cursor) => this.#link.send({ type: "ack", cursor }));
    this.#rows = new CommandRows(sessionId, this.#writes, this.terminal, () => this.#drawn());
  }

  /** How much room the page has for it, wherever it stands: its size does not change when it moves. */
  setRoom(width: number, height: number): void {
    this.host.style.width = `${width}px`;
    this.host.style.height = `${height}px`;
    this.#roomChanged();
  }

  place(slot: HTMLElement, placing: Exclude<Placing, "parked">): void {
    const focused = this.host.contains(document.activeElement);
    slot.append(this.host);
    this.#setPlacing(placing);
    this.#drawn();
    if (focused) this.terminal.focus();
  }

  park(): void {
    parking().append(this.host);
    this.#setPlacing("parked");
  }

  /** From now on the session has this page's size. */
  fitToMe(): void {
    this.#setSizing("follow");
    this.#ask();
  }

  /** As if the person had typed it, e.g. by a button. */
  press(text: string): void {
    this.#typed(new TextEncoder().encode(text));
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
    this.#setAltScreen(alt_screen);
    const crop = untrack(this.placing) === "command" ? { top: first * row_px, height: count * row_px } : undefined;
    this.#setCrop(crop);
    // Not a margin: that would be another layout with every line.
    this.host.style.transform = crop ? `translateY(${-crop.top}px)` : "";
  }

  #typed(bytes: Uint8Array<ArrayBuffer>): void {
    const { state } = this.facts;
    const why = this.#on.refuses();
    // Nobody pressed a key: the window came forward, or the mouse moved.
    if (why !== undefined && isReport(bytes)) return;
    // Kept back is lost: keys that come later would be typed into a screen nobody saw.
    if (why !== undefined || (state && isOver(state)) || !this.#link.type(bytes)) this.#nudge(why);
  }

  #nudge(why: string | undefined): void {
    clearTimeout(this.#nudgeEnd);
    this.#setNudged(true);
    this.#setKeptBack(why);
    this.#nudgeEnd = setTimeout(() => {
      this.#setNudged(false);
      this.#setKeptBack(undefined);
    }, NUDGE_MS);
  }

  #painted(bytes: Uint8Array, cursor: number): void {
    this.#writes.repaint(bytes, cursor);
    this.#rows.repainted(cursor);
    this.#setFacts({ painted: true });
  }

  #message(message: Exclude<ToViewer, { type: "snapshot" }>): void {
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
        this.#on.notice(message.message);
        break;
      case "block_begin":
        this.#rows.began(message.block.cursor_begin);
        break;
      case "block_end":
        this.#rows.ended(message.block.cursor_end ?? message.block.cursor_begin);
        break;
      case "mode":
      case "policy":
      case "approval":
      case "approval_settled":
      case "agent":
      case "paint":
        break;
      default:
        // A newer daemon may say more; what we do not know we do not need.
        message satisfies never;
    }
    this.#on.message(message);
  }

  #resized({ cols, rows }: Size): void {
    this.#writes.resize({ cols, rows });
    this.#setFacts({ size: { cols, rows } });
  }

  #roomChanged(): void {
    clearTimeout(this.#askLater);
    this.#askLater = setTimeout(() => {
      this.terminal.scale();
      this.#ask();
    }, RESIZE_MS);
  }

  #ask(): void {
    const size = this.sizing() === "follow" ? this.terminal.proposed() : undefined;
    if (!size || (size.cols === this.#asked?.cols && size.rows === this.#asked.rows)) return;
    this.#asked = size;
    this.#link.send({ type: "resize", cols: size.cols, rows: size.rows });
  }
}

function sameCrop(a: Crop | undefined, b: Crop | undefined): boolean {
  return a?.top === b?.top && a?.height === b?.height;
}

/** Focus and mouse: CSI I, CSI O, CSI M, CSI <. */
function isReport([esc, bracket, kind = 0]: Uint8Array): boolean {
  return esc === 0x1b && bracket === 0x5b && "IOM<".includes(String.fromCharCode(kind));
}

/** Out of sight, but laid out: a terminal that is not displayed measures its letters anew with every look. */
function parking(): HTMLElement {
  const known = document.getElementById("parking");
  if (known) return known;
  const made = document.createElement("div");
  made.id = "parking";
  made.setAttribute("aria-hidden", "true");
  made.inert = true;
  document.body.append(made);
  return made;
}
