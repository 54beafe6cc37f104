// Types again what a person typed ahead. A line editor reads keys, so the kernel keeps what follows the editor's line as one
// piece, with Enter as it came: a program that reads lines would get several of them at once, or wait for the end of one.
// Owns: the terminal's modes meanwhile. Nothing is echoed a second time.
import { libc } from "./libc.ts";

/** The kernel keeps 4 KiB for a program that does not read. */
const UNREAD_BYTES_MAX = 1 << 16;
/** The kernel hands written bytes on within microseconds, and on a busy machine within this time. */
const ARRIVAL_MS_MAX = 100;
const ARRIVAL_LOOK_MS = 1;
const LINE_END = [0x0a, 0x0d];
/** Ctrl+D. In line mode the kernel keeps NUL for it. */
const [END_OF_INPUT, KEPT_FOR_IT] = [0x04, 0x00];

/** Resolves when all that was unread has arrived again. Does nothing in a terminal that is not in line mode. */
export async function retype(slave: number, write: (bytes: Uint8Array) => void): Promise<void> {
  const { lineMode, setModes, read, unread, hasModes } = libc();
  const modes = lineMode(slave);
  if (!modes) return;
  setModes(slave, modes.keys);
  const into = new Uint8Array(UNREAD_BYTES_MAX);
  let count = 0;
  for (let got = -1; got !== 0 && count < into.length; count += got) got = read(slave, into.subarray(count));
  setModes(slave, modes.silent);
  const typed = into.subarray(0, count).map((byte) => (byte === KEPT_FOR_IT ? END_OF_INPUT : byte));
  const lines = typed.subarray(0, 1 + Math.max(...LINE_END.map((end) => typed.lastIndexOf(end))));
  // The kernel does not count the end of input.
  const inLines = lines.filter((byte) => byte !== END_OF_INPUT).length;
  if (count > 0) write(typed);
  const deadline = performance.now() + ARRIVAL_MS_MAX;
  while (count > 0 && unread(slave) < inLines && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, ARRIVAL_LOOK_MS));
  // A program may have chosen its own by now.
  if (hasModes(slave, modes.silent)) setModes(slave, modes.before);
}
