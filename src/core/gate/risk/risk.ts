// The types of the classifier: the risk of a line and of each of its parts.
import type { Reason, RiskClass, RiskKind } from "../../../protocol/ops/gate.ts";
import type { ShellName } from "../../../protocol/words/program.ts";
import type { Arg } from "./words.ts";

export interface Risk {
  readonly class: RiskClass;
  /** Only for risky. */
  readonly kind: RiskKind | null;
  /** The rule that decided, a stable dotted id such as "git.push" or "parse.error". */
  readonly rule: string;
  /** What decided, for a person: the parts of the line and why, worst first, at most a few. */
  readonly reasons: readonly Reason[];
  /**
   * Simple commands in normal form (name without its trusted folder, arguments as literal text), for allow/ask/deny
   * rules; null when any part is dynamic or unparseable. Variables and redirections of a command are separate
   * entries: "PATH=/x" and "> file".
   */
  readonly normal: readonly string[] | null;
  /** Every command that may run, with words that are known only at run time, for ask and deny rules. */
  readonly possible: readonly (readonly Arg[])[];
  /** Some of the text was not understood, so commands may be missing among the possible ones. */
  readonly unread: boolean;
  /** Words and texts of commands that are not safe. A program that they name may be started after all. */
  readonly mentions: readonly string[];
  /** All that is risky in it. */
  readonly risky: readonly RiskyPart[];
  /** The rules of all that is unknown in it. */
  readonly unsure: readonly string[];
}

/** A risky command with its arguments, or a redirection with its target. */
export interface RiskyPart {
  readonly rule: string;
  readonly args: readonly Arg[];
}

export type Shell = ShellName | "sh";

/** The risk of one part. */
export type PartRisk =
  | { readonly class: "safe"; readonly rule: string }
  | { readonly class: "unknown"; readonly rule: string; readonly why: string; readonly hides?: true }
  | {
      readonly class: "risky";
      readonly rule: string;
      readonly why: string;
      readonly kind: RiskKind;
      readonly heldBy?: Holder;
      readonly hides?: true;
    };

/** What takes the danger away: every box, or only one in which the whole session runs. */
type Holder = "box" | "session";

export type Finding = PartRisk & {
  readonly part: string;
  readonly args?: readonly Arg[];
  /** A wrapper says again what was found in what it starts. */
  readonly repeats?: boolean;
};

export const safe = (rule: string): PartRisk => ({ class: "safe", rule });
export const unknown = (rule: string, why: string): PartRisk => ({ class: "unknown", rule, why });
/** Unknown, because what it starts is known only at run time. */
export const hidden = (rule: string, why: string): PartRisk => ({ class: "unknown", rule, why, hides: true });
export const risky = (rule: string, kind: RiskKind, why: string): PartRisk => ({ class: "risky", rule, why, kind });

/** Risky only where there is no box: it changes the shell or its programs, and the box holds these. */
export const riskyUnboxed = (rule: string, kind: RiskKind, why: string, heldBy: Holder = "box"): PartRisk => ({
  ...{ class: "risky", rule, why, kind, heldBy },
});

/** What is left of a risk in this box. */
export function inBox<P extends PartRisk>(part: P, box: "session" | "line"): P | (P & { readonly class: "unknown" }) {
  const held = part.class === "risky" && (part.heldBy === "box" || (part.heldBy === "session" && box === "session"));
  return held ? { ...part, class: "unknown" } : part;
}

const WEIGHT: Record<RiskClass, number> = { safe: 0, unknown: 1, risky: 3 };
const HELD_WEIGHT = 2;

/**
 * The higher risk, or the first of two equal ones. What a box could hold weighs less than what it could not. What one of them hides
 * stays hidden.
 */
export function worse(a: PartRisk, b: PartRisk): PartRisk {
  const [more, less] = weight(b) > weight(a) ? [b, a] : [a, b];
  return less.class !== "safe" && less.hides ? hiding(more) : more;
}

/** What else it starts is known only at run time. */
export function hiding(part: PartRisk): PartRisk {
  return part.class === "safe" ? part : { ...part, hides: true };
}

function weight(part: PartRisk): number {
  return part.class === "risky" && part.heldBy ? HELD_WEIGHT : WEIGHT[part.class];
}
