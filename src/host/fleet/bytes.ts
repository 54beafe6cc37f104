// Bytes as text, and AES-256-GCM as all parts of the fleet use it. A key and an IV are never used twice: every caller says why.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

const TAG_BYTES = 16;
/** For keys that seal one text and no more. */
export const ONLY_ONCE = new Uint8Array(12);
const LINE_FEED = 10;

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64url");
}

/** Undefined when it is not written the one way that we write it: Node would pass over foreign letters and loose bits. */
export function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

export function randomText(): string {
  return randomBytes(16).toString("base64url");
}

export function digest(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

export function derived(secret: Uint8Array, salt: Uint8Array, about: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, about, 32));
}

/** Its tag is at the end. */
export function locked(key: Uint8Array, iv: Uint8Array, about: Uint8Array, body: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES }).setAAD(about);
  return Buffer.concat([cipher.update(body), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when one bit of it is another. */
export function unlocked(key: Uint8Array, iv: Uint8Array, about: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  const end = sealed.length - TAG_BYTES;
  if (end < 0) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES }).setAAD(about);
  const body = decipher.setAuthTag(sealed.subarray(end)).update(sealed.subarray(0, end));
  try {
    decipher.final();
    return body;
  } catch {
    // The tag is of another text or another key.
    return undefined;
  }
}

/** A first line, which everybody can read, and what follows it. */
export function lined(line: string, ...rest: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from(`${line}\n`), ...rest]);
}

export function splitLine(bytes: Uint8Array, charsMax: number): { line: string; rest: Uint8Array } | undefined {
  const at = bytes.subarray(0, charsMax + 1).indexOf(LINE_FEED);
  if (at < 0) return undefined;
  return { line: Buffer.from(bytes.subarray(0, at)).toString("utf8"), rest: bytes.subarray(at + 1) };
}
