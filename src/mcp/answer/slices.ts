// An export in answers that a model can read. The operation's parts are a megabyte of output each, because secrets are found in what
// stands around them; an answer is a slice of such a part. Pure. Refuses: to ask for smaller parts.

/** About four thousand tokens. */
const SLICE_CHARS = 16_000;

interface Part {
  readonly content: string;
  readonly next: string | null;
}

/** `PART+CHARS`: which part, and how much of it was told. */
const PLACE = /^([\d:]*)\+(\d{1,9})$/;

/** What to ask for, and where in its answer the slice begins. */
export function placeIn(input: Record<string, unknown>): { input: Record<string, unknown>; from: number } {
  const { after, ...rest } = input;
  const [, part, from] = PLACE.exec(String(after ?? "")) ?? [];
  if (part === undefined) return { input, from: 0 };
  return { input: part === "" ? rest : { ...rest, after: part }, from: Number(from) };
}

/** `asked`: the input that the part answers. */
export function sliceOf<T extends Part>(part: T, asked: Record<string, unknown>, from: number): T {
  const { content } = part;
  const end = from + SLICE_CHARS;
  if (end >= content.length) return { ...part, content: content.slice(from) };
  // Where there are lines we keep them whole.
  const line = content.lastIndexOf("\n", end) + 1;
  const to = line > from ? line : end;
  return { ...part, content: content.slice(from, to), next: `${asked.after ?? ""}+${to}` };
}
