// The keys of this machine in a fleet: Ed25519, in private files. The root's may have a passphrase. No key is ever written over.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
} from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, type Fault } from "../../core/base/fault.ts";
import { privateFolder, readPrivately } from "../disk/private.ts";
import { bytesOf, locked, textOf, unlocked } from "./bytes.ts";
import { refused } from "./faults.ts";
import type { Role } from "./words.ts";

export interface Identity {
  readonly key: KeyObject;
  /** 32 bytes, as certificates name it. */
  readonly publicKey: string;
}

/** Half a second and 128 MiB for each try at a passphrase. */
const SCRYPT = { N: 1 << 17, r: 8, p: 1, maxmem: 256 << 20 };
const LOCKED = "duetty-root-1";
const ROOT = "root";

export function makeIdentity(): Identity {
  return identityOf(generateKeyPairSync("ed25519").privateKey);
}

/** Made at its first use. */
export function keptIdentity(folder: string, role: Role): Identity | Fault {
  const path = join(folder, `${role}.key`);
  const text = readPrivately(path);
  if (text !== undefined) return identityIn(text);
  const made = makeIdentity();
  return keep(folder, path, pemOf(made)) ?? made;
}

export function makeRoot(folder: string, passphrase?: string): Identity | Fault {
  const made = makeIdentity();
  const text = passphrase === undefined ? pemOf(made) : withPassphrase(pemOf(made), passphrase);
  return keep(folder, join(folder, `${ROOT}.key`), text) ?? made;
}

/** Undefined: this machine does not have it. */
export function openRoot(folder: string, passphrase?: string): Identity | Fault | undefined {
  const text = readPrivately(join(folder, `${ROOT}.key`));
  if (text === undefined || !text.startsWith(LOCKED)) return text === undefined ? undefined : identityIn(text);
  const [salt, iv, sealed] = text.trim().split(" ").slice(1).map(bytesOf);
  if (!salt || !iv || !sealed) return refused("fleet.key");
  const pem =
    passphrase === undefined ? undefined : unlocked(stretched(passphrase, salt), iv, Buffer.from(LOCKED), sealed);
  return pem === undefined ? refused("fleet.passphrase") : identityIn(pem.toString());
}

function withPassphrase(pem: string, passphrase: string): string {
  const salt = randomBytes(16);
  // The key is of this salt, so the pair is new however the IV falls.
  const iv = randomBytes(12);
  const sealed = locked(stretched(passphrase, salt), iv, Buffer.from(LOCKED), Buffer.from(pem));
  return `${[LOCKED, ...[salt, iv, sealed].map(textOf)].join(" ")}\n`;
}

function stretched(passphrase: string, salt: Uint8Array): Buffer {
  return scryptSync(passphrase.normalize("NFKC"), salt, 32, SCRYPT);
}

function identityIn(pem: string): Identity | Fault {
  try {
    return identityOf(createPrivateKey(pem));
  } catch {
    return refused("fleet.key");
  }
}

function identityOf(key: KeyObject): Identity {
  const { crv, x } = createPublicKey(key).export({ format: "jwk" });
  if (crv !== "Ed25519" || x === undefined) throw new Error("a key of another kind");
  return { key, publicKey: x };
}

function pemOf({ key }: Identity): string {
  return key.export({ format: "pem", type: "pkcs8" }).toString();
}

/** The file appears whole or not at all, and never in place of another. */
function keep(folder: string, path: string, text: string): Fault | undefined {
  privateFolder(folder);
  const whole = `${path}.${textOf(randomBytes(6))}`;
  try {
    writeFileSync(whole, text, { flag: "wx", mode: 0o600, flush: true });
    linkSync(whole, path);
    return undefined;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return refused("fleet.key", path);
    throw error;
  } finally {
    rmSync(whole, { force: true });
  }
}
