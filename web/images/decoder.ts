// Decodes one picture, in a worker of its own. Gets what a program printed and gives pixels, or nothing: the bytes are hostile.
// Owns nothing. Refuses: pictures that are larger than their head says.
import { isDrawable, sizeOf } from "../../src/core/base/image/cells.ts";
import type { OpenImage } from "../../src/core/base/image/open-image.ts";
import { ImageScan } from "../../src/core/base/image/scan.ts";
import { fromBase64 } from "./base64.ts";
import { sixelPixels } from "./sixel.ts";

export interface ToDecode {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The cursor of the first byte. */
  readonly begin: number;
}
export type Decoded = ImageBitmap | null;

addEventListener("message", ({ data }: MessageEvent<ToDecode>) => {
  decode(data).then(
    (picture) => postMessage(picture, { transfer: picture ? [picture] : [] }),
    () => postMessage(null),
  );
});

async function decode({ bytes, begin }: ToDecode): Promise<Decoded> {
  const parts: Uint8Array[] = [];
  const found: OpenImage[] = [];
  const scan = new ImageScan((part) => parts.push(part));
  scan.push(bytes, begin, ({ image }) => found.push(image));
  const [image] = found;
  if (!image || image.begin !== begin || !isDrawable(image, bytes.length)) return null;
  const { width, height } = sizeOf(image);
  if (image.protocol === "sixel")
    return createImageBitmap(new ImageData(sixelPixels(joined(parts), width, height), width, height));
  const file = fromBase64(parts);
  if (image.width > 0) return raw(image, file);
  // A head of a size, and then another size: nobody knows what that takes. It is let go.
  const picture = await createImageBitmap(new Blob([file]));
  if (picture.width === width && picture.height === height) return picture;
  picture.close();
  return null;
}

/** Pixels as they are, perhaps packed. */
async function raw({ width, height, format, packed }: OpenImage, file: Uint8Array<ArrayBuffer>): Promise<Decoded> {
  const size = (width * height * format) / 8;
  const data = packed === 1 ? await unpacked(file, size) : file;
  if (data.length < size) return null;
  const pixels = new Uint8ClampedArray(width * height * 4);
  if (format === 32) pixels.set(data.subarray(0, size));
  for (let i = 0; format === 24 && i < width * height; i += 1) {
    for (let part = 0; part < 3; part += 1) pixels[4 * i + part] = data[3 * i + part] ?? 0;
    pixels[4 * i + 3] = 255;
  }
  return createImageBitmap(new ImageData(pixels, width, height));
}

/** At most as much as the picture has. */
async function unpacked(file: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array> {
  const into = new Uint8Array(size);
  const reader = new Blob([file]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  let at = 0;
  while (at < size) {
    const { done, value } = await reader.read();
    if (done) break;
    into.set(value.subarray(0, size - at), at);
    at += value.length;
  }
  await reader.cancel();
  return into.subarray(0, Math.min(at, size));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
