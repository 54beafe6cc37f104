// A person's own rules on disk: config.json for everywhere, .duetty.json of a trusted folder for what is below it. Owns: the
// list of trusted folders. A project's rules do not count until a person has trusted their folder.
import fs from "node:fs";
import { dirname, join } from "node:path";
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
    const user = rulesIn(this.#read(this.#config).rules);
    const folder = cwd === null ? undefined : this.#trustedAbove(cwd);
    return folder === undefined ? [user] : [user, rulesIn(this.#read(join(folder, PROJECT_FILE)).rules)];
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

  /** From now on, without asking. */
  allow(rule: string, scope: "project" | "user", cwd: string | null): void {
    const file = scope === "user" ? this.#config : join((cwd && this.#trustedAbove(cwd)) ?? cwd ?? "/", PROJECT_FILE);
    const rules = rulesIn(this.#read(file).rules);
    this.#write(file, { rules: { ...rules, allow: [...new Set([...rules.allow, rule])] } });
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

function rulesIn(value: unknown): PersonRules {
  const given = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((text) => typeof text === "string") : []);
  return { allow: texts(given.allow), ask: texts(given.ask), deny: texts(given.deny) };
}
