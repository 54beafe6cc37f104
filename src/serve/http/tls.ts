// The certificate for other machines: read, or made and kept. Its names are the only Hosts that count there. Owns: the two files
// of a certificate that we made.
import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { selfSigned } from "../../host/certificate.ts";
import { writeWhole } from "../../host/disk/files.ts";
import { readPrivately } from "../../host/disk/private.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { Listening } from "../../protocol/plain/listening.ts";

/** One that ends sooner is made anew. */
const LEFT_MS_MIN = 30 * 86_400_000;

export interface Remote {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  readonly cert: string;
  readonly key: string;
  /** Of the certificate, to be compared with what a browser shows. */
  readonly sha256: string;
  /** Whether the certificate is for this host name or address. */
  isOurs(name: string): boolean;
}

interface Identity {
  readonly cert: string;
  readonly key: string;
  readonly x509: X509Certificate;
}

export function remoteOf(listening: Listening, home: Home, now: number): Remote {
  const { host, port } = listening;
  const { cert, key, x509 } = identityOf(listening, home, now);
  const name = isAny(host) ? hostname() : host;
  const url = `https://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
  return { host, port, url, cert, key, sha256: x509.fingerprint256, isOurs: (name) => isNamed(x509, name) };
}

function identityOf({ host, tls }: Listening, home: Home, now: number): Identity {
  if (tls === "self-signed") return ownIdentity(host, home, now);
  const [cert, key] = [fs.readFileSync(tls.cert, "utf8"), fs.readFileSync(tls.key, "utf8")];
  const x509 = new X509Certificate(cert);
  if (Date.parse(x509.validTo) < now) throw new Error(`${tls.cert} is good until ${x509.validTo} only. Renew it.`);
  return { cert, key, x509 };
}

function isNamed(x509: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? x509.checkHost(name) : x509.checkIP(name)) !== undefined;
}

/** The same as last time, so that a browser which accepted it need not ask again. */
function ownIdentity(host: string, home: Home, now: number): Identity {
  const names = namesOf(host);
  const [cert, key] = [readPrivately(home.tlsCert), readPrivately(home.tlsKey)];
  if (cert !== undefined && key !== undefined) {
    const x509 = new X509Certificate(cert);
    const isGood = Date.parse(x509.validTo) - now > LEFT_MS_MIN && names.every((name) => isNamed(x509, name));
    if (isGood) return { cert, key, x509 };
  }
  const made = selfSigned(names, now);
  writeWhole(home.tlsKey, made.key);
  writeWhole(home.tlsCert, made.cert);
  return { ...made, x509: new X509Certificate(made.cert) };
}

/** Whether this means every address, which no browser can open. */
function isAny(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** All addresses of this machine, where it listens on all of them. */
function namesOf(host: string): string[] {
  if (!isAny(host)) return [host];
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  // Link-local ones differ by interface and cannot be written in an address bar.
  const reached = addresses.map(({ address }) => address).filter((address) => !address.startsWith("fe80:"));
  return [...new Set([hostname(), "localhost", ...reached])];
}
