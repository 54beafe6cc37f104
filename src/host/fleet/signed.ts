// Texts that somebody signed: PAYLOAD.SIGNATURE, both in base64url. The bytes that are signed are the bytes that travel, so nothing
// depends on how JSON is written. A signature counts for one kind of text only.
import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type * as z from "zod";
import { bytesOf, textOf } from "./bytes.ts";

type Kind = "certificate" | "revoked" | "card" | "refusal";

/** What a text claims, before anybody knows whether it is true. */
interface Claims<T> {
  readonly claimed: T;
  /** The same, once it is known that this key signed it. */
  by(publicKey: string): T | undefined;
}

export function signedText(kind: Kind, value: object, key: KeyObject): string {
  const payload = Buffer.from(JSON.stringify(value));
  return `${textOf(payload)}.${textOf(sign(null, about(kind, payload), key))}`;
}

export function readSigned<T>(kind: Kind, text: string, form: z.ZodType<T>): Claims<T> | undefined {
  const parts = text.split(".");
  const [payload, signature] = parts.map(bytesOf);
  if (parts.length !== 2 || payload === undefined || signature === undefined) return undefined;
  const claimed = readJson(payload, form);
  if (claimed === undefined) return undefined;
  return { claimed, by: (key) => (isSignedBy(key, about(kind, payload), signature) ? claimed : undefined) };
}

export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
    return verify(null, bytes, key, signature);
  } catch {
    // No point of the curve.
    return false;
  }
}

export function readJson<T>(bytes: Uint8Array, form: z.ZodType<T>): T | undefined {
  try {
    return form.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8"))).data;
  } catch {
    // No JSON.
    return undefined;
  }
}

function about(kind: Kind, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`duetty-${kind}-1\n`), payload]);
}
