// JSON of another machine. What it costs to read is told by its parts, not by its bytes: they are counted first, outside of its texts.
// Pure.

/** Read in half a second, at most. */
const PARTS_MAX = 500_000;
const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = ['"', "\\", ",", "[", "{"].map((one) => one.charCodeAt(0));

/** Undefined: it is none, or too much of it. */
export function farJson(said: Uint8Array | string, partsMax = PARTS_MAX): unknown {
  const text = typeof said === "string" ? said : new TextDecoder().decode(said);
  try {
    return isReadable(text, partsMax) ? JSON.parse(text) : undefined;
  } catch {
    // Whoever expects a form of it refuses.
    return undefined;
  }
}

function isReadable(text: string, partsMax: number): boolean {
  let parts = 0;
  let isInside = false;
  for (let i = 0; i < text.length && parts <= partsMax; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) isInside = !isInside;
    else if (isInside) i += code === BACKSLASH ? 1 : 0;
    else if (code === COMMA || code === LIST || code === OBJECT) parts += 1;
  }
  return parts <= partsMax;
}
