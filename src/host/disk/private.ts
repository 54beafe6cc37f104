// Folders and files that only their owner may touch. What lies there already is looked at before it is used: a link, or something
// that belongs to another user, may have been planted. Owns: nothing.
import fs from "node:fs";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;
const OTHERS = 0o077;

/** Makes it where it is missing. Its parents are the person's own affair. */
export function privateFolder(path: string): void {
  fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = fs.lstatSync(path);
  if (stat.isSymbolicLink()) throw planted(path, "is a link", "Name the folder that it leads to, or remove it.");
  if (!stat.isDirectory()) throw planted(path, "is no folder", "Move it away.");
  checkOwner(path, stat);
  if (stat.mode & OTHERS) fs.chmodSync(path, 0o700);
}

/** The text of a private file. Undefined where there is none. */
export function readPrivately(path: string): string | undefined {
  if (!fs.lstatSync(path, { throwIfNoEntry: false })) return undefined;
  // A pipe in its place must not keep us waiting.
  const fd = openPrivately(path, O_RDONLY | O_NONBLOCK);
  try {
    return fs.readFileSync(fd, "utf8");
  } finally {
    fs.closeSync(fd);
  }
}

/** A descriptor that appends. */
export function appendPrivately(path: string): number {
  return openPrivately(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK);
}

function openPrivately(path: string, flags: number): number {
  const fd = opened(path, flags);
  const stat = fs.fstatSync(fd);
  try {
    if (!stat.isFile()) throw planted(path, "is no file", "Move it away.");
    checkOwner(path, stat);
    if (stat.mode & OTHERS) fs.fchmodSync(fd, 0o600);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

function opened(path: string, flags: number): number {
  try {
    return fs.openSync(path, flags | O_NOFOLLOW, 0o600);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ELOOP") throw planted(path, "is a link", "Remove it.");
    // A pipe that nobody reads, or a socket.
    if (code === "ENXIO") throw planted(path, "is no file", "Move it away.");
    throw error;
  }
}

function checkOwner(path: string, { uid }: fs.Stats): void {
  const own = process.geteuid?.() ?? uid;
  if (uid !== own) throw planted(path, `belongs to user ${uid}, not to you (${own})`, "Choose another DUETTY_HOME.");
}

function planted(path: string, what: string, hint: string): Error {
  return new Error(`${path} ${what}, so nothing private is kept there. ${hint}`);
}

/** Runs `listen`, which binds a unix socket at once: nobody else may connect, from its first moment. */
export function bindingPrivately(listen: () => void): void {
  const before = process.umask(0o177);
  try {
    listen();
  } finally {
    process.umask(before);
  }
}
