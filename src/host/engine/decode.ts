// Makes a terminal from the engine's own snapshot. A snapshot has no options, so the caller sets them afterwards.
import type { Memory } from "./memory.ts";
import { type Abi, call, check, type Exports } from "./wasm.ts";

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
