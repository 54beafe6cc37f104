// Files of one start of an agent CLI in a box: a new folder in which it keeps its own, and none of an earlier start's but a login
// and the conversation that it goes on with. A box writes there, so what lies in an old one may be a trap: settings, commands and
// instructions never pass on, and what does is read through no link.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../core/box/plan.ts";

/** A conversation of some weeks with pictures. It is read at once. */
const CARRIED_BYTES_MAX = 256 << 20;
/** An agent keeps a folder for each project, or for each day. */
const NAMES_MAX = 2_000;

/** What of a folder of the person's an agent finds in a part of its own. */
interface TheirFiles {
  readonly folder: string;
  readonly part: string;
  readonly login: readonly string[];
  readonly seen: readonly string[];
}

/** What an earlier start left at `folder`: patterns in which `*` is anything but a slash. */
interface Carried {
  readonly folder: string;
  readonly files: readonly string[];
}

interface AgentFolder {
  readonly folder: string;
  /** The parts of it that a box can write. */
  readonly writable: readonly string[];
  /** Files of the person's that the box may write, too: those of a login. */
  readonly logins: readonly string[];
}

/** `parts`: what of it is written. `begins`: files with which the first part begins. */
export function agentFolder(
  { made, root, parts }: { readonly made: string; readonly root: string; readonly parts: readonly string[] },
  theirs: readonly TheirFiles[],
  begins: Readonly<Record<string, string>>,
  earlier: readonly Carried[],
): AgentFolder {
  for (const part of parts) fs.mkdirSync(join(made, part), { recursive: true, mode: 0o700 });
  const folder = fs.realpathSync(made);
  const [first = ""] = parts;
  for (const [file, text] of Object.entries(begins)) create(join(folder, first, file), text);
  for (const each of theirs) lay(each, join(folder, each.part));
  for (const { folder: old, files } of earlier)
    for (const file of files) carry(join(old, first), join(folder, first), file);
  const writable = parts.map((part) => join(folder, part).replace(/\/$/, ""));
  return { folder, writable, logins: theirs.flatMap((each) => loginsIn(each, root)) };
}

/** Links to the person's login and settings. */
function lay({ folder, login, seen }: TheirFiles, place: string): void {
  const linked = [...login, ...seen].filter((file) => fs.existsSync(join(folder, file)));
  for (const file of linked) fs.symlinkSync(join(folder, file), join(place, file));
}

/** A link, or a file in the folder that the box writes, may be an agent's way to any other file of the person's. */
function loginsIn({ folder, login }: TheirFiles, root: string): string[] {
  const real = fs.existsSync(folder) ? fs.realpathSync(folder) : undefined;
  if (real === undefined || isWithin(real, root)) return [];
  const isFile = (path: string) => fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return login.map((file) => join(real, file)).filter(isFile);
}

/** What is there already stays. */
function carry(from: string, to: string, pattern: string): void {
  const names = pattern.split("/");
  const found = names.reduce(
    (paths, name) => paths.flatMap((path) => namesIn(join(from, path), name).map((one) => join(path, one))),
    [""],
  );
  for (const path of found) {
    const content = isThere(join(to, path)) ? undefined : contentOf(join(from, path));
    if (content) create(join(to, path), content);
  }
}

function namesIn(folder: string, pattern: string): string[] {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const [begin = "", end] = pattern.split("*");
  const isMeant = (name: string) => (end === undefined ? name === begin : name.startsWith(begin) && name.endsWith(end));
  return fs.readdirSync(folder).filter(isMeant).slice(0, NAMES_MAX);
}

/** Undefined: it is no file, or too large. */
function contentOf(path: string): Buffer | undefined {
  if (!fs.lstatSync(path).isFile()) return undefined;
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    const stat = fs.fstatSync(fd);
    return stat.isFile() && stat.size <= CARRIED_BYTES_MAX ? fs.readFileSync(fd) : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

function isThere(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function create(path: string, content: string | Buffer): void {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path, content, { flag: "wx", mode: 0o600 });
}
