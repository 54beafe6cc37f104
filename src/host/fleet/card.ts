// A host's card: who it is, the key that requests are sealed to, and its time. Signed by the host, which the root certified.
// Everybody with a connection sees it, so it has no titles, folders or commands.
import * as z from "zod";
import type { Fault } from "../../core/base/fault.ts";
import { type Certificate, openCertificate, standing, type Trust } from "./certificate.ts";
import { refused } from "./faults.ts";
import type { Identity } from "./keys.ts";
import { readSigned, signedText } from "./signed.ts";
import { Count, DeviceName, HostId, Ms, PublicKey, Random } from "./words.ts";

/** A host's clock may differ from ours by this. An older card could be anybody's recording. */
const SKEW_MS_MAX = 3_600_000;

const CardText = z.strictObject({
  v: z.literal(1),
  host: HostId,
  name: DeviceName,
  /** New at each start of the daemon, and with it `seal_key`. */
  epoch: Random,
  version: z.string().max(40),
  protocol: Count,
  key: PublicKey,
  seal_key: PublicKey,
  now: Ms,
  sessions: Count,
  pending: Count,
  seq: Count,
  /** It says goodbye. */
  gone: z.literal(true).optional(),
  cert: z.string().max(100_000),
});
type CardText = z.output<typeof CardText>;

/** A card that was found to be true. */
export interface Card extends CardText {
  readonly device: string;
  readonly serial: string;
  /** What `cert` says. */
  readonly certificate: Certificate;
  /** The host's clock minus ours, when the card came. Negative: it is behind. */
  readonly ahead: number;
}

export function writeCard(host: Identity, card: Omit<CardText, "v" | "key">): string {
  return signedText("card", CardText.parse({ ...card, v: 1, key: host.publicKey }), host.key);
}

/** `last`: the newest card of this host that we have, opened for the same root. An older one, of whatever epoch, does not come after it. */
export function openCard(text: string, trust: Trust, last?: Card): Card | Fault {
  const card = readSigned("card", text, CardText);
  // A thousand say their cards all the time, each with the certificate that it had.
  const known = last?.cert === card?.claimed.cert ? last?.certificate : undefined;
  const certificate = known ?? (card && openCertificate(card.claimed.cert, trust.root));
  const said = certificate && card?.by(certificate.key);
  if (!said || said.key !== certificate.key) return refused("fleet.forged", "a card");
  const { role, host, name, device, serial } = certificate;
  // The name is the root's choice, too: no host calls itself as another is called.
  if (role !== "host" || host !== said.host || name !== said.name) return refused("fleet.forged", "a card");
  const wrong = standing(certificate, trust);
  if (wrong) return refused(wrong, "the card's host");
  const ahead = said.now - trust.now;
  if (Math.abs(ahead) > SKEW_MS_MAX) return refused("fleet.clock", "a card");
  if (last?.host === said.host && isOlder(said, last)) return refused("fleet.replayed", "a card");
  return { ...said, device, serial, certificate, ahead };
}

function isOlder({ now, epoch, seq }: CardText, last: Card): boolean {
  return now < last.now || (now === last.now && epoch !== last.epoch) || (epoch === last.epoch && seq < last.seq);
}
