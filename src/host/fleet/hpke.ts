// HPKE (RFC 9180: X25519, HKDF-SHA256, AES-256-GCM, base mode). Owns: loading the library, which nobody needs without a fleet.
// The private key of an epoch cannot be taken out of the process and ends with it.
import { type webcrypto as types, webcrypto } from "node:crypto";
import { atFirstUse } from "../first-use.ts";
import { bytesOf, textOf } from "./bytes.ts";

/** What both ends share afterwards, and nobody else: answers and streams are sealed with keys made of it. */
export interface Shared {
  readonly secret: Uint8Array;
  /** The sender's key of this one message. */
  readonly enc: Uint8Array;
}

export interface EpochKey {
  readonly publicKey: string;
  readonly pair: types.CryptoKeyPair;
}

export const ENC_BYTES = 32;
const SECRET = bytes(Buffer.from("duetty answer and streams 1"));

type Loaded = Awaited<ReturnType<typeof load>>;

let loaded: Promise<Loaded> | undefined;

export async function makeEpochKey(): Promise<EpochKey> {
  const pair = await webcrypto.subtle.generateKey("X25519", false, ["deriveBits"]);
  if (!("publicKey" in pair)) throw new Error("X25519 makes pairs");
  return { publicKey: textOf(new Uint8Array(await webcrypto.subtle.exportKey("raw", pair.publicKey))), pair };
}

/** `text` is asked for once `enc` is known, because the signature inside covers it. Undefined: that is no key. */
export async function sealTo(
  key: string,
  about: Uint8Array,
  text: (enc: Uint8Array) => Uint8Array,
): Promise<(Shared & { readonly sealed: Uint8Array }) | undefined> {
  return unlessWrong(async ({ suite }) => {
    const recipientPublicKey = await suite.kem.deserializePublicKey(bytes(bytesOf(key) ?? Buffer.alloc(0)));
    const sender = await suite.createSenderContext({ recipientPublicKey, info: bytes(about) });
    const enc = new Uint8Array(sender.enc);
    const sealed = new Uint8Array(await sender.seal(bytes(text(enc)), bytes(about)));
    return { sealed, enc, secret: new Uint8Array(await sender.export(SECRET, 32)) };
  });
}

/** Undefined: it was not sealed to this key, or is damaged. */
export async function openSealed(
  { pair }: EpochKey,
  about: Uint8Array,
  enc: Uint8Array,
  sealed: Uint8Array,
): Promise<(Shared & { readonly text: Uint8Array }) | undefined> {
  return unlessWrong(async ({ suite }) => {
    const recipient = await suite.createRecipientContext({ recipientKey: pair, enc: bytes(enc), info: bytes(about) });
    const text = new Uint8Array(await recipient.open(bytes(sealed), bytes(about)));
    return { text, enc, secret: new Uint8Array(await recipient.export(SECRET, 32)) };
  });
}

async function unlessWrong<T>(run: (hpke: Loaded) => Promise<T>): Promise<T | undefined> {
  loaded ??= load();
  const hpke = await loaded;
  try {
    return await run(hpke);
  } catch (error) {
    // These bytes are no key, or were sealed to another. Anything else is a bug.
    if (error instanceof hpke.Wrong) return undefined;
    throw error;
  }
}

async function load() {
  const hpke = await atFirstUse(() => import("@hpke/core"));
  const { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256, HpkeError } = hpke;
  const parts = { kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() };
  return { suite: new CipherSuite(parts), Wrong: HpkeError };
}

/** The library takes whole buffers. */
function bytes(view: Uint8Array): ArrayBuffer {
  return Uint8Array.from(view).buffer;
}
