// Collects the facts about an agent's request that the policy table asks for. Pure.
import type { Reason } from "../../protocol/ops/gate.ts";
import type { Echo, ShellName } from "../../protocol/words/program.ts";
import { type EditPlace, type Edits, editsIn } from "./line/edits.ts";
import { destroysElsewhere, onlyAdds } from "./line/elsewhere.ts";
import { lineHosts } from "./line/line-hosts.ts";
import { NO_RULES, type PersonRules, ruled } from "./person-rules.ts";
import {
  type Boxing,
  EDIT_RULE,
  isBoxed,
  judge,
  levelOf,
  type Policy,
  type Situation,
  type Verdict,
} from "./policy.ts";
import { escapes, isShell } from "./program-names.ts";
import { classify } from "./risk/classify.ts";
import type { Risk } from "./risk/risk.ts";
import type { Intent } from "./settle.ts";

interface Common {
  readonly who: string;
  readonly policy: Policy;
  readonly echo: Echo;
  readonly confidence: number | null;
  readonly box: Boxing;
}

const NOTHING: Omit<Situation, keyof Common | "what" | "level"> = {
  risk: "unknown",
  kind: null,
  elsewhere: false,
  edits: false,
  readable: true,
  deceives: false,
  ruled: null,
  permitted: false,
  escapes: false,
  plain_shell: false,
  interrupts: false,
  lent: false,
};

/** Our own folder. Anybody who reads the person's token there acts as the person. */
const PRIVATE: Omit<Risk, "possible" | "unread" | "mentions" | "risky" | "unsure"> = {
  class: "risky",
  kind: "privilege",
  rule: "private.home",
  reasons: [
    {
      part: "duetty's own folder",
      why: "has the tokens that tell people from agents",
      rule: "private.home",
      class: "risky",
    },
  ],
  normal: null,
};

/** A box holds what they name. Elsewhere nobody knows who wrote them: agents make repositories. */
const SETTINGS: Pick<Risk, "class" | "rule" | "reasons"> = {
  class: "unknown",
  rule: "git.settings",
  reasons: [
    {
      part: "git",
      why: "runs programs that a repository's settings name, and there is no box around it",
      rule: "git.settings",
      class: "unknown",
    },
  ],
};

/** Whether git reads a repository for it: rev-parse only says where it is. */
function obeysSettings({ possible }: Risk): boolean {
  return possible.some(([name, verb]) => /(?:^|\/)git$/.test(name?.text ?? "") && verb?.text !== "rev-parse");
}

export function isPrivate(text: string): boolean {
  return /person\.token|agent\.token|DUETTY_|XDG_STATE_HOME|\.local\b|\/state\/duetty/.test(text);
}

export interface JudgedLine {
  readonly risk: Risk;
  readonly verdict: Verdict;
  readonly box: Boxing;
  /** What a yes to the network opens. Null: every public host. */
  readonly hosts: readonly string[] | null;
  /** What must be kept before it runs, and all that it may write. */
  readonly edits: Edits | null;
}

export interface LineFacts extends Common {
  readonly shell: ShellName | null;
  readonly rules: readonly PersonRules[];
  /** Where the line starts. */
  readonly folder: string | null;
  /** Whether nothing has this name yet. */
  isFree(path: string): boolean;
  /** "all": also what a box holds, because some of it acts before the box is there. */
  readonly counts?: "all" | undefined;
  /** Where a person lets this agent edit, if a box can hold it there. */
  readonly editPlace?: EditPlace | null | undefined;
}

/** A whole command line. */
export function judgeLine(text: string, facts: LineFacts): JudgedLine {
  const { shell, rules, folder, isFree, counts = "unheld", editPlace = null, ...common } = facts;
  const options = { folder, isFree, ...(shell ? { shell } : {}) };
  const read = classify(text, options);
  const isSafe = (command: string) => classify(command, options).class === "safe";
  const judged = (found: Risk) => {
    const risk = withReasons(text, found, rules, isSafe);
    const paths = editPlace && editsIn(text, found, editPlace);
    const verdict = judge({
      ...NOTHING,
      ...common,
      edits: paths !== null,
      level: levelOf(common.policy, common.who),
      what: "line",
      risk: risk.class,
      kind: risk.kind,
      elsewhere: destroysElsewhere(found, folder),
      // The parser knows too little about fish for confidence to count.
      readable: risk.normal !== null && shell !== "fish",
      deceives: risk.rule.startsWith("text."),
      ruled: ruled(rules, read, isSafe),
    });
    const edits = editPlace && paths && verdict.rule === EDIT_RULE ? { folder: editPlace.folder, paths } : null;
    const hosts = verdict.where === "box+network" ? lineHosts(risk) : null;
    return { risk, verdict, box: common.box, hosts, edits };
  };
  const free = judged(read);
  const isUnheld = free.verdict.rule === "class.safe" && free.verdict.where === "outside" && obeysSettings(read);
  const plain = isUnheld ? judged({ ...read, ...SETTINGS }) : free;
  if (read.class !== "risky" || !isBoxed(common.box) || counts === "all") return plain;
  const inBox = classify(text, { ...options, box: common.box });
  const isKept = folder !== null && onlyAdds(text, inBox, folder, isFree);
  const held = judged(isKept ? { ...inBox, class: "unknown", kind: null } : inBox);
  // What the box would have held counts again where the line leaves it.
  return held.verdict.where === "outside" ? plain : held;
}

function withReasons(
  text: string,
  read: Risk,
  rules: readonly PersonRules[],
  isSafe: (command: string) => boolean,
): Risk {
  const lapsed = rules.flatMap((one) => (one.lapsed ? [one.lapsed] : []));
  const missed = lapsed.find(({ allow }) => ruled([{ ...NO_RULES, allow }], read, isSafe) === "allow");
  const known = isPrivate(text) ? { ...read, ...PRIVATE } : read;
  return missed ? { ...known, reasons: [changedRules(missed.folder, known.class), ...known.reasons] } : known;
}

/** Why a line is asked though the folder's rules allow it. */
function changedRules(folder: string, cls: Risk["class"]): Reason {
  const why = `has changed since you trusted it, so what it allows does not count: read it, then trust the folder again`;
  return { part: `${folder}/.duetty.json`, why, rule: "rules.changed", class: cls };
}

/** Keys, to a prompt or to the foreground program. */
export function judgeKeys(
  facts: Common & {
    readonly at: "prompt" | "program";
    /** At a prompt: they only edit the line. */
    readonly editing: boolean;
    readonly program: string;
    readonly permitted: boolean;
    /** Ctrl+C alone, to a program that this agent began. */
    readonly interrupts: boolean;
    /** Whose the person's login in the box is. Null: nobody's. */
    readonly lentTo: string | null;
  },
): Verdict & Pick<Situation, "what"> {
  const { at, editing, program, permitted, interrupts, lentTo, ...common } = facts;
  const what = at === "program" ? "keys" : editing ? "prompt_editing" : "prompt_keys";
  const plain_shell = at === "program" && isShell(program);
  const level = levelOf(common.policy, common.who);
  const lent = lentTo !== null && lentTo !== common.who;
  const keys = { permitted, interrupts, lent, escapes: escapes(program), plain_shell };
  return { what, ...judge({ ...NOTHING, ...common, level, what, ...keys }) };
}

/** A line that may run is asked all the same when the agent wants to leave the box, or when nothing would watch it. */
export function asking(
  judged: Verdict,
  box: Boxing,
  { leave = false }: Pick<Intent, "leave">,
  ask: string | undefined,
): Verdict {
  if (leave && isBoxed(box) && judged.do !== "deny") return { do: "ask", rule: "box.leave", where: "outside" };
  return ask !== undefined && judged.do === "allow" && judged.where === "outside"
    ? { ...judged, do: "ask", rule: ask }
    : judged;
}
