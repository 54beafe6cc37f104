// The size of a sixel picture, counted while its bytes come. Pure; plain numbers, so that a repaint can carry them. What the
// picture says of itself counts; else what it draws does.

const [BANG, QUOTE, HASH, DOLLAR, MINUS, ZERO, NINE, SEMICOLON] = [0x21, 0x22, 0x23, 0x24, 0x2d, 0x30, 0x39, 0x3b];
/** A sixel draws this many rows of pixels at once. */
export const BAND_PX = 6;
const NUMBER_MAX = 999_999_999;
const MODES = { drawing: 0, repeat: 1, raster: 2, colour: 3 } as const;
type Mode = (typeof MODES)[keyof typeof MODES];

export interface SixelSize {
  x: number;
  band: number;
  /** What was drawn so far. */
  width: number;
  height: number;
  /** What the picture says of itself: 0 if nothing. */
  rasterWidth: number;
  rasterHeight: number;
  mode: number;
  /** The number being read, and which one it is. */
  value: number;
  index: number;
  times: number;
}

export function newSixelSize(): SixelSize {
  return {
    x: 0,
    band: 0,
    width: 0,
    height: 0,
    rasterWidth: 0,
    rasterHeight: 0,
    mode: MODES.drawing,
    value: 0,
    index: 0,
    times: 1,
  };
}

export function measureSixel(size: SixelSize, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) {
      if (size.mode !== MODES.drawing) size.value = Math.min(NUMBER_MAX, size.value * 10 + byte - ZERO);
    } else if (byte === SEMICOLON) endNumber(size);
    else if (byte > 0x20) command(size, byte);
  }
}

function endNumber(size: SixelSize): void {
  if (size.mode === MODES.raster && size.index === 2) size.rasterWidth = size.value;
  if (size.mode === MODES.raster && size.index === 3) size.rasterHeight = size.value;
  if (size.mode === MODES.repeat) size.times = Math.max(1, size.value);
  size.index += 1;
  size.value = 0;
}

function begin(size: SixelSize, mode: Mode): void {
  size.mode = mode;
  size.index = 0;
  size.value = 0;
}

function command(size: SixelSize, byte: number): void {
  if (size.mode !== MODES.drawing) endNumber(size);
  begin(size, MODES.drawing);
  if (byte >= 0x3f && byte <= 0x7e) draw(size, byte - 0x3f);
  else if (byte === BANG) return begin(size, MODES.repeat);
  else if (byte === QUOTE) begin(size, MODES.raster);
  else if (byte === HASH) begin(size, MODES.colour);
  else if (byte === DOLLAR) size.x = 0;
  else if (byte === MINUS) {
    size.x = 0;
    size.band = Math.min(NUMBER_MAX, size.band + 1);
  }
  size.times = 1;
}

function draw(size: SixelSize, bits: number): void {
  size.x = Math.min(NUMBER_MAX, size.x + size.times);
  size.width = Math.max(size.width, size.x);
  if (bits > 0) size.height = Math.max(size.height, size.band * BAND_PX + 32 - Math.clz32(bits));
}
