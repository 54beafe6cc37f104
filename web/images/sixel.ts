// Sixel data as pixels. Pure. Its size is known before (src/core/base/image); what is drawn outside it is dropped. Drawing
// has a limit, because sixels can be drawn over each other without end.

/** Columns that are drawn. A picture in 256 colours passes over each of its columns some ten times. */
const STEPS_MAX = 100_000_000;
const COLOURS_MAX = 1_024;
const NUMBER_MAX = 999_999_999;
/** The VT340's first colours, in percent. */
const FIRST = [
  [0, 0, 0],
  [20, 20, 80],
  [80, 13, 13],
  [20, 80, 20],
  [80, 20, 80],
  [20, 80, 80],
  [80, 80, 20],
  [53, 53, 53],
  [26, 26, 26],
  [33, 33, 60],
  [60, 26, 26],
  [33, 60, 33],
  [60, 33, 60],
  [33, 60, 60],
  [60, 60, 33],
  [80, 80, 80],
] as const;

interface Pen {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly colours: Uint32Array;
  x: number;
  band: number;
  colour: number;
  steps: number;
}

export function sixelPixels(data: Uint8Array, width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint32Array(width * height);
  const colours = new Uint32Array(COLOURS_MAX).fill(rgb(80, 80, 80));
  for (const [i, [r, g, b]] of FIRST.entries()) colours[i] = rgb(r, g, b);
  const pen: Pen = { pixels, width, colours, x: 0, band: 0, colour: colours[0] ?? 0, steps: 0 };
  let at = 0;
  while (at < data.length && pen.steps < STEPS_MAX && pen.band * 6 < height) at = command(pen, data, at);
  return new Uint8ClampedArray(pixels.buffer);
}

/** Returns where the next one begins. */
function command(pen: Pen, data: Uint8Array, at: number): number {
  const byte = data[at] ?? 0;
  if (byte >= 0x3f && byte <= 0x7e) draw(pen, byte - 0x3f, 1);
  else if (byte === 0x24) pen.x = 0;
  else if (byte === 0x2d) [pen.x, pen.band] = [0, pen.band + 1];
  else if (byte === 0x21 || byte === 0x22 || byte === 0x23) {
    const { numbers, next } = numbersAt(data, at + 1);
    if (byte === 0x23) choose(pen, numbers);
    const bits = (data[next] ?? 0) - 0x3f;
    if (byte !== 0x21 || bits < 0 || bits > 63) return next;
    draw(pen, bits, Math.max(1, numbers[0] ?? 1));
    return next + 1;
  }
  return at + 1;
}

function numbersAt(data: Uint8Array, from: number): { numbers: number[]; next: number } {
  const numbers = [0];
  let next = from;
  for (; next < data.length; next += 1) {
    const byte = data[next] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      const last = numbers.length - 1;
      numbers[last] = Math.min(NUMBER_MAX, (numbers[last] ?? 0) * 10 + byte - 0x30);
    } else if (byte === 0x3b && numbers.length < 8) numbers.push(0);
    else if (byte > 0x20) break;
  }
  return { numbers, next };
}

function draw(pen: Pen, bits: number, times: number): void {
  const to = Math.min(pen.width, pen.x + times);
  pen.steps += 1;
  if (bits > 0) {
    for (let row = 0; row < 6; row += 1) {
      const start = (pen.band * 6 + row) * pen.width;
      if ((bits >> row) & 1 && start < pen.pixels.length && pen.x < to)
        pen.pixels.fill(pen.colour, start + pen.x, start + to);
    }
    pen.steps += Math.max(0, to - pen.x);
  }
  pen.x = Math.min(NUMBER_MAX, pen.x + times);
}

/** `#n` chooses a colour, `#n;2;r;g;b` and `#n;1;h;l;s` define one. */
function choose(pen: Pen, [index = 0, space = 0, a = 0, b = 0, c = 0]: readonly number[]): void {
  const at = index % COLOURS_MAX;
  if (space === 2) pen.colours[at] = rgb(a, b, c);
  if (space === 1) pen.colours[at] = hls(a, b, c);
  pen.colour = pen.colours[at] ?? 0;
}

/** Of percents, as the bytes of a pixel are in memory. */
function rgb(red: number, green: number, blue: number): number {
  const byte = (percent: number) => Math.round((Math.min(100, percent) * 255) / 100);
  return ((255 << 24) | (byte(blue) << 16) | (byte(green) << 8) | byte(red)) >>> 0;
}

/** DEC's hue begins with blue. */
function hls(hue: number, lightness: number, saturation: number): number {
  const [l, s] = [Math.min(100, lightness) / 100, Math.min(100, saturation) / 100];
  const part = (n: number) => {
    const k = (n + ((hue + 240) % 360) / 30) % 12;
    return 100 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return rgb(part(0), part(8), part(4));
}
