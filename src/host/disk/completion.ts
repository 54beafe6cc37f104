// What half-written words may mean on the disk: files, and scripts of package.json. It only reads; what we cannot read has no
// candidates.
import fs from "node:fs";
import { access, readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { NamedFile } from "../../core/complete/completions.ts";
import { asWord, isText, lastWord } from "../../core/complete/words.ts";

/** A package.json with more than a megabyte is not one. */
const PACKAGE_BYTES_MAX = 1 << 20;
const SCRIPTS_MAX = 500;

export async function pathsFor(word: string, cwd: string): Promise<NamedFile[]> {
  const written = word.endsWith("/") || word === "" ? word : word.slice(0, word.length - basename(word).length);
  const begun = word.slice(written.length);
  const folder = located(written || ".", cwd);
  // A shell reads it as the home only without a backslash.
  const home = written.startsWith("~/") ? "~" : "";
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(begun) && (begun.startsWith(".") || !name.startsWith(".")) && isText(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const isFolder = entry.isDirectory();
      const text = `${home}${asWord(written.slice(home.length) + entry.name)}${isFolder ? "/" : ""}`;
      return { text, kind: isFolder ? ("folder" as const) : ("file" as const) };
    });
}

/** What lies where this word of a line leads, if it is a plain path. */
export function fileAt(text: string, cwd: string): "file" | "folder" | undefined {
  const { word } = lastWord(text);
  if (word === "" || word.includes("$")) return undefined;
  try {
    const stat = fs.statSync(located(word, cwd), { throwIfNoEntry: false });
    return stat && (stat.isDirectory() ? "folder" : "file");
  } catch {
    // EACCES, ENAMETOOLONG, ELOOP, a NUL: nothing that we can tell.
    return undefined;
  }
}

/** A longer PATH is not looked through while somebody writes. */
const PATH_FOLDERS_MAX = 100;

/** Whether this name is surely no program in these folders, and no folder here, which some shells go to. */
export async function isNowhere(name: string, path: readonly string[], cwd: string): Promise<boolean> {
  if (path.length > PATH_FOLDERS_MAX) return false;
  const isMissing = (file: string) =>
    access(file).then(
      () => false,
      // EACCES, EIO: who knows.
      (error: NodeJS.ErrnoException) => error.code === "ENOENT" || error.code === "ENOTDIR",
    );
  const places = [cwd, ...path.map((folder) => resolve(cwd, folder))];
  return (await Promise.all(places.map((folder) => isMissing(join(folder, name))))).every((missing) => missing);
}

/** Of the nearest package.json. */
export async function scriptsAt(cwd: string): Promise<{ text: string; about: string }[]> {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    const file = join(at, "package.json");
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size;
    if (size !== undefined && size <= PACKAGE_BYTES_MAX) return scriptsIn(await readFile(file, "utf8"));
    if (at === dirname(at)) return [];
  }
}

function scriptsIn(text: string): { text: string; about: string }[] {
  try {
    const scripts: unknown = JSON.parse(text)?.scripts;
    const entries = typeof scripts === "object" && scripts !== null ? Object.entries(scripts) : [];
    const plain = entries.filter(([name, command]) => /^[\w:.@/-]+$/.test(name) && typeof command === "string");
    return plain.slice(0, SCRIPTS_MAX).map(([name, command]) => ({ text: name, about: String(command) }));
  } catch {
    // Somebody is writing it.
    return [];
  }
}

function located(word: string, cwd: string): string {
  const isHome = word === "~" || word.startsWith("~/");
  return resolve(cwd, isHome ? homedir() + word.slice(1) : word);
}
