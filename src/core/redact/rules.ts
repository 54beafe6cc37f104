// A person's own rules and the kinds that they switched off (`redact` in config.json). Pure.
// Refuses: patterns that cannot be matched in linear time, and kinds that nobody knows, with a hint.
import { type Fault, fault, isFault } from "../base/fault.ts";
import { type Find, placesIn } from "../base/finder.ts";
import { patternFinder } from "../base/pattern.ts";
import type { Span } from "./finding.ts";
import { MARK_RULES, VENDOR_RULES } from "./vendors.ts";

export interface Rules {
  spans(text: string): Span[];
  isOff(kind: string): boolean;
}

/** A kind stands in the text: ‹redacted:kind:4hex›. */
const KIND = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** Each rule reads all text once more. */
const RULES_MAX = 50;

const CONTEXT_KINDS =
  "password token authorization cookie url-password url-token query-parameter webhook password-hash private-key variable typed".split(
    " ",
  );

/** All kinds that have a rule of ours. */
const KINDS: readonly string[] = [
  ...new Set([...VENDOR_RULES.map(([kind]) => kind), ...MARK_RULES.map(([kind]) => kind), ...CONTEXT_KINDS]),
].sort();

export const NO_RULES: Rules = { spans: () => [], isOff: () => false };

/** `redact` of config.json: { rules: [{ kind, pattern }], off_kinds: [kind] }. */
export function redactRules(settings: unknown): Rules | Fault {
  const read = shapeOf(settings);
  if (isFault(read)) return read;
  const finders: { kind: string; find: Find }[] = [];
  for (const { kind, pattern } of read.rules) {
    const find = finderOf(kind, pattern);
    if (isFault(find)) return find;
    finders.push({ kind, find });
  }
  const known = new Set([...KINDS, ...read.rules.map(({ kind }) => kind)]);
  const strange = read.off_kinds.find((kind) => !known.has(kind));
  if (strange !== undefined)
    return wrong(`off_kinds: there is no kind "${strange}"`, `There are: ${[...known].join(", ")}.`);
  const off = new Set(read.off_kinds);
  return {
    isOff: (kind) => off.has(kind),
    spans: (text) =>
      finders.flatMap(({ kind, find }) =>
        placesIn(text, find).map(({ at, length }) => ({ kind, from: at, to: at + length })),
      ),
  };
}

interface Settings {
  /** What is secret here, besides what everybody knows. */
  readonly rules: readonly { readonly kind: string; readonly pattern: string }[];
  /** Kinds that are shown after all. */
  readonly off_kinds: readonly string[];
}

function shapeOf(settings: unknown): Settings | Fault {
  if (settings === undefined) return { rules: [], off_kinds: [] };
  if (!isRecord(settings)) return wrong("it is no object", FORM);
  const { rules = [], off_kinds = [], ...others } = settings;
  const [other] = Object.keys(others);
  if (other !== undefined) return wrong(`there is no field "${other}"`, FORM);
  if (!Array.isArray(off_kinds) || !off_kinds.every((kind) => typeof kind === "string"))
    return wrong("off_kinds is no list of kinds", FORM);
  if (!Array.isArray(rules) || !rules.every(isRule)) return wrong("rules is no list of kind and pattern", FORM);
  if (rules.length > RULES_MAX)
    return wrong(`there are more than ${RULES_MAX} rules`, "Join some with | in one pattern.");
  return { rules, off_kinds };
}

const FORM = 'Write { "rules": [{ "kind": "badge", "pattern": "BADGE-[0-9]{6}" }], "off_kinds": ["cookie"] }.';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRule(value: unknown): value is { kind: string; pattern: string } {
  return (
    isRecord(value) &&
    Object.keys(value).length === 2 &&
    typeof value.kind === "string" &&
    typeof value.pattern === "string"
  );
}

function finderOf(kind: string, pattern: string): Find | Fault {
  if (!KIND.test(kind))
    return wrong(`"${kind}" is no kind`, "A kind has small letters, digits and dashes, 32 at most.");
  const find = patternFinder(pattern);
  if (isFault(find)) return wrong(`the rule of ${kind}: ${find.message}`, find.hint);
  if (find("") !== undefined)
    return wrong(`the rule of ${kind} matches the empty text`, "Write at least one character that must be there.");
  return find;
}

function wrong(message: string, hint: string): Fault {
  return fault("input.invalid", `redact: ${message}`, hint);
}
