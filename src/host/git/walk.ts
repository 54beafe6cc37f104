// Folders of a workspace by descriptor. A path is followed step by step and never through a symbolic link, so that whoever
// works in the workspace cannot lead us out of it by swapping a folder for a link.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import { isForbidden, isMissing } from "./repository.ts";

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Only a name for the file: it is neither read nor written. Node does not name this flag of Linux. */
const O_PATH = 0o10_000_000;
/** Linux opens a name inside an open folder by this path. Elsewhere the folder's own path must do. */
const BY_DESCRIPTOR = process.platform === "linux";
/** As much of a name as leaves room for more; 255 are allowed. */
const ASIDE_BYTES_MAX = 200;

export class Folder {
  #handle: FileHandle;
  #plain: Buffer;

  constructor(handle: FileHandle, plain: Buffer) {
    this.#handle = handle;
    this.#plain = plain;
  }

  /** A path for one name in this folder, given with one character per byte. */
  path(name: string): Buffer {
    const at = BY_DESCRIPTOR ? Buffer.from(`/proc/self/fd/${this.#handle.fd}`) : this.#plain;
    return Buffer.concat([at, Buffer.from("/"), Buffer.from(name, "latin1")]);
  }

  async inside(name: string): Promise<Folder> {
    const plain = Buffer.concat([this.#plain, Buffer.from("/"), Buffer.from(name, "latin1")]);
    return new Folder(await fs.open(this.path(name), FLAGS), plain);
  }

  async stat(name: string) {
    try {
      return await fs.lstat(this.path(name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Removes a file or a link itself. A folder stays. */
  async unlink(name: string): Promise<undefined> {
    try {
      await fs.unlink(this.path(name));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return undefined;
  }

  /** Gives what is there another name beside it, and says which. A random one, so nothing has it yet. */
  async moveAside(name: string): Promise<string> {
    const to = `${name.slice(0, ASIDE_BYTES_MAX)}.aside-${randomBytes(4).toString("hex")}`;
    await fs.rename(this.path(name), this.path(to));
    return to;
  }

  async makeFolder(name: string): Promise<string | undefined> {
    if ((await this.stat(name))?.isDirectory()) return undefined;
    await fs.mkdir(this.path(name));
    return this.setMode(name, 0o755);
  }

  /** A folder with something in it stays. */
  async removeFolder(name: string): Promise<undefined> {
    try {
      await fs.rmdir(this.path(name));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (!isMissing(error) && code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    }
    return undefined;
  }

  async setMode(name: string, mode: number): Promise<string | undefined> {
    if (!BY_DESCRIPTOR) return void (await fs.chmod(this.path(name), mode));
    const file = await fs.open(this.path(name), O_PATH | constants.O_NOFOLLOW);
    try {
      if ((await file.stat()).isSymbolicLink()) return "now a link";
      await fs.chmod(`/proc/self/fd/${file.fd}`, mode);
      return undefined;
    } finally {
      await file.close();
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Remembers the folders on the way to the last path, because the next one is mostly beside it. */
export class Folders {
  #root: string;
  #open: { readonly name: string; readonly folder: Folder }[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** What `act` says, or why the folder cannot be used. */
  async within(path: string, act: (folder: Folder) => Promise<string | undefined>): Promise<string | undefined> {
    try {
      return await act(await this.#at(path));
    } catch (error) {
      if (isMissing(error)) return "its folder is gone";
      if (isForbidden(error)) return "not permitted";
      const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
      if (code === "ELOOP") return "behind a link";
      if (code !== undefined && ["EISDIR", "ENOTEMPTY", "EEXIST", "EROFS", "EBUSY"].includes(code)) return code;
      throw error;
    }
  }

  async #at(path: string): Promise<Folder> {
    const names = ["", ...(path === "" ? [] : path.split("/"))];
    let shared = 0;
    while (shared < this.#open.length && this.#open[shared]?.name === names[shared]) shared += 1;
    for (const { folder } of this.#open.splice(shared)) await folder.close();
    for (const name of names.slice(shared)) {
      const above = this.#open.at(-1)?.folder;
      const root = Buffer.from(this.#root);
      const folder = above ? await above.inside(name) : new Folder(await fs.open(root, FLAGS), root);
      this.#open.push({ name, folder });
    }
    return this.#open.at(-1)?.folder ?? this.#at(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { folder } of this.#open.splice(0)) await folder.close();
  }
}
