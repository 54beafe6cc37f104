// Groups entries, in the order of each group's first member.

export function grouping<T>(all: Iterable<T>, groupOf: (one: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(groupOf(one));
    if (group) group.push(one);
    else groups.set(groupOf(one), [one]);
  }
  return [...groups];
}
