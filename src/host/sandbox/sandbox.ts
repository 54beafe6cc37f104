// Boxes on this machine: turns a wish into a plan (links resolved, only what exists) and a plan into the words that
// start a program inside. Owns: the files that boxes need in our home. Refuses: to decide who is boxed.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { boxPrefix, PRIVATE_FOLDERS } from "../../core/box/arguments.ts";
import { bridgeWords } from "../../core/box/bridge.ts";
import { type Bind, type BoxLimits, type BoxPlan, isWithin } from "../../core/box/plan.ts";
import { PROTECTED_FILES, PROTECTED_FOLDERS, SECRETS_OF_HOME, SECRETS_OF_SYSTEM } from "../../core/box/secrets.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { filterBytes } from "./filter.ts";
import { gitPaths } from "./git.ts";
import { makePrivateHome } from "./private-home.ts";
import { type Boxes, probe } from "./probe.ts";
import { ReservedFolders } from "./reserved.ts";
import { isPossibleRoot, rootsOf } from "./roots.ts";
import { findBridge } from "./session-proxies.ts";

export interface BoxSettings {
  readonly network: readonly string[];
  readonly roots: readonly string[];
  readonly masks: readonly string[];
  readonly limits: BoxLimits;
}

interface PersonFolders {
  readonly homeFolder: string;
  /** Where programs are found. */
  readonly path: string;
}

export interface BoxRequest {
  readonly cwd: string;
  /** Default: those of the folder, and the configured ones. */
  readonly roots?: readonly string[];
  readonly network?: readonly string[];
  /** What must stay visible of our home, such as a session's own folder. */
  readonly keep?: readonly Bind[];
  readonly proxyFolder?: string;
  /** The program's PATH. Its folders stay visible wherever they lie. */
  readonly path?: string | undefined;
}

/** Scripts that integrated shells read. They may lie in a folder that boxes hide. */
const SCRIPTS = fileURLToPath(new URL("../../../shell", import.meta.url));

export class Sandbox {
  readonly #home: Home;
  readonly #settings: BoxSettings;
  readonly #person: PersonFolders;
  readonly #filter: string | null;
  readonly #emptyFile: string;
  readonly #reserved: ReservedFolders;
  #boxes: Boxes | undefined;

  constructor(home: Home, settings: BoxSettings, person: PersonFolders) {
    this.#home = home;
    this.#settings = settings;
    this.#person = { ...person, homeFolder: realOrSame(person.homeFolder) };
    this.#emptyFile = join(home.run, "empty");
    if (!fs.existsSync(this.#emptyFile)) fs.writeFileSync(this.#emptyFile, "", { mode: 0o400 });
    this.#reserved = new ReservedFolders(join(home.run, "reserved.json"));
    const bytes = filterBytes();
    this.#filter = bytes && join(home.run, "box-filter");
    if (this.#filter !== null && bytes !== null) writeFilter(this.#filter, bytes);
  }

  /** Tried once. */
  get boxes(): Boxes {
    this.#boxes ??= probe(this.#person.path, this.plan({ cwd: "/" }), this.#filter);
    return this.#boxes;
  }

  /** What to put before a program's words. Only where boxes are available. What `reserve` did not make is not covered. */
  prefix(plan: BoxPlan): string[] {
    const { boxes } = this;
    if (!boxes.available) throw new Error("there are no boxes on this machine");
    const inside = plan.proxyFolder === null ? [] : bridgeWords(findBridge());
    const readOnly = plan.readOnly.filter(({ path }) => fs.existsSync(path));
    return [...boxPrefix({ ...plan, readOnly }, boxes.tools), ...inside];
  }

  /** Before a box is made. The owner says when it is gone. */
  reserve(owner: string, plan: BoxPlan): void {
    this.#reserved.hold(owner, plan.reserved);
  }
  release(owner: string): void {
    this.#reserved.release(owner);
  }
  /** The boxes that are still there after a restart. */
  keepOnly(owners: ReadonlySet<string>): void {
    this.#reserved.keepOnly(owners);
  }

  plan(request: BoxRequest): BoxPlan {
    const { homeFolder: home, path } = this.#person;
    const wanted = request.roots ?? [...rootsOf(realOrSame(request.cwd), home), ...this.#settings.roots];
    const roots = existing(wanted, home).filter((path) => isPossibleRoot(path, home));
    const masked = this.#masks(home);
    const folders = masked.filter((path) => fs.statSync(path).isDirectory());
    const git = roots.map(gitPaths);
    const isOpen = (path: string) => roots.some((root) => isWithin(path, root));
    const needed = existing([home, SCRIPTS, process.execPath, ...(request.path ?? path).split(":")], home);
    const isPrivate = (path: string) => PRIVATE_FOLDERS.some((folder) => isWithin(path, folder));
    const visible = needed.filter((path) => isPrivate(path) && !PRIVATE_FOLDERS.includes(path) && !isOpen(path));
    const isSeen = (path: string) => !isPrivate(path) || visible.some((folder) => isWithin(path, folder));
    const sockets = listeningSockets().filter((path) => isSeen(path) && !isOpen(path));
    const inRoots = (names: readonly string[]) => roots.flatMap((root) => names.map((name) => join(root, name)));
    const obeyed = [...inRoots(PROTECTED_FOLDERS), ...git.flatMap(({ obeyedFolders }) => obeyedFolders)];
    const guarded = [...inRoots(PROTECTED_FILES), ...git.flatMap(({ readOnly }) => readOnly), ...obeyed];
    // A link cannot be covered. What it leads to is.
    const reserved = obeyed.filter((path) => !fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
    return {
      roots,
      repository: git.flatMap(({ writable }) => writable),
      pinned: git.flatMap(({ pinned }) => pinned),
      readOnly: [...new Set([...existing(guarded, home), ...reserved])].map(readable),
      reserved,
      visible,
      masks: folders,
      maskedFiles: [...masked.filter((path) => !folders.includes(path)), ...sockets],
      keep: [...(request.keep ?? []), ...git.flatMap((paths) => paths.readable.map(readable))],
      kernel: KERNEL_SETTINGS,
      emptyFile: this.#emptyFile,
      ownDir: this.#ownDir(roots[0] ?? realOrSame(request.cwd), masked),
      network: request.network ?? this.#settings.network,
      proxyFolder: request.proxyFolder ?? null,
      limits: this.#settings.limits,
    };
  }

  /** Ours first: tokens, sockets, journals. */
  #masks(home: string): string[] {
    const own = SECRETS_OF_HOME.map((name) => join(home, name));
    return existing([this.#home.dir, ...own, ...SECRETS_OF_SYSTEM, ...this.#settings.masks], home);
  }

  /** One per workspace. */
  #ownDir(folder: string, masked: readonly string[]): string {
    const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
    const dir = join(realOrSame(this.#home.dir), "boxes", name);
    makePrivateHome(dir, this.#person.homeFolder, masked);
    return dir;
  }
}

/**
 * Parts of /proc that the kernel lets a process of root write without any capability: its settings (core_pattern names a
 * program that runs outside), binfmt_misc, sysrq. bwrap covers some of them, and not these.
 */
const KERNEL_SETTINGS = process.platform === "linux" ? kernelSettings() : [];

function kernelSettings(): string[] {
  const entries = fs.readdirSync("/proc").filter((name) => !/^\d+$/.test(name));
  return entries
    .map((name) => `/proc/${name}`)
    .filter((path) => {
      const stat = fs.lstatSync(path);
      return stat.isDirectory() || (stat.isFile() && (stat.mode & 0o222) !== 0);
    });
}

/** Whoever listens on a path outside answers anybody who can see the path, even on a read-only mount. */
function listeningSockets(): string[] {
  if (process.platform !== "linux") return [];
  const lines = fs.readFileSync("/proc/net/unix", "utf8").split("\n");
  const paths = lines.flatMap((line) => /^(?:\S+ +){7}(\/.+)$/.exec(line)?.[1] ?? []);
  return existing([...new Set(paths)], "/");
}

/** Absolute, without links, each once; what does not exist is left out. `~` is the home folder. */
function existing(paths: readonly string[], home: string): string[] {
  const absolute = paths
    .filter((path) => path !== "")
    .map((path) => (path === "~" || path.startsWith("~/") ? home + path.slice(1) : resolve("/", path)));
  return [...new Set(absolute.flatMap((path) => realOf(path) ?? []))];
}

function realOf(path: string): string | undefined {
  try {
    return fs.realpathSync(path);
  } catch {
    // Missing, a loop of links, or not ours to enter: then nobody in the box can, either.
    return undefined;
  }
}

function realOrSame(path: string): string {
  return realOf(path) ?? resolve(path);
}

function readable(path: string): Bind {
  return { path, access: "read" };
}

/** Replaced, not rewritten: a box that starts now may be reading it. */
function writeFilter(file: string, bytes: Uint8Array): void {
  fs.writeFileSync(`${file}.new`, bytes, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}
