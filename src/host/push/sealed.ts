// A message that only one browser can read, as push services carry it: RFC 8291 over RFC 8188 (aes128gcm), in one record.
import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from "node:crypto";

interface Reader {
  /** The browser's public key: an uncompressed point of P-256. */
  readonly p256dh: Uint8Array;
  readonly auth: Uint8Array;
}

const CURVE = "prime256v1";
const SALT_BYTES = 16;
const RECORD_BYTES = 4_096;
/** Text is filled up to a multiple of this, so that its length tells little. */
const STEP_BYTES = 512;
/** The last record ends so. */
const LAST = 2;

interface Chosen {
  readonly salt: Uint8Array;
  readonly own: ECDH;
  readonly step: number;
}

/** `chosen` is for tests: the example of the RFC. Throws when the reader's key is no point of the curve. */
export function sealed(text: Uint8Array, { p256dh, auth }: Reader, chosen: Chosen = chance()): Buffer {
  const { salt, own, step } = chosen;
  const public_key = own.getPublicKey();
  const about = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, public_key]);
  const secret = derived(own.computeSecret(p256dh), auth, about, 32);
  const key = derived(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derived(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const fill = Buffer.alloc(Math.ceil((text.length + 1) / step) * step - text.length);
  fill[0] = LAST;
  const size = Buffer.alloc(5);
  size.writeUInt32BE(RECORD_BYTES);
  size.writeUInt8(public_key.length, 4);
  const body = [cipher.update(text), cipher.update(fill), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, size, public_key, ...body]);
}

/** Whether this is a public key that a message can be sealed for. */
export function isReader({ p256dh, auth }: Reader): boolean {
  try {
    chance().own.computeSecret(p256dh);
    return p256dh.length === 65 && auth.length === 16;
  } catch {
    // Not a point of the curve.
    return false;
  }
}

function chance(): Chosen {
  const own = createECDH(CURVE);
  own.generateKeys();
  return { salt: randomBytes(SALT_BYTES), own, step: STEP_BYTES };
}

function derived(secret: Uint8Array, salt: Uint8Array, about: Uint8Array, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, about, bytes));
}
