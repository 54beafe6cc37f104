// Who belongs to a fleet: certificates that its root signed, and the list of those that it took back. Both are signed texts, which
// anybody may carry and nobody else can make.
import * as z from "zod";
import { type Fault, isFault } from "../../core/base/fault.ts";
import { randomText } from "./bytes.ts";
import { type FleetCode, refused } from "./faults.ts";
import type { Identity } from "./keys.ts";
import { readSigned, signedText } from "./signed.ts";
import { Count, DeviceId, DeviceName, HostId, Ms, PublicKey, Random, Role } from "./words.ts";

const DAY_MS = 86_400_000;
/** A stolen key that nobody misses is worth nothing after this. */
const LIFE_MS = 30 * DAY_MS;
/** As long as a clock may be wrong before an expired certificate leaves the list. */
const KEPT_MS = 7 * DAY_MS;
/** More machines than anybody has: 200 KB of list. */
const REVOKED_MAX = 4_096;
const HOSTS_MAX = 1_000;

const Certificate = z.strictObject({
  v: z.literal(1),
  key: PublicKey,
  device: DeviceId,
  name: DeviceName,
  /** Which host this machine is, if it is one. */
  host: HostId.nullable(),
  role: Role,
  /** Where it may act. */
  hosts: z.array(z.union([z.literal("*"), HostId])).max(HOSTS_MAX),
  serial: Random,
  until: Ms,
});
export type Certificate = z.output<typeof Certificate>;

const Entry = z.strictObject({ serial: Random, until: Ms });
const List = z.strictObject({ v: z.literal(1), number: Count, serials: z.array(Entry).max(REVOKED_MAX) });

/** What was taken back, as of one number. */
export interface Revoked {
  readonly number: number;
  /** As it travels. */
  readonly text: string;
  readonly entries: readonly z.output<typeof Entry>[];
  readonly serials: ReadonlySet<string>;
}

export const NOBODY_REVOKED: Revoked = { number: 0, text: "", entries: [], serials: new Set() };

/** What a certificate is held against. */
export interface Trust {
  /** The root's public key. */
  readonly root: string;
  readonly revoked: Revoked;
  readonly now: number;
}

export function issue(root: Identity, claims: Omit<Certificate, "v" | "serial" | "until">, now: number): string {
  const certificate = Certificate.parse({ ...claims, v: 1, serial: randomText(), until: now + LIFE_MS });
  return signedText("certificate", certificate, root.key);
}

/** What it says, if it is the root's. Only `standing` says whether it still counts. */
export function openCertificate(text: string, root: string): Certificate | undefined {
  return readSigned("certificate", text, Certificate)?.by(root);
}

/** Why a certificate of the root does not count. */
export function standing({ serial, until }: Certificate, { revoked, now }: Omit<Trust, "root">): FleetCode | undefined {
  if (now >= until) return "fleet.expired";
  return revoked.serials.has(serial) ? "fleet.revoked" : undefined;
}

/** The next list. Certificates that expired long ago leave it. */
export function revoke(
  root: Identity,
  before: Revoked,
  more: readonly Pick<Certificate, "serial" | "until">[],
  now: number,
): Revoked | Fault {
  const entries = [...before.entries, ...more.map(({ serial, until }) => ({ serial, until }))];
  const serials = entries.filter(({ until }) => until + KEPT_MS > now);
  if (serials.length > REVOKED_MAX) return refused("fleet.full");
  return openRevoked(signedText("revoked", { v: 1, number: before.number + 1, serials }, root.key), root.publicKey);
}

export function openRevoked(text: string, root: string): Revoked | Fault {
  const list = readSigned("revoked", text, List)?.by(root);
  if (!list) return refused("fleet.forged", "the list of revoked certificates");
  const { number, serials: entries } = list;
  return { number, text, entries, serials: new Set(entries.map(({ serial }) => serial)) };
}

/** What counts after somebody, whoever it was, handed us a list. */
export function merged(ours: Revoked, text: string, root: string): Revoked | Fault {
  const theirs = openRevoked(text, root);
  return isFault(theirs) || theirs.number > ours.number ? theirs : ours;
}
