// Who we are to push services (RFC 8292): a key of our own, and a short-lived word signed with it for each of them.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** Push services take a day at most. */
const LIFE_S = 12 * 3_600;
/** Whom a push service would turn to. Some of them refuse a word without it. */
const CONTACT = "https://github.com/duetty/duetty";

export class Vapid {
  readonly pem: string;
  #key: KeyObject;
  /** As browsers take it: an uncompressed point of P-256. */
  readonly publicKey: string;

  /** `pem`: the private key. */
  constructor(pem: string) {
    this.pem = pem;
    this.#key = createPrivateKey(pem);
    const { x = "", y = "" } = createPublicKey(this.#key).export({ format: "jwk" });
    const point = [Uint8Array.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
    this.publicKey = Buffer.concat(point).toString("base64url");
  }

  static make(): Vapid {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return new Vapid(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
  }

  /** The header of one request. */
  authorization({ origin }: URL, now: number): string {
    const words = [
      { typ: "JWT", alg: "ES256" },
      { aud: origin, exp: Math.floor(now / 1_000) + LIFE_S, sub: CONTACT },
    ];
    const said = words.map((word) => Buffer.from(JSON.stringify(word)).toString("base64url")).join(".");
    const signature = sign("sha256", Buffer.from(said), { key: this.#key, dsaEncoding: "ieee-p1363" });
    return `vapid t=${said}.${signature.toString("base64url")}, k=${this.publicKey}`;
  }
}
