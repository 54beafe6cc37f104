// The cells that the shell marked as prompt or as typed input (OSC 133), as spans. Owns: the meaning of a packed cell's
// semantic bits. Refuses: to tell one command from the next; blocks are read from the bytes, not from the grid.
import type { ZoneSpan } from "../../protocol/ops/screen.ts";
import type { Rows } from "./rows.ts";
import type { Terminal } from "./terminal.ts";

const SPACE = 0x20;
const names = { OUTPUT: "output", INPUT: "input", PROMPT: "prompt" } as const;

interface Bits {
  readonly zone: number;
  readonly content: number;
  readonly cluster: number;
  readonly wide: number;
  readonly tail: number;
  /** By the value in a cell. */
  readonly zones: readonly ZoneSpan["zone"][];
}

export function zonesOf(terminal: Terminal, rows: Rows): ZoneSpan[] {
  // Programs on the alternate screen mark nothing. A shell that never marks the output's start would make it all input.
  if (terminal.isAlternate()) return [];
  const bits = bitsOf(terminal);
  const spans: ZoneSpan[] = [];
  rows.cells((row, cells) => spans.push(...rowZones(row, cells, bits)));
  return spans;
}

function rowZones(row: number, cells: Uint32Array, bits: Bits): ZoneSpan[] {
  const zoneAt = (col: number) => bits.zones[((cells[2 * col + 1] ?? 0) >>> bits.zone) & 3] ?? "output";
  const end = inkedEnd(cells, bits);
  const spans: ZoneSpan[] = [];
  for (let from = 0; from < end; ) {
    const zone = zoneAt(from);
    let to = from + 1;
    while (to < end && zoneAt(to) === zone) to += 1;
    if (zone !== "output") spans.push({ row, from, to, zone });
    from = to;
  }
  return spans;
}

/** The column after the last one that shows something. A wide character's second half counts. */
function inkedEnd(cells: Uint32Array, { content, cluster, wide, tail }: Bits): number {
  let end = cells.length >> 1;
  for (; end > 0; end -= 1) {
    const [low, high] = [cells[2 * end - 2] ?? 0, cells[2 * end - 1] ?? 0];
    const point = (low & 3) <= cluster ? (low >>> content) & 0x1fffff : 0;
    if (point > SPACE || ((high >>> wide) & 3) === tail) break;
  }
  return end;
}

function bitsOf({ abi }: Terminal): Bits {
  const zones: ZoneSpan["zone"][] = [];
  for (const [name, zone] of Object.entries(names)) zones[abi.value("GhosttyCellSemanticContent", name)] = zone;
  return {
    zone: abi.lsb("GhosttyCell", "semantic_content") - 32,
    content: abi.lsb("GhosttyCell", "content"),
    cluster: abi.value("GhosttyCellContentTag", "CODEPOINT_GRAPHEME"),
    wide: abi.lsb("GhosttyCell", "wide") - 32,
    tail: abi.value("GhosttyCellWide", "SPACER_TAIL"),
    zones,
  };
}
