// All machines that the root let in, with their keys and certificates. Owns: devices.json, which only the root's machine has.
// Refuses: to guess what a damaged file said.
import * as z from "zod";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import { type DeviceId, type HostId, isDeviceId, isHostId } from "../../../core/fleet/subjects.ts";
import { type Certificate, openCertificate } from "../../../host/fleet/certificate.ts";
import { DeviceId as DeviceForm, DeviceName, HostId as HostForm, Ms, Random } from "../../../host/fleet/words.ts";
import { type FleetFiles, ROLES } from "./files.ts";

/** What one answer to a machine that asks for news can carry. */
const DEVICES_MAX = 200;
/** Serials of certificates that still count: three each ten days, and a person who renews again and again. */
export const EARLIER_MAX = 300;

const Entry = z.strictObject({
  device: DeviceForm.refine(isDeviceId),
  host: HostForm.refine(isHostId),
  name: DeviceName,
  /** The public key of its login. */
  nkey: z.string().regex(/^U[A-Z2-7]{55}$/),
  certs: z.strictObject({ host: z.string(), person: z.string(), agent: z.string() }),
  /** Of certificates before these, which still count. */
  earlier: z.array(z.strictObject({ serial: Random, until: Ms })).max(EARLIER_MAX),
  revoked: z.boolean(),
});
const Form = z.strictObject({ v: z.literal(1), devices: z.array(Entry).max(DEVICES_MAX * 2) });

export type Entry = Readonly<z.output<typeof Entry>> & { readonly device: DeviceId; readonly host: HostId };

export class Ledger {
  #files: FleetFiles;

  constructor(files: FleetFiles) {
    this.#files = files;
  }

  all(): readonly Entry[] | Fault {
    const text = this.#files.read("ledger");
    if (text === undefined) return [];
    const path = this.#files.path("ledger");
    return readLedger(text) ?? fault("fleet.key", `${path} is damaged`, "Put a copy of it back; nothing was written.");
  }

  /** By id, or by the name of one that is not revoked. */
  find(wanted: string): Entry | Fault {
    const all = this.all();
    if (isFault(all)) return all;
    const found =
      all.find(({ device }) => device === wanted) ?? all.find(({ name, revoked }) => !revoked && name === wanted);
    return found ?? fault("not_found", `no machine of this fleet is called "${wanted}"`, "{fleet_devices}");
  }

  /** Adds it, or puts it in the place of what it was. */
  put(...entries: readonly Entry[]): Fault | undefined {
    const all = this.all();
    if (isFault(all)) return all;
    const ids = new Set<string>(entries.map(({ device }) => device));
    const next = [...all.filter(({ device }) => !ids.has(device)), ...entries];
    // Revoked ones go first: their serials are on the list.
    const kept = next.length > DEVICES_MAX ? next.filter(({ revoked }) => !revoked) : next;
    const hint = "Revoke those that are gone.";
    if (kept.length > DEVICES_MAX) return fault("input.full", `a fleet has ${DEVICES_MAX} machines at most`, hint);
    this.#files.writeJson("ledger", { v: 1, devices: kept });
    return undefined;
  }
}

function readLedger(text: string): readonly Entry[] | undefined {
  try {
    return Form.safeParse(JSON.parse(text)).data?.devices as readonly Entry[] | undefined;
  } catch {
    return undefined;
  }
}

/** What an entry's certificates say. */
export function certificatesOf({ certs }: Pick<Entry, "certs">, root: string): Certificate[] {
  return ROLES.flatMap((role) => openCertificate(certs[role], root) ?? []);
}
