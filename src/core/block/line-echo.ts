// What a shell prints between a line and its output: the line's echo, fish's first bytes, and why it refuses a line. Pure.
import type { ShellName } from "../../protocol/words/program.ts";
import { Plain } from "../journal/plain.ts";
import { FISH_PRELUDES } from "./shells.ts";

/** How much of a line's echo we compare with the shell's text. Longer lines are not worth it. */
export const ECHO_BYTES_MAX = 16 << 10;

const LINE_FEED = 0x0a;

/** Whether the screen showed this line, wrapped as it may be. */
export function isEchoOf(bytes: Uint8Array, line: string): boolean {
  const squeezed = (text: string) => text.replace(/\s+/g, "");
  return squeezed(plainText(bytes)) === squeezed(line);
}

/**
 * Where the shell says why it refuses a line, in what came after it took it: behind the line's echo, which has a row for each of
 * its lines. Undefined: it said nothing, or the line was given up by Ctrl+C.
 */
export function refusalIn(bytes: Uint8Array, line: string, shell: ShellName | null): number | undefined {
  let at = 0;
  for (let left = line.split("\n").length; left > 0; left -= 1) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  const said = plainText(bytes.subarray(at)).trim();
  const isSaid = shell === "zsh" ? /^zsh: /m.test(said) : said !== "" && !said.endsWith("^C");
  return isSaid ? at : undefined;
}

/** How much fish itself printed before a command's output. */
export function preludeLength(bytes: Uint8Array): number {
  const text = String.fromCharCode(...bytes.subarray(0, PRELUDE_BYTES_MAX));
  return FISH_PRELUDES.find((prelude) => text.startsWith(prelude))?.length ?? 0;
}

const PRELUDE_BYTES_MAX = Math.max(...FISH_PRELUDES.map((prelude) => prelude.length));

/** Why fish keeps a line at its prompt instead of running it, in its own words; null: it said nothing. */
export function fishRefusal(bytes: Uint8Array): string | null {
  return /^fish: (.+)$/m.exec(plainText(bytes))?.[1]?.trim() ?? null;
}

function plainText(bytes: Uint8Array): string {
  const lines: string[] = [];
  const plain = new Plain({ cursor: 0, line: 0 }, ({ text }) => lines.push(text));
  plain.push(bytes);
  plain.end();
  return lines.join("\n");
}
