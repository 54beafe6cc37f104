// How many columns a character takes in the page's terminal: as many as in the daemon's, by the same table. Pure.
// Without it xterm has tables of its own, and rows with newer emoji or rarer marks would stand in other columns here.
import type { IUnicodeVersionProvider } from "@xterm/xterm";
import { cellWidth } from "../../src/core/base/cell-width.ts";

/** A width that was looked up is remembered up to here: everything but rare ideographs and tags. */
const REMEMBERED = 0x20000;

export class EngineWidths implements IUnicodeVersionProvider {
  readonly version = "engine";
  /** 0: not looked up yet; otherwise the width and one. xterm asks for every character it prints. */
  #known = new Uint8Array(REMEMBERED);

  wcwidth(codepoint: number): 0 | 1 | 2 {
    const known = this.#known[codepoint] ?? 0;
    if (known > 0) return (known - 1) as 0 | 1 | 2;
    const width = isControl(codepoint) ? 0 : cellWidth(String.fromCodePoint(codepoint));
    if (codepoint < REMEMBERED) this.#known[codepoint] = width + 1;
    return width;
  }

  /** Packed as xterm has it: bit 0 says that it joins the cell before it, the two bits above are the cell's width. */
  charProperties(codepoint: number, preceding: number): number {
    const width = this.wcwidth(codepoint);
    const before = (preceding >> 1) & 3;
    const joins = width === 0 && before > 0;
    return ((joins ? before : width) << 1) | (joins ? 1 : 0);
  }
}

function isControl(codepoint: number): boolean {
  return codepoint < 0x20 || (codepoint >= 0x7f && codepoint < 0xa0);
}
