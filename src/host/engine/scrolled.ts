// Counts the lines that left the top of the primary screen, including those the engine has pruned from its history.
// Owns: a tracked reference to the row that was on top last time; how far it has moved tells what was pruned.
// The count is inexact when one feed scrolls past the whole history (then we count its line feeds), and late while the
// alternate screen is shown: we count the lines of the feed that entered it when the program leaves it.
import type { Terminal } from "./terminal.ts";
import { call, check } from "./wasm.ts";

const LF = 0x0a;

/** `pruned`: lines no longer kept, which is also the number of the oldest kept line. `top`: lines kept above the screen. */
interface ScrolledState {
  readonly pruned: number;
  readonly top: number;
}

export class Scrolled {
  readonly #terminal: Terminal;
  readonly #point: number;
  readonly #found: number;
  readonly #slot: number;
  readonly #screen: number;
  readonly #y: number;
  #ref: number | null = null;
  #state: ScrolledState;

  constructor(terminal: Terminal, state: ScrolledState) {
    const { abi, memory } = terminal;
    this.#terminal = terminal;
    this.#state = state;
    this.#point = memory.alloc(abi.size("GhosttyPoint"));
    this.#found = memory.alloc(abi.size("GhosttyPointCoordinate"));
    this.#slot = memory.alloc(4);
    this.#screen = abi.value("GhosttyPointTag", "SCREEN");
    this.#y = abi.offset("GhosttyPointCoordinate", "y");
    // Row 0, column 0 of the active area: all fields zero but the tag.
    memory.view.setInt32(this.#point + abi.offset("GhosttyPoint", "tag"), abi.value("GhosttyPointTag", "ACTIVE"), true);
    this.moved(new Uint8Array(0));
  }

  get state(): ScrolledState {
    return this.#state;
  }

  count(): number {
    return this.#state.pruned + this.#state.top;
  }

  /** Call it after every feed with its bytes, and after every resize with none. */
  moved(bytes: Uint8Array): void {
    if (this.#terminal.isAlternate()) return;
    const { exports, handle } = this.#terminal;
    const top = this.#terminal.historyCount();
    if (this.#ref === null) {
      check("track", call(exports, "ghostty_terminal_grid_ref_track", handle, this.#point, this.#slot));
      this.#ref = this.#terminal.memory.view.getUint32(this.#slot, true);
      this.#state = { ...this.#state, top };
      return;
    }
    this.#state = { pruned: this.#state.pruned + this.#newlyPruned(this.#ref, top, bytes), top };
    check("track", call(exports, "ghostty_tracked_grid_ref_set", this.#ref, handle, this.#point));
  }

  #newlyPruned(ref: number, top: number, bytes: Uint8Array): number {
    const before = this.#state.top;
    if (call(this.#terminal.exports, "ghostty_tracked_grid_ref_point", ref, this.#screen, this.#found) === 0)
      return Math.max(0, before - this.#terminal.memory.view.getUint32(this.#found + this.#y, true));
    // RIS loses the reference too but scrolls nothing. Counting too many lines then only skips some numbers.
    return Math.max(0, before + (top > 0 ? countLineFeeds(bytes) : 0) - top);
  }
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i += 1) if (bytes[i] === LF) count += 1;
  return count;
}
