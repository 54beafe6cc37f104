// POSIX paths as text. Pure: it reads no files.

/** Without empty, "." and resolvable ".." segments. */
function normal(path: string): string {
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (part !== ".." || !path.startsWith("/")) kept.push(part);
  }
  return path.startsWith("/") ? `/${kept.join("/")}` : kept.join("/");
}

export function join(...parts: readonly string[]): string {
  return normal(parts.filter((part) => part !== "").join("/"));
}

export function resolve(from: string, path: string): string {
  return normal(path.startsWith("/") ? path : `${from}/${path}`);
}

export function dirOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut < 0 ? "" : path.slice(0, cut) || "/";
}

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The name without its last extension. */
export function stemOf(path: string): string {
  const base = baseOf(path);
  const dot = base.lastIndexOf(".");
  return dot <= 0 ? base : base.slice(0, dot);
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** Both are absolute. "" when they are the same. */
export function relative(from: string, to: string): string {
  const a = from.split("/").filter(Boolean);
  const b = to.split("/").filter(Boolean);
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  return [...a.slice(same).map(() => ".."), ...b.slice(same)].join("/");
}

/** The deepest folder that holds all of them; the paths are absolute files. */
export function commonDir(paths: readonly string[]): string {
  const [first = "/", ...rest] = paths.map(dirOf);
  return rest.reduce((common, dir) => {
    let at = common;
    while (!isWithin(at, dir)) at = dirOf(at);
    return at;
  }, first);
}
