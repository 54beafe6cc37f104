// A list that arrows move through while a person types above it. Owns: the selected entry.
import { type Accessor, createEffect, createSignal, on } from "solid-js";

interface Picker {
  readonly at: Accessor<number>;
  setAt(at: number): void;
  onKey(event: KeyboardEvent): void;
}

/** One key press with Page Up or Page Down. */
const PAGE = 8;

export function createPicker(count: Accessor<number>, again: Accessor<unknown>, pick: (at: number) => void): Picker {
  const [at, setAt] = createSignal(0);
  createEffect(on(again, () => setAt(0)));
  function move(by: number): void {
    const last = count() - 1;
    if (last < 0) return;
    // One step past the end wraps around. A page stops there.
    if (Math.abs(by) === 1) setAt((at() + by + count()) % count());
    else setAt(Math.min(last, Math.max(0, at() + by)));
  }
  const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };
  return {
    at: () => Math.min(at(), Math.max(0, count() - 1)),
    setAt,
    onKey(event) {
      if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
      const by = moves[event.key];
      if (by !== undefined) move(by);
      else if (event.key === "Enter" && count() > 0) pick(Math.min(at(), count() - 1));
      else return;
      event.preventDefault();
    },
  };
}
