// Views of one wasm memory, and what becomes of memory that nobody uses any more. Owns: renewing the views, because growth
// replaces memory.buffer and detaches the old one. Refuses: to be cached across a wasm call. Ask again after every call that
// can allocate.
import v8 from "node:v8";
import vm from "node:vm";
import { call, type Exports, Refusal } from "./wasm.ts";

export class Memory {
  readonly #exports: Exports;
  #buffer: ArrayBuffer;
  #u8: Uint8Array;
  #u32: Uint32Array;
  #view: DataView;

  constructor(exports: Exports) {
    this.#exports = exports;
    this.#buffer = exports.memory.buffer;
    this.#u8 = new Uint8Array(this.#buffer);
    this.#u32 = new Uint32Array(this.#buffer);
    this.#view = new DataView(this.#buffer);
  }

  get u8(): Uint8Array {
    this.#renew();
    return this.#u8;
  }

  get u32(): Uint32Array {
    this.#renew();
    return this.#u32;
  }

  get view(): DataView {
    this.#renew();
    return this.#view;
  }

  /** A zeroed block that is never freed, for the few that live as long as the instance. */
  alloc(size: number): number {
    const ptr = call(this.#exports, "ghostty_wasm_alloc", size);
    if (ptr === 0) throw new Refusal(`libghostty-vt: no memory for ${size} bytes`);
    this.u8.fill(0, ptr, ptr + size);
    return ptr;
  }

  /** Copies what a GhosttyString-like pair at `at` points to. */
  copyOut(at: number): Uint8Array<ArrayBuffer> {
    const ptr = this.view.getUint32(at, true);
    return this.u8.slice(ptr, ptr + this.view.getUint32(at + 4, true));
  }

  #renew(): void {
    if (this.#buffer === this.#exports.memory.buffer) return;
    this.#buffer = this.#exports.memory.buffer;
    this.#u8 = new Uint8Array(this.#buffer);
    this.#u32 = new Uint32Array(this.#buffer);
    this.#view = new DataView(this.#buffer);
  }
}

/** Some engines. Less is not worth the time that it takes to give it back, some hundredths of a second. */
const MUCH_BYTES = 8 << 20;

let collect: (() => void) | undefined;
let unused = 0;

/** An engine with so much memory is gone. */
export function left(bytes: number): void {
  unused += bytes;
}

/** V8 gives the memory of engines back when it collects garbage, and a process that rests never does. */
export function giveBackMemory(): void {
  if (unused < MUCH_BYTES) return;
  unused = 0;
  collect ??= collector();
  collect();
}

function collector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  return vm.runInNewContext("gc") as () => void;
}
