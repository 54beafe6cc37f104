// Classifies what a line would do: safe, risky or unknown. Pure and bounded. Safe means that it provably only reads, tests, checks
// and builds, judged by the names and arguments of every program in it. We do not analyse a project's own scripts.
import type { Reason } from "../../../protocol/ops/gate.ts";
import { LineJudge, type Setting } from "./line.ts";
import { type Finding, inBox, type PartRisk, type Risk, type Shell } from "./risk.ts";

/** As many as a person reads before deciding. */
const REASONS_MAX = 4;
/** We cut long parts, because the reason only points and the whole line is shown elsewhere. */
const PART_CHARS_MAX = 120;

interface Where {
  readonly shell?: Shell;
  /** The folder the line starts in. Absolute paths below it belong to the workspace. */
  readonly folder?: string | null;
  /** What of the line counts where a box holds the rest. */
  readonly box?: "session" | "line";
  /** Whether nothing has this absolute name yet. Without it the words alone decide. */
  readonly isFree?: (path: string) => boolean;
}

const start = ({ shell = "bash", folder = null, isFree }: Where): Setting => ({
  ...{ shell, root: folder, input: "terminal", fetches: false, depth: 0, isFree: isFree ?? null },
});

const ORDER = { risky: 0, unknown: 2, safe: 3 } as const;

/** Worst first. What needs more than a box decides before what only destroys. */
function order(part: PartRisk): number {
  return ORDER[part.class] + (part.class === "risky" && part.kind === "destructive" ? 1 : 0);
}

export function classify(line: string, where: Where = {}): Risk {
  const judge = new LineJudge();
  const { box } = where;
  const counts = <P extends PartRisk>(part: P) => (box ? inBox(part, box) : part);
  const worst: PartRisk = counts(judge.text(line, start(where)));
  if (worst.class === "safe")
    return {
      class: "safe",
      kind: null,
      rule: worst.rule,
      reasons: [],
      normal: judge.normal,
      possible: judge.possible,
      unread: judge.unread,
      mentions: judge.mentions,
      risky: [],
      unsure: [],
    };
  // Among equals the one that decided comes first: sudo before what it starts.
  const rank = (one: PartRisk) => order(one) * 2 + (one.rule === worst.rule ? 0 : 1);
  const found = judge.findings.map(counts).toSorted((a, b) => rank(a) - rank(b));
  const first = found[0];
  const decides = first && order(first) < order(worst) ? first : worst;
  return {
    class: decides.class,
    kind: decides.class === "risky" ? decides.kind : null,
    rule: decides.rule,
    reasons: reasons(found),
    normal: judge.normal,
    possible: judge.possible,
    unread: judge.unread,
    mentions: judge.mentions,
    risky: found.flatMap((one) =>
      one.class === "risky" && !one.repeats ? [{ rule: one.rule, args: one.args ?? [] }] : [],
    ),
    unsure: found.filter((one) => one.class === "unknown").map(({ rule }) => rule),
  };
}

/**
 * The names of all programs a line would start, as written, or null when they are known only at run time. What those
 * programs start themselves is not included, except for wrappers such as `env` and `xargs`.
 */
export function commandsOf(line: string, where: Where = {}): readonly string[] | null {
  const judge = new LineJudge();
  judge.text(line, start(where));
  return judge.undecided ? null : judge.names;
}

function reasons(found: readonly Finding[]): readonly Reason[] {
  const seen = new Map<string, Reason>();
  for (const finding of found) {
    if (finding.class === "safe") continue;
    const part = finding.part.length > PART_CHARS_MAX ? `${finding.part.slice(0, PART_CHARS_MAX)}…` : finding.part;
    const key = `${finding.rule} ${finding.why}`;
    if (!seen.has(key)) seen.set(key, { part, why: finding.why, rule: finding.rule, class: finding.class });
    if (seen.size === REASONS_MAX) break;
  }
  return [...seen.values()];
}
