// One PAGE record of the snapshot: a run of rows with their own style, link and cluster tables. Pure.
// Owns: the wire form of rows and cells. Rows are decoded only when painted: history can be long, repaints short.
import { paletteFill, plainStyle, readStyle, rgbFill, type Style } from "./style.ts";

export interface Link {
  /** "" when the program gave none. */
  readonly id: string;
  readonly uri: string;
}

export interface Cell {
  /** 0: nothing was ever printed here, or it was erased. */
  readonly point: number;
  /** Code points that joined the first one: combining marks, parts of an emoji. */
  readonly marks: readonly number[];
  readonly width: "narrow" | "wide" | "tail" | "head";
  readonly style: Style;
  readonly protect: boolean;
  readonly link: Link | null;
}

export interface Line {
  /** Up to the last one that is not blank. */
  cells(): Cell[];
  /** Its text goes on in the next row, which then says `continues`. */
  readonly wraps: boolean;
  readonly continues: boolean;
}

export const blankLine: Line = { cells: () => [], wraps: false, continues: false };

const PAGE_HEADER_BYTES = 20;
const STYLE_BYTES = 16;
const content = { palette: 2, rgb: 3 };
const widths = ["narrow", "wide", "tail", "head"] as const;
const noMarks: readonly number[] = [];

interface Tables {
  readonly styles: Map<number, Style>;
  readonly links: Map<number, Link>;
  /** By row and column. */
  readonly clusters: Map<number, number[]>;
}

export function readPage(from: Buffer): Line[] {
  const rows = from.readUInt16LE(2);
  const tables: Tables = { styles: new Map(), links: new Map(), clusters: new Map() };
  let at = PAGE_HEADER_BYTES;
  for (let i = from.readUInt16LE(4); i > 0; i -= 1, at += 2 + STYLE_BYTES)
    tables.styles.set(from.readUInt16LE(at), readStyle(from, at + 2));
  for (let i = from.readUInt16LE(6); i > 0; i -= 1) {
    const { link, end } = readLink(from, at + 2);
    if (link) tables.links.set(from.readUInt16LE(at), link);
    at = end;
  }
  const lines: Line[] = [];
  for (let row = 0; row < rows; row += 1) {
    const [flags, count, start] = [from[at] ?? 0, from.readUInt16LE(at + 1), at + 3];
    const cellBytes = 1 << ((flags >> 4) & 3);
    lines.push({
      cells: () => readCells(from, { start, count, cellBytes, row }, tables),
      wraps: (flags & 1) !== 0,
      continues: (flags & 2) !== 0,
    });
    at = start + count * cellBytes;
  }
  readClusters(from, at, tables.clusters);
  return lines;
}

export function readLink(from: Buffer, at: number): { link: Link | null; end: number } {
  const text = (place: number): { text: string; end: number } => {
    const end = place + 4 + from.readUInt32LE(place);
    return { text: from.toString("utf8", place + 4, end), end };
  };
  if (from[at] === 1) {
    const uri = text(at + 5);
    return { link: { id: "", uri: uri.text }, end: uri.end };
  }
  if (from[at] !== 2) return { link: null, end: at + 1 };
  const id = text(at + 1);
  const uri = text(id.end);
  return { link: { id: id.text, uri: uri.text }, end: uri.end };
}

function readClusters(from: Buffer, start: number, into: Map<number, number[]>): void {
  let at = start + 4;
  for (let i = from.readUInt32LE(start); i > 0; i -= 1) {
    const points = Array.from({ length: from.readUInt16LE(at + 4) }, (_, n) => from.readUInt32LE(at + 6 + 4 * n));
    into.set(clusterKey(from.readUInt16LE(at), from.readUInt16LE(at + 2)), points);
    at += 6 + 4 * points.length;
  }
}

function clusterKey(row: number, col: number): number {
  return row * 0x10000 + col;
}

interface Place {
  readonly start: number;
  readonly count: number;
  readonly cellBytes: number;
  readonly row: number;
}

function readCells(from: Buffer, place: Place, tables: Tables): Cell[] {
  const { start, count, cellBytes, row } = place;
  const cells: Cell[] = [];
  for (let col = 0; col < count; col += 1) {
    const at = start + col * cellBytes;
    if (cellBytes < 4) {
      const point = cellBytes === 1 ? (from[at] ?? 0) : from.readUInt16LE(at);
      cells.push({ point, marks: noMarks, width: "narrow", style: plainStyle, protect: false, link: null });
      continue;
    }
    const low = from.readUInt32LE(at);
    const high = cellBytes === 8 ? from.readUInt32LE(at + 4) : 0;
    const [kind, value] = [low & 3, (low >>> 2) & 0xffffff];
    const style = (): Style => tables.styles.get((low >>> 26) + (high & 0x3ff) * 64) ?? plainStyle;
    cells.push({
      point: kind < content.palette ? value : 0,
      marks: kind < content.palette ? (tables.clusters.get(clusterKey(row, col)) ?? noMarks) : noMarks,
      width: widths[(high >>> 10) & 3] ?? "narrow",
      style: kind === content.palette ? paletteFill(value & 0xff) : kind === content.rgb ? fillOf(value) : style(),
      protect: ((high >>> 12) & 1) === 1,
      link: tables.links.get(high >>> 16) ?? null,
    });
  }
  return cells;
}

function fillOf(rgb: number): Style {
  return rgbFill(rgb & 0xff, (rgb >>> 8) & 0xff, rgb >>> 16);
}
