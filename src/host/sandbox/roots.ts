// Which folder an agent may write when it works in a given one. Refuses: the system's folders, the home folder and
// whatever contains one of them.
import fs from "node:fs";
import { isWithin } from "../../core/box/plan.ts";
import { workTreeTop } from "./git.ts";

/** Never writable, nor anything in them. */
const SYSTEM = "/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr".split(" ");
/** Not writable themselves. People have projects in folders below. */
const SHARED = "/ /home /media /mnt /opt /root /srv /tmp /var /var/lib /var/log /var/tmp /nix /snap".split(" ");

/** The top of the work tree around a folder, else the folder itself, else nothing. */
export function rootsOf(folder: string, homeFolder: string): string[] {
  const top = workTreeTop(folder);
  const root = [top, folder].find((path) => path !== undefined && isPossibleRoot(path, homeFolder));
  return root === undefined ? [] : [root];
}

export function isPossibleRoot(folder: string, homeFolder: string): boolean {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  if (SHARED.includes(folder) || SYSTEM.some((system) => isWithin(folder, system))) return false;
  return !isWithin(homeFolder, folder);
}
