// The kind and size of a picture file, read from its first bytes while they come, in base64. Pure; plain numbers, so that a
// repaint can carry them. PNG, GIF, WebP and JPEG: what every browser draws. Any other file is none.

/** The longest head: WebP's. */
const HEAD_BYTES = 30;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = Int8Array.from({ length: 128 }, (_, code) => LETTERS.indexOf(String.fromCharCode(code)));

export interface FileHead {
  bits: number;
  count: number;
  /** Bytes of a JPEG's segment that do not matter. */
  skip: number;
  jpeg: number;
  /** 1: no more of it is read. */
  done: number;
  width: number;
  height: number;
  head: number[];
}

export function newFileHead(): FileHead {
  return { bits: 0, count: 0, skip: 0, jpeg: 0, done: 0, width: 0, height: 0, head: [] };
}

export function readBase64(file: FileHead, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to && file.done === 0; at += 1) {
    const value = VALUES[bytes[at] ?? 0] ?? -1;
    if (value < 0) continue;
    file.bits = ((file.bits << 6) | value) & 0xffff;
    file.count += 6;
    if (file.count < 8) continue;
    file.count -= 8;
    readHead(file, (file.bits >> file.count) & 0xff);
  }
}

/** One more byte of the file. */
function readHead(file: FileHead, byte: number): void {
  if (file.skip > 0) {
    file.skip -= 1;
    return;
  }
  const { head } = file;
  head.push(byte);
  if (file.jpeg === 1) return segment(file);
  if (head.length === 2 && head[0] === 0xff && head[1] === 0xd8) {
    file.jpeg = 1;
    file.head = [];
    return;
  }
  const size = sizeIn(head);
  if (size) [file.width, file.height] = size;
  if (size || head.length >= HEAD_BYTES) file.done = 1;
}

function sizeIn(head: readonly number[]): [number, number] | undefined {
  const has = (at: number, text: string) => [...text].every((char, i) => head[at + i] === char.charCodeAt(0));
  const little = (at: number, bytes: number) => number(head.slice(at, at + bytes).reverse());
  if (head.length === 24 && has(1, "PNG") && has(12, "IHDR"))
    return [number(head.slice(16, 20)), number(head.slice(20, 24))];
  if (head.length === 10 && has(0, "GIF8")) return [little(6, 2), little(8, 2)];
  if (head.length !== HEAD_BYTES || !has(0, "RIFF") || !has(8, "WEBP")) return undefined;
  if (has(12, "VP8X")) return [little(24, 3) + 1, little(27, 3) + 1];
  if (has(12, "VP8L")) return [(little(21, 2) & 0x3fff) + 1, ((little(22, 3) >> 6) & 0x3fff) + 1];
  return has(12, "VP8 ") ? [little(26, 2) & 0x3fff, little(28, 2) & 0x3fff] : undefined;
}

function number(bytes: readonly number[]): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** FF, the marker, a length; the size is in the frame's own segment, C0 to CF without three that are something else. */
function segment(file: FileHead): void {
  const { head } = file;
  const [first = 0, marker = 0] = head;
  if (first !== 0xff) file.done = 1;
  else if (head.length === 2 && marker === 0xff) head.pop();
  if (file.done === 1 || head.length < 4) return;
  const length = number(head.slice(2, 4));
  const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
  if (isFrame && head.length === 9) {
    [file.width, file.height, file.done] = [number(head.slice(7, 9)), number(head.slice(5, 7)), 1];
  } else if (!isFrame && (marker === 0xda || length < 2)) file.done = 1;
  else if (!isFrame) [file.skip, file.head] = [length - 2, []];
}
