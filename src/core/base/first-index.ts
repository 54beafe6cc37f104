// Where in a sorted list something begins. Pure.

/** The first index where the condition is true, in a list where it then stays true. */
export function firstIndex<T>(list: readonly T[], is: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = list[middle];
    if (item !== undefined && is(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
