// What the two ends of a call over the bus say to each other, inside of the seal; and large answers in parts, which are sealed as a
// whole: the parts say nothing by themselves.
import * as z from "zod";

/** All operations have this one name on the bus: which one it is stands inside of the seal. */
export const CALL = "call";
/** Beside the table of operations. */
export const ATTACH = "attach";
/** All lists in one answer: seals cost more than what is in them. */
export const LISTS = "lists";
export const CANCEL = "cancel";
export const REVOKED = "revoked";

export const CallBody = z.object({
  input: z.unknown(),
  /** Where the parts of a large answer go. */
  parts: z.string().regex(/^[\w-]{1,40}$/),
  surface: z.enum(["tool", "cli", "page"]).optional(),
  masked: z.literal(true).optional(),
  connection: z
    .string()
    .regex(/^[\w-]{1,36}$/)
    .optional(),
  approval_wait_ms: z.number().min(0).optional(),
});
export type CallBody = z.output<typeof CallBody>;

export const AttachInput = z.object({
  session_id: z.string().min(1).max(200),
  query: z.string().max(2_000),
  stream: z.string().regex(/^[\w-]{1,40}$/),
});

/** Room for what a broker adds. */
const MARGIN_BYTES = 4 << 10;
const PARTS_LINE = "duetty-parts-1 ";
const INDEX_BYTES = 4;

/** What is replied, and what follows on the subject that the device named. */
export function inParts(bytes: Uint8Array, bytesMax: number): { reply: Uint8Array; parts: readonly Uint8Array[] } {
  const size = bytesMax - MARGIN_BYTES;
  if (bytes.length <= size) return { reply: bytes, parts: [] };
  const count = Math.ceil(bytes.length / size);
  const parts = Array.from({ length: count }, (_, i) => {
    const part = Buffer.alloc(INDEX_BYTES);
    part.writeUInt32BE(i);
    return Buffer.concat([part, bytes.subarray(i * size, (i + 1) * size)]);
  });
  return { reply: Buffer.from(`${PARTS_LINE}${count}\n`), parts };
}

/** How many parts follow; 0: this is the answer itself. */
export function partsIn(reply: Uint8Array): number {
  const text = Buffer.from(reply.subarray(0, PARTS_LINE.length + 8)).toString("latin1");
  return text.startsWith(PARTS_LINE) ? Number.parseInt(text.slice(PARTS_LINE.length), 10) || 0 : 0;
}

/** Of the largest answer, with a broker that takes small messages. */
const PARTS_MAX = 4_096;

/** The parts of one answer, as they come. They come in order, or the answer is lost. */
export class Collected {
  #bytesMax: number;
  #isTooLong = false;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #wake: () => void = () => undefined;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  heard(part: Uint8Array): void {
    // Anybody can say anything on a subject.
    if (part.length <= INDEX_BYTES || this.#parts.length >= PARTS_MAX) return;
    const index = Buffer.from(part.buffer, part.byteOffset, part.length).readUInt32BE(0);
    if (index !== this.#parts.length || this.#isTooLong) return;
    this.#bytes += part.length;
    this.#isTooLong = this.#bytes > this.#bytesMax;
    if (!this.#isTooLong) this.#parts.push(part.slice(INDEX_BYTES));
    this.#wake();
  }

  /** Undefined: it is too long, or some did not come within this time after the one before. */
  async whole(count: number, next: () => Promise<void>): Promise<Uint8Array | undefined> {
    while (this.#parts.length < count) {
      const before = this.#parts.length;
      const more = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([more, next()]);
      if (this.#isTooLong || this.#parts.length === before) return undefined;
    }
    return Buffer.concat(this.#parts);
  }
}
