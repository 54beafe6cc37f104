// The live terminal of an element: the page's own terminal and write queue over the client's stream. Owns: the size it asks for.
import xtermCss from "@xterm/xterm/css/xterm.css?inline";
import { LiveTerminal } from "../../../web/terminal/live-terminal.ts";
import { isReport } from "../../../web/terminal/silence.ts";
import { WriteQueue } from "../../../web/wire/write-queue.ts";
import type { TerminalStream } from "../../client/stream.ts";
import type { FromViewer, ToViewer } from "../../protocol/stream.ts";
import { openLink } from "./link.ts";
import { styleWith } from "./styles.ts";
import type { View, ViewParts } from "./view.ts";

/** An element that is being resized asks once it stops. */
const RESIZE_MS = 150;

export class TerminalView implements View {
  #parts: ViewParts;
  #host: HTMLElement;
  #terminal: LiveTerminal;
  #writes: WriteQueue;
  #link: TerminalStream;
  #watch: ResizeObserver;
  #askLater: ReturnType<typeof setTimeout> | undefined;
  #isAlt = false;
  #isOpen = false;

  constructor(parts: ViewParts) {
    this.#parts = parts;
    styleWith(parts.stage, xtermCss);
    parts.stage.className = "stage live-body";
    this.#host = document.createElement("div");
    this.#host.className = "host";
    this.#host.setAttribute("part", "screen");
    parts.stage.append(this.#host);
    this.#terminal = new LiveTerminal(this.#host, {
      onTyped: (bytes) => this.#typed(bytes),
      onDrawn: () => this.#drawn(),
    });
    this.#terminal.setFont({ font_px: parts.font });
    this.#writes = new WriteQueue(this.#terminal, (cursor) => this.#link.send({ type: "ack", cursor }));
    this.#link = openLink(parts, parts.access === "watch" ? { role: "watch" } : {}, {
      onBytes: (bytes) => this.#writes.bytes(bytes),
      onRepaint: (bytes, cursor, part) => this.#writes.repaint(bytes, cursor, part),
      onMessage: (message) => this.#heard(message),
      onPhase: (phase) => {
        this.#isOpen = phase === "open";
      },
    });
    this.#watch = new ResizeObserver(() => this.#resized());
    this.#watch.observe(parts.stage);
    this.#letLeave();
  }

  write(text: string): boolean {
    return this.#parts.access === "input" && this.#link.type(new TextEncoder().encode(text));
  }

  send(message: FromViewer): boolean {
    return this.#link.send(message);
  }

  focus(): void {
    this.#terminal.focus();
  }

  fit(): void {
    const size = this.#terminal.proposed();
    if (size) this.#link.send({ type: "resize", ...size, asks: true });
  }

  retheme(): void {
    this.#terminal.retheme();
  }

  setFont(px: number): void {
    this.#terminal.setFont({ font_px: px });
    this.#ask();
  }

  dispose(): void {
    clearTimeout(this.#askLater);
    this.#watch.disconnect();
    this.#link.close();
    this.#terminal.dispose();
    this.#host.remove();
  }

  #typed(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#parts.access === "watch") return;
    // Where the mouse or the focus was without a connection is of no use later.
    if (isReport(bytes) && !this.#isOpen) return;
    this.#link.type(bytes);
  }

  #heard(message: Exclude<ToViewer, { type: "snapshot" }>): void {
    if (message.type === "hello" || message.type === "resize")
      this.#writes.resize({ cols: message.cols, rows: message.rows });
    if (message.type === "hello") this.#ask();
  }

  #resized(): void {
    const isFirst = !this.#terminal.hasRoom();
    const { clientWidth, clientHeight } = this.#parts.stage;
    this.#host.style.width = `${clientWidth}px`;
    this.#host.style.height = `${clientHeight}px`;
    this.#terminal.scale();
    clearTimeout(this.#askLater);
    if (isFirst) this.#ask();
    else this.#askLater = setTimeout(() => this.#ask(), RESIZE_MS);
  }

  #ask(): void {
    const size = this.#parts.access === "input" ? this.#terminal.proposed() : undefined;
    if (size) this.#link.send({ type: "resize", ...size });
  }

  /** A full-screen program has the dark screen that it expects. */
  #drawn(): void {
    const { alt_screen } = this.#terminal.span();
    if (alt_screen === this.#isAlt) return;
    this.#isAlt = alt_screen;
    this.#parts.stage.dataset.alt = String(alt_screen);
    this.retheme();
  }

  /** A terminal takes every key. F6 leaves it, and Tab leaves one that is only watched. */
  #letLeave(): void {
    const keyboard = this.#host.querySelector("textarea");
    const isWatched = this.#parts.access === "watch";
    if (keyboard) {
      keyboard.readOnly = isWatched;
      keyboard.setAttribute("aria-label", isWatched ? "Terminal, read only" : "Terminal. F6 leaves it.");
    }
    const exit = document.createElement("span");
    exit.tabIndex = -1;
    this.#host.after(exit);
    const leave = (event: KeyboardEvent) => {
      const isTab = isWatched && event.key === "Tab";
      if (event.key !== "F6" && !isTab) return;
      event.stopPropagation();
      if (event.key === "F6") event.preventDefault();
      if (event.key === "F6") exit.focus();
    };
    this.#host.addEventListener("keydown", leave, { capture: true });
  }
}
