// A certificate that signs itself, for people who have no other. Node can make keys and signatures but no certificates, so the
// few fields of one are written here (RFC 5280, DER). Owns: nothing.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** Browsers refuse more than 398 days. */
const LIFE_DAYS = 365;
const DAY_MS = 86_400_000;

const [INTEGER, BITS, OCTETS, OBJECT, UTF8, TIME, SEQUENCE, SET] = [2, 3, 4, 6, 12, 23, 0x30, 0x31];
const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const COMMON_NAME = "550403";
const ALTERNATIVE_NAMES = "551d11";
/** Context tags: the version and the extensions of a certificate; a name and an address of its owner. */
const [VERSION, EXTENSIONS, DNS, ADDRESS] = [0xa0, 0xa3, 0x82, 0x87];

/** PEM. `names`: host names and addresses that it is good for. */
export function selfSigned(names: readonly string[], now: number): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(SEQUENCE, oid(ECDSA_WITH_SHA256));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, oid(COMMON_NAME), der(UTF8, Buffer.from("duetty")))));
  const alternatives = der(SEQUENCE, ...names.map(alternative));
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.of(2))),
    // A first bit of one would make it negative.
    der(INTEGER, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    name,
    der(SEQUENCE, time(now - DAY_MS), time(now + LIFE_DAYS * DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, oid(ALTERNATIVE_NAMES), der(OCTETS, alternatives)))),
  );
  const signature = der(BITS, Buffer.of(0), sign("sha256", body, privateKey));
  const cert = der(SEQUENCE, body, algorithm, signature)
    .toString("base64")
    .replace(/.{1,64}/g, "$&\n");
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { cert: `-----BEGIN CERTIFICATE-----\n${cert}-----END CERTIFICATE-----\n`, key };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  const length = size.subarray(size.findIndex((byte) => byte > 0));
  const head = body.length < 0x80 ? Buffer.of(tag, body.length) : Buffer.of(tag, 0x80 | length.length, ...length);
  return Buffer.concat([head, body]);
}

function oid(hex: string): Buffer {
  return der(OBJECT, Buffer.from(hex, "hex"));
}

function time(ms: number): Buffer {
  return der(TIME, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));
}

function alternative(name: string): Buffer {
  if (isIP(name) === 0) return der(DNS, Buffer.from(name));
  return der(ADDRESS, isIP(name) === 4 ? Buffer.from(name.split(".").map(Number)) : ipv6(name));
}

function ipv6(text: string): Buffer {
  // The parser of addresses writes all forms in one: eight groups or `::` for some of them.
  const plain = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = plain.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}
