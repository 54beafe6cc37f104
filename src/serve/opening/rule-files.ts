// A person's own rules on disk: config.json for everywhere, .duetty.json of a trusted folder for what is below it. Owns: the
// list of trusted folders, each with the rules that it had when a person trusted it. Agents may be able to write the file:
// rules that are not the trusted ones allow nothing, and take nothing back that those asked for or denied.
import fs from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { PersonRules } from "../../core/gate/person-rules.ts";
import { writeWhole } from "../../host/disk/files.ts";
import { inRealFolder, realPath } from "../../host/sandbox/links.ts";
import { type ProjectWish, projectWish } from "../worktree/project.ts";

const PROJECT_FILE = ".duetty.json";
/** Rules are short. A larger file is not one of ours. */
const FILE_BYTES_MAX = 1 << 20;

const SPOILED: Record<string, unknown> = { rules: { ask: ["**"] } };

interface Trusted {
  readonly folder: string;
  /** What its file said then. Null: it had no rules. */
  readonly rules: unknown;
  /** What it asked for in new worktrees then. */
  readonly setup?: unknown;
}

export class RuleFiles {
  #config: string;
  #known = new Map<string, { readonly at: number; readonly value: Record<string, unknown> }>();

  constructor(config: string) {
    this.#config = join(realPath(dirname(config)) ?? dirname(config), basename(config));
  }

  /** The person's rules, and those of the nearest trusted folder above `cwd`. */
  of(cwd: string | null): PersonRules[] {
    const user = rulesIn(this.#read(this.#config).rules, cwd);
    const trusted = cwd === null ? undefined : this.#trustedAbove(cwd);
    if (trusted === undefined || cwd === null) return [user];
    const { folder } = trusted;
    const here = relative(folder, cwd) || ".";
    const now = this.#rulesOf(folder);
    const [then, found] = [rulesIn(trusted.rules, here), rulesIn(now, here)];
    if (isSame(now, trusted.rules)) return [user, then];
    const lapsed = { folder, allow: found.allow };
    return [user, { allow: [], ask: [...then.ask, ...found.ask], deny: [...then.deny, ...found.deny], lapsed }];
  }

  /** Trusted folders, and those among them whose rules are not the trusted ones any more. */
  list(): { folders: string[]; changed: string[] } {
    const changed = this.#trusted.filter(({ folder, rules }) => !isSame(this.#rulesOf(folder), rules));
    return { folders: this.#trusted.map(({ folder }) => folder), changed: changed.map(({ folder }) => folder) };
  }

  trust(folder: string): void {
    this.#trust({ folder, rules: this.#rulesOf(folder), setup: projectWish(folder) });
  }

  /** Whether a person trusted exactly what a repository asks for in new worktrees. */
  isSetupTrusted(folder: string, wish: ProjectWish): boolean {
    return this.#trusted.some((known) => known.folder === folder && isSame(known.setup ?? null, wish));
  }

  trustNoMore(folder: string): void {
    this.#write(this.#config, { trusted: this.#others(folder) });
  }

  /** The folder whose own rules would count here, if they are such that nobody has trusted. */
  foreignFor(cwd: string): string | undefined {
    const trusted = this.#trustedAbove(cwd);
    if (trusted) return isSame(this.#rulesOf(trusted.folder), trusted.rules) ? undefined : trusted.folder;
    return isFile(join(cwd, PROJECT_FILE)) ? cwd : undefined;
  }

  /** Whether the folder in which a project's rules would be kept is not the one that it was when `cwd` led to `really`. */
  isMoved(cwd: string, really: string): boolean {
    const { folder } = this.#trustedAbove(cwd) ?? { folder: cwd };
    const now = realPath(folder);
    return now === undefined || join(now, relative(folder, cwd)) !== really;
  }

  /** From now on, without asking, in this folder alone: the same words mean something else in another one. */
  allow(rule: string, scope: "project" | "user", cwd: string): void {
    if (scope === "user") {
      const { rules } = this.#read(this.#config);
      return this.#write(this.#config, { rules: withAllowed(rules, rule, cwd) });
    }
    // What we add to is what was trusted, not what somebody may have written meanwhile.
    const { folder, rules: before, setup } = this.#trustedAbove(cwd) ?? { folder: cwd, rules: null };
    const rules = withAllowed(before, rule, relative(folder, cwd) || ".");
    this.#write(join(realPath(folder) ?? folder, PROJECT_FILE), { rules });
    this.#trust({ folder, rules, ...(setup ? { setup } : {}) });
  }

  get #trusted(): Trusted[] {
    const { trusted } = this.#read(this.#config);
    return (Array.isArray(trusted) ? trusted : []).flatMap((one: unknown): Trusted[] => {
      // A name alone, as earlier versions wrote it, says nothing about the rules.
      if (typeof one === "string") return [{ folder: one, rules: null }];
      return isRecord(one) && typeof one.folder === "string"
        ? [{ folder: one.folder, rules: one.rules ?? null, setup: one.setup ?? null }]
        : [];
    });
  }

  #trust(one: Trusted): void {
    this.#write(this.#config, { trusted: [...this.#others(one.folder), one] });
  }

  #others(folder: string): Trusted[] {
    return this.#trusted.filter((known) => known.folder !== folder);
  }

  #rulesOf(folder: string): unknown {
    return this.#read(join(folder, PROJECT_FILE)).rules ?? null;
  }

  #trustedAbove(cwd: string): Trusted | undefined {
    const trusted = new Map(this.#trusted.map((one) => [one.folder, one]));
    for (let folder = cwd; ; folder = dirname(folder)) {
      const known = trusted.get(folder);
      if (known || folder === dirname(folder)) return known;
    }
  }

  /** One that is spoiled asks for everything: its rules may have denied something. Read again only when it changed. */
  #read(file: string): Record<string, unknown> {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > FILE_BYTES_MAX) return {};
    const known = this.#known.get(file);
    if (known?.at === stat.mtimeMs + stat.size) return known.value;
    let value: Record<string, unknown> = {};
    try {
      const parsed: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
      if (typeof parsed === "object" && parsed !== null) value = parsed as Record<string, unknown>;
    } catch {
      value = SPOILED;
    }
    this.#known.set(file, { at: stat.mtimeMs + stat.size, value });
    return value;
  }

  #write(file: string, changes: object): void {
    if (this.#read(file) === SPOILED) throw new Error(`${file} is not JSON: mend it first`);
    const text = `${JSON.stringify({ ...this.#read(file), ...changes }, null, 2)}\n`;
    if (Buffer.byteLength(text) > FILE_BYTES_MAX) throw new Error(`${file} would have too many rules`);
    const isWritten = inItsFolder(file, (entry) => {
      // A box keeps the name free of an agent's rules by an empty folder.
      if (fs.lstatSync(entry, { throwIfNoEntry: false })?.isDirectory()) fs.rmdirSync(entry);
      return writeWhole(entry, text);
    });
    if (!isWritten) throw new Error(`${dirname(file)} was replaced just now`);
    this.#known.clear();
  }
}

/** Through no link, where the kernel can tell. */
function inItsFolder(file: string, act: (entry: string) => true): true | undefined {
  return process.platform === "linux" ? inRealFolder(file, act) : act(file);
}

function withAllowed(rules: unknown, rule: string, folder: string): Record<string, unknown> {
  const given = isRecord(rules) ? rules : {};
  const known = rulesIn(rules, folder).allow.includes(rule);
  const allow = [...(Array.isArray(given.allow) ? given.allow : []), ...(known ? [] : [{ command: rule, folder }])];
  return { ...given, allow };
}

function isSame(some: unknown, others: unknown): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

/** A rule is a text, or a text for one folder only. */
function rulesIn(value: unknown, folder: string | null): PersonRules {
  const given = isRecord(value) ? value : {};
  const texts = (list: unknown) =>
    (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
      if (typeof one === "string") return [one];
      return isRecord(one) && typeof one.command === "string" && one.folder === folder ? [one.command] : [];
    });
  return { allow: texts(given.allow), ask: texts(given.ask), deny: texts(given.deny) };
}

function isFile(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
