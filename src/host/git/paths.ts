// Paths as git has them (one character per byte) and as the file system takes them.

/** The path of a file in the workspace. Its name need not be text. */
export function onDisk(workspace: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(path, "latin1")]);
}

export function parentOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A folder inside another, both as bytes in text. */
export function inFolder(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
