// Files for agent CLIs in our home: a private folder for one session, and for boxes a folder in which an agent keeps its own files,
// one for each workspace. Owns: both. A box can write the second, so what lies there may be a trap: we only make what is missing, by
// calls that follow no link, and lay the person's settings anew. The box cannot replace a part itself, because it is mounted there.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../core/base/fault.ts";
import { isWithin } from "../core/box/plan.ts";

/** What of the person's an agent finds in its folder. */
interface TheirFiles {
  readonly folder: string;
  readonly login: readonly string[];
  readonly seen: readonly string[];
}

interface AgentFolder {
  readonly folder: string;
  /** The parts of it that a box can write. */
  readonly writable: readonly string[];
  /** Files of the person's that the box may write, too: those of a login. */
  readonly logins: readonly string[];
}

/** `parts`: what of it is written; the first is in place of the person's. `begins`: files with which that begins. */
export function agentFolder(
  agents: string,
  { name, root, parts }: { readonly name: string; readonly root: string; readonly parts: readonly string[] },
  theirs: TheirFiles,
  begins: Readonly<Record<string, string>>,
): AgentFolder {
  const hash = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const made = join(agents, name, hash);
  for (const part of parts) fs.mkdirSync(join(made, part), { recursive: true, mode: 0o700 });
  const folder = fs.realpathSync(made);
  const place = join(folder, parts[0] ?? "");
  for (const [file, text] of Object.entries(begins)) ifMissing(() => create(join(place, file), text));
  // A file that an agent has put in the place of settings would count for this start. A folder stays: its parts may be links by then.
  const isThere = (path: string) => fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  for (const path of theirs.seen.map((file) => join(place, file)).filter(isThere)) fs.rmSync(path, { force: true });
  const linked = [...theirs.login, ...theirs.seen].filter((file) => fs.existsSync(join(theirs.folder, file)));
  for (const file of linked) ifMissing(() => fs.symlinkSync(join(theirs.folder, file), join(place, file)));
  const writable = parts.map((part) => join(folder, part).replace(/\/$/, ""));
  return { folder, writable, logins: loginsIn(theirs, root) };
}

/** A link, or a file in the folder that the box writes, may be an agent's way to any other file of the person's. */
function loginsIn({ folder, login }: TheirFiles, root: string): string[] {
  const real = fs.existsSync(folder) ? fs.realpathSync(folder) : undefined;
  if (real === undefined || isWithin(real, root)) return [];
  const isFile = (path: string) => fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return login.map((file) => join(real, file)).filter(isFile);
}

function ifMissing(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function create(path: string, text: string): void {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path, text, { flag: "wx", mode: 0o600 });
}
