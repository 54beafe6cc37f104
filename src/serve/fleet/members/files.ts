// What lies in the fleet's folder, as it is written. Owns: the names and forms of its files. Every file is private, and appears
// whole or not at all. Refuses: to say what a damaged file means.
import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { writeWhole } from "../../../host/disk/files.ts";
import { privateFolder, readPrivately } from "../../../host/disk/private.ts";
import { DeviceId, DeviceName, HostId, PublicKey } from "../../../host/fleet/words.ts";

/** Of a certificate authority's file, or of several. */
const CA_CHARS_MAX = 100_000;

/** member.json: what makes this machine a member. Its keys are files of their own. */
export const MemberForm = z.strictObject({
  v: z.literal(1),
  url: z.string().min(1).max(500),
  device: DeviceId,
  host: HostId,
  name: DeviceName,
  root: PublicKey,
  nkey: z.string().min(1).max(200).optional(),
  ca: z.string().max(CA_CHARS_MAX).optional(),
  certs: z.strictObject({ host: z.string(), person: z.string(), agent: z.string() }),
});
export type MemberText = z.output<typeof MemberForm>;

export const ROLES = ["host", "person", "agent"] as const;

/** rules: written by people, too. ledger: on the root's machine only. known: of the other machines, what we were told last. */
const NAMES = {
  member: "member.json",
  rules: "fleet.json",
  revoked: "revoked.txt",
  ledger: "devices.json",
  known: "known.json",
} as const;
type FileName = keyof typeof NAMES;

export class FleetFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  path(name: FileName): string {
    return join(this.folder, NAMES[name]);
  }

  /** Undefined: there is none. */
  read(name: FileName): string | undefined {
    return readPrivately(this.path(name));
  }

  write(name: FileName, text: string): void {
    privateFolder(this.folder);
    writeWhole(this.path(name), text);
  }

  writeJson(name: FileName, value: object): void {
    this.write(name, `${JSON.stringify(value, null, 2)}\n`);
  }

  remove(name: FileName): void {
    rmSync(this.path(name), { force: true });
  }

  hasKey(name: string): boolean {
    return existsSync(join(this.folder, `${name}.key`));
  }

  removeKeys(names: readonly string[]): void {
    for (const name of names) rmSync(join(this.folder, `${name}.key`), { force: true });
  }

  /** What is not ours stays, and the folder with it. */
  removeFolder(): void {
    if (existsSync(this.folder) && readdirSync(this.folder).length === 0) rmdirSync(this.folder);
  }

  /** Another text after each change, without reading the file. */
  signature(name: FileName): string {
    const stat = statSync(this.path(name), { throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : "";
  }
}
