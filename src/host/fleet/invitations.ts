// The root's end of joining. Owns: the open invitations. They are in memory only: who ends the program that invites takes all of
// them back. Refuses: to let two in by one code.
import { randomBytes } from "node:crypto";
import { type Fault, isFault } from "../../core/base/fault.ts";
import { textOf } from "./bytes.ts";
import { type Certificate, issue, type Revoked } from "./certificate.ts";
import { refused } from "./faults.ts";
import { deviceAsking, type Invitation, type JoinAnswer, openJoin, sealJoined, writeCode } from "./invitation.ts";
import type { Identity } from "./keys.ts";

const LIFE_MS = 600_000;
/** As many machines as a person sets up at one time. */
const OPEN_MAX = 20;

interface Guest extends Omit<Invitation, "v" | "root" | "secret" | "until"> {
  /** Where it may act. */
  readonly hosts: Certificate["hosts"];
  /** The seed of the login that it gets once it has joined. The code has another one, which opens nothing but this door. */
  readonly login: string;
}

interface Admitted {
  readonly answer: Uint8Array;
  /** For the root's own list: their serials can be revoked. */
  readonly certs: JoinAnswer["certs"];
}

export class Invitations {
  #root: Identity;
  #open = new Map<string, Pick<Guest, "hosts" | "login"> & { readonly invitation: Invitation }>();

  constructor(root: Identity) {
    this.#root = root;
  }

  /** The code. A new one for the same device makes the old one void. */
  invite({ hosts, login, ...guest }: Guest, now: number): string | Fault {
    for (const [device, { invitation }] of this.#open) if (now >= invitation.until) this.#open.delete(device);
    if (this.#open.size >= OPEN_MAX && !this.#open.has(guest.device)) return refused("fleet.full");
    const [secret, root] = [textOf(randomBytes(32)), this.#root.publicKey];
    const invitation: Invitation = { ...guest, v: 1, root, secret, until: now + LIFE_MS };
    const code = writeCode(invitation);
    if (!isFault(code)) this.#open.set(guest.device, { invitation, hosts, login });
    return code;
  }

  /** It is good no more. */
  withdraw(device: string): void {
    this.#open.delete(device);
  }

  /** A request that its secret did not seal takes nothing from the code: otherwise anybody could use it up. */
  admit(request: Uint8Array, revoked: Revoked, now: number): Admitted | Fault {
    const device = deviceAsking(request);
    const open = this.#open.get(device ?? "");
    if (device === undefined || !open) return refused("fleet.used");
    const { invitation, hosts, login } = open;
    if (now >= invitation.until) return refused("fleet.late", "this invitation");
    const keys = openJoin(invitation, request);
    if (!keys || invitation.roles.some((role) => keys[role] === undefined)) return refused("fleet.forged");
    this.#open.delete(device);
    const { name, host, roles } = invitation;
    const certs: JoinAnswer["certs"] = {};
    for (const role of roles)
      certs[role] = issue(this.#root, { key: keys[role] ?? "", device, name, host, role, hosts }, now);
    return { answer: sealJoined(invitation, request, { certs, revoked: revoked.text, login }), certs };
  }
}
