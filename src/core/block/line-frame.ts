// A text for a shell inside of another program, as it comes through the terminal: nested.bash says how it is read. Pure. It has
// no byte that a terminal or a shell would act on: a machine in between must pass it on as it is, and when the connection was
// lost a moment ago, the shell of this machine reads it as one word that is no command.
import { utf8 } from "../base/utf8.ts";

const [BEGIN, END, LF] = [0x02, 0x1e, 0x0a];
const PLAIN = /^[A-Za-z0-9_]$/;

export function frameOf(run_id: string, text: string): Uint8Array {
  return Uint8Array.from([BEGIN, ...utf8(`${oneWord(`${run_id};${text}`)}`), END, LF]);
}

/** For `printf %b`. */
export function oneWord(text: string): string {
  let word = "";
  for (const byte of utf8(text)) {
    const char = String.fromCharCode(byte);
    word += PLAIN.test(char) ? char : `\\0${byte.toString(8).padStart(3, "0")}`;
  }
  return word;
}
