// A person's own rules and the kinds that they switched off (`redact` in config.json). Pure.
// Refuses: patterns that cannot be matched in linear time, and kinds that nobody knows, with a hint.
import { type Fault, fault, isFault } from "../base/fault.ts";
import { type Find, placesIn } from "../base/finder.ts";
import { patternFinder } from "../base/pattern.ts";
import type { Span } from "./finding.ts";
import { MARK_RULES, VENDOR_RULES } from "./vendors.ts";

export interface RedactSettings {
  /** What is secret here, besides what everybody knows. */
  readonly rules: readonly { readonly kind: string; readonly pattern: string }[];
  /** Kinds that are shown after all. */
  readonly off_kinds: readonly string[];
}

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
export const KINDS: readonly string[] = [
  ...new Set([...VENDOR_RULES.map(([kind]) => kind), ...MARK_RULES.map(([kind]) => kind), ...CONTEXT_KINDS]),
].sort();

export const NO_RULES: Rules = { spans: () => [], isOff: () => false };

export function readRedactRules({ rules, off_kinds }: RedactSettings): Rules | Fault {
  if (rules.length > RULES_MAX)
    return fault(
      "input.invalid",
      `redact.rules has more than ${RULES_MAX} rules`,
      "Join some of them with | in one pattern.",
    );
  const finders: { kind: string; find: Find }[] = [];
  for (const { kind, pattern } of rules) {
    if (!KIND.test(kind))
      return fault(
        "input.invalid",
        `redact.rules: "${kind}" is no kind`,
        "A kind has small letters, digits and dashes, 32 at most.",
      );
    const find = patternFinder(pattern);
    if (isFault(find)) return fault("input.invalid", `redact.rules, kind ${kind}: ${find.message}`, find.hint);
    if (find("") !== undefined)
      return fault(
        "input.invalid",
        `redact.rules, kind ${kind}: the pattern matches nothing at all`,
        "Write at least one character that must be there.",
      );
    finders.push({ kind, find });
  }
  const known = new Set([...KINDS, ...rules.map(({ kind }) => kind)]);
  const strange = off_kinds.find((kind) => !known.has(kind));
  if (strange !== undefined)
    return fault(
      "input.invalid",
      `redact.off_kinds: there is no kind "${strange}"`,
      `There are: ${[...known].join(", ")}.`,
    );
  const off = new Set(off_kinds);
  return {
    isOff: (kind) => off.has(kind),
    spans: (text) =>
      finders.flatMap(({ kind, find }) =>
        placesIn(text, find).map(({ at, length }) => ({ kind, from: at, to: at + length })),
      ),
  };
}
