// The code that pairs a device: shown on the machine, typed on the device. Owns: the one code that is good now. It works once,
// for a short time, and not after a few wrong tries. A daemon that begins again knows none.
import { randomInt } from "node:crypto";

/** Nobody takes one for another or for a digit: there is no I, L, O, Q, U or V. */
const LETTERS = "ABCDEFGHJKMNPRSTWXYZ";
const CODE_LETTERS = 8;
/** To walk to the other device and type it. */
const CODE_LIFE_MS = 300_000;
/** A person mistypes a few times. Of 2.5e10 codes nobody guesses one so. */
const WRONG_MAX = 5;

interface Shown {
  readonly code: string;
  readonly expires_at: number;
}

export class Pairing {
  #open: (Shown & { wrong: number }) | undefined;

  /** The one before it is void. */
  begin(now: number): Shown {
    const code = Array.from({ length: CODE_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join("");
    this.#open = { code, expires_at: now + CODE_LIFE_MS, wrong: 0 };
    return { code, expires_at: now + CODE_LIFE_MS };
  }

  /** True once for each code, in time, however a person groups and writes its letters. */
  use(typed: string, now: number): boolean {
    const open = this.#open;
    if (!open || now > open.expires_at) return false;
    const isRight = typed.toUpperCase().replace(/[\s-]/g, "") === open.code;
    open.wrong += 1;
    if (isRight || open.wrong >= WRONG_MAX) this.#open = undefined;
    return isRight;
  }

  end(): void {
    this.#open = undefined;
  }
}
