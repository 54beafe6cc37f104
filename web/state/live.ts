// The one live session: joins socket, feed and terminal. Owns: what the page says about it and whose size it asks for.
// Refuses: to exist twice; whoever makes one disposes of it.
import { type Accessor, createSignal } from "solid-js";
import { createStore } from "solid-js/store";
import type { SessionInfo } from "../../src/protocol/session.ts";
import type { ToViewer } from "../../src/protocol/stream.ts";
import { LiveTerminal } from "../terminal/live-terminal.ts";
import { Feed, type Size } from "../wire/feed.ts";
import { Link, type LinkPhase } from "../wire/link.ts";
import { type End, isOver } from "./words.ts";

/** A window being dragged asks once it rests. */
const RESIZE_MS = 150;
/** How long "your keys are not sent" stays. */
const NUDGE_MS = 1_600;

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

export interface LiveEvents {
  notice(message: string): void;
  /** The list of sessions is out of date: this one changed, or could not be reached. */
  stale(): void;
}

export class Live {
  readonly terminal: LiveTerminal;
  readonly facts: LiveFacts;
  readonly sizing: Accessor<Sizing>;
  readonly nudged: Accessor<boolean>;
  #setFacts: (facts: Partial<LiveFacts>) => void;
  #setSizing: (sizing: Sizing) => void;
  #setNudged: (nudged: boolean) => void;
  #link: Link;
  #feed: Feed;
  #on: LiveEvents;
  #asked: Size | undefined;
  #askLater: ReturnType<typeof setTimeout> | undefined;
  #nudgeEnd: ReturnType<typeof setTimeout> | undefined;
  #room: ResizeObserver;

  constructor(sessionId: string, host: HTMLElement, sizing: Sizing, on: LiveEvents) {
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
    this.#on = on;
    this.terminal = new LiveTerminal(host, { typed: (bytes) => this.#typed(bytes) });
    this.#feed = new Feed(this.terminal, (cursor) => this.#link.tell({ type: "ack", cursor }));
    this.#link = new Link(sessionId, {
      phase: (phase) => setFacts({ phase }),
      message: (message) => this.#message(message),
      bytes: (bytes) => this.#feed.bytes(bytes),
      repaint: (bytes, cursor) => this.#painted(bytes, cursor),
      cursor: (cursor) => setFacts({ cursor }),
      refused: () => on.stale(),
    });
    this.#room = new ResizeObserver(() => this.#roomChanged());
    this.#room.observe(host);
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
    this.#room.disconnect();
    this.#link.close();
    this.terminal.dispose();
  }

  #typed(bytes: Uint8Array<ArrayBuffer>): void {
    const { state } = this.facts;
    if ((state && isOver(state)) || !this.#link.type(bytes)) this.#nudge();
  }

  #nudge(): void {
    clearTimeout(this.#nudgeEnd);
    this.#setNudged(true);
    this.#nudgeEnd = setTimeout(() => this.#setNudged(false), NUDGE_MS);
  }

  #painted(bytes: Uint8Array, cursor: number): void {
    this.#feed.repaint(bytes, cursor);
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
        this.#on.stale();
        break;
      case "hold":
        this.#setFacts({ hold: message.hold });
        this.#on.stale();
        break;
      case "exit":
        this.#setFacts({ end: { exit_code: message.exit_code, signal: message.signal } });
        this.#on.stale();
        break;
      case "notice":
        this.#on.notice(message.message);
        break;
      case "block_begin":
      case "block_end":
      case "mode":
      case "agent":
      case "approval":
      case "approval_settled":
        // What runs, who works and what is asked is part of the session's facts.
        this.#on.stale();
        break;
      case "paint":
        // Only views that are composed elsewhere get these.
        break;
      default:
        // A newer daemon may say more; what we do not know we do not need.
        message satisfies never;
    }
  }

  #resized({ cols, rows }: Size): void {
    this.#feed.resize({ cols, rows });
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
    this.#link.tell({ type: "resize", cols: size.cols, rows: size.rows });
  }
}
