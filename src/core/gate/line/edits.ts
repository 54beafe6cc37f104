// Whether all that a line is thought to destroy are files below one folder, by names that stand in the line, and which they
// are. Pure. Refuses: to guess. A pattern, a variable or a program that is not in the tables makes it no edit: what it makes
// before, such as a link, would give the names another meaning than the one that was compared with a restore point.
import { isWithin } from "../../box/plan.ts";
import { onlyReads } from "../program-names.ts";
import type { Risk, RiskyPart } from "../risk/risk.ts";
import { mentions, movesIn } from "./moves.ts";

/** A path that a line names, absolute and without "." and "..". */
interface Edited {
  readonly path: string;
  /** A folder of this name stays as it is: what the line changes in it is named, too. */
  readonly entered: boolean;
}

/** What a line that needs no question changes. */
export interface Edits {
  /** All that its box may write. */
  readonly folder: string;
  readonly paths: readonly Edited[];
}

export interface EditPlace {
  readonly folder: string;
  /** Where the line starts, by its real name. */
  readonly cwd: string;
}

/** Programs that change the files that their words name, and the options with which they do. "copies": into the last word. */
const EDITORS: ReadonlyMap<string, { readonly options: RegExp; readonly copies?: true }> = new Map([
  ["rm", { options: /^-(?:[dfiIrRv]+|-(?:dir|force|recursive|verbose|one-file-system))$/ }],
  ["rmdir", { options: /^-(?:[pv]+|-(?:parents|verbose))$/ }],
  ["unlink", { options: /^(?!)/ }],
  ["mv", { options: /^-(?:[finuv]+|-(?:force|no-clobber|verbose))$/, copies: true }],
  ["cp", { options: /^-(?:[adfinpPrRuv]+|-(?:archive|force|no-clobber|recursive|verbose))$/, copies: true }],
  ["tee", { options: /^-(?:[a]|-append)$/ }],
  ["truncate", { options: /^-(?:c|s|s[+-]?\d+[KMG]?|-no-create|-size=\d+[KMG]?)$/ }],
  ["chmod", { options: /^-(?:[Rcfv]+|[rwxX]+|-(?:recursive|verbose))$/ }],
  ["redirect.write", { options: /^(?!)/ }],
  ["redirect.append", { options: /^(?!)/ }],
]);

/** They make what was not there, and no links. */
const MAKERS: ReadonlySet<string> = new Set(["mkdir", "touch"]);
/** Twice in a row, a link or a folder that one of them brought would be in the way of the next. */
const REPEATS = /\b(?:for|while|until|select|repeat)\b|[(){}`]/;

const CHMOD = /^(?:0?[0-7]{3}|[ugoa]*[-+=][rwxX]*(?:,[ugoa]*[-+=][rwxX]*)*)$/;

/** After these programs we do not know which names there are. */
const NAMES_MORE = /^(?:env|find|fd|xargs|parallel|chroot|nsenter|unshare|sudo|doas|ssh)$/;
/** What the shell makes of braces does not stand in the line. */
const BRACES = /\{[^}]*(?:,|\.\.)/;
/** git and its like obey what lies there. */
const OBEYED = /(?:^|\/)\.git(?:\/|$)/i;

/** Null: it is no edit, or not all of it. */
export function editsIn(
  text: string,
  risk: Pick<Risk, "kind" | "risky" | "unread" | "possible" | "unsure">,
  { folder, cwd }: EditPlace,
): readonly Edited[] | null {
  const { kind, risky, unread, possible } = risk;
  if (kind !== "destructive" || unread || risky.length === 0 || !keepsNames(text, risk)) return null;
  if (BRACES.test(text) || movesIn(text, possible) || mentions(NAMES_MORE, text, possible)) return null;
  const named = risky.map((part) => namesIn(part));
  if (named.includes(null)) return null;
  const paths = named.flatMap((names) => (names ?? []).map(({ path, entered }) => ({ path: at(cwd, path), entered })));
  const isOwn = ({ path }: { readonly path: string | null }) =>
    path !== null && isWithin(path, folder) && !OBEYED.test(path.slice(folder.length));
  return paths.every(isOwn) ? paths.flatMap(({ path, entered }) => (path === null ? [] : [{ path, entered }])) : null;
}

/** No command of it can make a name of a later one mean another file. One that copies or moves comes alone. */
function keepsNames(text: string, { possible, unsure, risky }: Pick<Risk, "possible" | "unsure" | "risky">): boolean {
  const names = possible.map(([name]) => (name?.literal ? name.text : ""));
  const isKnown = (name: string) => onlyReads(name) || MAKERS.has(name) || EDITORS.has(name);
  if (!names.every(isKnown) || !unsure.every((rule) => MAKERS.has(rule))) return false;
  if (!names.some((name) => EDITORS.get(name)?.copies)) return true;
  return risky.length === 1 && names.filter((name) => !onlyReads(name)).length === 1 && !REPEATS.test(text);
}

/** As they stand in the line. */
function namesIn({ rule, args }: RiskyPart): Edited[] | null {
  const editor = EDITORS.get(rule);
  if (!editor || args.some(({ literal, process }) => !literal || process)) return null;
  const words = args.map((arg) => arg.text);
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  const isOption = (word: string) => word.startsWith("-");
  if (before.some((word) => isOption(word) && !editor.options.test(word))) return null;
  const names = [...before.filter((word) => !isOption(word)), ...(end < 0 ? [] : words.slice(end + 1))];
  // Bits by which others would run it as its owner are no edit.
  if (rule === "chmod" && !CHMOD.test(names.shift() ?? "")) return null;
  if (names.length === 0 || names.includes("")) return null;
  const last = names.at(-1) ?? "";
  if (!editor.copies) return names.map((path) => ({ path, entered: false }));
  if (names.length < 2) return null;
  const sources = names.slice(0, -1);
  const copies = sources.map((path) => ({ path: `${last}/${/([^/]*)\/*$/.exec(path)?.[1] ?? ""}`, entered: false }));
  // A copy leaves its source as it is.
  const gone = rule === "mv" ? sources.map((path) => ({ path, entered: false })) : [];
  return [...gone, ...copies, { path: last, entered: true }];
}

/** Null: it leads up, and by a link ".." may be anything. */
function at(cwd: string, path: string): string | null {
  const names = `${path.startsWith("/") ? "" : `${cwd}/`}${path}`
    .split("/")
    .filter((name) => name !== "" && name !== ".");
  return names.includes("..") ? null : `/${names.join("/")}`;
}
