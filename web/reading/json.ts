// JSON in an output: one value, or one in each line. Pure. What stands around it, such as a log line before, is kept apart.

interface Json {
  readonly values: readonly unknown[];
  /** Values that are left out. */
  readonly more: number;
}

/** More lines than this are a log to search, not to unfold. */
const VALUES_MAX = 1_000;

export function readJson(text: string): Json | undefined {
  const whole = parsed(text.trim());
  if (whole !== undefined) return { values: [whole.value], more: 0 };
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values: unknown[] = [];
  let more = 0;
  for (const line of lines) {
    const one = parsed(line.trim());
    if (one === undefined) return between(text);
    if (values.length < VALUES_MAX) values.push(one.value);
    else more += 1;
  }
  return values.length > 0 ? { values, more } : undefined;
}

/** Words before and after it do not matter, if it takes most of the text. */
function between(text: string): Json | undefined {
  const from = text.search(/^\s*[[{]/m);
  const to = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  if (from < 0 || (to - from) * 2 < text.length) return undefined;
  const one = parsed(text.slice(from, to + 1).trim());
  return one && { values: [one.value], more: 0 };
}

/** Objects and lists only: a number or a word alone needs no drawing. */
function parsed(text: string): { readonly value: object } | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) as object };
  } catch {
    return undefined;
  }
}
