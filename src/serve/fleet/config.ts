// What config.json says of other machines.
import { hostname } from "node:os";
import * as z from "zod";
import { HostName } from "../../protocol/words/ids.ts";

export const FleetConfig = z
  .strictObject({
    /** What this machine is called by others: in person@NAME, for example. Default: its host name. */
    name: HostName.optional(),
    /** How ssh is called, with options of your own. */
    ssh: z.array(z.string().min(1)).min(1).max(50).default(["ssh"]),
  })
  .prefault({});

/** The name of this machine; a host name may have what no name may. */
export function nameOfMachine({ name }: z.output<typeof FleetConfig>): string {
  const plain = hostname()
    .split(".", 1)[0]
    ?.replace(/[^\w-]+/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, 40);
  return name ?? (plain || "machine");
}
