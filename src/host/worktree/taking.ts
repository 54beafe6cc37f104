// Takes what git needs out of a git folder in which an agent writes. Anything there may be a link, a pipe or huge, and may be
// swapped while we look. So folders are opened step by step, and a file is judged when it has a name in a folder of ours.
import fs, { constants } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../core/base/fault.ts";
import { inFolder, onDisk } from "../git/paths.ts";
import { isMissing } from "../git/repository.ts";
import { type Folder, Folders } from "../git/walk.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** A ref is one line. */
export const LINE_BYTES_MAX = 4 << 10;
/** A hundred thousand branches. */
const LIST_BYTES_MAX = 16 << 20;
/** Two million files, with the shared part. */
const INDEX_BYTES_MAX = 256 << 20;
/** What sessions commit is less, by far. */
const OBJECTS_BYTES_MAX = 4 * 2 ** 30;
const ENTRIES_MAX = 100_000;
/** Names of files may look like the mark of a shared index. */
const MARKS_MAX = 64;

const OBJECT = /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]+\.(?:pack|idx|rev))$/;
const REF = /^(?:[0-9a-f]{40,64}|ref: refs\/[^\x00-\x20\x7f~^:?*[\\]+)\n?$/;
const PACKED = /^(?:#.*|\^?[0-9a-f]{40,64}|[0-9a-f]{40,64} refs\/[^\x00-\x20\x7f]+|)$/;

/** Bytes that may still be taken. */
interface Room {
  bytes: number;
}

/** A clone's refs and objects. False: something there is not as git makes it. */
export async function takeStore(git: string, dir: string): Promise<boolean> {
  const room = { bytes: OBJECTS_BYTES_MAX };
  const lists = ["packed-refs", "shallow"].every((name) => takeList(join(git, name), join(dir, name)));
  if (!lists) return false;
  const areRefs = await eachFile(git, "refs", dir, async (folder, name, to) => {
    // Those come and go.
    if (name.endsWith(".lock")) return true;
    const text = readPlain(folder.path(name), LINE_BYTES_MAX)?.toString("latin1") ?? "";
    if (REF.test(text)) fs.writeFileSync(to, text, "latin1");
    return true;
  });
  if (!areRefs) return false;
  return eachFile(
    git,
    "objects",
    dir,
    async (folder, name, to, path) => !OBJECT.test(path) || take(folder, name, to, room),
  );
}

/** The index, and the shared one that it names. Undefined: there is none. False: it is not as git makes it. */
export async function takeIndex(git: string, dir: string): Promise<string | false | undefined> {
  await using folders = new Folders(git);
  const room = { bytes: INDEX_BYTES_MAX };
  const index = join(dir, "index");
  const why = await folders.within("", async (folder) => {
    if ((await folder.stat("index")) === undefined) return undefined;
    if (!(await take(folder, "index", Buffer.from(index), room))) return "odd";
    const there = await fs.promises.readdir(folder.path("."));
    if (!there.some((name) => name.startsWith("sharedindex."))) return undefined;
    for (const name of sharedNames(await fs.promises.readFile(index)))
      if ((await folder.stat(name)) && !(await take(folder, name, Buffer.from(join(dir, name)), room))) return "odd";
    return undefined;
  });
  if (why !== undefined) return false;
  return fs.existsSync(index) ? index : undefined;
}

/** The extension `link` of an index begins with the hash of the shared one. */
function sharedNames(index: Buffer): string[] {
  const names: string[] = [];
  for (let at = index.lastIndexOf("link"); at > 0 && names.length < MARKS_MAX; at = index.lastIndexOf("link", at - 1))
    for (const bytes of [20, 32])
      if (at + 8 + bytes <= index.length && index.readUInt32BE(at + 4) >= bytes)
        names.push(`sharedindex.${index.toString("hex", at + 8, at + 8 + bytes)}`);
  return names;
}

/** Makes the same folders in `dir`. False: there is a link or an odd thing, or `act` says so. */
async function eachFile(
  git: string,
  top: string,
  dir: string,
  act: (folder: Folder, name: string, to: Buffer, path: string) => Promise<boolean>,
): Promise<boolean> {
  await using folders = new Folders(git);
  const queue = [top];
  let left = ENTRIES_MAX;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const path = at;
    fs.mkdirSync(onDisk(dir, path), { recursive: true, mode: 0o700 });
    const why = await folders.within(path, async (folder) => {
      for (const entry of await fs.promises.readdir(folder.path("."), { withFileTypes: true, encoding: "latin1" })) {
        const below = inFolder(path, entry.name);
        left -= 1;
        if (entry.isDirectory()) queue.push(below);
        else if (!entry.isFile() || !(await act(folder, entry.name, onDisk(dir, below), below))) return "odd";
      }
      return left < 0 ? "too many" : undefined;
    });
    if (why !== undefined) return false;
  }
  return true;
}

/** Gives the file a second name, or copies it where that cannot be. False: it is no plain file, or too large. */
async function take(folder: Folder, name: string, to: Buffer, room: Room): Promise<boolean> {
  try {
    await fs.promises.link(folder.path(name), to);
  } catch (error) {
    // git has removed it meanwhile.
    if (isMissing(error)) return true;
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP"].includes(codeOf(error))) throw error;
    return copy(folder.path(name), to, room);
  }
  const stat = fs.lstatSync(to);
  room.bytes -= stat.size;
  return stat.isFile() && room.bytes >= 0;
}

async function copy(from: Buffer, to: Buffer, room: Room): Promise<boolean> {
  await using file = await fs.promises.open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const stat = await file.stat();
  room.bytes -= stat.size;
  if (!stat.isFile() || room.bytes < 0) return false;
  const end = Math.max(0, stat.size - 1);
  await fs.promises.writeFile(to, stat.size === 0 ? "" : file.createReadStream({ end, autoClose: false }));
  // git distrusts entries that are as new as the index. An older copy makes it distrust more.
  await fs.promises.utimes(to, Math.floor(stat.mtimeMs / 1_000), Math.floor(stat.mtimeMs / 1_000));
  return true;
}

function takeList(from: string, to: string): boolean {
  if (fs.lstatSync(from, { throwIfNoEntry: false }) === undefined) return true;
  const text = readPlain(from, LIST_BYTES_MAX)?.toString("latin1");
  if (text === undefined || !text.split("\n").every((line) => PACKED.test(line))) return false;
  fs.writeFileSync(to, text, "latin1");
  return true;
}

/** No link is followed, and a pipe keeps nobody waiting. Undefined: no plain file of that size. */
export function readPlain(path: string | Buffer, bytesMax: number): Buffer | undefined {
  if (!fs.lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fs.fstatSync(fd);
    return stat.isFile() && stat.size <= bytesMax ? fs.readFileSync(fd) : undefined;
  } finally {
    fs.closeSync(fd);
  }
}
