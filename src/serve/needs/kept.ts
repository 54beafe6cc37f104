// needs.json in the home folder: what needed a person, and which sessions ran, for the daemon after this one. A file that cannot
// be read costs what nobody had seen.
import * as z from "zod";
import type { KeptNeeds } from "../../core/needs/needs.ts";
import { writeWhole } from "../../host/disk/files.ts";
import { readPrivately } from "../../host/disk/private.ts";
import { Need } from "../../protocol/words/need.ts";
import type { Log } from "../log.ts";

const Kept = z.object({ found: z.array(z.object({ need: Need, content: z.string() })), live: z.array(z.string()) });
const NOTHING: KeptNeeds = { found: [], live: [] };

export function keptNeeds(path: string, log: Log): KeptNeeds {
  try {
    const text = readPrivately(path);
    return text === undefined ? NOTHING : Kept.parse(JSON.parse(text));
  } catch (error) {
    log.error(error);
    return NOTHING;
  }
}

export function keepNeeds(path: string, kept: KeptNeeds, log: Log): void {
  try {
    writeWhole(path, `${JSON.stringify(kept)}\n`);
  } catch (error) {
    // A full disk; the list goes on.
    log.error(error);
  }
}
