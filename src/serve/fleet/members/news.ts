// What the root's machine tells a member that asks: everybody's newest certificates, and the list of those that were taken back. The
// root signed all of it, so neither question nor answer needs a signature; an old answer changes nothing. Owns: known.json, which
// machines that we meet before the next news are written into, too.
import * as z from "zod";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import type { Bus } from "../../../core/fleet/bus.ts";
import { subjects } from "../../../core/fleet/subjects.ts";
import { type Certificate, openCertificate } from "../../../host/fleet/certificate.ts";
import type { Role } from "../../../host/fleet/words.ts";
import { type FleetFiles, ROLES } from "./files.ts";
import { type Member, type Membership, noFleet } from "./membership.ts";
import { refusalIn } from "./refusal.ts";

const ASKS = "duetty-news-1";
const ANSWER_MS = 15_000;
/** Three for each machine that a fleet may have. */
const CERTS_MAX = 600;

const Certs = z.array(z.string().max(4_000)).max(CERTS_MAX);
const News = z.strictObject({ v: z.literal(1), certs: Certs, revoked: z.string().max(1 << 20) });
const Known = z.strictObject({ v: z.literal(1), certs: Certs });

export function isAskingForNews(request: Uint8Array): boolean {
  return Buffer.from(request).toString("latin1") === ASKS;
}

export function newsText(certs: readonly string[], revoked: string): Uint8Array {
  return Buffer.from(JSON.stringify({ v: 1, certs, revoked }));
}

/** What changed here. */
export async function takeNews(bus: Bus, membership: Membership): Promise<"newer" | "known" | Fault> {
  const { member } = membership;
  if (!member) return noFleet();
  const subject = subjects.join(member.device);
  const answer = await bus.request(subject, Buffer.from(ASKS), { timeoutMs: ANSWER_MS });
  if (isFault(answer)) return answer;
  // It has left meanwhile: nothing is written for a fleet that it is not in.
  if (membership.member?.device !== member.device) return noFleet();
  const refusal = refusalIn(answer.data);
  if (refusal) return refusal;
  const news = News.safeParse(parsed(Buffer.from(answer.data).toString("utf8"))).data;
  if (!news) return fault("fleet.forged", "what the root's machine told cannot be read", "Its version may be another.");
  const before = membership.revoked();
  const list = news.revoked === "" ? "known" : membership.takeRevoked(news.revoked);
  if (isFault(list)) return list;
  const opened = news.certs.flatMap((text) => withText(text, member.root));
  const others = opened.filter(({ certificate }) => certificate.device !== member.device);
  membership.files.writeJson("known", { v: 1, certs: others.map(({ text }) => text) });
  const certs = newerCerts(member, opened);
  if (certs) membership.renewed(certs);
  return certs || membership.revoked().number > before.number ? "newer" : "known";
}

interface Opened {
  readonly text: string;
  readonly certificate: Certificate;
}

function withText(text: string, root: string): Opened[] {
  const certificate = openCertificate(text, root);
  return certificate ? [{ text, certificate }] : [];
}

/** All three for our own keys, and good for longer than ours. */
function newerCerts({ device, root, identities, certs }: Member, all: readonly Opened[]): Member["certs"] | undefined {
  const newest = (role: Role & keyof Member["certs"]) => {
    const until = openCertificate(certs[role], root)?.until ?? 0;
    const isOurs = ({ certificate: one }: Opened) =>
      one.device === device && one.role === role && one.key === identities[role].publicKey && one.until > until;
    return all.filter(isOurs).sort((a, b) => b.certificate.until - a.certificate.until)[0]?.text;
  };
  const [host, person, agent] = ROLES.map(newest);
  return host !== undefined && person !== undefined && agent !== undefined ? { host, person, agent } : undefined;
}

/** The certificates of other machines, as we were told last. */
export function knownOthers(files: FleetFiles, root: string): readonly Certificate[] {
  return keptTexts(files).flatMap((text) => openCertificate(text, root) ?? []);
}

/** Machines that joined since the last news show their own certificates. The next news says the rest of it. */
export function met(files: FleetFiles, root: string, certs: readonly string[]): void {
  const known = keptTexts(files);
  // They were looked at when they were written: to look at a thousand again takes a while.
  const devices = new Set(known.map(deviceIn));
  const shown = certs.flatMap((cert) => withText(cert, root)).filter((one) => !devices.has(one.certificate.device));
  const added = shown.map(({ text }) => text).slice(0, Math.max(0, CERTS_MAX - known.length));
  if (added.length > 0) files.writeJson("known", { v: 1, certs: [...known, ...added] });
}

function deviceIn(certificate: string): unknown {
  return Object(parsed(Buffer.from(certificate.split(".", 1)[0] ?? "", "base64url").toString("utf8"))).device;
}

function keptTexts(files: FleetFiles): readonly string[] {
  return Known.safeParse(parsed(files.read("known") ?? "")).data?.certs ?? [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
