// What goes to xterm, with images put in as the daemon's engine has them. Owns: the search for the first sequence that may be an
// image; from there on screen-images.ts, which is loaded then, sees everything.
import type { ImageParts, ScreenImages } from "./screen-images.ts";

const ESC = 0x1b;
const INTRODUCERS = new Set([..."P_]X"].map((char) => char.charCodeAt(0)));
/** After ESC: sixel, kitty, iTerm2; and what a repaint has of an image. */
const BEGINNINGS = ["_G", "]1337;", "Xduetty-image", "]duetty-image", "]8;;duetty-image"];
const SIXEL = /^P[\d;]*q/;
const SIXEL_PART = /^P[\d;]*$/;
const BEGINNING_BYTES = 20;

export class ImageWrites {
  #parts: ImageParts;
  #images: ScreenImages | undefined;
  /** The end of what was written, if it may be the beginning of one. */
  #tail = new Uint8Array(0);
  #loading: Promise<void> | undefined;

  constructor(parts: ImageParts) {
    this.#parts = parts;
  }

  /** `from`: the cursor of the first byte. */
  write(bytes: Uint8Array, from: number, onParsed: () => void): void {
    if (this.#images) return this.#images.write(bytes, from, onParsed);
    if (this.#loading) return void this.#loading.then(() => this.write(bytes, from, onParsed));
    const tail = this.#tail;
    const found = beginning(joined(tail, bytes));
    this.#tail = found.tail;
    if (!found.is) return this.#parts.terminal.write(bytes, onParsed);
    this.#loading = import("./screen-images.ts").then(
      (own) => {
        this.#loading = undefined;
        this.#images = new own.ScreenImages(this.#parts);
        this.#images.saw(tail, from - tail.length);
        this.#images.write(bytes, from, onParsed);
      },
      // The page is older than the daemon, or there is no connection. The next one is tried again.
      () => {
        this.#loading = undefined;
        this.#parts.terminal.write(bytes, onParsed);
      },
    );
  }
}

function joined(tail: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (tail.length === 0) return bytes;
  const all = new Uint8Array(tail.length + bytes.length);
  all.set(tail);
  all.set(bytes, tail.length);
  return all;
}

/** Whether an image may begin in it, or at its end. */
function beginning(bytes: Uint8Array): { readonly is: boolean; readonly tail: Uint8Array<ArrayBuffer> } {
  const none = new Uint8Array(0);
  for (let at = bytes.indexOf(ESC); at >= 0; at = bytes.indexOf(ESC, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && !INTRODUCERS.has(next)) continue;
    const text = String.fromCharCode(...bytes.subarray(at + 1, at + 1 + BEGINNING_BYTES));
    if (SIXEL.test(text) || BEGINNINGS.some((one) => text.startsWith(one))) return { is: true, tail: none };
    const isPart = SIXEL_PART.test(text) || BEGINNINGS.some((one) => one.startsWith(text));
    if (isPart && at + BEGINNING_BYTES >= bytes.length) return { is: false, tail: bytes.slice(at) };
  }
  return { is: false, tail: none };
}
