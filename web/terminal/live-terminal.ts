// The only file that knows xterm. A terminal that shows bytes and tells what was typed; its size is the session's.
// Refuses: to fit itself, to answer queries (silence.ts), to work for hours on one sequence (clamp.ts).
import { FitAddon } from "@xterm/addon-fit";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import type { FeedTarget, Size } from "../wire/feed.ts";
import { clamp } from "./clamp.ts";
import { isFocusReport, silence } from "./silence.ts";
import { terminalTheme } from "./theme.ts";

const FONT_PX = 13;
/** Smaller is not readable: from here on the person pans instead. */
const FONT_PX_MIN = 9;
const SCROLLBACK_LINES = 5_000;

export interface LiveTerminalEvents {
  typed(bytes: Uint8Array<ArrayBuffer>): void;
}

export class LiveTerminal implements FeedTarget {
  #terminal: Terminal;
  #fit = new FitAddon();
  #host: HTMLElement;
  #encoder = new TextEncoder();
  #parsing = 0;

  constructor(host: HTMLElement, on: LiveTerminalEvents) {
    this.#host = host;
    this.#terminal = new Terminal({
      allowProposedApi: true,
      scrollback: SCROLLBACK_LINES,
      fontFamily: getComputedStyle(host).getPropertyValue("--mono"),
      fontSize: FONT_PX,
      lineHeight: 1.2,
      cursorBlink: false,
      drawBoldTextInBrightColors: false,
      macOptionIsMeta: true,
      theme: terminalTheme(host),
    });
    this.#terminal.loadAddon(new Unicode11Addon());
    this.#terminal.unicode.activeVersion = "11";
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(new WebLinksAddon());
    silence(this.#terminal);
    clamp(this.#terminal);
    this.#terminal.onData((data) => {
      if (this.#parsing > 0 && isFocusReport(data)) return;
      on.typed(this.#encoder.encode(data));
    });
    // Mouse reports of the old kind: each character is one byte.
    this.#terminal.onBinary((data) => on.typed(Uint8Array.from(data, (char) => char.charCodeAt(0) & 0xff)));
    this.#terminal.open(host);
  }

  write(bytes: Uint8Array, parsed: () => void): void {
    this.#parsing += 1;
    this.#terminal.write(bytes, () => {
      this.#parsing -= 1;
      parsed();
    });
  }

  resize({ cols, rows }: Size): void {
    this.#terminal.resize(cols, rows);
    this.scale();
  }

  /** How much would fit into the page with letters of the usual size. */
  proposed(): Size | undefined {
    const shown = this.#terminal.options.fontSize ?? FONT_PX;
    this.#terminal.options.fontSize = FONT_PX;
    const size = this.#fit.proposeDimensions();
    this.#terminal.options.fontSize = shown;
    return size && Number.isFinite(size.cols) && Number.isFinite(size.rows) ? size : undefined;
  }

  /** A session larger than the page is shown with smaller letters, down to what can be read. */
  scale(): void {
    const room = this.proposed();
    if (!room) return;
    const { cols, rows } = this.#terminal;
    const fits = Math.min(1, room.cols / cols, room.rows / rows);
    const px = Math.max(FONT_PX_MIN, Math.floor(FONT_PX * fits * 2) / 2);
    if (px !== this.#terminal.options.fontSize) this.#terminal.options.fontSize = px;
    // Another viewer's screen is smaller than ours: the style sheet shows where it ends.
    this.#host.dataset.room = room.cols > cols + 1 || room.rows > rows + 1 ? "spare" : "full";
  }

  /** The visible rows as text, right-trimmed. */
  rows(): string[] {
    const { active } = this.#terminal.buffer;
    const text = (row: number) =>
      active
        .getLine(active.baseY + row)
        ?.translateToString(true)
        .trimEnd() ?? "";
    return Array.from({ length: this.#terminal.rows }, (_, row) => text(row));
  }

  retheme(): void {
    this.#terminal.options.theme = terminalTheme(this.#host);
  }

  /** What an arrow key sends now; full-screen programs ask for another form than shells. */
  arrow(final: "A" | "B" | "C" | "D"): string {
    return `\x1b${this.#terminal.modes.applicationCursorKeysMode ? "O" : "["}${final}`;
  }

  focus(): void {
    this.#terminal.focus();
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
