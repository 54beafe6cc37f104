// The home folder that programs in a box have: their own, so that histories, caches and settings can be written, with links
// to what the person has. Made once per workspace, before anything runs in it, and never touched again: programs in the
// box could lay a trap for whoever writes there later.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../../core/box/plan.ts";

/** Real folders with links inside, because shells write beside what they read. The empty name is the home itself. */
const OPENED = ["", ".config", ".config/fish", ".local", ".local/share", ".local/share/fish"];
/** Programs write these all the time, and their own are as good. */
const LEFT_OUT = [".cache", ".local/state", ".npm"];
/** fish replaces this file, so it needs one of its own. */
const COPIED = [".config/fish/fish_variables"];
/** Without it fish reads every manual page in the background, once for each workspace. */
const FISH_COMPLETIONS = ".local/share/fish/generated_completions";
/** A home with more entries is linked in part. */
const ENTRIES_MAX = 2_000;

/** `dir` gets the folders `home` and `cache`. `hidden`: what boxes hide anyway. */
export function makePrivateHome(dir: string, homeFolder: string, hidden: readonly string[]): void {
  if (fs.existsSync(dir)) return;
  fs.mkdirSync(dirname(dir), { recursive: true, mode: 0o700 });
  const made = fs.mkdtempSync(`${dir}.new-`);
  fs.mkdirSync(join(made, "cache"));
  for (const folder of OPENED) linkFolder(join(made, "home"), homeFolder, folder, hidden);
  fs.mkdirSync(join(made, "home", FISH_COMPLETIONS), { recursive: true });
  try {
    fs.renameSync(made, dir);
  } catch (error) {
    // Another start was faster.
    if (!fs.existsSync(dir)) throw error;
    fs.rmSync(made, { recursive: true });
  }
}

function linkFolder(made: string, homeFolder: string, folder: string, hidden: readonly string[]): void {
  fs.mkdirSync(join(made, folder), { recursive: true });
  const from = join(homeFolder, folder);
  const names = fs.existsSync(from) ? fs.readdirSync(from).slice(0, ENTRIES_MAX) : [];
  for (const name of names) {
    const path = join(folder, name);
    const source = join(homeFolder, path);
    if (OPENED.includes(path) || LEFT_OUT.includes(path) || hidden.some((mask) => isWithin(source, mask))) continue;
    if (COPIED.includes(path)) fs.copyFileSync(source, join(made, path));
    else fs.symlinkSync(source, join(made, path));
  }
}
