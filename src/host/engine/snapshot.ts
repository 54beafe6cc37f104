// Reads the engine's binary snapshot (GHOSTSNP, version 1) into a Picture: what a repaint needs and the C API does not
// tell, such as the hidden screen, saved cursors and keyboard stacks. Pure. Refuses: other versions; the wasm is pinned
// by its hash, so the format is too. Layout: ghostty, src/terminal/snapshot/*.
import { type ColorChange, readDynamicColors, readPalette } from "./colors.ts";
import { blankLine, type Line, type Link, readLink, readPage } from "./page.ts";
import { readStyle, type Style } from "./style.ts";

export interface CursorState {
  readonly x: number;
  readonly y: number;
  readonly style: Style;
  readonly pendingWrap: boolean;
  readonly protect: boolean;
  readonly origin: boolean;
  /** Four designated sets, GL, GR and single shift, packed as the engine does. */
  readonly charset: number;
}

export interface Screen {
  readonly cursor: CursorState;
  readonly saved: CursorState | null;
  readonly cursorShape: number;
  readonly protectKind: "off" | "iso" | "dec";
  readonly kitty: readonly number[];
  readonly link: Link | null;
  /** History, then exactly as many rows as the terminal has. */
  readonly lines: readonly Line[];
}

export interface Picture {
  readonly cols: number;
  readonly rows: number;
  readonly region: { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number };
  readonly statusLine: boolean;
  readonly active: "primary" | "alternate";
  readonly lastPrinted: number | null;
  readonly cursorIsDefault: boolean;
  readonly modifyOtherKeys: boolean;
  readonly mouseEvent: number;
  readonly mouseFormat: number;
  readonly modes: bigint;
  readonly savedModes: bigint;
  readonly defaultModes: bigint;
  readonly colors: readonly ColorChange[];
  readonly tabs: readonly number[];
  readonly pwd: Uint8Array;
  readonly title: Uint8Array;
  readonly primary: Screen;
  readonly alternate: Screen | null;
  readonly continuation: Uint8Array;
}

const tag = { terminal: 1, screen: 2, page: 3, history: 4, continuation: 7 };
const ENVELOPE_BYTES = 10;
const RECORD_HEADER_BYTES = 10;
const TERMINAL_HEADER_BYTES = 103;
const SCREEN_HEADER_BYTES = 53;
const NONE = 0xffff_ffff;
/** The pen is 16 bytes, then flags and charset. */
const SAVED_CURSOR_BYTES = 23;

interface Found {
  header: Buffer;
  readonly pages: Buffer[];
  readonly older: Buffer[];
}

export function readSnapshot(bytes: Uint8Array): Picture {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (source.toString("latin1", 0, 8) !== "GHOSTSNP" || source.readUInt16LE(8) !== 1)
    throw new Error("not a GHOSTSNP version 1 snapshot");
  const screens = new Map<number, Found>();
  let terminal: Buffer = Buffer.alloc(0);
  let continuation: Buffer = Buffer.alloc(0);
  let into: Buffer[] = [];
  for (let at = ENVELOPE_BYTES; at < source.length; ) {
    const kind = source.readUInt16LE(at);
    const end = at + RECORD_HEADER_BYTES + source.readUInt32LE(at + 2);
    const payload = source.subarray(at + RECORD_HEADER_BYTES, end);
    if (kind === tag.terminal) terminal = payload;
    else if (kind === tag.continuation) continuation = payload;
    else if (kind === tag.page) into.push(payload);
    else if (kind === tag.screen) {
      const found = { header: payload, pages: [], older: [] };
      screens.set(payload.readUInt16LE(0), found);
      into = found.pages;
    } else if (kind === tag.history) into = screens.get(payload.readUInt16LE(0))?.older ?? [];
    at = end;
  }
  return readTerminal(terminal, screens, continuation);
}

function readTerminal(from: Buffer, screens: Map<number, Found>, continuation: Buffer): Picture {
  const [cols, rows] = [from.readUInt16LE(0), from.readUInt16LE(2)];
  const last = from.readUInt32LE(25);
  const palette = TERMINAL_HEADER_BYTES + Math.ceil(cols / 8) + 256 * 3;
  const overrides = readPalette(from, palette);
  const pwd = readCounted(from, overrides.end);
  const title = readCounted(from, pwd.end);
  const screen = (key: number): Screen | null => {
    const found = screens.get(key);
    return found ? readScreen(found, rows) : null;
  };
  const primary = screen(0);
  if (!primary) throw new Error("snapshot without a primary screen");
  return {
    cols,
    rows,
    region: {
      top: from.readUInt16LE(12),
      bottom: from.readUInt16LE(14),
      left: from.readUInt16LE(16),
      right: from.readUInt16LE(18),
    },
    statusLine: from[20] === 1,
    active: from.readUInt16LE(21) === 1 ? "alternate" : "primary",
    lastPrinted: last === NONE ? null : last,
    cursorIsDefault: from[29] === 1,
    modifyOtherKeys: from[33] === 1,
    mouseEvent: from[34] ?? 0,
    mouseFormat: from[35] ?? 0,
    modes: from.readBigUInt64LE(39),
    savedModes: from.readBigUInt64LE(47),
    defaultModes: from.readBigUInt64LE(55),
    colors: [...readDynamicColors(from), ...overrides.colors],
    tabs: readTabs(from.subarray(TERMINAL_HEADER_BYTES), cols),
    pwd: pwd.bytes,
    title: title.bytes,
    primary,
    alternate: screen(1),
    continuation,
  };
}

function readTabs(bits: Buffer, cols: number): number[] {
  return Array.from({ length: cols }, (_, col) => col).filter(
    (col) => (((bits[col >> 3] ?? 0) >> (col & 7)) & 1) === 1,
  );
}

function readCounted(from: Buffer, at: number): { bytes: Buffer; end: number } {
  const end = at + 4 + from.readUInt32LE(at);
  return { bytes: from.subarray(at + 4, end), end };
}

function readScreen({ header, pages, older }: Found, rows: number): Screen {
  const flags = header[17] ?? 0;
  const savedAt = header[52] === 1 ? SCREEN_HEADER_BYTES : null;
  const linkAt = SCREEN_HEADER_BYTES + (savedAt === null ? 0 : SAVED_CURSOR_BYTES);
  // History pages come newest first.
  const lines = [...older.reverse(), ...pages].flatMap((page) => readPage(page));
  while (lines.length < rows) lines.push(blankLine);
  return {
    cursor: {
      x: header.readUInt16LE(12),
      y: header.readUInt16LE(14),
      style: readStyle(header, 18),
      pendingWrap: (flags & 1) !== 0,
      protect: (flags & 2) !== 0,
      origin: false,
      charset: header.readUInt16LE(38),
    },
    saved: savedAt === null ? null : readSavedCursor(header, savedAt),
    cursorShape: header[16] ?? 0,
    protectKind: header[40] === 1 ? "iso" : header[40] === 2 ? "dec" : "off",
    kitty: [...header.subarray(42, 43 + (header[41] ?? 0))],
    link: readLink(header, linkAt).link,
    lines,
  };
}

function readSavedCursor(from: Buffer, at: number): CursorState {
  const flags = from[at + 20] ?? 0;
  return {
    x: from.readUInt16LE(at),
    y: from.readUInt16LE(at + 2),
    style: readStyle(from, at + 4),
    protect: (flags & 1) !== 0,
    pendingWrap: (flags & 2) !== 0,
    origin: (flags & 4) !== 0,
    charset: from.readUInt16LE(at + 21),
  };
}
