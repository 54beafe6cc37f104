// An image while its sequences come: what its head says, and what its first bytes say. Pure; plain data, so that a repaint can
// carry it to a terminal that did not see the beginning. Refuses: to keep its bytes; the journal does.
import { type FileHead, newFileHead } from "./file-head.ts";
import { newSixelSize, type SixelSize } from "./sixel-size.ts";

const PROTOCOLS = ["sixel", "kitty", "iterm"] as const;
type Protocol = (typeof PROTOCOLS)[number];
const NUMBER_MAX = 999_999_999;

export interface OpenImage {
  protocol: Protocol;
  /** The cursor of its first byte. */
  begin: number;
  /** 1: it is to be seen. 0: a file that is only sent, or an image that is only stored. */
  shown: number;
  /** 1: it is of a kind that a page can draw. */
  known: number;
  /** Of pixels that come as they are: bits of each, and 1 if they are packed (zlib). */
  format: number;
  packed: number;
  /** In pixels; 0: its first bytes tell. */
  width: number;
  height: number;
  /** What the program wants it to take, in cells or in hundredths of the screen's width; 0: nothing said. */
  cols: number;
  rows: number;
  percent: number;
  /** 1: the cursor stays where it was. */
  stays: number;
  sixel: SixelSize;
  file: FileHead;
}

function open(protocol: Protocol, begin: number, facts: Partial<OpenImage>): OpenImage {
  const size = { format: 0, packed: 0, width: 0, height: 0, cols: 0, rows: 0, percent: 0, stays: 0 };
  return { protocol, begin, shown: 1, known: 1, ...size, sixel: newSixelSize(), file: newFileHead(), ...facts };
}

export function sixelImage(begin: number): OpenImage {
  return open("sixel", begin, {});
}

/** `a=T,f=100,…` Only images that come with their pixels: a name of a file or of shared memory is nothing that we read. */
export function kittyImage(begin: number, control: ReadonlyMap<string, string>): OpenImage {
  const number = (key: string) => numberIn(control.get(key));
  const format = control.get("f") ?? "32";
  const isRaw = format === "24" || format === "32";
  const isPacked = control.has("o");
  const comes = (control.get("t") ?? "d") === "d" && (!isPacked || (isRaw && control.get("o") === "z"));
  return open("kitty", begin, {
    shown: control.get("a") === "T" && number("U") === 0 ? 1 : 0,
    known: comes && (isRaw || format === "100") ? 1 : 0,
    format: isRaw ? number("f") || 32 : 0,
    packed: isPacked ? 1 : 0,
    width: isRaw ? number("s") : 0,
    height: isRaw ? number("v") : 0,
    cols: number("c"),
    rows: number("r"),
    stays: number("C") === 1 ? 1 : 0,
  });
}

/** `name=…;inline=1;width=50%` */
export function itermImage(
  begin: number,
  options: ReadonlyMap<string, string>,
  cell: { width: number; height: number },
) {
  const [width, height] = [options.get("width") ?? "", options.get("height") ?? ""];
  return open("iterm", begin, {
    shown: options.get("inline") === "1" ? 1 : 0,
    cols: inCells(width, cell.width),
    percent: width.endsWith("%") ? Math.min(100, numberIn(width)) : 0,
    rows: inCells(height, cell.height),
  });
}

function inCells(text: string, cellPx: number): number {
  if (text.endsWith("%")) return 0;
  const value = numberIn(text);
  return text.endsWith("px") ? Math.ceil(value / cellPx) : value;
}

function numberIn(text = ""): number {
  return Math.min(NUMBER_MAX, Number.parseInt(/^\d+/.exec(text)?.[0] ?? "0", 10));
}

/** Pairs of a key and a value. */
export function pairsIn(text: string, between: string): Map<string, string> {
  return new Map(
    text.split(between).map((pair) => {
      const [key = "", ...value] = pair.split("=");
      return [key, value.join("=")];
    }),
  );
}

/** What `JSON.stringify` made of one. A program can print that, too, so nothing in it is believed but its form. */
export function imageFrom(text: string): OpenImage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLike(value, open("sixel", 0, {})) ? (value as OpenImage) : undefined;
  } catch {
    return undefined;
  }
}

function isLike(value: unknown, model: unknown): boolean {
  if (typeof model === "string") return PROTOCOLS.some((name) => name === value);
  if (typeof model === "number") return Number.isSafeInteger(value) && Number(value) >= 0;
  if (Array.isArray(model)) return Array.isArray(value) && value.length <= 32 && value.every((one) => isLike(one, 0));
  if (typeof value !== "object" || value === null) return false;
  const [parts, models] = [new Map(Object.entries(value)), Object.entries(model ?? {})];
  return parts.size === models.length && models.every(([key, part]) => isLike(parts.get(key), part));
}
