// The lines of output that needs no screen: printable ASCII and line ends, which is what most commands print. Pure. Says
// nothing about any other output, and nothing where a screen would not show what was printed as it is.

const [SPACE, DELETE, LF, CR] = [0x20, 0x7f, 0x0a, 0x0d];

/** Undefined when only a screen can tell. */
export function plainLines(bytes: Uint8Array): string[] | undefined {
  const lines: string[] = [];
  let start = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte >= SPACE && byte < DELETE) continue;
    // A line end of the terminal. Without the return, the next line would begin in the middle.
    if (byte !== CR || bytes[i + 1] !== LF || bytes[i - 1] === SPACE) return undefined;
    lines.push(ascii(bytes.subarray(start, i)));
    i += 1;
    start = i + 1;
  }
  if (bytes.at(-1) === SPACE) return undefined;
  if (start < bytes.length) lines.push(ascii(bytes.subarray(start)));
  // Empty lines at the end count when they have left the screen, which is a matter of its size.
  return lines.at(-1) === "" ? undefined : lines;
}

function ascii(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
