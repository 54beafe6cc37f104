// Which boot of the machine this is. A pid that was written down in another boot belongs to nobody that we know.
import fs from "node:fs";

const BOOT_ID = "/proc/sys/kernel/random/boot_id";
const INIT = "/proc/1/stat";
/** Of the fields after the name: when the process started, in ticks since the kernel's start. */
const STARTED = 19;

/**
 * A container that is started again keeps the kernel's boot but has a new first process. "" where the platform does not tell.
 * DUETTY_BOOT_ID stands for another boot, in tests.
 */
export function bootId(env: NodeJS.ProcessEnv = process.env): string {
  if (env.DUETTY_BOOT_ID) return env.DUETTY_BOOT_ID;
  const boot = textOf(BOOT_ID).trim();
  const started = textOf(INIT)
    .replace(/^.*\) /s, "")
    .split(" ")[STARTED];
  return boot === "" ? "" : `${boot}.${started ?? ""}`;
}

function textOf(path: string): string {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    // Not Linux, or hidden from us.
    return "";
  }
}
