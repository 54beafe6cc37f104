// A session's files with a secret masked in all that is read of its output, wherever a read begins and ends. Owns: nothing.
// It lies beneath every stream of bytes that leaves the journal, so that no reader has to think of it. Cursors stay.
import type { SessionFiles } from "./store.ts";

/**
 * The secret may stand at the end of the output while its last bytes are not printed yet. Fewer bytes than this are nobody's
 * secret, and are part of ordinary output.
 */
const BEGINNING_MIN = 4;
const MASK = 0x78;

/** More secrets may come. */
export function maskedOutput(files: SessionFiles, secrets: () => readonly string[]): SessionFiles {
  const bytes = new Map<string, Uint8Array>();
  const hidden = (secret: string) => {
    const known = bytes.get(secret) ?? Uint8Array.from(secret, (char) => char.charCodeAt(0));
    bytes.set(secret, known);
    return known;
  };
  return {
    readOutput: (at, into) => {
      const all = secrets().map(hidden);
      return all.length === 0 ? files.readOutput(at, into) : readMasked(files, all, at, into);
    },
    // Only says where reading is worth while; what is read is masked.
    outputHas: (text, from, to) => files.outputHas(text, from, to),
    outputSize: () => files.outputSize(),
    appendOutput: (bytes) => files.appendOutput(bytes),
    appendLine: (file, value) => files.appendLine(file, value),
    appendLater: (file, ...values) => files.appendLater(file, ...values),
    settled: () => files.settled(),
    readLines: (file) => files.readLines(file),
    readLinesFrom: (file, offset, limit) => files.readLinesFrom(file, offset, limit),
    writeSnapshot: (value) => files.writeSnapshot(value),
    keyframes: () => files.keyframes(),
    readKeyframe: (cursor) => files.readKeyframe(cursor),
    writeKeyframe: (cursor, state) => files.writeKeyframe(cursor, state),
    readBits: (at, into) => files.readBits(at, into),
    writeBits: (at, bits) => files.writeBits(at, bits),
    close: () => files.close(),
  };
}

/** Reads a little more on both sides, because the secret may begin before or end after what was asked for. */
function readMasked(files: SessionFiles, secrets: readonly Uint8Array[], at: number, into: Uint8Array): number {
  const around = Math.max(...secrets.map(({ length }) => length)) - 1;
  const before = Math.min(at, around);
  const wider = new Uint8Array(before + into.length + around);
  const got = files.readOutput(at - before, wider);
  const asked = Math.max(0, Math.min(into.length, got - before));
  for (const secret of secrets) mask(wider.subarray(0, got), secret);
  into.set(wider.subarray(before, before + asked));
  return asked;
}

function mask(bytes: Uint8Array, secret: Uint8Array): void {
  const [first = 0] = secret;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    const length = Math.min(secret.length, bytes.length - at);
    if (length >= BEGINNING_MIN && startsWith(bytes, at, secret, length)) bytes.fill(MASK, at, at + length);
  }
}

function startsWith(bytes: Uint8Array, at: number, secret: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i += 1) if (bytes[at + i] !== secret[i]) return false;
  return true;
}
