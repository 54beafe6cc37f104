// The terminal on xterm; only this room knows xterm. It shows bytes and reports what was typed. Its size is the session's.
// Refuses: to fit itself, to answer queries (silence.ts), to work for hours on one sequence (clamp.ts).
import { FitAddon } from "@xterm/addon-fit";
import { type IMarker, Terminal } from "@xterm/xterm";
import type { Font } from "../text/row-height.ts";
import type { Size, WriteTarget } from "../wire/write-queue.ts";
import { clamp } from "./clamp.ts";
import { ImageWrites } from "./image-writes.ts";
import { Renderer, type RendererChoice } from "./renderer.ts";
import type { Bitmaps } from "./screen-images.ts";
import type { LinkOpener } from "./screen-links.ts";
import { isFocusReport, silence } from "./silence.ts";
import { terminalContrast, terminalTheme } from "./theme.ts";
import { EngineWidths } from "./widths.ts";

const FONT_PX = 13;
const LINE_HEIGHT = 1.2;
/** Smaller letters are not readable. Below this the person pans instead. */
const FONT_PX_MIN = 9;
const SCROLLBACK_LINES = 5_000;

export interface LiveTerminalEvents {
  onTyped(bytes: Uint8Array<ArrayBuffer>): void;
  /** Rows were drawn, so a crop to them may have to change. */
  onDrawn(): void;
  /** What opens files and asks about links, where there is somebody to ask. */
  readonly links?: LinkOpener | undefined;
  /** The pictures in its output, where they may be read. */
  readonly bitmaps?: (() => Promise<Bitmaps>) | undefined;
}

/** Rows of the screen, and how high one is. */
interface Span {
  readonly first: number;
  readonly count: number;
  readonly row_px: number;
  readonly alt_screen: boolean;
}

export class LiveTerminal implements WriteTarget {
  #terminal: Terminal;
  #renderer: Renderer;
  #fit = new FitAddon();
  #host: HTMLElement;
  #encoder = new TextEncoder();
  #images: ImageWrites;
  #screen: HTMLElement | undefined;
  #parsing = 0;
  #from: IMarker | undefined;
  /** The row after the command's last one. */
  #to: IMarker | undefined;
  #font = FONT_PX;

  constructor(host: HTMLElement, events: LiveTerminalEvents) {
    this.#host = host;
    this.#terminal = new Terminal({
      allowProposedApi: true,
      scrollback: SCROLLBACK_LINES,
      fontFamily: fontFamily(host),
      fontSize: FONT_PX,
      lineHeight: LINE_HEIGHT,
      cursorBlink: false,
      // Programs print anything. A stray byte is no reason for a message in the console.
      logLevel: "off",
      drawBoldTextInBrightColors: false,
      macOptionIsMeta: true,
      theme: terminalTheme(host),
    });
    this.#renderer = new Renderer(this.#terminal);
    const widths = new EngineWidths();
    this.#terminal.unicode.register(widths);
    this.#terminal.unicode.activeVersion = widths.version;
    this.#terminal.loadAddon(this.#fit);
    this.#images = new ImageWrites({ terminal: this.#terminal, host, bitmaps: events.bitmaps });
    silence(this.#terminal);
    clamp(this.#terminal);
    this.#terminal.onData((data) => {
      if (this.#parsing > 0 && isFocusReport(data)) return;
      events.onTyped(this.#encoder.encode(data));
    });
    // In old mouse reports each character is one byte.
    this.#terminal.onBinary((data) => events.onTyped(Uint8Array.from(data, (char) => char.charCodeAt(0) & 0xff)));
    // Not onScroll, which comes with every line of a flood. Scrolled rows are drawn anyway.
    this.#terminal.onRender(() => events.onDrawn());
    this.#terminal.open(host);
    const linkUp = () => import("./screen-links.ts").then((own) => own.linkUp(this.#terminal, host, events.links));
    host.addEventListener("pointerover", () => void linkUp(), { once: true });
  }

  /** The running command's output starts at this row, or at the cursor when no row is given. */
  mark(row?: number): void {
    this.unmark();
    const { active } = this.#terminal.buffer;
    this.#from = this.#terminal.registerMarker(row === undefined ? 0 : row - active.cursorY);
  }

  /** The command's output ends here. */
  markEnd(): void {
    this.#to?.dispose();
    this.#to = this.#terminal.registerMarker(this.#terminal.buffer.active.cursorX === 0 ? 0 : 1);
  }

  unmark(): void {
    this.#from?.dispose();
    this.#to?.dispose();
    [this.#from, this.#to] = [undefined, undefined];
  }

  /** Whether the whole command is on the screen, so that there is nothing to scroll back to. */
  showsWhole(): boolean {
    const { active } = this.#terminal.buffer;
    if (active.type === "alternate" || this.#terminal.modes.mouseTrackingMode !== "none") return false;
    return this.#from !== undefined && !this.#from.isDisposed && this.#from.line >= active.baseY;
  }

  /** The rows of the screen from the mark to the last one in use; all of them without a mark, or on the other screen. */
  span(): Span {
    const { active } = this.#terminal.buffer;
    const { rows } = this.#terminal;
    const row_px = this.#screenPx() / rows;
    const alt_screen = active.type === "alternate";
    if (alt_screen || active.viewportY < active.baseY) return { first: 0, count: rows, row_px, alt_screen };
    const line = this.#from && !this.#from.isDisposed ? this.#from.line : active.baseY;
    const first = Math.min(Math.max(line - active.baseY, 0), rows - 1);
    if (this.#to && !this.#to.isDisposed)
      return { first, count: Math.max(0, this.#to.line - active.baseY - first), row_px, alt_screen };
    let last = rows - 1;
    while (last > Math.max(first, active.cursorY) && !active.getLine(active.baseY + last)?.translateToString(true))
      last -= 1;
    return { first, count: last - first + 1, row_px, alt_screen };
  }

  /** As xterm has set it. To ask the page, in every frame of a flood, is a layout of its own: an eighth of the page's time. */
  #screenPx(): number {
    this.#screen ??= this.#host.querySelector<HTMLElement>(".xterm-screen") ?? undefined;
    return Number.parseFloat(this.#screen?.style.height ?? "") || 0;
  }

  write(bytes: Uint8Array, from: number, onParsed: () => void): void {
    this.#parsing += 1;
    this.#images.write(bytes, from, () => {
      this.#parsing -= 1;
      onParsed();
    });
  }

  resize({ cols, rows }: Size): void {
    this.#terminal.resize(cols, rows);
    this.scale();
  }

  /** Before the page has given it room, every size would be a guess. */
  hasRoom(): boolean {
    return this.#host.clientWidth > 0;
  }

  /** How many cells fit into the page with letters of the usual size. */
  proposed(): Size | undefined {
    if (!this.hasRoom()) return undefined;
    const shown = this.#terminal.options.fontSize ?? this.#font;
    this.#terminal.options.fontSize = this.#font;
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
    const px = Math.max(FONT_PX_MIN, Math.floor(this.#font * fits * 2) / 2);
    if (px !== this.#terminal.options.fontSize) this.#terminal.options.fontSize = px;
    // Another viewer's screen is smaller than ours. The style sheet shows where it ends.
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

  /** The style sheet's letters and colours for the place where it is now. */
  retheme(): void {
    this.#terminal.options.fontFamily = fontFamily(this.#host);
    this.#terminal.options.minimumContrastRatio = terminalContrast(this.#host);
    const theme = terminalTheme(this.#host);
    if (JSON.stringify(theme) === JSON.stringify(this.#terminal.options.theme)) return;
    this.#terminal.options.theme = theme;
  }

  /** What an arrow key sends now; full-screen programs ask for another form than shells. */
  arrow(final: "A" | "B" | "C" | "D"): string {
    return `\x1b${this.#terminal.modes.applicationCursorKeysMode ? "O" : "["}${final}`;
  }

  /** The person's letters; the style sheet knows their family. */
  setFont({ font_px, line_height = LINE_HEIGHT }: Pick<Font, "font_px"> & Partial<Font>): void {
    this.#font = font_px;
    this.#terminal.options.lineHeight = line_height;
    this.#terminal.options.fontFamily = fontFamily(this.#host);
    this.scale();
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** A key that was pressed while something else had the focus. */
  pressed(event: KeyboardEvent): void {
    this.#terminal.focus();
    // False when xterm used it. What it did not use comes to it as text.
    if (!this.#terminal.textarea?.dispatchEvent(new KeyboardEvent("keydown", event))) event.preventDefault();
  }

  setRenderer(choice: RendererChoice): void {
    this.#renderer.choose(choice);
  }

  setScreenReader(mode: "on" | "off"): void {
    this.#terminal.options.screenReaderMode = mode === "on";
  }

  dispose(): void {
    this.#renderer.dispose();
    this.#terminal.dispose();
  }
}

function fontFamily(host: Element): string {
  return getComputedStyle(host).getPropertyValue("--mono");
}
