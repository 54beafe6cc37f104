// Makes a terminal from the engine's own snapshot. A snapshot has no options, so the caller sets them afterwards. Owns: what a
// kept state has behind it.
import type { Memory } from "./memory.ts";
import { type Abi, call, check, type Exports } from "./wasm.ts";

/** After the engine's own snapshot, two doubles: what Scrolled counts, which the engine does not know. */
export const TRAILER_BYTES = 16;
/** Before them, in the middle of a sequence or an image: where that is in the journal, the image, the length of both, and this. */
const PLACE_MARK = "IMG1";

/** As scrolled.ts counts. */
interface ScrolledPlace {
  readonly pruned: number;
  readonly top: number;
}

/** The part of Terminal that exists before its handle does. */
interface Maker {
  readonly exports: Exports;
  readonly abi: Abi;
  readonly memory: Memory;
  make(name: `ghostty_${string}`, ...args: number[]): number;
  withBlock<T>(size: number, use: (block: number) => T): T;
}

/** The handle of the new terminal. Throws when the bytes are not a whole snapshot of this version. */
export function decodeSnapshot(maker: Maker, snapshot: Uint8Array, continuationBytesMax: number): number {
  const { exports, memory, abi } = maker;
  // The decoder reads from this block until it is freed.
  return maker.withBlock(Math.max(snapshot.length, 1), (source) => {
    memory.u8.set(snapshot, source);
    const decoder = maker.make("ghostty_snapshot_decoder_new_buf", source, snapshot.length);
    const options = [
      { name: "MAX_CONTINUATION_BYTES", value: continuationBytesMax },
      // Without this we could not snapshot the restored terminal again before its sequence ends.
      { name: "RETAIN_CONTINUATION", value: 1 },
    ];
    const handle = maker.withBlock(4, (block) => {
      for (const { name, value } of options) {
        memory.view.setUint32(block, value, true);
        const key = abi.value("GhosttySnapshotDecoderOption", name);
        check(name, call(exports, "ghostty_snapshot_decoder_set", decoder, key, block));
      }
      check("snapshot", call(exports, "ghostty_snapshot_decoder_decode", decoder, block));
      return memory.view.getUint32(block, true);
    });
    call(exports, "ghostty_snapshot_decoder_free", decoder);
    return handle;
  });
}

/** Fills in the trailer that the state has room for. `place` may be empty. */
export function withTrailer(state: Buffer, { pruned, top }: ScrolledPlace, place: string): Buffer {
  state.writeDoubleLE(pruned, state.length - TRAILER_BYTES);
  state.writeDoubleLE(top, state.length - TRAILER_BYTES + 8);
  if (place === "") return state;
  const text = Buffer.from(place);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const rest = state.subarray(-TRAILER_BYTES);
  return Buffer.concat([state.subarray(0, -TRAILER_BYTES), text, length, Buffer.from(PLACE_MARK), rest]);
}

/** The engine's own state, and the place if there is one. */
export function partsOf(from: Uint8Array): { state: Buffer; place?: string } {
  const state = Buffer.from(from.buffer, from.byteOffset, Math.max(0, from.length - TRAILER_BYTES));
  const end = state.length - 4 - PLACE_MARK.length;
  if (end < 0 || state.toString("latin1", end + 4) !== PLACE_MARK) return { state };
  const length = Math.min(end, state.readUInt32LE(end));
  return { state: state.subarray(0, end - length), place: state.toString("utf8", end - length, end) };
}

export function readTrailer(from: Uint8Array): ScrolledPlace {
  const trailer = Buffer.from(from.subarray(-TRAILER_BYTES));
  return { pruned: trailer.readDoubleLE(0), top: trailer.readDoubleLE(8) };
}
