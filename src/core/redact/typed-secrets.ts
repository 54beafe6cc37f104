// What people type while the terminal echoes nothing: passwords. Owns: the line that is being typed, in memory only. It is known
// from its Enter on. What was echoed is not learnt.
import type { Echo } from "../../protocol/words/program.ts";
import { Utf8 } from "../base/utf8.ts";

/** The kernel takes no longer line. */
const LINE_BYTES_MAX = 4_095;
const LINE_ENDS = [0x04, 0x0a, 0x0d];
const ERASES = [0x08, 0x7f];
/** Ctrl+C, Ctrl+U, Ctrl+Z and Ctrl+\ discard the line. */
const DISCARDS = [0x03, 0x15, 0x1a, 0x1c];

export class TypedSecrets {
  #line: number[] = [];
  #know: (value: string) => unknown;

  constructor(know: (value: string) => unknown) {
    this.#know = know;
  }

  /** `echo`: as it is right before these bytes are written. */
  typed(bytes: Uint8Array, echo: Promise<Echo>): void {
    const own = bytes.slice();
    echo.then(
      (now) => (now === "off" ? this.#take(own) : this.#forget()),
      // The program is gone, and nobody reads the line.
      () => this.#forget(),
    );
  }

  #take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (LINE_ENDS.includes(byte)) this.#entered();
      else if (DISCARDS.includes(byte)) this.#forget();
      else if (ERASES.includes(byte)) this.#erase();
      else if (this.#line.length < LINE_BYTES_MAX) this.#line.push(byte);
    }
  }

  #entered(): void {
    if (this.#line.length > 0) this.#know(new Utf8().text(Uint8Array.from(this.#line)));
    this.#forget();
  }

  /** Takes the last character away, which may have several bytes. */
  #erase(): void {
    let last = this.#line.pop();
    while (last !== undefined && (last & 0xc0) === 0x80) last = this.#line.pop();
  }

  #forget(): void {
    this.#line = [];
  }
}
