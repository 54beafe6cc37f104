// How far each viewer's input has come, so that nothing is written twice. Owns: the last number of each viewer.
import type { InputNumber } from "./holding.ts";

/** Viewers come and go. One that is not among the last ones has long been told how far its input came. */
const VIEWERS_MAX = 200;

export class TypedInput {
  #last = new Map<number, number>();

  get list(): InputNumber[] {
    return [...this.#last].map(([viewer, n]) => ({ viewer, n }));
  }

  /** Takes note of a number. False: it was there before. Input without a number always counts. */
  isNew(number: InputNumber | undefined): boolean {
    if (!number) return true;
    const { viewer, n } = number;
    if (n <= (this.#last.get(viewer) ?? 0)) return false;
    this.#last.delete(viewer);
    this.#last.set(viewer, n);
    for (const oldest of this.#last.keys()) if (this.#last.size > VIEWERS_MAX) this.#last.delete(oldest);
    return true;
  }
}
