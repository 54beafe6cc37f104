// What an image is on the grid: its size as text, for everybody who reads, and blank cells below it, where a page draws it.
// The first cells of each row are linked to the image's bytes in the journal. Pure. Owns: the limits of what is drawn.
// So text that is written over it, erasing, scrolling, history, repaints and replay need nothing of their own.
import type { OpenImage } from "./open-image.ts";
import { IMAGE_SCHEME } from "./scheme.ts";
import { BAND_PX } from "./sixel-size.ts";

/** The cell size when a program asks in pixels. We have no font, so we name a usual size. */
export const CELL_PX = { width: 8, height: 16 } as const;

/** One image as it is printed, base64 included. A photo of a phone has less. */
export const IMAGE_BYTES_MAX = 8 << 20;
/** A 4K screen: 32 MiB in memory while it is decoded. */
const IMAGE_PIXELS_MAX = 3840 * 2160;
const IMAGE_SIDE_PX_MAX = 8_192;
/** Higher ones are drawn smaller: three large screens. */
const IMAGE_ROWS_MAX = 200;
/** A row of cells costs the engine about this many times as much as a byte, so each needs some bytes of image. */
const BYTES_PER_ROW = 8;

const LINK = new RegExp(`^${IMAGE_SCHEME}(\\d{1,15})-(\\d{1,15}):(\\d{1,4})x(\\d{1,4})#(\\d{1,4})$`);
const LABEL = /^\[image(?: \d+×\d+)?\]$/;

/** A row of an image, as its cells are linked. */
export interface ImageRow {
  readonly begin: number;
  readonly end: number;
  /** What it takes, in cells. */
  readonly cols: number;
  readonly rows: number;
  readonly row: number;
}

export function imageRow(link: string | undefined): ImageRow | undefined {
  const [begin, end, cols, rows, row] = (LINK.exec(link ?? "") ?? []).slice(1).map(Number);
  if (begin === undefined || end === undefined || !cols || !rows || row === undefined) return undefined;
  return end > begin && end - begin <= IMAGE_BYTES_MAX && row < rows && rows <= IMAGE_ROWS_MAX
    ? { begin, end, cols, rows, row }
    : undefined;
}

/** Programs can link what they like, and a picture must not hide from people what agents read. */
export function mayCover({ row }: ImageRow, text: string): boolean {
  return text.trim() === "" || (row === 0 && LABEL.test(text.trim()));
}

/** Whether a line has only rows of images below their first ones. In a text they are blank lines that nobody needs. */
export function isBelowImage(line: readonly { readonly text: string; readonly link?: string | undefined }[]): boolean {
  return line.some(({ link }) => (imageRow(link)?.row ?? 0) > 0) && line.every(({ text }) => text.trim() === "");
}

export function sizeOf({ width, height, sixel, file, protocol }: OpenImage): { width: number; height: number } {
  if (protocol === "sixel")
    return sixel.rasterWidth > 0 && sixel.rasterHeight > 0
      ? { width: sixel.rasterWidth, height: sixel.rasterHeight }
      : { width: sixel.width, height: sixel.height };
  return width > 0 && height > 0 ? { width, height } : { width: file.width, height: file.height };
}

/** Whether a page may decode it: what it takes in memory is known beforehand. */
export function isDrawable(image: OpenImage, bytes: number): boolean {
  const { width, height } = sizeOf(image);
  const fits = Math.max(width, height) <= IMAGE_SIDE_PX_MAX && width * height <= IMAGE_PIXELS_MAX;
  return image.known === 1 && width > 0 && height > 0 && fits && bytes <= IMAGE_BYTES_MAX;
}

/** What everybody reads who does not see it. */
export function imageLabel(image: OpenImage): string {
  const { width, height } = sizeOf(image);
  if (width > 0 && height > 0) return `[image ${width}×${height}]`;
  // Sixel data that draws nothing.
  return image.protocol === "sixel" ? "" : "[image]";
}

/** What a terminal prints for an image that ends at a cursor. `x`: its column. */
export function imageText(image: OpenImage, end: number, { x, cols }: { x: number; cols: number }): string {
  const room = Math.max(1, cols - x);
  const label = [imageLabel(image), "[image]"].find((text) => text.length <= room) ?? "▒";
  if (label === "" || !isDrawable(image, end - image.begin) || label === "▒") return label;
  const taken = boxOf(image, { room, cols, bytes: end - image.begin });
  const link = (row: number) => `${IMAGE_SCHEME}${image.begin}-${end}:${taken.cols}x${taken.rows}#${row}`;
  const linked = (row: number, text: string) => `\x1b]8;;${link(row)}\x1b\\${text}\x1b]8;;\x1b\\`;
  const column = `\x1b[${x + 1}G`;
  const wide = taken.rows > 1 ? taken.cols : Math.max(taken.cols, label.length);
  const below = Array.from({ length: taken.rows - 1 }, (_, row) => `\n${column}${linked(row + 1, " ")}`);
  return linked(0, label) + below.join("") + afterwards(image, { x, rows: taken.rows, cols: wide });
}

function boxOf(
  image: OpenImage,
  { room, cols, bytes }: { room: number; cols: number; bytes: number },
): { cols: number; rows: number } {
  const { width, height } = sizeOf(image);
  const high = (wide: number) => Math.ceil((wide * CELL_PX.width * height) / width / CELL_PX.height);
  const askedCols = image.percent > 0 ? Math.ceil((cols * image.percent) / 100) : image.cols;
  const asked = Math.ceil((image.rows * CELL_PX.height * width) / height / CELL_PX.width);
  const natural = Math.ceil(width / CELL_PX.width);
  const wide = Math.max(1, askedCols || asked || natural);
  const rows = image.rows || (askedCols ? high(wide) : Math.ceil(height / CELL_PX.height));
  const shrunk = wide > room ? Math.ceil((rows * room) / wide) : rows;
  const most = Math.min(IMAGE_ROWS_MAX, 1 + Math.floor(bytes / BYTES_PER_ROW));
  return { cols: Math.min(wide, room), rows: Math.max(1, Math.min(shrunk, most)) };
}

interface Taken {
  readonly x: number;
  readonly cols: number;
  readonly rows: number;
}

/**
 * Where the cursor goes. Behind the image, or where it was if the program says so. After a sixel image: to its left edge, on its
 * last row unless it ends with a line break, as on a VT340; never onto the text that names it.
 */
function afterwards(image: OpenImage, { x, cols, rows }: Taken): string {
  const column = `\x1b[${x + 1}G`;
  if (image.stays === 1) return (rows > 1 ? `\x1b[${rows - 1}A` : "") + column;
  if (image.protocol === "sixel" && image.sixel.band * BAND_PX >= sizeOf(image).height) return `\n${column}`;
  return image.protocol === "sixel" && rows > 1 ? column : `\x1b[${x + cols + 1}G`;
}
