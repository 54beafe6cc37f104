// Whether the program in front has been left alone: nobody has typed since its command began, and what was typed before is that
// command and nothing ahead of it. Owns: how many lines were entered since the newest prompt. Pure.

/** Enter, line feed, and Ctrl+O, which enters, too. */
const ENTERS: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x0f]);

export class Fresh {
  /** Lines that were entered and that became no command. A program has read them, or the next one will. */
  #owed: number;
  #entered = 0;
  #isTyped = false;
  #began: { readonly entered: number; readonly isRun: boolean } | undefined;

  /** `isOld`: somebody typed in a time that we know nothing of. */
  constructor(isOld: boolean) {
    this.#owed = isOld ? Number.POSITIVE_INFINITY : 0;
  }

  get is(): boolean {
    if (this.#owed > 0 || this.#isTyped) return false;
    return !this.#began || this.#began.entered === (this.#began.isRun ? 0 : 1);
  }

  /** `isRested`: the shell has been at its prompt for so long that it has read all that was typed ahead. */
  typed(bytes: Uint8Array, isRested: boolean): void {
    if (isRested) this.#owed = 0;
    this.#isTyped = true;
    for (const byte of bytes) if (ENTERS.has(byte)) this.#entered += 1;
  }

  prompted(): void {
    const became = this.#began && !this.#began.isRun ? 1 : 0;
    this.#owed = Math.max(0, this.#owed + this.#entered - became);
    [this.#entered, this.#isTyped, this.#began] = [0, false, undefined];
  }

  /** A command. `isEntered`: Enter was the newest key. */
  began(isRun: boolean, isEntered: boolean): void {
    this.#began = { entered: this.#entered, isRun };
    this.#isTyped = !isRun && !isEntered;
  }
}
