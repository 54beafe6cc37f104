// One libghostty-vt terminal in its own wasm instance. Owns: the handle, its options and callbacks, the input
// block. Refuses: to decide anything; it turns calls into the C API and error codes into throws.
import { CELL_PX } from "../../core/base/image/cells.ts";
import type { Size } from "../../core/pty/pty.ts";
import { Answers, TERMINAL_NAME } from "./answers.ts";
import { decodeSnapshot } from "./decode.ts";
import { Memory } from "./memory.ts";
import { type Abi, call, check, type Exports, type Instance, instantiate } from "./wasm.ts";

/** We keep an unfinished sequence up to this length for snapshots. Only strings that we do not read are longer. */
const CONTINUATION_BYTES_MAX = 64 << 10;
/** The engine prunes history by whole pages, about 673 rows at 80 columns: with less slack it holds less than asked. */
const PRUNE_SLACK_ROWS = 700;
/** One copy into the wasm; larger input goes in pieces. */
const INPUT_BYTES = 64 << 10;
/** Without defaults the engine does not answer OSC 10, 11 and 12. */
const COLORS = { FOREGROUND: [0xd4, 0xd4, 0xd4], BACKGROUND: [0x12, 0x14, 0x18], CURSOR: [0xd4, 0xd4, 0xd4] } as const;
const SCRATCH_BYTES = 256;
const DEC_MODE_BITS = 0x7fff;

export class Terminal {
  readonly exports: Exports;
  readonly abi: Abi;
  readonly memory: Memory;
  readonly handle: number;
  #size: Size;
  readonly #answers = new Answers();
  readonly #scratch: number;
  readonly #slot: number;
  readonly #input: number;
  readonly name: number;
  readonly #get: (handle: number, key: number, out: number) => number;
  readonly #write: (handle: number, ptr: number, len: number) => number;
  readonly #keys = new Map<string, number>();

  constructor(size: Size, scrollback: number, from: Uint8Array | undefined) {
    const instance = instantiate(this.#answers.callbacks(() => this));
    const { exports, abi } = instance;
    this.exports = exports;
    this.abi = abi;
    this.#size = size;
    this.memory = new Memory(exports);
    const write = exports.ghostty_terminal_vt_write;
    const get = exports.ghostty_terminal_get;
    if (!write || !get) throw new Error("libghostty-vt lacks its terminal functions");
    this.#write = write;
    this.#get = get;
    this.#scratch = this.memory.alloc(SCRATCH_BYTES);
    this.#slot = call(exports, "ghostty_wasm_alloc_opaque");
    this.#input = this.memory.alloc(INPUT_BYTES);
    this.name = this.memory.alloc(TERMINAL_NAME.length);
    this.memory.u8.set(Buffer.from(TERMINAL_NAME), this.name);
    this.handle = from
      ? decodeSnapshot(this, from, CONTINUATION_BYTES_MAX)
      : this.make("ghostty_terminal_new", size.cols, size.rows);
    this.#configure(instance, scrollback);
    const found = this.gridSize();
    if (found.cols !== size.cols || found.rows !== size.rows) this.resize(size);
  }

  /** Every ghostty_*_new has this shape: allocator (0: the default), where the handle goes, the rest. */
  make(name: `ghostty_${string}`, ...args: number[]): number {
    check(name, call(this.exports, name, 0, this.#slot, ...args));
    return call(this.exports, "ghostty_wasm_take_opaque", this.#slot);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += INPUT_BYTES) {
      const piece = bytes.length <= INPUT_BYTES ? bytes : bytes.subarray(at, at + INPUT_BYTES);
      this.memory.u8.set(piece, this.#input);
      this.#write(this.handle, this.#input, piece.length);
    }
  }

  takeReplies(): Uint8Array {
    return this.#answers.take();
  }

  /** The size asked for by the last resize. gridSize() is what the engine made of it. */
  size(): Size {
    return this.#size;
  }

  gridSize(): Size {
    return { cols: this.u16("COLS"), rows: this.u16("ROWS") };
  }

  resize(size: Size): void {
    this.#size = size;
    const { width, height } = CELL_PX;
    const result = call(this.exports, "ghostty_terminal_resize", this.handle, size.cols, size.rows, width, height);
    check("resize", result);
  }

  u16(key: string): number {
    this.#read(key);
    return this.memory.view.getUint16(this.#scratch, true);
  }

  u32(key: string): number {
    this.#read(key);
    return this.memory.view.getUint32(this.#scratch, true);
  }

  u8(key: string): number {
    this.#read(key);
    return this.memory.view.getUint8(this.#scratch);
  }

  bytes(key: string): Uint8Array {
    this.#read(key);
    return this.memory.copyOut(this.#scratch);
  }

  isAlternate(): boolean {
    return this.u32("ACTIVE_SCREEN") === 1;
  }

  /** The engine lets CSI 22 J push rows above the alternate screen, where no program expects any. */
  historyCount(): number {
    return this.isAlternate() ? 0 : this.u32("SCROLLBACK_ROWS");
  }

  /** A DEC private mode. */
  mode(number: number): boolean {
    const { view } = this.memory;
    view.setUint16(this.#scratch, number & DEC_MODE_BITS, true);
    view.setUint8(this.#scratch + 2, 0);
    check(`mode ${number}`, this.#get(this.handle, this.#key("GhosttyTerminalData", "MODE"), this.#scratch));
    return this.memory.u8[this.#scratch + 2] !== 0;
  }

  /** The bytes since the last ground state; null when there were more than CONTINUATION_BYTES_MAX. */
  continuation(): Uint8Array | null {
    return this.allocated((out) =>
      call(this.exports, "ghostty_terminal_continuation_alloc", this.handle, 0, out, out + 4),
    );
  }

  /** Null in the middle of a sequence that the engine cannot carry: too long, or a C1 byte inside a string. */
  snapshot(room: number): Buffer | null {
    const encode = (out: number) => call(this.exports, "ghostty_snapshot_encode_alloc", this.handle, 0, out, out + 4);
    return this.allocated(encode, room);
  }

  /** For calls that allocate their answer. We copy it, with room behind it, and free it. Null means refused. */
  allocated(ask: (out: number) => number, room = 0): Buffer | null {
    if (ask(this.#scratch) !== 0) return null;
    const ptr = this.memory.view.getUint32(this.#scratch, true);
    const len = this.memory.view.getUint32(this.#scratch + 4, true);
    const copy = Buffer.allocUnsafeSlow(len + room);
    copy.set(this.memory.u8.subarray(ptr, ptr + len));
    if (len > 0) call(this.exports, "ghostty_free", 0, ptr, len);
    return copy;
  }

  /** A zeroed block of wasm memory for one call. */
  withBlock<T>(size: number, use: (block: number) => T): T {
    const block = this.memory.alloc(size);
    const result = use(block);
    call(this.exports, "ghostty_wasm_free", block, size);
    return result;
  }

  #configure(instance: Instance, scrollback: number): void {
    const { view, u8 } = this.memory;
    const put = (option: string) => this.#set(option, this.#scratch);
    view.setUint32(this.#scratch, scrollback + PRUNE_SLACK_ROWS, true);
    put("SCROLLBACK_MAX_LINES");
    this.#set("SCROLLBACK_MAX_BYTES", 0); // NULL: no limit of bytes, else it prunes before the lines are reached.
    view.setUint32(this.#scratch, CONTINUATION_BYTES_MAX, true);
    put("CONTINUATION_MAX_BYTES");
    view.setBigUint64(this.#scratch, 0n, true); // The journal has images; they must not take memory here.
    put("KITTY_IMAGE_STORAGE_LIMIT");
    for (const [name, rgb] of Object.entries(COLORS)) {
      u8.set(rgb, this.#scratch);
      put(`COLOR_${name}`);
    }
    for (const [name, slot] of Object.entries(instance.slots)) this.#set(name, slot);
  }

  #set(option: string, pointer: number): void {
    const key = this.abi.value("GhosttyTerminalOption", option);
    check(option, call(this.exports, "ghostty_terminal_set", this.handle, key, pointer));
  }

  #read(key: string): void {
    check(key, this.#get(this.handle, this.#key("GhosttyTerminalData", key), this.#scratch));
  }

  #key(type: string, name: string): number {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const value = this.abi.value(type, name);
    this.#keys.set(name, value);
    return value;
  }
}
