// The keys that a NATS broker knows its users by: Ed25519, written in base32 with a kind and a checksum. Made, read and
// used by Node's own crypto: the client's library needs 50 ms of the event loop for one signature. Refuses: to sign
// anything but a broker's nonce. The broker chooses that text, so no other signature of ours may come from this key.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** "U" for a user, in the upper five bits. */
const USER = 20 << 3;
/** "S" for a seed. */
const SEED = 18 << 3;
const KEY_BYTES = 32;
/** What comes before the 32 bytes of an Ed25519 private key in PKCS #8. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

interface NkeyPair {
  /** "SU…": the secret. */
  readonly seed: string;
  /** "U…": what the broker's configuration names. */
  readonly publicKey: string;
}

export function makeNkey(): NkeyPair {
  const raw = generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" });
  // The kind of a seed and of its key share two bytes: five bits each.
  const seed = written(Buffer.from([SEED | (USER >> 5), (USER & 31) << 3]), raw.subarray(PKCS8_HEAD.length));
  return { seed, publicKey: openNkey(seed).publicKey };
}

interface Nkey {
  readonly publicKey: string;
  /** As the broker wants to see it. */
  signNonce(nonce: string): string;
}

/** Throws for what is no seed of a user: the text is from a file that we wrote. */
export function openNkey(seed: string): Nkey {
  const key = privateKey(seed);
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return {
    publicKey: written(Buffer.from([USER]), spki.subarray(-KEY_BYTES)),
    signNonce: (nonce) => sign(null, Buffer.from(nonce), key).toString("base64url"),
  };
}

function privateKey(seed: string): KeyObject {
  const bytes = fromBase32(seed);
  const [body, sum] = [bytes.subarray(0, -2), bytes.subarray(-2)];
  const isUserSeed = body[0] === (SEED | (USER >> 5)) && body[1] === (USER & 31) << 3;
  if (body.length !== KEY_BYTES + 2 || !isUserSeed || crc16(body) !== sum.readUInt16LE())
    throw new Error("this is not the seed of a NATS user");
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, body.subarray(2)]), format: "der", type: "pkcs8" });
}

function written(kind: Buffer, key: Uint8Array): string {
  const body = Buffer.concat([kind, key]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc16(body));
  return toBase32(Buffer.concat([body, sum]));
}

function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** Characters that are none make a wrong checksum. */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((char) => Math.max(0, ALPHABET.indexOf(char)).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
