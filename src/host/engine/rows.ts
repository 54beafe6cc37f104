// The visible rows as text, all of them or those touched since last time. Owns: the engine's render state and the
// decoding of packed cells. Refuses: colours and styles, which nobody needs by row.
import { type Colour, isUnseen, RGB } from "../../core/base/colour/unseen.ts";
import type { Colours, RowText } from "../../core/screen/engine.ts";
import { mayJoin } from "./joins.ts";
import type { Terminal } from "./terminal.ts";
import { call, check } from "./wasm.ts";

/** A cell with more combining marks than this shows only its base character. Nobody could read the rest. */
const GRAPHEME_BYTES_MAX = 4 << 10;
const SPACE = 0x20;
const DEL = 0x7f;
/** In the high word of a packed row, which the manifest does not describe; the wasm is pinned and the contract checks it. */
const WRAPS = 1;
const [NO_COLOUR, PALETTE] = [0, 1];

type Fn = (...args: number[]) => number;

export class Rows {
  readonly #terminal: Terminal;
  #state: number;
  #isStale = false;
  readonly #iterator: number;
  readonly #iteratorSlot: number;
  readonly #cells: number;
  readonly #cellsSlot: number;
  readonly #view: number;
  readonly #row: number;
  readonly #grapheme: number;
  readonly #graphemeBytes: number;
  readonly #flags: number;
  readonly #style: number;
  readonly #styleBytes: number;
  readonly #at: { invisible: number; inverse: number; bold: number; text: number; back: number; value: number };
  readonly #keys: { iterator: number; raw: number; cells: number; utf8: number; flags: number; style: number };
  readonly #bits: { content: number; style: number; wide: number; tail: number; head: number; grapheme: number };
  readonly #fn: { update: Fn; get: Fn; next: Fn; nextDirty: Fn; rowGet: Fn; clean: Fn };
  #units = new Uint16Array(512);

  constructor(terminal: Terminal) {
    const { memory, abi } = terminal;
    this.#terminal = terminal;
    this.#state = terminal.make("ghostty_render_state_new");
    this.#iterator = terminal.make("ghostty_render_state_row_iterator_new");
    this.#cells = terminal.make("ghostty_render_state_row_cells_new");
    this.#iteratorSlot = memory.alloc(4);
    this.#cellsSlot = memory.alloc(4);
    this.#view = memory.alloc(abi.size("GhosttyCellsView"));
    this.#row = memory.alloc(4);
    this.#flags = memory.alloc(abi.size("GhosttyRow"));
    this.#styleBytes = abi.size("GhosttyStyle");
    this.#style = memory.alloc(this.#styleBytes);
    this.#at = {
      invisible: abi.offset("GhosttyStyle", "invisible"),
      inverse: abi.offset("GhosttyStyle", "inverse"),
      bold: abi.offset("GhosttyStyle", "bold"),
      text: abi.offset("GhosttyStyle", "fg_color"),
      back: abi.offset("GhosttyStyle", "bg_color"),
      value: abi.offset("GhosttyStyleColor", "value"),
    };
    this.#grapheme = memory.alloc(abi.size("GhosttyBuffer"));
    this.#graphemeBytes = memory.alloc(GRAPHEME_BYTES_MAX);
    memory.view.setUint32(this.#iteratorSlot, this.#iterator, true);
    memory.view.setUint32(this.#cellsSlot, this.#cells, true);
    this.#keys = {
      iterator: abi.value("GhosttyRenderStateData", "ROW_ITERATOR"),
      raw: abi.value("GhosttyRenderStateRowData", "CELLS_RAW"),
      cells: abi.value("GhosttyRenderStateRowData", "CELLS"),
      flags: abi.value("GhosttyRenderStateRowData", "RAW"),
      style: abi.value("GhosttyRenderStateRowCellsData", "STYLE"),
      utf8: abi.value("GhosttyRenderStateRowCellsData", "GRAPHEMES_UTF8"),
    };
    this.#bits = {
      content: abi.lsb("GhosttyCell", "content"),
      style: abi.lsb("GhosttyCell", "style_id"),
      wide: abi.lsb("GhosttyCell", "wide") - 32,
      tail: abi.value("GhosttyCellWide", "SPACER_TAIL"),
      head: abi.value("GhosttyCellWide", "SPACER_HEAD"),
      grapheme: abi.value("GhosttyCellContentTag", "CODEPOINT_GRAPHEME"),
    };
    const fn = (name: `ghostty_${string}`): Fn =>
      terminal.exports[name] ?? ((...args) => call(terminal.exports, name, ...args));
    this.#fn = {
      update: fn("ghostty_render_state_update"),
      get: fn("ghostty_render_state_get"),
      next: fn("ghostty_render_state_row_iterator_next"),
      nextDirty: fn("ghostty_render_state_row_iterator_next_dirty"),
      rowGet: fn("ghostty_render_state_row_get"),
      clean: fn("ghostty_render_state_clean"),
    };
  }

  /** Must see all input before the next read. */
  fed(bytes: Uint8Array): void {
    this.#isStale ||= mayJoin(bytes);
  }

  all(): RowText[] {
    this.#update();
    const rows: RowText[] = [];
    while (this.#fn.next(this.#iterator) !== 0) rows.push(this.#read(rows.length));
    return rows;
  }

  /** Every row's packed cells, two words each. This is the engine's memory, valid only until the next call. */
  cells(see: (row: number, cells: Uint32Array) => void): void {
    this.#update();
    for (let row = 0; this.#fn.next(this.#iterator) !== 0; row += 1) {
      check("cells", this.#fn.rowGet(this.#iterator, this.#keys.raw, this.#view));
      const { u32 } = this.#terminal.memory;
      const start = (u32[this.#view >> 2] ?? 0) >> 2;
      see(row, u32.subarray(start, start + 2 * (u32[(this.#view >> 2) + 1] ?? 0)));
    }
  }

  /** Reads each style of each row once. */
  colours(): Colours {
    this.#update();
    const found = { conceal: false, highlight: false };
    while (this.#fn.next(this.#iterator) !== 0 && !(found.conceal && found.highlight)) this.#rowColours(found);
    return found;
  }

  #rowColours(found: { conceal: boolean; highlight: boolean }): void {
    check("cells", this.#fn.rowGet(this.#iterator, this.#keys.raw, this.#view));
    const { u32 } = this.#terminal.memory;
    const start = (u32[this.#view >> 2] ?? 0) >> 2;
    const count = u32[(this.#view >> 2) + 1] ?? 0;
    // Each style twice: of text, and of blanks.
    const known = new Set([0, 1]);
    for (let column = 0; column < count; column += 1) {
      const [low, high] = [u32[start + 2 * column] ?? 0, u32[start + 2 * column + 1] ?? 0];
      // This cell has a background and nothing else.
      if ((low & 3) > this.#bits.grapheme) found.highlight = true;
      const style = (low >>> this.#bits.style) | ((high << (32 - this.#bits.style)) & 0xffff);
      const isBlank = ((low >>> this.#bits.content) & 0x1fffff) <= SPACE;
      const kind = 2 * style + Number(isBlank);
      if (known.has(kind)) continue;
      known.add(kind);
      const look = this.#lookAt(column);
      found.highlight ||= look.reverse || look.back !== undefined;
      // Blanks say nothing, whatever their colours are.
      found.conceal ||= !isBlank && isUnseen(look);
    }
  }

  #lookAt(column: number) {
    const { exports, memory } = this.#terminal;
    check("cells", this.#fn.rowGet(this.#iterator, this.#keys.cells, this.#cellsSlot));
    check("select", call(exports, "ghostty_render_state_row_cells_select", this.#cells, column));
    memory.view.setUint32(this.#style, this.#styleBytes, true);
    check("style", call(exports, "ghostty_render_state_row_cells_get", this.#cells, this.#keys.style, this.#style));
    const isSet = (at: number) => memory.u8[this.#style + at] !== 0;
    const colour = (at: number): Colour => {
      const [tag, red = 0, green = 0, blue = 0] = [memory.u8[this.#style + at], ...this.#valueAt(at)];
      return tag === NO_COLOUR ? undefined : tag === PALETTE ? red : RGB + ((red << 16) | (green << 8) | blue);
    };
    const { invisible, inverse, bold, text, back } = this.#at;
    const is = { concealed: isSet(invisible), reverse: isSet(inverse), bold: isSet(bold) };
    return { ...is, text: colour(text), back: colour(back) };
  }

  #valueAt(at: number): Uint8Array {
    const from = this.#style + at + this.#at.value;
    return this.#terminal.memory.u8.subarray(from, from + 3);
  }

  takeDirty(): RowText[] {
    this.#update();
    const rows: RowText[] = [];
    while (this.#fn.nextDirty(this.#iterator, this.#row) !== 0) {
      rows.push(this.#read(this.#terminal.memory.view.getUint16(this.#row, true)));
    }
    if (rows.length > 0) check("clean", this.#fn.clean(this.#state));
    return rows;
  }

  #update(): void {
    if (this.#isStale) {
      // Only a fresh render state reads every row again.
      call(this.#terminal.exports, "ghostty_render_state_free", this.#state);
      this.#state = this.#terminal.make("ghostty_render_state_new");
      this.#isStale = false;
    }
    check("render update", this.#fn.update(this.#state, this.#terminal.handle));
    check("row iterator", this.#fn.get(this.#state, this.#keys.iterator, this.#iteratorSlot));
  }

  #read(row: number): RowText {
    const text = this.#text();
    check("row", this.#fn.rowGet(this.#iterator, this.#keys.flags, this.#flags));
    const flags = this.#terminal.memory.u32[(this.#flags >> 2) + 1] ?? 0;
    return { row, text, wraps: (flags & WRAPS) !== 0 };
  }

  /** The text of the iterator's row, right-trimmed. A cell is 64 bits: content in the low word, width in the high word. */
  #text(): string {
    check("cells", this.#fn.rowGet(this.#iterator, this.#keys.raw, this.#view));
    let words = this.#terminal.memory.u32;
    const start = (words[this.#view >> 2] ?? 0) >> 2;
    let count = words[(this.#view >> 2) + 1] ?? 0;
    // Most rows are much shorter than the screen is wide, and on one that scrolls all are read.
    while (count > 0 && words[start + 2 * count - 2] === 0) count -= 1;
    if (this.#units.length < count * 2) this.#units = new Uint16Array(count * 2);
    const units = this.#units;
    const { content, wide, tail, head, grapheme } = this.#bits;
    let [done, used, inked] = ["", 0, 0];
    for (let i = 0; i < count; i += 1) {
      const low = words[start + 2 * i] ?? 0;
      const width = ((words[start + 2 * i + 1] ?? 0) >>> wide) & 3;
      if (width === tail || width === head) continue;
      const tag = low & 3;
      const point = tag <= grapheme ? (low >>> content) & 0x1fffff : 0;
      if (tag === grapheme) {
        done += String.fromCharCode(...units.subarray(0, used)) + this.#cluster(i, point);
        [used, inked] = [0, 0];
        words = this.#terminal.memory.u32;
        // Blanks before a cluster are no longer trailing.
        continue;
      }
      if (point >= 0x10000) {
        units[used] = 0xd800 | ((point - 0x10000) >> 10);
        units[used + 1] = 0xdc00 | (point & 0x3ff);
        used += 2;
        inked = used;
        continue;
      }
      // The engine stores some control characters (CAN) as cells. They must never come out as text.
      const shown = point > SPACE && (point < DEL || point > 0x9f) ? point : SPACE;
      units[used] = shown;
      used += 1;
      if (shown !== SPACE) inked = used;
    }
    return inked === 0 ? done : done + String.fromCharCode.apply(null, units.subarray(0, inked) as unknown as number[]);
  }

  #cluster(column: number, base: number): string {
    const { exports, memory } = this.#terminal;
    check("cells", this.#fn.rowGet(this.#iterator, this.#keys.cells, this.#cellsSlot));
    check("select", call(exports, "ghostty_render_state_row_cells_select", this.#cells, column));
    memory.view.setUint32(this.#grapheme, this.#graphemeBytes, true);
    memory.view.setUint32(this.#grapheme + 4, GRAPHEME_BYTES_MAX, true);
    memory.view.setUint32(this.#grapheme + 8, 0, true);
    const got = call(exports, "ghostty_render_state_row_cells_get", this.#cells, this.#keys.utf8, this.#grapheme);
    if (got !== 0) return String.fromCodePoint(base);
    const length = memory.view.getUint32(this.#grapheme + 8, true);
    return Buffer.from(memory.u8.buffer, this.#graphemeBytes, length).toString("utf8");
  }
}
