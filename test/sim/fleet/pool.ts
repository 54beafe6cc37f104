// Random bytes that all worlds share: journals and input are pieces of them, so that a comparison needs no copy.
import { seeded } from "../../fixtures/seeded.ts";

export const POOL = noise(1, 12 << 20);
export const INPUT = noise(2, 4 << 20);

function noise(seed: number, bytes: number): Uint8Array {
  const random = seeded(seed);
  const words = Uint32Array.from({ length: bytes / 4 }, () => random() * 4_294_967_296);
  return new Uint8Array(words.buffer);
}
