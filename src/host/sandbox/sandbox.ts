// Boxes on this machine: turns a wish into a plan (links resolved, only what exists) and a plan into the words that
// start a program inside. Owns: the files that boxes need in our home. Refuses: to decide who is boxed.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type BoxStart, type BoxTools, boxPrefix, boxStart, PRIVATE_FOLDERS } from "../../core/box/arguments.ts";
import { bridgeWords } from "../../core/box/bridge.ts";
import { type Bind, type BoxLimits, type BoxPlan, type BoxSummary, isWithin } from "../../core/box/plan.ts";
import {
  PROTECTED_NAMES,
  PROTECTED_WHERE_PRESENT,
  SECRETS_OF_HOME,
  SECRETS_OF_SYSTEM,
} from "../../core/box/secrets.ts";
import { packageFile } from "../../package.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { AheadBoxes } from "./ahead.ts";
import { filterBytes } from "./filter.ts";
import { barePaths, between, gitPaths } from "./git.ts";
import { GitLinks } from "./git-links.ts";
import { Handles, identityOf, realPath } from "./links.ts";
import { NestedRepositories } from "./nested.ts";
import { findBridge } from "./network/session-proxies.ts";
import { makePrivateHome } from "./private-home.ts";
import { type Boxes, probe } from "./probe.ts";
import { closedOn, end, protection } from "./protection.ts";
import { Reserved } from "./reserved.ts";
import { isPossibleRoot, isWorkFolder, obeyedByShell, rootsOf } from "./roots.ts";
import { isOpenToUs, listeningPaths } from "./sockets.ts";

export interface BoxSettings {
  readonly network: readonly string[];
  readonly roots: readonly string[];
  readonly masks: readonly string[];
  readonly limits: BoxLimits;
}

interface PersonFolders {
  readonly homeFolder: string;
  /** Where programs are found, and where worktrees of sessions are made. */
  readonly path: string;
  readonly trees?: string;
}

export interface BoxRequest {
  readonly cwd: string;
  /** Default: those of the folder, and the configured ones. */
  readonly roots?: readonly string[];
  readonly network?: readonly string[];
  /** What is there though boxes hide it: of our home a session's own folder, for example. */
  readonly keep?: readonly Bind[];
  readonly proxyFolder?: string;
  /** A person's shell stands in `cwd`. Nothing that its prompt and hooks obey may be made there, or above. */
  readonly shellStays?: true;
  /** The program's PATH. Its folders stay visible wherever they lie, and so do `seen`. `own`: its home, not the workspace's. */
  readonly path?: string | undefined;
  readonly seen?: readonly string[] | undefined;
  readonly own?: string | undefined;
}

/** Scripts that integrated shells read. They may lie in a folder that boxes hide. */
const SCRIPTS = packageFile("shell");
/** While a box's mounts go, a folder below one takes milliseconds to remove, and somebody waits for an answer. */
const SOON_MS = 500;

export class Sandbox {
  readonly #home: Home;
  readonly #settings: BoxSettings;
  readonly #person: PersonFolders;
  readonly #filter: string | null;
  readonly #emptyFile: string;
  readonly #reserved: Reserved;
  readonly #handles = new Handles();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  readonly #nested: NestedRepositories;
  readonly #ahead = new AheadBoxes();
  readonly gitLinks = new GitLinks();
  #boxes: Boxes | undefined;

  constructor(home: Home, settings: BoxSettings, person: PersonFolders) {
    this.#home = home;
    this.#settings = settings;
    this.#person = { ...person, homeFolder: realOrSame(person.homeFolder) };
    this.#emptyFile = join(realOrSame(home.run), "empty");
    if (!fs.existsSync(this.#emptyFile)) fs.writeFileSync(this.#emptyFile, "", { mode: 0o400 });
    this.#reserved = new Reserved(join(home.run, "reserved"));
    this.#nested = new NestedRepositories(join(home.run, "repositories"));
    const bytes = filterBytes();
    this.#filter = bytes && join(home.run, "box-filter");
    if (this.#filter !== null && bytes !== null) writeFilter(this.#filter, bytes);
  }

  /** Tried once. */
  get boxes(): Boxes {
    this.#boxes ??= probe(this.#person.path, this.#filter, (tools) => {
      // Without the sockets of others: one that goes away just now would say that there are no boxes at all.
      const plan = { ...this.plan({ cwd: "/" }), maskedFiles: [] };
      return boxStart(plan, tools, this.#seen("probe"), () => []);
    });
    this.#handles.close("probe");
    return this.#boxes;
  }

  /**
   * What to put before a program's words. Only where boxes are available. What `reserve` did not make is not covered. Good for one
   * start, before the owner's next one and its release.
   */
  prefix(owner: string, plan: BoxPlan): string[] {
    const start = this.start(owner, plan);
    const isBridged = start.before === null || plan.proxyFolder === null;
    return [...boxPrefix(start), ...(isBridged ? [] : bridgeWords(findBridge(), process.arch))];
  }
  /** The same for a shell that begins the box itself. */
  start(owner: string, plan: BoxPlan): BoxStart {
    if (!this.boxes.available) throw new Error("there are no boxes on this machine");
    return this.#start(owner, plan, this.boxes.tools);
  }
  #start(owner: string, plan: BoxPlan, tools: BoxTools): BoxStart {
    this.#leave(owner);
    const there = plan.readOnly.filter(({ path }) => fs.existsSync(path));
    const empty = there.filter(({ path }) => isEmptyFolder(path)).map(({ path }) => path);
    const coverable = { ...plan, empty, readOnly: there.filter(({ path }) => !empty.includes(path)) };
    return boxStart(coverable, tools, this.#seen(owner), (mounts) => this.#ahead.take(owner, tools, mounts));
  }
  #seen(owner: string) {
    return { identity: identityOf, handle: (path: string) => this.#handles.open(owner, path) };
  }
  #leave(owner: string): void {
    this.#handles.close(owner);
    this.#ahead.leave(owner);
  }

  /** Before a box is made. The owner says when it is gone. */
  reserve(owner: string, plan: BoxPlan): void {
    clearTimeout(this.#leaving.get(owner));
    this.#reserved.hold(owner, plan.reserved, new Set(plan.reservedFiles));
    this.gitLinks.note(owner, plan.gitFolders);
  }
  /** The owner's box is there. Nothing more is mounted, and a session lives long. */
  made(owner: string): void {
    this.#leave(owner);
  }
  release(owner: string): void {
    clearTimeout(this.#leaving.get(owner));
    this.#leaving.delete(owner);
    this.#reserved.release(owner);
    this.gitLinks.forget(owner);
    this.#leave(owner);
    this.#ahead.prepare();
  }
  /** Unless the owner reserves something again by then. */
  releaseSoon(owner: string): void {
    clearTimeout(this.#leaving.get(owner));
    this.#leaving.set(owner, setTimeout(() => this.release(owner), SOON_MS).unref());
    this.gitLinks.sweep(owner);
    this.#ahead.prepare();
  }
  /** The boxes that are still there after a restart. */
  keepOnly(owners: ReadonlySet<string>): void {
    this.#reserved.keepOnly(owners);
  }

  /** What a box would open, without a look at anything else. */
  summary(request: Pick<BoxRequest, "cwd" | "roots" | "network">): BoxSummary {
    const { homeFolder: home, path, trees } = this.#person;
    const wanted = request.roots ?? [...rootsOf(realOrSame(request.cwd), home), ...this.#settings.roots];
    const named = existing(this.#settings.roots, home);
    const roots = existing(wanted, home).filter(
      (root) =>
        closedOn(join(root, ".git")) === undefined &&
        (named.includes(root) ? isPossibleRoot(root, home) : isWorkFolder(root, home, path, trees)),
    );
    return { roots, network: request.network ?? this.#settings.network };
  }

  plan(request: BoxRequest): BoxPlan {
    const { homeFolder: home, path } = this.#person;
    const { roots, network } = this.summary(request);
    const masked = this.hidden().filter((path) => !request.keep?.some((kept) => kept.path === path));
    const folders = masked.filter((path) => fs.statSync(path).isDirectory());
    const nested = roots.map((root) => ({ root, ...this.#nested.in(root) }));
    const git = nested.flatMap(({ root, trees, bare }) => [
      ...[root, ...trees].map((top) => gitPaths(top, root, home)),
      ...bare.map((folder) => barePaths(folder, root, home)),
    ]);
    const isOpen = (path: string) => roots.some((root) => isWithin(path, root));
    const isElsewhere = (path: string) => !isOpen(path);
    const closed = [...nested.flatMap((found) => found.closed), ...this.#closedAround(isOpen)];
    const needed = existing([home, SCRIPTS, process.execPath, ...(request.path ?? path).split(":")], home);
    const isPrivate = (path: string) => PRIVATE_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
    const visible = [...needed, ...existing(request.seen ?? [], home)].filter((at) => isPrivate(at) && !isOpen(at));
    const isSeen = (path: string) => !isPrivate(path) || visible.some((folder) => isWithin(path, folder));
    const isMasked = (path: string) => folders.some((folder) => isWithin(path, folder));
    const listening = existing(listeningPaths(), "/").filter(isOpenToUs);
    const sockets = listening.filter((path) => isSeen(path) && !isOpen(path) && !isMasked(path));
    const inRoots = (names: readonly string[]) => roots.flatMap((root) => names.map((name) => join(root, name)));
    // Nothing is writable by way of a link: an agent may have laid it.
    const isPlain = (path: string) => realPath(path) === path;
    const repository = git.flatMap(({ writable }) => writable).filter((path) => isPlain(path) && !isMasked(path));
    // Found before others by their names. What a package manager makes in a project is the project's own.
    const programs = needed.filter((path) => isOpen(path) && !path.endsWith("/node_modules/.bin"));
    // Whoever moves a folder moves what is hidden in it, and the next box would not find it.
    const aboveHidden = roots.flatMap((root) => masked.flatMap((path) => between(root, dirname(path))));
    const guarded = protection({
      neverMade: [
        ...inRoots(PROTECTED_NAMES),
        ...(request.shellStays ? roots.flatMap((root) => obeyedByShell(realOrSame(request.cwd), root)) : []),
        ...git.flatMap(({ neverMade }) => neverMade),
      ],
      neverMadeFiles: git.flatMap(({ included }) => included),
      asItIs: [...inRoots(PROTECTED_WHERE_PRESENT), ...git.flatMap(({ readOnly }) => readOnly), ...programs, ...closed],
      writable: [...roots, ...repository],
      masked,
    });
    return {
      roots,
      empty: [],
      repository,
      gitFolders: git.flatMap((paths) => paths.folders),
      pinned: [...new Set([...git.flatMap(({ pinned }) => pinned), ...aboveHidden])].filter(isPlain),
      ...guarded,
      isSearchedInPart: nested.some(({ isPart }) => isPart),
      visible,
      masks: folders,
      maskedFiles: [...masked.filter((path) => !folders.includes(path)), ...sockets],
      keep: [...(request.keep ?? []), ...git.flatMap((paths) => paths.readable.filter(isElsewhere).map(readable))],
      emptyFile: this.#emptyFile,
      ownDir: this.#ownDir(request, roots[0], masked),
      network,
      proxyFolder: request.proxyFolder ?? null,
      limits: this.#settings.limits,
    };
  }

  /** Where secrets lie, or where the way to a missing one would begin. Without folders that hold what the box needs. */
  secrets({ roots, keep, ownDir }: BoxPlan): string[] {
    const needed = [...roots, ...keep.map(({ path }) => path), ownDir];
    const found = this.#secrets().flatMap((path) => end(path) ?? []);
    return [...new Set(found)].filter((path) => !needed.some((other) => isWithin(other, path)));
  }

  /** From every box. Ours first: tokens, sockets, journals. */
  hidden(): string[] {
    return existing([this.#home.dir, ...this.#secrets()], this.#person.homeFolder);
  }

  /** What may hold a secret that nobody sees at the moment. */
  #closedAround(isOpen: (path: string) => boolean): string[] {
    return this.#secrets()
      .filter(isOpen)
      .flatMap((path) => closedOn(path) ?? []);
  }

  #secrets(): string[] {
    const own = SECRETS_OF_HOME.map((name) => join(this.#person.homeFolder, name));
    const named = this.#settings.masks.filter(Boolean).map((path) => absolute(path, this.#person.homeFolder));
    return [...own, ...SECRETS_OF_SYSTEM, ...named];
  }

  #ownDir({ own, cwd }: BoxRequest, root: string | undefined, masked: readonly string[]): string {
    const hash = createHash("sha256").update(root ?? realOrSame(cwd));
    const dir = own ?? join(realOrSame(this.#home.dir), "boxes", hash.digest("hex").slice(0, 16));
    makePrivateHome(dir, this.#person.homeFolder, masked);
    return dir;
  }
}

/** Without links, each once; what does not exist is left out. `~` is the home folder. */
function existing(paths: readonly string[], home: string): string[] {
  const named = paths.filter((path) => path !== "").map((path) => absolute(path, home));
  return [...new Set(named.flatMap((path) => realPath(path) ?? []))];
}

function absolute(path: string, home: string): string {
  return resolve("/", path === "~" || path.startsWith("~/") ? home + path.slice(1) : path);
}

/** False, too, for what is gone just now. */
function isEmptyFolder(path: string): boolean {
  try {
    return fs.readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

function realOrSame(path: string): string {
  return realPath(path) ?? resolve(path);
}

function readable(path: string): Bind {
  return { path, access: "read" };
}

/** Replaced, not rewritten: a box that starts now may be reading it. One that is there needs no disk that has space. */
function writeFilter(file: string, bytes: Uint8Array): void {
  if (fs.existsSync(file) && fs.readFileSync(file).equals(bytes)) return;
  fs.writeFileSync(`${file}.new`, bytes, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}
