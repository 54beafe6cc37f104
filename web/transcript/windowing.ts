// Which cards of a long list are drawn: the visible ones and some around them. The rest is empty space of the same height. Pure.

/** Extra cards above and below the visible ones, so that a turn of the wheel finds them drawn. */
const AROUND = 16;
/** More are never drawn, however small they are. */
export const DRAWN_MAX = 64;

interface VisibleRange {
  readonly top: number;
  readonly height: number;
}

export interface Window {
  readonly start: number;
  /** Not included. */
  readonly end: number;
  /** Height of what is left out. */
  readonly above: number;
  readonly below: number;
}

export function windowOf(heights: readonly number[], sight: VisibleRange): Window {
  const { first, last } = inSight(heights, sight);
  const start = Math.max(0, first - AROUND);
  const end = Math.min(heights.length, last + 1 + AROUND, start + DRAWN_MAX);
  return { start, end, above: sum(heights, 0, start), below: sum(heights, end, heights.length) };
}

/** The first and last visible cards, or the nearest ones when none is visible. */
export function inSight(heights: readonly number[], { top, height }: VisibleRange): { first: number; last: number } {
  const most = Math.max(0, heights.length - 1);
  let [at, first] = [0, most];
  for (const [i, own] of heights.entries()) {
    if (at + own > top) {
      first = i;
      break;
    }
    at += own;
  }
  let last = first;
  let end = at + (heights[first] ?? 0);
  while (last < most && end < top + height) {
    last += 1;
    end += heights[last] ?? 0;
  }
  return { first, last };
}

export function sum(heights: readonly number[], from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to; i += 1) total += heights[i] ?? 0;
  return total;
}
