// Whether a line leaves its folder before it is over, so that nobody knows to which folder a name in it belongs. Pure. A word counts
// as it stands in the text and as the shell reads it: c\d is cd.
import type { Risk } from "../risk/risk.ts";

const MOVES = /^(?:cd|pushd|popd|chdir)$/;

export function movesIn(text: string, possible: Risk["possible"]): boolean {
  return mentions(MOVES, text, possible);
}

export function mentions(names: RegExp, text: string, possible: Risk["possible"]): boolean {
  return (
    text.split(/[^\w-]+/).some((word) => names.test(word)) ||
    possible.some(([name]) => name !== undefined && names.test(name.text))
  );
}
