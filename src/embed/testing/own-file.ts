// Files that a test keeps in a folder of its own. Refuses: a link in the place of one that leads elsewhere. Whoever plants it, in a
// repository perhaps, would have a test write over a file of its person's, or show one.
import fs from "node:fs";
import { basename, dirname, join, relative } from "node:path";

const { O_CREAT, O_NOFOLLOW, O_RDONLY, O_TRUNC, O_WRONLY } = fs.constants;

export function readOwn(path: string): string | undefined {
  const real = ownPath(path);
  return real === undefined ? undefined : whileOpen(fs.openSync(real, O_RDONLY | O_NOFOLLOW), readAll);
}

export function openOwn(path: string): number {
  fs.mkdirSync(dirname(path), { recursive: true });
  return fs.openSync(ownPath(path) ?? path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666);
}

export function writeOwn(path: string, text: string): void {
  whileOpen(openOwn(path), (file) => fs.writeFileSync(file, text));
}

function readAll(file: number): string {
  return fs.readFileSync(file, "utf8");
}

function whileOpen<T>(file: number, run: (file: number) => T): T {
  try {
    return run(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Where it really is: in its folder, or below it. Undefined: it is not there. */
function ownPath(path: string): string | undefined {
  if (!fs.lstatSync(path, { throwIfNoEntry: false })) return undefined;
  const folder = fs.realpathSync(dirname(path));
  const real = fs.existsSync(path) ? fs.realpathSync(path) : "";
  if (real !== "" && !relative(folder, real).startsWith("..")) return real;
  throw new Error(`${join(folder, basename(path))} is a link that leaves its folder; remove it`);
}
