// Output where there is no screen of ours: images are only named. Owns: the image that is incomplete. Cutting the
// input anywhere changes nothing. The bytes before and after an image's data stay, as all that is no text does.
import { imageLabel } from "./cells.ts";
import { ImageScan } from "./scan.ts";

export class ToldImages {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #parts: (Uint8Array | string)[] = [];
  #scan = new ImageScan((data) => {
    const from = data.byteOffset - this.#bytes.byteOffset;
    this.#parts.push(this.#bytes.subarray(this.#at, from));
    this.#at = from + data.length;
  });

  /** What is left of it: bytes, and what stands for an image. */
  push(bytes: Uint8Array): readonly (Uint8Array | string)[] {
    [this.#bytes, this.#at, this.#parts] = [bytes, 0, []];
    this.#scan.push(bytes, 0, ({ image, at }) => {
      this.#parts.push(bytes.subarray(this.#at, at), imageLabel(image));
      this.#at = at;
    });
    this.#parts.push(bytes.subarray(this.#at));
    return this.#parts;
  }
}
