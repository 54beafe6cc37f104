// When a holder was told to end by a signal, as all processes are when the machine goes down. Its sessions' ends look like their
// programs' own otherwise. Written by the holder, read by the daemon.
import fs from "node:fs";
import { writeWhole } from "../disk/files.ts";

/** Restarts of the machine whose sessions nobody asked for since. */
const ENDS_MAX = 20;

/** A disk that refuses it keeps no holder from ending. */
export function noteEnd(path: string, at: number): void {
  try {
    writeWhole(path, `${JSON.stringify([...readEnds(path), at].slice(-ENDS_MAX))}\n`);
  } catch (error) {
    console.error(error);
  }
}

export function readEnds(path: string): number[] {
  if (!fs.existsSync(path)) return [];
  try {
    const ends: unknown = JSON.parse(fs.readFileSync(path, "utf8"));
    return Array.isArray(ends) ? ends.filter((at): at is number => Number.isFinite(at)) : [];
  } catch {
    // A machine without power cut it short. Sessions that were killed with it are lost, which needs no file.
    return [];
  }
}
