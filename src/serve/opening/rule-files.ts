// A person's own rules on disk: config.json for everywhere, .duetty.json of a trusted folder for what is below it. Owns: the
// list of trusted folders. A project's rules do not count until a person has trusted their folder.
import fs from "node:fs";
import { dirname, join, relative } from "node:path";
import type { PersonRules } from "../../core/gate/person-rules.ts";
import { writeWhole } from "../../host/disk/files.ts";

const PROJECT_FILE = ".duetty.json";
/** Rules are short. A larger file is not one of ours. */
const FILE_BYTES_MAX = 1 << 20;

const SPOILED: Record<string, unknown> = { rules: { ask: ["**"] } };

export class RuleFiles {
  #config: string;
  #known = new Map<string, { readonly at: number; readonly value: Record<string, unknown> }>();

  constructor(config: string) {
    this.#config = config;
  }

  /** The person's rules, and those of the nearest trusted folder above `cwd`. */
  of(cwd: string | null): PersonRules[] {
    const user = rulesIn(this.#read(this.#config).rules, cwd);
    const folder = cwd === null ? undefined : this.#trustedAbove(cwd);
    if (folder === undefined || cwd === null) return [user];
    return [user, rulesIn(this.#read(join(folder, PROJECT_FILE)).rules, relative(folder, cwd) || ".")];
  }

  get trusted(): string[] {
    const { trusted } = this.#read(this.#config);
    return Array.isArray(trusted) ? trusted.filter((folder) => typeof folder === "string") : [];
  }

  trust(folder: string, how: "trusted" | "not any more"): string[] {
    const rest = this.trusted.filter((known) => known !== folder);
    this.#write(this.#config, { trusted: how === "trusted" ? [...rest, folder] : rest });
    return this.trusted;
  }

  /** Whether a folder has its own rules that nobody has trusted. */
  isForeign(cwd: string): boolean {
    return this.#trustedAbove(cwd) === undefined && fs.existsSync(join(cwd, PROJECT_FILE));
  }

  /** From now on, without asking, in this folder alone: the same words mean something else in another one. */
  allow(rule: string, scope: "project" | "user", cwd: string): void {
    const top = this.#trustedAbove(cwd) ?? cwd;
    const file = scope === "user" ? this.#config : join(top, PROJECT_FILE);
    const folder = scope === "user" ? cwd : relative(top, cwd) || ".";
    const { rules } = this.#read(file);
    const given = isRecord(rules) ? rules : {};
    const known = rulesIn(rules, folder).allow.includes(rule);
    const allow = [...(Array.isArray(given.allow) ? given.allow : []), ...(known ? [] : [{ command: rule, folder }])];
    this.#write(file, { rules: { ...given, allow } });
    if (scope === "project") this.trust(dirname(file), "trusted");
  }

  #trustedAbove(cwd: string): string | undefined {
    const trusted = new Set(this.trusted);
    for (let folder = cwd; ; folder = dirname(folder)) {
      if (trusted.has(folder)) return folder;
      if (folder === dirname(folder)) return undefined;
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
    writeWhole(file, `${JSON.stringify({ ...this.#read(file), ...changes }, null, 2)}\n`);
    this.#known.delete(file);
  }
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
