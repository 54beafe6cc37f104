// The code that lets a machine into a fleet, and the machine's end of joining. Whoever has the code can join as the machine that it
// names, once, within ten minutes. What it asks is sealed with the code's secret; what comes back is sealed with it, too, and
// counts because the root that the code names signed it.
import { randomBytes } from "node:crypto";
import * as z from "zod";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { bytesOf, derived, digest, lined, locked, ONLY_ONCE, splitLine, textOf, unlocked } from "./bytes.ts";
import { merged, NOBODY_REVOKED, openCertificate, type Revoked } from "./certificate.ts";
import { refused } from "./faults.ts";
import { readJson } from "./signed.ts";
import { DeviceId, DeviceName, HostId, Ms, PublicKey, Role } from "./words.ts";

/** A key for each role that the machine is to have. */
const PerRole = <T extends z.ZodType>(value: T) => z.partialRecord(Role, value);

const InvitationText = z.strictObject({
  v: z.literal(1),
  /** Where the broker is. */
  url: z.string().min(1).max(500),
  /** The root's public key. */
  root: PublicKey,
  device: DeviceId,
  name: DeviceName,
  /** Chosen by the root, so that no machine can ask to be another host. */
  host: HostId.nullable(),
  roles: z.array(Role).min(1).max(3),
  /** The seed of a broker's login that can ask to join and nothing else. */
  nkey: z.string().min(1).max(200),
  secret: PublicKey,
  until: Ms,
});
export type Invitation = z.output<typeof InvitationText>;

const JoinRequest = z.strictObject({ keys: PerRole(PublicKey) });
/** `login`: the seed of the login that the machine has from now on. */
const JoinAnswer = z.strictObject({ certs: PerRole(z.string()), revoked: z.string(), login: z.string().max(200) });
export type JoinAnswer = z.output<typeof JoinAnswer>;
type Keys = z.output<typeof JoinRequest>["keys"];

interface Joined {
  /** Of each role that the code offered. */
  readonly certs: JoinAnswer["certs"];
  readonly revoked: Revoked;
  readonly login: string;
}

const CODE = /^duetty-([\w-]+)\.([\w-]{8})$/;
const DRAWN_BYTES = 32;
const JOIN_BYTES_MAX = 8 << 10;

/** One line. Its last letters tell a code that was not copied whole. */
export function writeCode(invitation: Invitation): string | Fault {
  const { data, error } = InvitationText.safeParse(invitation);
  const wrong = error?.issues.map(({ path }) => path.join(".")).join(", ");
  if (!data)
    return fault("input.invalid", `an invitation cannot have this ${wrong}`, "A name has letters, digits, - and _.");
  const text = textOf(Buffer.from(JSON.stringify(data)));
  return `duetty-${text}.${digest(text).slice(0, 8)}`;
}

export function readCode(code: string, now: number): Invitation | Fault {
  const [, text = "", check] = CODE.exec(code.trim()) ?? [];
  const bytes = digest(text).slice(0, 8) === check ? bytesOf(text) : undefined;
  const invitation = bytes && readJson(bytes, InvitationText);
  if (!invitation) return refused("fleet.forged", "this code");
  return now < invitation.until ? invitation : expired();
}

export function expired(): Fault {
  return fault("fleet.late", "this code has expired", "Ask for a new code: each is good once, for ten minutes.");
}

/** `keys`: the public keys of this machine. */
export function askToJoin(invitation: Invitation, keys: Keys): Uint8Array {
  const line = `duetty-join-1 ${invitation.device}`;
  const drawn = randomBytes(DRAWN_BYTES);
  const text = Buffer.from(JSON.stringify({ keys }));
  // The number drawn is new, so this key seals this one text.
  return lined(line, drawn, locked(keyOf(invitation, drawn, "request"), ONLY_ONCE, Buffer.from(line), text));
}

/** Which invitation it names. Nothing is known to be true yet. */
export function deviceAsking(request: Uint8Array): string | undefined {
  if (request.length > JOIN_BYTES_MAX) return undefined;
  const { line = "" } = splitLine(request, 40) ?? {};
  return /^duetty-join-1 (d_[0-9a-z]{8})$/.exec(line)?.[1];
}

export function openJoin(invitation: Invitation, request: Uint8Array): Keys | undefined {
  const { line = "", rest = request } = splitLine(request, 40) ?? {};
  const key = keyOf(invitation, rest.subarray(0, DRAWN_BYTES), "request");
  const text = unlocked(key, ONLY_ONCE, Buffer.from(line), rest.subarray(DRAWN_BYTES));
  return text && readJson(text, JoinRequest)?.keys;
}

/** Each request is answered once, and its digest makes the key. */
export function sealJoined(invitation: Invitation, request: Uint8Array, answer: JoinAnswer): Uint8Array {
  const text = Buffer.from(JSON.stringify(answer));
  return locked(keyOf(invitation, Buffer.from(digest(request)), "answer"), ONLY_ONCE, new Uint8Array(), text);
}

/** `request`: what we asked, and `keys` in it. */
export function joined(invitation: Invitation, keys: Keys, request: Uint8Array, answer: Uint8Array): Joined | Fault {
  const key = keyOf(invitation, Buffer.from(digest(request)), "answer");
  const text = unlocked(key, ONLY_ONCE, new Uint8Array(), answer);
  const said = text && readJson(text, JoinAnswer);
  if (!said) return refused("fleet.forged", "the answer");
  const areOurs = invitation.roles.every((role) => {
    const certificate = openCertificate(said.certs[role] ?? "", invitation.root);
    return certificate?.role === role && certificate.key === keys[role] && certificate.device === invitation.device;
  });
  if (!areOurs) return refused("fleet.forged", "the certificate");
  const revoked = said.revoked === "" ? NOBODY_REVOKED : merged(NOBODY_REVOKED, said.revoked, invitation.root);
  return isFault(revoked) ? revoked : { certs: said.certs, revoked, login: said.login };
}

function keyOf({ secret }: Invitation, salt: Uint8Array, way: "request" | "answer"): Buffer {
  return derived(Buffer.from(secret, "base64url"), salt, `duetty join ${way} 1`);
}
