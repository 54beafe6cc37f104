// An asciicast v3 recording as data: when what was printed, and where its parts begin. Pure.

/** Nobody wants to watch somebody think: longer pauses are cut to this. */
const PAUSE_S_MAX = 2.5;

interface CastEvent {
  /** Seconds from the beginning. */
  readonly at: number;
  readonly text: string;
}

/** A marker: from here on the story tells this. */
interface CastPart {
  readonly at: number;
  readonly name: string;
}

export interface Cast {
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly CastEvent[];
  readonly parts: readonly CastPart[];
  readonly length_s: number;
}

export function parseCast(text: string): Cast {
  const [first = "", ...lines] = text.trimEnd().split("\n");
  const header = JSON.parse(first) as { version: number; term: { cols: number; rows: number } };
  if (header.version !== 3) throw new Error(`an asciicast of version ${header.version}`);
  const [events, parts]: [CastEvent[], CastPart[]] = [[], []];
  let at = 0;
  for (const line of lines) {
    const [wait, code, data] = JSON.parse(line) as [number, string, string];
    // It begins with its first output: an empty terminal tells nothing.
    at += events.length === 0 ? 0 : Math.min(wait, PAUSE_S_MAX);
    if (code === "o") events.push({ at, text: data });
    else if (code === "m") parts.push({ at, name: data });
  }
  const { cols, rows } = header.term;
  return { cols, rows, events, parts, length_s: at };
}
