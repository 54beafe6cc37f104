// What a session's shell knows, as its script in shell/ has written it: variables, one in each line, then a line with only `#`,
// then everything else; in it, as comments, where commands are found (`#p`) and what else is one (`#c`). Pure.

/** Between variables and everything else. */
const END = "\n#\n";
/** What a line sets: `declare -x NAME` of bash, `typeset -g NAME` of zsh, `set -gx NAME` of fish. */
const SETS = /^(?:set -\S+ \S+|[^=]*)/;

/**
 * What a shell has to read that knows `before`, to know `now`. Null: it has to begin anew, because something else has changed, or
 * a variable is gone. Most programs in a prompt set a variable each time.
 */
export function changesIn(before: string, now: string): string | null {
  const [old, oldRest] = parts(before);
  const [set, rest] = parts(now);
  if (rest === null || rest !== oldRest) return null;
  for (const name of old.keys()) if (!set.has(name)) return null;
  return [...set].flatMap(([name, line]) => (old.get(name) === line ? [] : [`${line}\n`])).join("");
}

function parts(state: string): readonly [ReadonlyMap<string, string>, string | null] {
  const end = state.indexOf(END);
  if (end < 0) return [new Map(), null];
  const lines = state.slice(0, end).split("\n");
  return [new Map(lines.map((line) => [SETS.exec(line)?.[0] ?? line, line])), state.slice(end)];
}

/** What a shell runs by its name: functions, aliases, builtins and keywords, and the folders of its PATH. */
interface KnownNames {
  readonly names: ReadonlySet<string>;
  readonly path: readonly string[];
}

/** Null: it cannot be told. */
export function namesIn(state: string): KnownNames | null {
  const lines = state.split("\n");
  const path = lines.findLast((line) => line.startsWith("#p "))?.slice(3);
  if (!path) return null;
  const names = lines.flatMap((line) => (line.startsWith("#c ") ? [line.slice(3)] : []));
  return { names: new Set(names), path: path.split(":") };
}
