// Other programs' configuration files: read whole, written at once or not at all, through symlinks, with their mode.
// Refuses: to write over what somebody else wrote since it was read.
import fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

export interface Change {
  readonly file: string;
  /** Undefined means no file, before or after. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** No configuration is larger. Claude Code's own, with its history, has a few MB. */
const FILE_BYTES_MAX = 64 << 20;
/** Files in a home folder may hold keys of other servers. */
const PRIVATE_MODE = 0o600;
const SHARED_MODE = 0o644;
const LINKS_MAX = 40;

export function readText(file: string): string | undefined {
  const target = targetOf(file);
  if (!fs.existsSync(target)) return undefined;
  const { size } = fs.statSync(target);
  if (size > FILE_BYTES_MAX) throw new Error(`${file} has ${size} bytes: too large for a configuration`);
  const bytes = fs.readFileSync(target);
  const text = bytes.toString("utf8");
  // Text that does not decode and encode to the same bytes would be damaged by writing it.
  if (!Buffer.from(text, "utf8").equals(bytes)) throw new Error(`${file} is not UTF-8 text`);
  return text;
}

export function write(change: Change, kind: "private" | "shared"): void {
  const target = targetOf(change.file);
  if (readText(change.file) !== change.before) throw new Error(`${change.file} was changed meanwhile; try again`);
  if (change.after === undefined) return remove(target);
  fs.mkdirSync(dirname(target), { recursive: true, mode: kind === "private" ? 0o700 : 0o755 });
  const isNew = change.before === undefined;
  const mode = isNew ? (kind === "private" ? PRIVATE_MODE : SHARED_MODE) : fs.statSync(target).mode & 0o7777;
  // Beside it, so that the rename stays within one file system.
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.duetty`);
  try {
    fs.writeFileSync(draft, change.after, { mode, flag: "wx", flush: true });
    // The mode of a creation is cut by the umask; an existing file keeps its own.
    if (!isNew) fs.chmodSync(draft, mode);
    fs.renameSync(draft, target);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** A folder with our name is removed with its last file. */
function remove(target: string): void {
  fs.rmSync(target, { force: true });
  const folder = dirname(target);
  if (basename(folder) === "duetty" && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
}

/** As people call it: from this folder, or from home. */
export function shownName(file: string, { home, cwd }: { readonly home: string; readonly cwd: string }): string {
  if (cwd !== home && file.startsWith(`${cwd}/`)) return file.slice(cwd.length + 1);
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}

/** Where a chain of symlinks ends, whether or not there is a file. */
function targetOf(file: string): string {
  let target = file;
  for (let links = 0; links < LINKS_MAX; links += 1) {
    const stat = fs.lstatSync(target, { throwIfNoEntry: false });
    if (!stat?.isSymbolicLink()) return target;
    target = resolve(dirname(target), fs.readlinkSync(target));
  }
  throw new Error(`${file}: too many symbolic links`);
}
