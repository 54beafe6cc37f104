// The pictures of one session: reads their bytes from the journal and has them decoded, one after the other. Owns: those that
// are decoded, the newest that were asked for. Refuses: to decode anything in the page itself; a worker does, and has a deadline.
import { IMAGE_BYTES_MAX } from "../../src/core/base/image/cells.ts";
import { call, isFault } from "../wire/api.ts";
import type { Decoded, ToDecode } from "./decoder.ts";

/** Kept for each session: two 4K screens in memory, or this many small ones. */
const PIXELS_MAX = 2 * 3840 * 2160;
const BITMAPS_MAX = 64;
/** Tells more than all that a screen can show. Others come when these are done. */
const WAITING_MAX = 200;
/** A 4K picture takes some hundred milliseconds. */
const DECODE_MS_MAX = 5_000;

interface Range {
  readonly begin: number;
  readonly end: number;
}

/** While it is awaited: whom to tell. "failed": its text stays. */
type Known = ImageBitmap | Set<() => void> | "failed";

export class Bitmaps {
  #session_id: string;
  /** By where they begin; the one that was used last comes last. */
  #known = new Map<number, Known>();
  #waiting: Range[] = [];
  #working = false;

  constructor(session_id: string) {
    this.#session_id = session_id;
  }

  /** Undefined while it is not there; `onReady` runs if it comes. */
  of(range: Range, onReady: () => void): ImageBitmap | undefined {
    const known = this.#known.get(range.begin);
    if (known === undefined) {
      if (this.#waiting.length >= WAITING_MAX) return undefined;
      this.#known.set(range.begin, new Set([onReady]));
      this.#waiting.push(range);
      void this.#work();
    } else if (known instanceof Set) known.add(onReady);
    else if (known !== "failed") {
      this.#known.delete(range.begin);
      this.#known.set(range.begin, known);
      return known;
    }
    return undefined;
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const bytes = await this.#read(next);
      const picture = bytes && (await decoded({ bytes, begin: next.begin }));
      const asked = this.#known.get(next.begin);
      this.#known.set(next.begin, picture ?? "failed");
      this.#forget();
      if (picture && asked instanceof Set) for (const onReady of asked) onReady();
    }
    this.#working = false;
  }

  async #read({ begin, end }: Range): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (end - begin > IMAGE_BYTES_MAX) return undefined;
    const bytes = new Uint8Array(end - begin);
    for (let at = begin; at < end; ) {
      const length = Math.min(end - at, 1 << 20);
      const part = await call("pty_read_raw", { session_id: this.#session_id, from: at, length });
      if (isFault(part) || part.next <= at) return undefined;
      const text = atob(part.base64);
      if (text.length > end - at) return undefined;
      for (let i = 0; i < text.length; i += 1) bytes[at - begin + i] = text.charCodeAt(i);
      at = part.next;
    }
    return bytes;
  }

  /** The one that was asked for longest ago goes first. It is read again when somebody looks. */
  #forget(): void {
    let [pixels, count] = [0, 0];
    for (const [begin, known] of [...this.#known].reverse()) {
      if (known instanceof Set) continue;
      pixels += known === "failed" ? 0 : known.width * known.height;
      count += 1;
      if (count > 1 && (pixels > PIXELS_MAX || count > BITMAPS_MAX)) this.#known.delete(begin);
    }
  }
}

/** A worker for each: what it took is free again when it ends, however it ends. */
function decoded(what: ToDecode): Promise<ImageBitmap | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./decoder.ts", import.meta.url), { type: "module" });
    const done = (picture: ImageBitmap | undefined) => {
      clearTimeout(deadline);
      worker.terminate();
      resolve(picture);
    };
    const deadline = setTimeout(() => done(undefined), DECODE_MS_MAX);
    worker.onmessage = ({ data }: MessageEvent<Decoded>) => done(data ?? undefined);
    worker.onerror = () => done(undefined);
    worker.postMessage(what, [what.bytes.buffer]);
  });
}
