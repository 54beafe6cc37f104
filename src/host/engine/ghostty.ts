// Adapter of the Engine port over libghostty-vt. Owns: one wasm instance, the guard in front of it, images, and its death:
// after a trap every call throws EngineTrap. Refuses: to know time; the caller holds frames back (2026).

import { imageText } from "../../core/base/image/cells.ts";
import { type FoundImage, ImageScan } from "../../core/base/image/scan.ts";
import type { Size } from "../../core/pty/pty.ts";
import {
  type Colours,
  type Engine,
  type EngineModes,
  EngineTrap,
  type MakeEngine,
  type RepaintOptions,
  type RowText,
  type StyledRow,
} from "../../core/screen/engine.ts";
import type { ZoneSpan } from "../../protocol/ops/screen.ts";
import type { CursorAt } from "../../protocol/words/program.ts";
import { partsOf, readTrailer, TRAILER_BYTES, withTrailer } from "./decode.ts";
import { type Find, Guard, type Open } from "./guard.ts";
import { historyRows } from "./history.ts";
import { left } from "./memory.ts";
import { repaint } from "./repaint.ts";
import { Rows } from "./rows.ts";
import { styledRows, underneath } from "./runs.ts";
import { Scrolled } from "./scrolled.ts";
import { type Picture, readSnapshot } from "./snapshot.ts";
import { Terminal } from "./terminal.ts";
import { isTrap } from "./wasm.ts";
import { zonesOf } from "./zones.ts";

const CAN = Buffer.from("\x18");
/** DECSTR, except that the cursor ends at home, because margins, origin mode and the saved cursor need it there. */
const SOFT_RESET = Buffer.from(
  '\x1b[?25h\x1b[4l\x1b[?7h\x1b[?1l\x1b>\x0f\x1b(B\x1b)B\x1b*B\x1b+B\x1b[0m\x1b[0"q\x1b[0$}\x1b[?69l\x1b[r\x1b[?6l\x1b7',
);
/** Opens a sequence of the same kind that does nothing, in place of one too long to be carried by a snapshot. */
const REOPEN: Readonly<Record<Open, string>> = {
  ground: "",
  escape: "\x1b",
  csi: "\x1b[0?",
  osc: "\x1b]99999;",
  string: "\x1bX",
};
/** The widest first: the C API does not tell which of several was set last. */
const mouse = [
  { mode: 1003, name: "any" },
  { mode: 1002, name: "button" },
  { mode: 1000, name: "normal" },
  { mode: 9, name: "x10" },
] as const;
/** The most capable first: programs ask for several, the best one last. */
const mouseFormats = [
  { mode: 1016, name: "sgr_pixels" },
  { mode: 1006, name: "sgr" },
  { mode: 1015, name: "urxvt" },
  { mode: 1005, name: "utf8" },
] as const;
export const makeGhostty: MakeEngine = (options, from) => {
  const { cols, rows, scrollback } = options;
  return new Ghostty({ cols, rows }, scrollback, from);
};

/** Everything that holds the wasm instance. We drop it as one, so that its memory is freed. */
interface Live {
  readonly terminal: Terminal;
  readonly rows: Rows;
  readonly scrolled: Scrolled;
}

class Ghostty implements Engine {
  readonly #guard = new Guard();
  readonly #images = new ImageScan();
  /** The cursor behind what was fed. */
  #fed = 0;
  #live: Live | null;
  #size: Size;
  /** Where the top row was when we last read it. */
  #lookedAt = 0;
  /** Until the next byte. */
  #modes: EngineModes | undefined;

  constructor(size: Size, scrollback: number, from: Uint8Array | undefined) {
    this.#size = size;
    const { state, place } = from ? partsOf(from) : {};
    const terminal = made(() => new Terminal(size, scrollback, state));
    const scrolled = new Scrolled(terminal, from ? readTrailer(from) : { pruned: 0, top: 0 });
    this.#live = { terminal, rows: new Rows(terminal), scrolled };
    if (from) this.#resume(terminal.continuation() ?? new Uint8Array(0), place);
  }

  get isDead(): boolean {
    return this.#live === null;
  }

  feed(bytes: Uint8Array, cursor = this.#fed): void {
    const found: FoundImage[] = [];
    this.#images.push(bytes, cursor, (image) => found.push(image));
    this.#fed = cursor + bytes.length;
    let done = 0;
    for (const { image, at, end } of found) {
      this.#print(bytes.subarray(done, at));
      this.#print(Buffer.from(imageText(image, end, { x: this.cursor().col, cols: this.#size.cols })));
      done = at;
    }
    this.#print(done === 0 ? bytes : bytes.subarray(done));
  }

  #print(bytes: Uint8Array): void {
    this.#modes = undefined;
    this.#alive(({ terminal, scrolled, rows: seen }) => {
      let done = 0;
      for (const find of this.#guard.scan(bytes)) {
        terminal.write(bytes.subarray(done, find.do === "cancel" ? find.at - 1 : find.at));
        act(terminal, find);
        done = find.at;
      }
      terminal.write(done === 0 ? bytes : bytes.subarray(done));
      // The guard blocks DECCOLM. If the engine knows another way to resize, the PTY's size still rules.
      const { cols, rows } = terminal.size();
      const found = terminal.gridSize();
      if (found.cols !== cols || found.rows !== rows) terminal.resize({ cols, rows });
      scrolled.moved(bytes);
      // If the whole screen has scrolled away since the last read, we read all of it anyway.
      if (scrolled.count() - this.#lookedAt < rows) seen.fed(bytes);
    });
  }

  takeReplies(): Uint8Array {
    return this.#alive(({ terminal }) => terminal.takeReplies());
  }

  resize(size: Size): void {
    this.#size = size;
    this.#modes = undefined;
    this.#alive(({ terminal, scrolled }) => {
      terminal.resize({ cols: size.cols, rows: size.rows });
      scrolled.moved(new Uint8Array(0));
    });
  }

  size(): Size {
    return this.#size;
  }

  takeDirty(): RowText[] {
    return this.#alive(({ rows, scrolled }) => {
      this.#lookedAt = scrolled.count();
      return rows.takeDirty();
    });
  }

  rows(): string[] {
    return this.lines().map(({ text }) => text);
  }

  lines(): RowText[] {
    return this.#alive(({ rows }) => rows.all());
  }

  colours(): Colours {
    return this.#alive(({ rows }) => rows.colours());
  }

  underneath(): string[] {
    return underneath(this.#picture());
  }

  styled(options: { history: number }): StyledRow[] {
    return styledRows(this.#picture(), options.history);
  }

  zones(): ZoneSpan[] {
    return this.#alive(({ terminal, rows }) => zonesOf(terminal, rows));
  }

  cursor(): CursorAt {
    return this.#alive(({ terminal }) => ({
      row: terminal.u16("CURSOR_Y"),
      col: terminal.u16("CURSOR_X"),
      visible: terminal.u8("CURSOR_VISIBLE") !== 0,
    }));
  }

  title(): string {
    return this.#alive(({ terminal }) => new TextDecoder().decode(terminal.bytes("TITLE")));
  }

  modes(): EngineModes {
    this.#modes ??= this.#alive(({ terminal }) => ({
      alt_screen: terminal.isAlternate(),
      mouse: mouse.find(({ mode }) => terminal.mode(mode))?.name ?? "none",
      mouse_format: mouseFormats.find(({ mode }) => terminal.mode(mode))?.name ?? "x10",
      bracketed_paste: terminal.mode(2004),
      synchronized: terminal.mode(2026),
      application_cursor: terminal.mode(1),
      application_keypad: terminal.mode(66),
      kitty_keyboard: terminal.u8("KITTY_KEYBOARD_FLAGS"),
    }));
    return this.#modes;
  }

  history(range: { from: number; count: number }): string[] {
    return this.#alive(({ terminal }) => historyRows(terminal, range, terminal.historyCount()));
  }

  historyCount(): number {
    return this.#alive(({ terminal }) => terminal.historyCount());
  }

  scrolled(): number {
    return this.#alive(({ scrolled }) => scrolled.count());
  }

  repaint(options: RepaintOptions): Uint8Array {
    return repaint(this.#picture(), options, this.#images.parted);
  }

  snapshot(): Uint8Array {
    return this.#alive(({ terminal, scrolled }) => {
      const state =
        terminal.snapshot(TRAILER_BYTES) ?? encodable(terminal, this.#images.reopened || REOPEN[this.#guard.open()]);
      const { parted } = this.#images;
      const isOpen = this.#guard.open() !== "ground" || parted !== "";
      return withTrailer(state, scrolled.state, isOpen ? `${this.#fed}|${parted}` : "");
    });
  }

  dispose(): void {
    left(this.#live?.terminal.memory.u8.length ?? 0);
    this.#live = null;
  }

  #picture(): Picture {
    return readSnapshot(partsOf(this.snapshot()).state);
  }

  /** A state was kept in the middle of a sequence or of an image. */
  #resume(continuation: Uint8Array, place = "0|"): void {
    const bar = place.indexOf("|");
    this.#fed = Number(place.slice(0, bar));
    this.#images.push(Buffer.from(place.slice(bar + 1)), 0, () => undefined);
    this.#images.push(continuation, this.#fed - continuation.length, () => undefined);
    this.#guard.scan(continuation);
  }

  #alive<T>(use: (live: Live) => T): T {
    if (!this.#live) throw new EngineTrap("this engine is disposed or has trapped");
    try {
      return use(this.#live);
    } catch (error) {
      if (isTrap(error)) this.#live = null;
      throw trapOf(error);
    }
  }
}

function made(make: () => Terminal): Terminal {
  try {
    return make();
  } catch (error) {
    throw trapOf(error);
  }
}

/** A failure of the wasm is expected. Anything else is a bug. */
function trapOf(error: unknown): unknown {
  return isTrap(error) ? new EngineTrap("libghostty-vt failed", { cause: error }) : error;
}

/** Cancels a sequence that cannot be carried and reopens one that can. Empty when there is none. */
function encodable(terminal: Terminal, reopen: string): Buffer {
  for (const open of [reopen, ""]) {
    terminal.write(Buffer.from(`\x18${open}`));
    const state = terminal.snapshot(TRAILER_BYTES);
    if (state) return state;
  }
  throw new Error("libghostty-vt: the terminal cannot be encoded");
}

function act(terminal: Terminal, find: Find): void {
  if (find.do === "cancel") {
    terminal.write(CAN);
    if (find.params.length > 0) terminal.write(Buffer.from(`\x1b[?${find.params.join(";")}h`));
    return;
  }
  const [row, col] = [terminal.u16("CURSOR_Y") + 1, terminal.u16("CURSOR_X") + 1];
  terminal.write(SOFT_RESET);
  terminal.write(Buffer.from(`\x1b[${row};${col}H`));
}
