// Which folder an agent may write when it works in a given one, and it is often the agent that chooses. Refuses: the
// system's folders, the home folder and whatever contains one of them, folders of settings, and where programs are found.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../../core/box/plan.ts";
import { KEPT_BY_PROJECTS, OBEYED_BY_SHELLS } from "../../core/box/secrets.ts";
import { between, workTreeTop } from "./git.ts";
import { realPath } from "./links.ts";

/** Never writable, nor anything in them. */
const SYSTEM =
  "/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr /var/backups /var/cache /var/lib /var/local /var/log /var/mail /var/run /var/spool".split(
    " ",
  );
/** Not writable themselves. People have projects in folders below. */
const SHARED = "/ /home /media /mnt /opt /root /srv /tmp /var /var/tmp /nix /snap".split(" ");

/** Of a home folder: programs, and what starts with the person's session. A name with a dot is hidden anyway. */
const OBEYED_IN_HOME = ["bin", "Library", "snap"];

/** The top of the work tree around a folder, else the folder itself, else nothing. */
export function rootsOf(folder: string, homeFolder: string): string[] {
  const top = workTreeTop(folder);
  const root = [top, folder].find((path) => path !== undefined && isPossibleRoot(path, homeFolder));
  return root === undefined ? [] : [root];
}

/**
 * Whether people keep work here. Hidden folders hold settings that programs obey (.config, .git, .vscode), and a program in
 * a folder of `path` would be found before the person's own. A person who works in such a folder names it in their config.
 */
export function isWorkFolder(folder: string, homeFolder: string, path: string, trees = ""): boolean {
  if (!isPossibleRoot(folder, homeFolder)) return false;
  // We made it for a session, in a folder of data.
  const root = realPath(trees);
  if (root !== undefined && folder !== root && isWithin(folder, root)) return true;
  if (folder.split("/").some((name) => name.startsWith("."))) return false;
  const obeyed = [...OBEYED_IN_HOME.map((name) => `${homeFolder}/${name}`), ...path.split(":").filter(Boolean)];
  return !obeyed.some((other) => isWithin(folder, other));
}

export function isPossibleRoot(folder: string, homeFolder: string): boolean {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  if (SHARED.includes(folder) || SYSTEM.some((system) => isWithin(folder, system))) return false;
  return !isWithin(homeFolder, folder);
}

/**
 * What the prompt and hooks of a shell in `folder` would obey there, and in each folder above up to the root. A repository
 * that is there works as ever. Inside a work tree a name HEAD stays free: git could not tell a file of this name from a commit.
 */
export function obeyedByShell(folder: string, root: string): string[] {
  if (!isWithin(folder, root)) return [];
  const top = workTreeTop(folder);
  // An empty `.git` may be one that a box keeps free.
  const isTree = top !== undefined && isRepository(join(top, ".git"));
  const names = OBEYED_BY_SHELLS.filter((name) => !KEPT_BY_PROJECTS.has(name) && (name !== "HEAD" || !isTree));
  const all = [root, ...between(root, folder)].flatMap((at) => names.map((name) => join(at, name)));
  return all.filter((path) => !isRepository(path));
}

function isRepository(path: string): boolean {
  if (path.endsWith("/HEAD")) return fs.existsSync(path) && fs.existsSync(join(dirname(path), "objects"));
  return path.endsWith("/.git") && (fs.existsSync(join(path, "HEAD")) || !isFolder(path));
}

/** `.git` may be a file that names the repository. */
function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
}
