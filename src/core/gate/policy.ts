// What an agent may do without asking, as one pure table. We try rows from top to bottom; the first that fits decides,
// and its name is the rule that is logged and shown. Refuses: to know where the facts came from.

import type { RiskClass, RiskKind, Where } from "../../protocol/ops/gate.ts";
import type { Decision, Level, Policy as WirePolicy } from "../../protocol/words/policy.ts";
import type { Echo } from "../../protocol/words/program.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";

export type Policy = DeepReadonly<WirePolicy>;

export const DEFAULT_POLICY: Policy = {
  mode: "agent_terminal",
  level: "ask_first",
  agent_levels: {},
  safe_mode: true,
  auto_approve: false,
  threshold: 0.9,
  edit_folder: null,
};

/** The level that counts for an actor: the agent's own, or the session's. */
export function levelOf({ level, agent_levels }: Policy, who: string): Level {
  return agent_levels[who] ?? level;
}

/**
 * session: everything here runs in one box. line: a line that nobody was asked about gets a box of its own. none: a person
 * wants no boxes. missing: there should be one, and the machine cannot make it.
 */
export type Boxing = "session" | "line" | "none" | "missing";

export function isBoxed(box: Boxing): box is "session" | "line" {
  return box === "session" || box === "line";
}

export interface Situation {
  readonly policy: Omit<Policy, "level" | "agent_levels" | "edit_folder">;
  /** The actor's level. */
  readonly level: Level;
  /** line: a whole command line. keys: for the foreground program. prompt_keys: at a prompt, beyond editing a line. */
  readonly what: "line" | "keys" | "prompt_keys" | "prompt_editing";
  readonly echo: Echo;
  /** The line's risk. */
  readonly risk: RiskClass;
  readonly kind: RiskKind | null;
  /** What it destroys lies outside of the workspace, where a box could only refuse it. */
  readonly elsewhere: boolean;
  /** All that it destroys are files below the folder that a person opened for edits, and a restore point can have them. */
  readonly edits: boolean;
  readonly box: Boxing;
  /** The line could not be parsed as a whole, so confidence does not count. */
  readonly readable: boolean;
  /** The line holds characters that deceive the eye. */
  readonly deceives: boolean;
  /** What the person's own rules say about the line. */
  readonly ruled: Decision | null;
  readonly confidence: number | null;
  /** Keys: a person allowed this program instance. */
  readonly permitted: boolean;
  /** Keys: the program can run other programs (editors, pagers, interpreters, shells). */
  readonly escapes: boolean;
  /** Keys: the program is a shell that does not mark its commands, so each of its lines is unknown. */
  readonly plain_shell: boolean;
  /** Keys: Ctrl+C alone, to a program that the agent began itself. */
  readonly interrupts: boolean;
  /** Keys: the box has what a person lent to another, such as their login, and perhaps a question for the person. */
  readonly lent: boolean;
}

export interface Verdict {
  readonly do: Decision;
  readonly rule: string;
  /** Where it runs, at once or after a person's yes. */
  readonly where: Where;
}

interface Row {
  readonly rule: string;
  readonly do: Verdict["do"];
  readonly when: (s: Situation) => boolean;
}

const sure = ({ policy, confidence, readable, box }: Situation): boolean =>
  policy.auto_approve && box !== "missing" && readable && confidence !== null && confidence >= policy.threshold;
const isLine = ({ what }: Situation): boolean => what === "line";
const isKeys = ({ what }: Situation): boolean => what === "keys";

/** A person lets agents do anything here. */
const isTrusted = ({ level, policy }: Situation): boolean => level === "always_allow" && !policy.safe_mode;
/** A line that nobody was asked about runs in a box. Where agents may do anything, only a whole session is one. */
const isConfined = (s: Situation): boolean => s.box === "session" || (s.box === "line" && !isTrusted(s));

/** The rule by which a line runs only if its files are kept before. */
export const EDIT_RULE = "level.edit_here";
const isEdit = (s: Situation): boolean =>
  s.risk === "risky" && s.kind === "destructive" && s.edits && !s.elsewhere && isConfined(s) && !s.deceives;

const TABLE: readonly Row[] = [
  { rule: "gate.echo_off", do: "deny", when: (s) => s.echo === "off" },
  { rule: "rules.deny", do: "deny", when: (s) => s.ruled === "deny" },
  { rule: "prompt.editing", do: "allow", when: (s) => s.what === "prompt_editing" },
  { rule: "mode.terminal", do: "ask", when: (s) => s.policy.mode === "terminal" },
  { rule: "level.always_ask", do: "ask", when: (s) => s.level === "always_ask" },
  { rule: "rules.ask", do: "ask", when: (s) => s.ruled === "ask" },

  { rule: "rules.allow", do: "allow", when: (s) => isLine(s) && s.ruled === "allow" },
  { rule: "class.safe", do: "allow", when: (s) => isLine(s) && s.risk === "safe" },
  // What it does is not known, and in the box it can do no harm outside.
  { rule: "box", do: "allow", when: (s) => isLine(s) && s.risk === "unknown" && isConfined(s) && !s.deceives },
  { rule: "auto_approve", do: "allow", when: (s) => isLine(s) && s.risk === "unknown" && sure(s) },
  { rule: EDIT_RULE, do: "allow", when: (s) => isLine(s) && s.level === "edit_here" && isEdit(s) },
  { rule: "safe_mode.risky", do: "ask", when: (s) => isLine(s) && s.risk === "risky" && s.policy.safe_mode },
  { rule: "safe_mode.unknown", do: "ask", when: (s) => isLine(s) && s.policy.safe_mode },
  { rule: "level.always_allow", do: "allow", when: (s) => isLine(s) && s.level === "always_allow" },
  { rule: "class.risky", do: "ask", when: (s) => isLine(s) && s.risk === "risky" },
  { rule: "class.unknown", do: "ask", when: (s) => isLine(s) },

  // All that such a shell does is in its box, and it still asks about each line.
  { rule: "box", do: "allow", when: (s) => s.what === "prompt_keys" && s.box === "session" && !s.lent },
  { rule: "prompt.keys", do: "ask", when: (s) => s.what === "prompt_keys" && s.policy.safe_mode },
  { rule: "interrupt.own", do: "allow", when: (s) => isKeys(s) && s.interrupts },
  { rule: "box", do: "allow", when: (s) => isKeys(s) && isBoxed(s.box) && !s.lent },
  { rule: "safe_mode.plain_shell", do: "ask", when: (s) => isKeys(s) && s.plain_shell && s.policy.safe_mode },
  { rule: "permitted", do: "allow", when: (s) => isKeys(s) && s.permitted },
  { rule: "safe_mode.escapes", do: "ask", when: (s) => isKeys(s) && s.escapes && s.policy.safe_mode },
  { rule: "level.always_allow", do: "allow", when: (s) => s.level === "always_allow" },
  { rule: "auto_approve", do: "allow", when: (s) => isKeys(s) && sure(s) },
];

/** When no row fits, a person is asked. */
const REST: Pick<Row, "rule" | "do"> = { do: "ask", rule: "level.ask_first" };

export function judge(situation: Situation): Verdict {
  const { rule, do: decision } = TABLE.find(({ when }) => when(situation)) ?? REST;
  return { do: decision, rule, where: whereOf(situation, { do: decision, rule }) };
}

/** Rules by which a line runs though no person said anything about it. */
export const BY_CLASS: ReadonlySet<string> = new Set(["class.safe", "box", "auto_approve", EDIT_RULE]);

/** What lies outside of any box. */
const OUTSIDE: ReadonlySet<RiskKind | null> = new Set(["privilege", "deploy", "migrate"]);
const NETWORK: ReadonlySet<RiskKind | null> = new Set(["network", "install"]);

function whereOf(situation: Situation, { do: decision, rule }: Pick<Row, "do" | "rule">): Where {
  const { box, kind, elsewhere } = situation;
  if (!isBoxed(box)) return "outside";
  if (box === "session") return OUTSIDE.has(kind) ? "outside" : NETWORK.has(kind) ? "box+network" : "box";
  if (isKeys(situation)) return "box";
  if (!isConfined(situation)) return "outside";
  // A yes to destroying is for what the person saw. Until it runs, an agent may put a link to other files in its way.
  if (decision === "ask" && kind === "destructive" && !elsewhere) return "box";
  // What else a person allowed, by a yes, by a rule or for the whole session, runs in their shell as if they had typed it.
  return BY_CLASS.has(rule) ? "box" : "outside";
}
