// A line for a shell inside of another program, as it comes through the terminal: nested.bash says how it is read. Pure. It has
// no byte that a terminal would act on: a machine in between, or the terminal there, must pass it on as it is.
import { utf8 } from "../screen/input/keys.ts";

const [BEGIN, END, LF, BACKSLASH, SPACE, TILDE] = [0x02, 0x1e, 0x0a, 0x5c, 0x20, 0x7e];

export function frameOf(run_id: string, text: string): Uint8Array {
  const body: number[] = [];
  for (const byte of utf8(`${run_id};${text}`)) {
    if (byte >= SPACE && byte <= TILDE && byte !== BACKSLASH) body.push(byte);
    else body.push(...utf8(`\\0${byte.toString(8).padStart(3, "0")}`));
  }
  return Uint8Array.from([BEGIN, ...body, END, LF]);
}
