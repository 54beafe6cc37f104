// Judges one line. Owns: the findings so far, the names of all programs that would start, the normal form.
// Refuses: to know programs (tables/) and syntax (syntax-walk.ts).

import { apply } from "./apply-rule.ts";
import { refusedBeforeParsing } from "./before-parsing.ts";
import { foreignText } from "./dialect.ts";
import { prefixVerdict, settingVerdict } from "./environment.ts";
import { wordsOf } from "./inside/braces.ts";
import { mayRun } from "./inside/evaluated.ts";
import { mentionedIn, type Started, startedIn, startedWords } from "./inside/starters.ts";
import { asksForHelp, groups, knownPrograms, type Located, locate, NETWORK } from "./known-programs.ts";
import { isPatternOutside } from "./places.ts";
import { type Finding, type PartRisk, risky, riskyUnboxed, type Shell, safe, unknown, worse } from "./risk.ts";
import { secretPath } from "./secret-paths.ts";
import type { Starts } from "./spec.ts";
import { type InputSource, type Simple, type SyntaxWalk, walkSyntax } from "./syntax-walk.ts";
import { type Arg, anything, argOf, literal, wordOf } from "./words.ts";

/** Wrappers inside wrappers. Nobody needs more, and more would hide something. */
const WRAPPERS_MAX = 8;

const TOO_DEEP = risky("limit.wrappers", "privilege", "wrapped too many times");

export interface Setting {
  readonly shell: Shell;
  readonly input: InputSource;
  readonly fetches: boolean;
  readonly depth: number;
  readonly root: string | null;
  readonly isFree: ((path: string) => boolean) | null;
}

/** Commands that are tried at places where one could begin, in a whole line. More of them hide something. */
const TRIED_MAX = 200;

export class LineJudge {
  readonly findings: Finding[] = [];
  /** Every program that would start, wrappers included. */
  readonly names: string[] = [];
  /** Something runs whose name is known only at run time. */
  undecided = false;
  /** Becomes null at the first part that is not literal. */
  normal: string[] | null = [];
  /** Every command that may run, behind wrappers too, for rules that must not miss one. Words may be unreadable. */
  readonly possible: (readonly Arg[])[] = [];
  /** Some of the text was not understood. */
  unread = false;
  /** Words of commands that are not safe: what they name may be started after all. */
  readonly mentions: string[] = [];
  #moved = false;
  readonly #tried: { count: number };

  constructor(tried = { count: 0 }) {
    this.#tried = tried;
  }

  /** Judges a whole source text. Keeps all findings and returns the worst. */
  text(source: string, setting: Setting): PartRisk {
    const { shell } = setting;
    const early = refusedBeforeParsing(source, shell) ?? foreignText(source, shell);
    if (setting.depth > WRAPPERS_MAX) return this.#closed(TOO_DEEP, source);
    if (early?.rule.startsWith("dialect.") && shell !== "bash")
      return worse(this.#closed(early, source), this.#asInBash(source, setting));
    if (early) return this.#closed(early, source);
    let seen: SyntaxWalk;
    try {
      seen = walkSyntax(source, shell, setting.input, setting.root);
    } catch (error) {
      // The parser's or the walk's stack ran out. Nothing else throws here.
      return this.#closed(
        unknown("limit.parser", `not parsed: ${error instanceof Error ? error.message : "?"}`),
        source,
      );
    }
    if (seen.simples.length === 0 && seen.functions.length === 0 && seen.findings.length === 0) {
      return /^\s*(?:\[\[|\(\()/.test(source)
        ? safe("shell.test")
        : this.#closed(unknown("parse.empty", "there is no command"), source);
    }
    return this.#all(seen, setting);
  }

  /** The shell reads it in its own way. What bash would destroy with it is asked about all the same. */
  #asInBash(source: string, setting: Setting): PartRisk {
    const judge = new LineJudge(this.#tried);
    const verdict = judge.text(source, { ...setting, shell: "bash", depth: setting.depth + 1 });
    this.#learn(judge);
    if (verdict.class !== "risky") return safe("dialect");
    this.findings.push(...judge.findings.filter((finding) => finding.class === "risky"));
    return verdict;
  }

  #all(seen: SyntaxWalk, setting: Setting): PartRisk {
    let worst: PartRisk = safe("line");
    for (const finding of seen.findings) {
      worst = worse(worst, this.#keep(finding, finding.part, finding));
      if (/^(?:parse|limit|expand|dialect|redirect\.dynamic)/.test(finding.rule)) this.normal = null;
      if (/^(?:parse|limit|expand|dialect)/.test(finding.rule)) this.undecided = true;
      if (/^(?:parse|limit)/.test(finding.rule)) this.unread = true;
    }
    this.normal?.push(...seen.writes);
    const fetches = setting.fetches || seen.simples.some((one) => NETWORK.has(one.node.name?.value ?? ""));
    for (const { name } of seen.functions) {
      const shadows = knownPrograms.has(name.value);
      const why = shadows ? `puts a function in the place of ${name.value}` : "defines a function";
      const verdict = shadows ? riskyUnboxed("shell.shadow", "privilege", why) : unknown("shell.function", why);
      worst = worse(worst, this.#keep(verdict, `${name.text}()`));
      this.normal = null;
    }
    let first: PartRisk | undefined;
    for (const simple of seen.simples) {
      const verdict = this.#simple(simple, { ...setting, fetches, input: simple.input });
      first ??= verdict;
      worst = worse(worst, verdict);
    }
    // A safe line is named after its first command.
    return worst.class === "safe" && first ? first : worst;
  }

  #simple({ node }: Simple, setting: Setting): PartRisk {
    let worst: PartRisk = safe("shell");
    for (const part of node.prefix) {
      if (part.type !== "Assignment") continue;
      const value = part.value.type === "Word" ? wordOf(part.value) : null;
      // No file pattern is expanded here: DEBUG=app:*
      const text = value && (value.literal || /^[\w.,:+*=@%-]+$/.test(value.text)) ? value.text : null;
      const verdict = node.name ? prefixVerdict(part.name, text) : settingVerdict(part.name);
      worst = worse(worst, this.#keep(verdict, part.text));
      // Where a number is wanted, the shell evaluates what the variable holds.
      if (value && mayRun(value)) this.#dynamic();
      if (value && verdict.class !== "safe") this.mentions.push(value.text);
      if (verdict.class !== "safe") this.#entry([literal(part.name), value ?? argOf(part)], "=");
    }
    if (!node.name) {
      const only = node.prefix.length > 0 || node.suffix.length > 0;
      return only ? worst : this.#keep(unknown("parse.empty", "there is no command"), "");
    }
    const names = wordsOf(node.name);
    if (names.length > 1) worst = worse(worst, this.#keep(unknown("name.braces", "a name in braces"), node.name.text));
    const words = [...names, ...node.args.flatMap((arg) => (arg.type === "Word" ? wordsOf(arg) : [argOf(arg)]))];
    const verdict = this.#command(words, setting);
    return worst.class === "safe" ? verdict : worse(worst, verdict);
  }

  /** A command and, through its wrappers, what it starts. */
  #command(words: readonly Arg[], setting: Setting): PartRisk {
    const part = words.map((word) => word.text).join(" ");
    const [name, ...args] = words;
    if (setting.depth > WRAPPERS_MAX) return this.#closed(TOO_DEEP, part);
    if (!name?.literal || name.text === "") {
      this.undecided = true;
      this.normal = null;
      this.possible.push(words);
      const verdict = unknown("name.dynamic", "which program it is can only be seen when it runs");
      // rm$IFS: what follows the name becomes words.
      const begins = name?.splits && knownPrograms.has(name.prefix);
      const begun = begins ? this.#try({ words: [literal(name.prefix), anything("…"), ...args] }, setting) : null;
      return this.#keep(begun ? worse(begun, verdict) : verdict, part);
    }
    if (!/^[\x21-\x7e]+$/.test(name.text)) {
      this.possible.push(words);
      return this.#keep(unknown("name.text", "an unusual name for a program"), part);
    }
    const found = locate(name.text);
    this.names.push(name.text);
    const at = this.normal?.length ?? 0;
    this.#entry([literal(found.name), ...args], " ");
    this.possible.push([literal(found.name), ...args]);
    if (!found.rule) return this.#keep(this.#unknown(found, args, setting), part);
    if (asksForHelp(found, args)) return safe(`${found.name}.help`);
    const before = this.findings.length;
    const verdict = this.#started(found, args, apply(found.rule, args, found.name, this.#starts(setting)), setting);
    // A wrapper that only passes on is not part of the normal form.
    const passes = found.rule.form === "wraps" && found.rule.kind === null && found.rule.opaque === null;
    if (this.normal && (passes || found.passes) && this.normal.length > at + 1) this.normal.splice(at, 1);
    if (MOVES.has(found.name)) this.#moved = true;
    const secret = secretPath(args);
    const outside = args.find((arg) => isPatternOutside(arg, setting.root));
    const shown = outside
      ? worse(verdict, unknown("path.pattern", `${outside.text} matches files outside the workspace`))
      : verdict;
    const worst = secret ? worse(shown, secret) : shown;
    const repeats = this.findings.slice(before).some((one) => one.class === "risky" && one.rule === worst.rule);
    return this.#keep(worst, part, { args, repeats });
  }

  /** A program without a rule. Under a name of the system's in a folder of programs it is as risky as that one. */
  #unknown({ name, id, why }: Located, args: readonly Arg[], setting: Setting): PartRisk {
    this.mentions.push(...mentionedIn(name, args));
    for (const one of startedIn(args)) this.#try(one, setting);
    const program = /(?:^|\/)s?bin\/([^/]+)$/.exec(name)?.[1];
    const alike = program ? this.#try({ words: [literal(program), ...args] }, setting) : null;
    return alike ? worse(alike, unknown(id, why)) : unknown(id, why);
  }

  /** What a program may start in a way that its rule does not see, with the risk of that. */
  #started({ name, rule }: Located, args: readonly Arg[], verdict: PartRisk, setting: Setting): PartRisk {
    if (verdict.class === "safe") return verdict;
    this.mentions.push(...mentionedIn(name, args));
    const own = NETWORK.has(name) || rule?.form === "wraps" || verdict.hides ? args : startedWords(name, args);
    let worst: PartRisk = verdict;
    for (const one of startedIn(own ?? [])) {
      const risk = this.#try(one, setting);
      if (risk && !NETWORK.has(name)) worst = worse(worst, risk);
    }
    return worst;
  }

  /** A command that may be meant. All that it may run counts; it tells its risk if that is high, and is not shown. */
  #try(one: Started, setting: Setting): PartRisk | null {
    const name = "words" in one ? one.words[0] : undefined;
    // What a program without a rule could start is tried with the words around it.
    const plain = name?.literal && !locate(name.text).rule && !/bin\/[^/]+$/.test(name.text);
    if (!plain) this.#tried.count += 1;
    if (plain || this.#tried.count > TRIED_MAX || setting.depth >= WRAPPERS_MAX) {
      if ("words" in one) this.possible.push(one.words);
      else this.unread = true;
      return null;
    }
    const judge = new LineJudge(this.#tried);
    const inner = { ...setting, depth: setting.depth + 1 };
    const risk = "text" in one ? judge.text(one.text, inner) : judge.#command(one.words, inner);
    this.#learn(judge);
    return risk.class === "risky" ? risk : null;
  }

  #learn({ possible, mentions }: LineJudge): void {
    this.possible.push(...possible);
    this.mentions.push(...mentions);
  }

  #starts(setting: Setting): Starts {
    const { shell, input, fetches, root, isFree } = setting;
    const inner = { ...setting, depth: setting.depth + 1 };
    const starts: Starts = {
      shell,
      input,
      fetches,
      root,
      moved: this.#moved,
      isFree: root === null || this.#moved || !isFree ? null : (path) => isFree(resolved(root, path)),
      tool: (group, name) => groups[group].get(name),
      text: (source, other) => this.text(source, { ...inner, shell: other }),
      command: (words, { assigns }) => {
        let worst: PartRisk = safe("env");
        let i = 0;
        for (; assigns && i < words.length; i += 1) {
          const word = words[i];
          const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word?.prefix ?? "") ?? [];
          if (!word || name === undefined) break;
          const verdict = prefixVerdict(name, word.literal ? (value ?? "") : null);
          worst = worse(worst, this.#keep(verdict, word.text));
          if (verdict.class !== "safe") this.#entry([word], "");
        }
        if (i >= words.length) return worse(worst, this.#keep(unknown("env.show", "shows the environment"), "env"));
        return worse(worst, this.#command(words.slice(i), inner));
      },
      rule: (rule, args, id) => apply(rule, args, id, starts),
    };
    return starts;
  }

  #keep(verdict: PartRisk, part: string, more: Pick<Finding, "args" | "repeats"> = {}): PartRisk {
    if (verdict.class !== "safe") this.findings.push({ ...verdict, part, ...more });
    if (verdict.class !== "safe" && verdict.hides) this.#dynamic();
    return verdict;
  }

  #closed(verdict: PartRisk, part: string): PartRisk {
    this.undecided = true;
    this.normal = null;
    this.unread = true;
    return this.#keep(verdict, part);
  }

  #dynamic(): void {
    this.undecided = true;
    this.normal = null;
    this.possible.push([anything("…")]);
  }

  #entry(words: readonly Arg[], between: string): void {
    if (words.some((word) => !word.literal)) this.normal = null;
    this.normal?.push(words.map((word) => quote(word.text)).join(between));
  }
}

const resolved = (root: string, path: string): string => (path.startsWith("/") ? path : `${root}/${path}`);

const MOVES = new Set(["cd", "pushd", "popd"]);

/** Literal text that reads as one word. */
function quote(text: string): string {
  return /^[\w@%+=:,./~^{}\-[\]*?!]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
